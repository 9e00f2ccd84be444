"""Seeded example inputs of the losses and estimators: queries with a positive each, or two views of a batch.

Every example takes (seed=0, noise=1.0, *, rows, features, **options), and passes options on to the loss. A small
noise makes the positives nearly equal; rows: number of anchors or pairs; left_out: share of the candidates that
`keep` leaves out; scale: factor of the scores; others: number of other candidates.
"""

from functools import partial

import numpy as np


def unit(x):
    """Rows divided by their length."""
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def draw_mask(seed, left_out, without):
    """Draw {"keep": booleans, false for this share of the candidates}, or {} for a share of 0. without: marks
    candidates that are not negatives. A row or column that would lose all its negatives keeps them.
    """
    if not left_out:
        return {}
    keep = np.random.default_rng(seed).random(without.shape) >= left_out
    for side, none in ((keep, without), (keep.T, without.T)):
        side[~np.any(side & ~none, axis=1)] = True
    return {"keep": keep}


# --- queries with a positive each ---------------------------------------------------------------------------------


def draw_queries(seed, noise, rows, features, others=4):
    """Unit rows: queries (rows, d), their positives, noise · Gaussian away, and independent others (others, d)."""
    rng = np.random.default_rng(seed)
    query = rng.standard_normal((rows, features))
    positive = unit(query) + noise * rng.standard_normal((rows, features))
    return unit(query), unit(positive), unit(rng.standard_normal((others, features)))


def query_key_example(
    seed=0, noise=1.0, *, rows=3, features=3, others=None, own=False, left_out=0.0, **options
):
    """One queue of 4 negatives or, if `own`, 2 for each query."""
    others = (2 if own else 4) if others is None else others
    query, positive, negatives = draw_queries(seed, noise, rows, features, rows * others if own else others)
    negatives = negatives.reshape(rows, others, features) if own else negatives
    options |= draw_mask(seed, left_out, np.zeros((rows, others), dtype=bool))
    return {"query": query, "positive": positive, "negatives": negatives, "temperature": 0.5, **options}


def bank_example(seed=0, noise=1.0, *, rows=3, features=3, others=2, samples=0, twice=False, **options):
    """A bank of unit rows in random order, one near each feature, and others; samples: number of noise samples for
    each feature, with repeats; twice: two features share a row.
    """
    v, own, rest = draw_queries(seed, noise, rows, features, others)
    rng = np.random.default_rng(seed)
    order = rng.permutation(rows + others)
    index = np.argsort(order)[:rows]
    if twice:
        index[-1] = index[0]
    if samples:
        options |= {"noise_index": rng.integers(rows + others, size=(rows, samples))}
    bank = np.concatenate([own, rest])[order]
    return {"v": v, "bank": bank, "index": index, "temperature": 0.5, **options}


instance_nce_example = partial(bank_example, samples=4)


def cpc_example(
    seed=0, noise=1.0, *, rows=3, features=3, others=4, columns=None, scale=2.0, left_out=0.0, **options
):
    """Each query scores 5 unit rows: scale · similarity. The column of the positive varies; columns: number of
    columns the positives are in.
    """
    query, positive, negatives = draw_queries(seed, noise, rows, features, others)
    column = np.arange(rows) * 2 % (others + 1)
    if columns is not None:
        column = np.random.default_rng(seed).integers(others + 1, size=columns)[np.arange(rows) % columns]
    own = np.arange(others + 1) == column[:, None]
    candidates = np.empty((rows, others + 1, features))
    candidates[own], candidates[~own] = positive, np.tile(negatives, (rows, 1))
    scores = np.einsum("nd,nkd->nk", query, candidates) * scale
    options |= draw_mask(seed, left_out, own)
    return {"scores": scores, "positive": column, **options}


