"""Seeded example inputs of the losses and estimators: queries with a positive each, or two views of a batch."""

from typing import Any, NamedTuple

import numpy as np


def draw_mask(seed: int, left_out: float, without: np.ndarray) -> dict[str, np.ndarray]:
    """Draw {"keep": booleans, false for this share of the candidates}, or {} if the share is None. without: marks
    candidates that are not negatives. A row or column that would lose all its negatives keeps them.
    """
    if not left_out:
        return {}
    keep = np.random.default_rng(seed).random(without.shape) >= left_out
    for side, none in ((keep, without), (keep.T, without.T)):
        side[~np.any(side & ~none, axis=1)] = True
    return {"keep": keep}


class Queries(NamedTuple):
    """Unit rows: query (n, d), positive (n, d), others (M, d)."""

    query: np.ndarray
    positive: np.ndarray
    others: np.ndarray


def query_example(
    seed: int, noise: float, *, queries: int = 3, others: int = 4, features: int = 3
) -> Queries:
    """Each positive is its query + noise · Gaussian; the others are independent. All rows have length 1."""
    rng = np.random.default_rng(seed)
    query = rng.standard_normal((queries, features))
    positive = query / np.linalg.norm(query, axis=1, keepdims=True)
    positive = positive + noise * rng.standard_normal((queries, features))
    rows = (query, positive, rng.standard_normal((others, features)))
    return Queries(*(x / np.linalg.norm(x, axis=1, keepdims=True) for x in rows))


def query_key_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    others: int | None = None,
    own: bool = False,
    left_out: float = 0.0,
    **options: Any,
) -> dict[str, Any]:
    """One queue of 4 negatives or, if `own`, 2 for each query; others: use this number instead; left_out: share of
    them that `keep` leaves out.
    """
    others = (2 if own else 4) if others is None else others
    count = rows * others if own else others
    query, positive, negatives = query_example(seed, noise, queries=rows, others=count, features=features)
    negatives = negatives.reshape(rows, others, features) if own else negatives
    options |= draw_mask(seed, left_out, np.zeros((rows, others), dtype=bool))
    return {"query": query, "positive": positive, "negatives": negatives, "temperature": 0.5, **options}


def bank_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    others: int = 2,
    samples: int = 0,
    twice: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """A bank of unit rows in random order, one near each feature, and others; samples: number of noise samples for
    each feature, with repeats; twice: two features share a row.
    """
    v, own, rest = query_example(seed, noise, queries=rows, others=others, features=features)
    rng = np.random.default_rng(seed)
    order = rng.permutation(rows + others)
    index = np.argsort(order)[:rows]
    if twice:
        index[-1] = index[0]
    if samples:
        options |= {"noise_index": rng.integers(rows + others, size=(rows, samples))}
    return {
        "v": v,
        "bank": np.concatenate([own, rest])[order],
        "index": index,
        "temperature": 0.5,
        **options,
    }


def instance_nce_example(
    seed: int = 0, noise: float = 1.0, *, samples: int = 4, **options: Any
) -> dict[str, Any]:
    """`bank_example` with noise samples."""
    return bank_example(seed, noise, samples=samples, **options)


def clip_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 4,
    features: int = 3,
    left_out: float = 0.0,
    **options: Any,
) -> dict[str, Any]:
    """Each text is its image + noise · Gaussian; left_out: share of the scores that `keep` leaves out."""
    image, text, _ = query_example(seed, noise, queries=rows, features=features)
    options |= draw_mask(seed, left_out, np.eye(rows, dtype=bool))
    return {"image": image, "text": text, "temperature": 0.5, **options}


def siglip_example(
    seed: int = 0, noise: float = 1.0, *, bias: float = -1.0, **options: Any
) -> dict[str, Any]:
    """`clip_example` with a bias."""
    return clip_example(seed, noise, **options) | {"bias": bias}


