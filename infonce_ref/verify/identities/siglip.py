"""siglip: each combination of image and text is classified as a pair or not, by a sigmoid."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from ..case import Case
from .identity import Sides, Terms, agree, documented, float64, follows, through_scores, weight


def scored(case: Case, slope: Terms) -> dict[str, Terms]:
    """Compute the gradient by every input from ∂𝓛/∂L; ∂𝓛/∂b is its sum.                [F10]"""
    return through_scores(case, "image", "text", slope) | {"bias": (np.sum(slope[0]), np.sum(slope[1]))}


def logits(case: Case) -> np.ndarray:
    """L + b."""
    image, text = float64(case, "image", "text")
    return image @ text.T / case.arguments["temperature"] + float(case.arguments["bias"])


def gradient(case: Case) -> dict[str, Terms]:
    """F10: G = σ(L + b) − 1[i = j] over B, and G Y/τ, Gᵀ X/τ, −⟨G, L⟩/τ, Σ G."""
    pair = np.eye(len(case.arguments["image"]))
    sign = 1 - 2 * pair
    g = weight(case, len(pair)) * sign * expit(sign * logits(case))
    return scored(case, (g, np.abs(g)))


def images_for_texts(case: Case) -> Iterator[Sides]:
    """F9: the loss is symmetric, exchanging images and texts exchanges their gradients."""
    here = case.gradients()
    changed = case.at(image=case.arguments["text"], text=case.arguments["image"])
    yield from agree(changed, here | {"image": here["text"], "text": here["image"]})


def pairs_in_any_order(case: Case) -> Iterator[Sides]:
    """F9: permuting the pairs permutes their gradients."""
    image, text = case.arguments["image"], case.arguments["text"]
    changed = case.at(image=image[::-1], text=text[::-1])
    yield from follows(case, changed, image=lambda x: x[::-1], text=lambda x: x[::-1])


def shared_feature_is_bias(case: Case) -> Iterator[Sides]:
    """F9: a feature that is the same in every row adds the same to every score, as the bias does."""
    size = case.length
    wider = {name: np.insert(case.arguments[name], 0, size, axis=1) for name in ("image", "text")}
    less = case.arguments["bias"] - size**2 / case.arguments["temperature"]
    here, there = case.gradients(), case.at(**wider, bias=less)
    got, sizes = there.gradients(), documented(there)
    for name in ("image", "text"):
        yield name, got[name][:, 1:], here[name], sizes[name][1][:, 1:]
    yield "bias", got["bias"], here["bias"], sizes["bias"][1]


def pull_and_push_balance(case: Case) -> Iterator[Sides]:
    """F10, M7: rows twice as long at four times the temperature have the same loss, so that the gradients balance:
    ⟨X, ∂𝓛/∂X⟩ + ⟨Y, ∂𝓛/∂Y⟩ + 2τ ∂𝓛/∂τ = 0."""
    here, terms = case.gradients(), documented(case)
    tau = case.arguments["temperature"]
    total, size = 2 * tau * here["temperature"], 2 * tau * terms["temperature"][1]
    for name in ("image", "text"):
        (x,) = float64(case, name)
        total, size = total + np.sum(x * here[name]), size + np.sum(np.abs(x) * terms[name][1])
    yield "temperature", total, 0.0, size


IDENTITIES = (images_for_texts, pairs_in_any_order, shared_feature_is_bias, pull_and_push_balance)