def soft_targets_example(seed=0, noise=1.0, *, rows=3, spread=0.5, **options):
    """The scores of `cpc`; targets 1 − spread at its positive, and `spread` drawn over all candidates."""
    arguments = cpc_example(seed, noise, rows=rows, **options)
    column, columns = arguments.pop("positive"), arguments["scores"].shape[1]
    drawn = np.random.default_rng([seed, 1]).dirichlet(np.ones(columns), size=rows)
    return {**arguments, "targets": (1 - spread) * np.eye(columns)[column] + spread * drawn}


def nce_example(seed=0, noise=1.0, *, rows=3, features=3, samples=4, scale=2.0, **options):
    """Data, and noise samples for each, scored by scale · similarity to the same unit rows."""
    query, positive, others = draw_queries(seed, noise, rows, features, samples)
    log_noise = np.random.default_rng(seed).uniform(-3, -1, size=(rows, 1 + samples))
    return {
        "data_scores": np.sum(query * positive, axis=1) * scale,
        "noise_scores": query @ others.T * scale,
        "log_noise_data": log_noise[:, 0],
        "log_noise": log_noise[:, 1:],
        **options,
    }


def batch_example(seed=0, noise=1.0, *, rows=3, features=3, scale=2.0, **options):
    """The scores of samples and contexts near them."""
    x, c, _ = draw_queries(seed, noise, rows, features)
    return {"scores": scale * np.einsum("nd,md->nm", x, c), **options}


def donsker_varadhan_example(seed=0, noise=1.0, *, rows=3, features=3, others=4, scale=2.0, **options):
    """A law over rows and columns, and the scores of unit rows."""
    x, _, c = draw_queries(seed, noise, rows, features, others)
    joint = np.random.default_rng([seed, 1]).dirichlet(np.ones(rows * others)).reshape(rows, others)
    return {"scores": scale * np.einsum("nd,md->nm", x, c), "joint": joint, **options}


def smile_example(seed=0, noise=1.0, *, scale=2.0, **options):
    """A batch's scores, some of them clipped, none within a tenth of the scale from a kink."""
    arguments = batch_example(seed, noise, scale=scale, **options)
    scores, clip, gap = arguments["scores"], 0.4 * scale, 0.1 * scale
    beyond = np.abs(scores) - clip
    moved = np.sign(scores) * (clip + np.where(beyond < 0, -gap, gap))
    return {"clip": clip, **arguments, "scores": np.where(np.abs(beyond) < gap, moved, scores)}


# --- two views of a batch -----------------------------------------------------------------------------------------


def two_views(*names, rows=4, length=None, **usual):
    """The example of two views of each thing, the second noise · Gaussian away: in an array of this name, or in one
    for each. length: of the rows, 1 or any. usual: the usual options. It can be pickled, and so can the loss.
    """
    return partial(draw_two_views, names, length, usual, rows=rows)


def draw_two_views(names, length, usual, seed=0, noise=1.0, *, rows, features=3, left_out=0.0, **options):
    first, step = np.random.default_rng(seed).standard_normal((2, rows, features))
    views = [unit(x) if length == 1 else x for x in (first, first + noise * step)]
    itself, options = np.eye(rows, dtype=bool), usual | options
    if len(names) == 2:
        return dict(zip(names, views)) | options | draw_mask(seed, left_out, itself)
    # the row of each view, view after view or pair after pair; an anchor's partner is no negative either
    axis = 1 if options.get("layout") == "interleaved" else 0
    number = np.stack([np.arange(rows)] * 2, axis=axis).ravel()
    both = np.stack(views, axis=axis).reshape(2 * rows, features)
    return {names[0]: both} | options | draw_mask(seed, left_out, number == number[:, None])