def cpc_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    others: int = 4,
    columns: int | None = None,
    scale: float = 2.0,
    left_out: float = 0.0,
    **options: Any,
) -> dict[str, Any]:
    """Each query scores 5 unit rows: scale · similarity. The column of the positive varies. others: number of
    candidates besides the positive; columns: number of columns the positives are in; left_out: share of the
    candidates that `keep` leaves out."""
    query, positive, negatives = query_example(seed, noise, queries=rows, others=others, features=features)
    column = np.arange(rows) * 2 % (others + 1)
    if columns is not None:
        column = np.random.default_rng(seed).integers(others + 1, size=columns)[np.arange(rows) % columns]
    candidates = [np.insert(negatives, column[i], positive[i], axis=0) for i in range(rows)]
    scores = np.einsum("nd,nkd->nk", query, candidates) * scale
    options |= draw_mask(seed, left_out, np.arange(others + 1) == column[:, None])
    return {"scores": scores, "positive": column, **options}


def pair_example(
    seed: int,
    noise: float,
    *,
    pairs: int = 3,
    features: int = 3,
    unit: bool = False,
    layout: str = "concatenated",
) -> np.ndarray:
    """Two views of each thing (2 · pairs, features), the second the first + noise · Gaussian; unit: of length 1."""
    rng = np.random.default_rng(seed)
    first = rng.standard_normal((pairs, features))
    second = first + noise * rng.standard_normal((pairs, features))
    views = np.concatenate([first, second])
    if layout == "interleaved":
        views = np.stack([first, second], axis=1).reshape(views.shape)
    return views / np.linalg.norm(views, axis=1, keepdims=True) if unit else views


def two_views_example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 4, features: int = 3, **options: Any
) -> dict[str, Any]:
    """Rows of any length; the second view is noise · Gaussian away."""
    z1, step = np.random.default_rng(seed).standard_normal((2, rows, features))
    return {"z1": z1, "z2": z1 + noise * step, **options}


def columns_example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 4, features: int = 3, **options: Any
) -> dict[str, Any]:
    """Two views whose columns all have the deviation 1 (over B − 1), so that none is nearly constant."""
    views = two_views_example(seed, noise, rows=rows, features=features)
    means = np.random.default_rng([seed, 1]).standard_normal(features)
    return {name: (z - z.mean(axis=0)) / z.std(axis=0, ddof=1) + means for name, z in views.items()} | options


def draw_mask_of_pairs(
    seed: int, left_out: float, pairs: int, layout: str = "concatenated"
) -> dict[str, Any]:
    """`draw_mask` for two views of each thing: an anchor's negatives are all but itself and its partner."""
    itself, n = np.eye(2 * pairs, dtype=bool), np.arange(2 * pairs)
    return draw_mask(
        seed, left_out, itself | itself[n ^ 1 if layout == "interleaved" else (n + pairs) % (2 * pairs)]
    )


def infonce_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    left_out: float = 0.0,
    **options: Any,
) -> dict[str, Any]:
    """Unit rows, concatenated; the second view is noise · Gaussian away; rows: number of pairs; left_out: share of
    the scores that `keep` leaves out."""
    options |= draw_mask_of_pairs(seed, left_out, rows)
    views = pair_example(seed, noise, pairs=rows, features=features, unit=True)
    return {"z": views, "temperature": 0.5, **options}


def ntxent_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    layout: str = "concatenated",
    left_out: float = 0.0,
    **options: Any,
) -> dict[str, Any]:
    """Rows of any length; the second view is noise · Gaussian away; rows: number of pairs; left_out: share of the
    scores that `keep` leaves out."""
    views = pair_example(seed, noise, pairs=rows, features=features, layout=layout)
    options |= draw_mask_of_pairs(seed, left_out, rows, layout)
    return {"w": views, "temperature": 0.5, "layout": layout, **options}


