"""clip: images against texts and texts against images."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import (
    Sides,
    Terms,
    agree,
    another,
    float64,
    reduction,
    residual,
    through_scores,
    weight,
)
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


def half_rows_half_columns(case: Case) -> Iterator[Sides]:
    """M17, D3.6: half instance discrimination of images in a bank of texts, plus half that of texts in a bank
    of images.
    """
    if "keep" in case.arguments:
        return
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


def half_the_sum_of_both_ways(case: Case) -> Iterator[Sides]:
    """M36, M39: with a mask, half InfoNCE over the rows of scores, plus half that over the columns with the
    transposed mask.
    """
    if "keep" not in case.arguments:
        return
    image, text = float64(case, "image", "text")
    scores, keep = image @ text.T / case.arguments["temperature"], case.arguments["keep"]
    options = {"positive": np.arange(len(image)), "reduction": case.arguments.get("reduction", "mean")}
    by_rows, rows = another("cpc", case.upstream, scores=scores, keep=keep, **options)
    by_columns, columns = another("cpc", case.upstream, scores=scores.T.copy(), keep=keep.T, **options)
    m = (rows["scores"] + columns["scores"].T) / 2
    expected = through_scores(case, "image", "text", (m, np.abs(m)))
    yield from agree(case, {name: value for name, (value, _) in expected.items()})
    value = (by_rows + by_columns) / 2
    yield "image", case.value(), value, value


IDENTITIES = (
    images_for_texts,
    half_rows_half_columns,
    shared_feature,
    half_the_sum_of_both_ways,
    with_all_kept,
)
