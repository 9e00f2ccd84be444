"""clip: images against texts and texts against images."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, agree, float64, residual, through_scores, weight
from .shared import shared_feature, with_all_kept


def mask_scores(case: Case, image: np.ndarray, text: np.ndarray) -> np.ndarray:
    """The scores, with −∞ where they are left out."""
    scores, keep = image @ text.T / case.arguments["temperature"], case.arguments.get("keep")
    return scores if keep is None else np.where(keep | np.eye(len(image), dtype=bool), scores, -np.inf)


def gradient(case: Case) -> dict[str, Terms]:
    """M17: M = (P^r + P^c − 2I)/(2B), and M Y/τ, Mᵀ X/τ, −⟨M, L⟩/τ."""
    image, text = float64(case, "image", "text")
    scores, itself = mask_scores(case, image, text), np.arange(len(image))
    m = weight(case, len(image)) / 2 * (residual(scores, itself) + residual(scores.T, itself).T)
    return through_scores(case, "image", "text", (m, np.abs(m)))


def images_for_texts(case: Case) -> Iterator[Sides]:
    """M17: the loss is symmetric, exchanging images and texts exchanges their gradients."""
    image, text = case.arguments["image"], case.arguments["text"]
    here = case.gradients()
    exchanged = here | {"image": here["text"], "text": here["image"]}
    mask = {"keep": case.arguments["keep"].T} if "keep" in case.arguments else {}
    yield from agree(case.at(image=text, text=image, **mask), exchanged)


IDENTITIES = (images_for_texts, shared_feature, with_all_kept)