def dcl_example(
    seed: int = 0, noise: float = 1.0, *, sigma: float | None = None, wider: float = 1.0, **options: Any
) -> dict[str, Any]:
    """`ntxent_example`; if sigma is used, it is multiplied by `wider`."""
    weighed = {} if sigma is None else {"sigma": wider * sigma}
    return ntxent_example(seed, noise, **options) | weighed


def supcon_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    classes: int = 2,
    **options: Any,
) -> dict[str, Any]:
    """Rows of any length, two views of each thing, the second noise · Gaussian away; rows: number of things,
    which take turns in this many classes. The last row is alone in its class."""
    labels = np.concatenate([np.arange(rows) % classes] * 2)
    labels[-1] = -1
    views = pair_example(seed, noise, pairs=rows, features=features)
    return {"w": views, "labels": labels, "temperature": 0.5, **options}


def nce_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    samples: int = 4,
    scale: float = 2.0,
    **options: Any,
) -> dict[str, Any]:
    """Draw data and 4 noise samples for each, or `samples`, scored by scale · similarity to the same unit rows."""
    query, positive, others = query_example(seed, noise, queries=rows, others=samples, features=features)
    log_noise = np.random.default_rng(seed).uniform(-3, -1, size=(rows, 1 + samples))
    return {
        "data_scores": np.sum(query * positive, axis=1) * scale,
        "noise_scores": query @ others.T * scale,
        "log_noise_data": log_noise[:, 0],
        "log_noise": log_noise[:, 1:],
        **options,
    }


def triplet_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 4,
    features: int = 3,
    margin: float = 1.0,
    **options: Any,
) -> dict[str, Any]:
    """Triplets away from the kink, alternately active, h = margin/2, and inactive, h = −margin."""
    rng = np.random.default_rng(seed)
    anchor, step, direction = rng.standard_normal((3, rows, features))
    direction = direction / np.linalg.norm(direction, axis=1, keepdims=True)
    slack = margin * np.where(np.arange(rows) % 2, 2.0, 0.5)[:, None]
    squared = np.sum((noise * step) ** 2, axis=1, keepdims=True) + slack
    return {
        "anchor": anchor,
        "positive": anchor + noise * step,
        "negative": anchor + np.sqrt(squared) * direction,
        "margin": margin,
        **options,
    }


def alignment_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 4,
    features: int = 3,
    exponent: float = 2.0,
    **options: Any,
) -> dict[str, Any]:
    """Rows of any length, those of the second view noise · (½ … 1½) · √d away: only noise 0 is at the kink."""
    rng = np.random.default_rng(seed)
    z1, step = rng.standard_normal((2, rows, features))
    away = rng.uniform(0.5, 1.5, (rows, 1)) * np.sqrt(features)
    step = step * away / np.linalg.norm(step, axis=1, keepdims=True)
    return {"z1": z1, "z2": z1 + noise * step, "exponent": exponent, **options}


def simsiam_example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 4, features: int = 3, **options: Any
) -> dict[str, Any]:
    """Projections of either view, and predictions that are noise · Gaussian away from the other view's."""
    z1, z2, step1, step2 = np.random.default_rng(seed).standard_normal((4, rows, features))
    return {"p1": z2 + noise * step1, "z1": z1, "p2": z1 + noise * step2, "z2": z2, **options}


def soft_targets_example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 3, spread: float = 0.5, **options: Any
) -> dict[str, Any]:
    """The scores of `cpc`; targets 1 − spread at its positive, and `spread` drawn over all candidates."""
    arguments = cpc_example(seed, noise, rows=rows, **options)
    column, columns = arguments.pop("positive"), arguments["scores"].shape[1]
    drawn = np.random.default_rng([seed, 1]).dirichlet(np.ones(columns), size=rows)
    return {**arguments, "targets": (1 - spread) * np.eye(columns)[column] + spread * drawn}


