"""clip: images against texts and texts against images."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import (
    Sides,
    Terms,
    agree,
    another,
    cross_entropies,
    float64,
    reduction,
    residual,
    through_scores,
    total,
    weight,
)
from .shared import shared_feature


def gradient(case: Case) -> dict[str, Terms]:
    """M17: M = (P^r + P^c − 2I)/(2B), and M Y/τ, Mᵀ X/τ, −⟨M, L⟩/τ."""
    image, text = float64(case, "image", "text")
    scores, itself = image @ text.T / case.arguments["temperature"], np.arange(len(image))
    m = weight(case, len(image)) / 2 * (residual(scores, itself) + residual(scores.T, itself).T)
    return through_scores(case, "image", "text", (m, np.abs(m)))


def value(case: Case) -> Terms:
    """M17: half the mean over the rows, half that over the columns."""
    image, text = float64(case, "image", "text")
    logits, pair = image @ text.T / case.arguments["temperature"], np.arange(len(image))
    return total(case, (cross_entropies(logits, pair) + cross_entropies(logits.T, pair)) / 2)


def images_for_texts(case: Case) -> Iterator[Sides]:
    """M17: the loss is symmetric, exchanging images and texts exchanges their gradients."""
    image, text = case.arguments["image"], case.arguments["text"]
    here = case.gradients()
    exchanged = here | {"image": here["text"], "text": here["image"]}
    yield from agree(case.at(image=text, text=image), exchanged)


def half_rows_half_columns(case: Case) -> Iterator[Sides]:
    """M17, D3.6: half instance discrimination of images in a bank of texts, and half that of texts in images."""
    image, text = float64(case, "image", "text")
    options = {"index": np.arange(len(image)), "temperature": case.arguments["temperature"]}
    options["reduction"] = reduction(case)
    by_image, there = another("instance", v=image, bank=text, **options)
    by_text, back = another("instance", v=text, bank=image, **options)
    expected = {
        "image": (there["v"] + back["bank"]) / 2,
        "text": (there["bank"] + back["v"]) / 2,
        "temperature": (there["temperature"] + back["temperature"]) / 2,
    }
    yield from agree(case, expected)
    value = (by_image + by_text) / 2
    yield "image", case.value(), value, value


IDENTITIES = (images_for_texts, half_rows_half_columns, shared_feature)