clip_example = two_views("image", "text", length=1, temperature=0.5)
siglip_example = two_views("image", "text", length=1, temperature=0.5, bias=-1.0)
dhn_nce_example = two_views("image", "text", length=1, temperature=0.5, beta1=0.15, beta2=1.0)
infonce_example = two_views("z", rows=3, length=1, temperature=0.5)
uniformity_example = two_views("z", rows=3, length=1, t=2.0)
ntxent_example = two_views("w", rows=3, temperature=0.5, layout="concatenated")
hard_negative_example = two_views("w", rows=3, temperature=0.5, layout="concatenated", beta=1.0, prior=0.1)
two_views_example = two_views("z1", "z2")
byol_example = two_views("prediction", "target")


def dcl_example(seed=0, noise=1.0, *, sigma=None, wider=1.0, **options):
    """`ntxent_example`; if sigma is used, it is multiplied by `wider`."""
    weighed = {} if sigma is None else {"sigma": wider * sigma}
    return ntxent_example(seed, noise, **options) | weighed


def supcon_example(seed=0, noise=1.0, *, rows=3, classes=2, **options):
    """Things take turns in this many classes, the last row alone; for no_positives="zero" each row is."""
    labels = np.concatenate([np.arange(rows) % classes] * 2)
    labels[-1] = -1
    labels = np.arange(2 * rows) if options.get("no_positives") == "zero" else labels
    return two_views("w", labels=labels, temperature=0.5)(seed, noise, rows=rows, **options)


def simsiam_example(seed=0, noise=1.0, *, rows=4, features=3, **options):
    """Projections of either view, and predictions that are noise · Gaussian away from the other view's."""
    z1, z2, step1, step2 = np.random.default_rng(seed).standard_normal((4, rows, features))
    return {"p1": z2 + noise * step1, "z1": z1, "p2": z1 + noise * step2, "z2": z2, **options}


def alignment_example(seed=0, noise=1.0, *, rows=4, features=3, exponent=2.0, **options):
    """Rows of any length, those of the second view noise · (½ … 1½) · √d away: only noise 0 is at the kink."""
    rng = np.random.default_rng(seed)
    z1, step = rng.standard_normal((2, rows, features))
    away = rng.uniform(0.5, 1.5, (rows, 1)) * np.sqrt(features)
    step = step * away / np.linalg.norm(step, axis=1, keepdims=True)
    return {"z1": z1, "z2": z1 + noise * step, "exponent": exponent, **options}


def triplet_example(seed=0, noise=1.0, *, rows=4, features=3, margin=1.0, **options):
    """Triplets away from the kink, alternately active, h = margin/2, and inactive, h = −margin."""
    anchor, step, direction = np.random.default_rng(seed).standard_normal((3, rows, features))
    slack = margin * np.where(np.arange(rows) % 2, 2.0, 0.5)[:, None]
    distance = np.sqrt(np.sum((noise * step) ** 2, axis=1, keepdims=True) + slack)
    negative = anchor + distance * unit(direction)
    return {
        "anchor": anchor,
        "positive": anchor + noise * step,
        "negative": negative,
        "margin": margin,
        **options,
    }


def columns_example(seed=0, noise=1.0, *, rows=4, features=3, **options):
    """Two views whose columns all have the deviation 1 (over B − 1), so that none is nearly constant."""
    views = two_views_example(seed, noise, rows=rows, features=features)
    means = np.random.default_rng([seed, 1]).standard_normal(features)
    return {name: (z - z.mean(axis=0)) / z.std(axis=0, ddof=1) + means for name, z in views.items()} | options


barlow_twins_example = partial(columns_example, weight=0.005)


def vicreg_example(seed=0, noise=1.0, *, rows=4, features=3, margin=1.0, **options):
    """Columns away from the kink, with deviations of ½ and 1½ times the margin alternately."""
    views = columns_example(seed, noise, rows=rows, features=features)
    target = np.where(np.arange(features) % 2, 1.5, 0.5) * (margin or 1.0)
    weights = {"invariance": 25.0, "variance": 25.0, "covariance": 1.0, "margin": margin, "epsilon": 1e-4}
    return {**{name: z * target for name, z in views.items()}, **weights, **options}