def vicreg_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 4,
    features: int = 3,
    margin: float = 1.0,
    **options: Any,
) -> dict[str, Any]:
    """Columns away from the kink, with deviations of ½ and 1½ times the margin alternately; noise · Gaussian
    is added to the second view before its columns are scaled.
    """
    views = columns_example(seed, noise, rows=rows, features=features)
    target = np.where(np.arange(features) % 2, 1.5, 0.5) * (margin or 1.0)
    weights = {"invariance": 25.0, "variance": 25.0, "covariance": 1.0, "margin": margin, "epsilon": 1e-4}
    return {**{name: z * target for name, z in views.items()}, **weights, **options}


def barlow_twins_example(
    seed: int = 0, noise: float = 1.0, *, weight: float = 0.005, **options: Any
) -> dict[str, Any]:
    """Columns of deviation 1; in the second view Gaussian noise is added before the columns are scaled to
    deviation 1.
    """
    return {**columns_example(seed, noise, **options), "weight": weight}


def byol_example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 4, features: int = 3, **options: Any
) -> dict[str, Any]:
    """Targets, and predictions that are noise · Gaussian away."""
    views = two_views_example(seed, noise, rows=rows, features=features)
    return {"prediction": views["z2"], "target": views["z1"], **options}


def dhn_nce_example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 4, features: int = 3, **options: Any
) -> dict[str, Any]:
    """Unit images, and their texts that are noise · Gaussian away; unequal betas, unless asked."""
    views = pair_example(seed, noise, pairs=rows, features=features, unit=True)
    return {
        "image": views[:rows],
        "text": views[rows:],
        "temperature": 0.5,
        "beta1": 0.15,
        "beta2": 1.0,
        **options,
    }


def hard_negative_example(
    seed: int = 0, noise: float = 1.0, *, beta: float = 1.0, prior: float = 0.1, **options: Any
) -> dict[str, Any]:
    """Rows of any length, the second view noise · Gaussian away."""
    return ntxent_example(seed, noise, **options) | {"beta": beta, "prior": prior}


def uniformity_example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 3, features: int = 3, t: float = 2.0, **options: Any
) -> dict[str, Any]:
    """Unit rows, each with another at a distance of about noise; rows: number of such pairs."""
    return {"z": pair_example(seed, noise, pairs=rows, features=features, unit=True), "t": t, **options}


def batch_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    scale: float = 2.0,
    **options: Any,
) -> dict[str, Any]:
    """Contexts noise · Gaussian away from their samples, scored by scale · similarity."""
    x, c, _ = query_example(seed, noise, queries=rows, features=features)
    return {"scores": scale * np.einsum("nd,md->nm", x, c), **options}


def donsker_varadhan_example(
    seed: int = 0,
    noise: float = 1.0,
    *,
    rows: int = 3,
    features: int = 3,
    others: int = 4,
    scale: float = 2.0,
    **options: Any,
) -> dict[str, Any]:
    """Draw a law of 4 columns, or of `others`, and scores by scale · similarity."""
    x, _, c = query_example(seed, noise, queries=rows, others=others, features=features)
    drawn = np.random.default_rng([seed, 1]).dirichlet(np.ones(rows * others))
    return {"scores": scale * np.einsum("nd,md->nm", x, c), "joint": drawn.reshape(rows, others), **options}


def smile_example(
    seed: int = 0, noise: float = 1.0, *, rows: int = 3, scale: float = 2.0, **options: Any
) -> dict[str, Any]:
    """A batch's scores, some of them clipped, none within a tenth of the scale from a kink."""
    arguments = batch_example(seed, noise, rows=rows, scale=scale, **options)
    scores, clip, gap = arguments["scores"], 0.4 * scale, 0.1 * scale
    beyond = np.abs(scores) - clip
    moved = np.sign(scores) * (clip + np.where(beyond < 0, -gap, gap))
    return {"clip": clip, **arguments, "scores": np.where(np.abs(beyond) < gap, moved, scores)}
