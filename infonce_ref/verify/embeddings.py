"""Check a loss on a user's own embeddings: two views of each item, from files.

The loss, the gradient's norm and the similarities are computed from all rows, tile by tile. The checks use some of
the pairs, evenly spread over the files, and report how many: 50 digits for thousands of rows would take days, and a
wrong gradient is wrong on a few pairs too. The laws use the most, so that streaming has several tiles.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import losses, sphere, streaming
from ..arrays import is_jax_array, to_numpy
from ..embeddings.rows import Views, blocks, refuse
from ..losses import Loss
from . import finite_difference, laws, precision, proofs
from .case import Case
from .judge import Question
from .laws import unit

# the number of pairs for each kind of check; the laws run once more, on as many as possible
SEEN = ((proofs, 3), (finite_difference, 64), (laws, 128), (laws, 512), (precision, 3))
BETWEEN = 1e-12, 1e12  # limits of the largest entry of a row, for finite differences

Progress = Callable[[str, int, int], None]


def find_loss(name: str) -> Loss:
    """Return the loss of that name. Raises ValueError unless it is over one batch of pairs."""
    known = [name for name, loss in losses.ALL.items() if loss.batch or loss.views]
    if name not in known:
        raise ValueError(f"--input judges a loss over one batch of pairs: {', '.join(known)}; got {name}")
    return losses.ALL[name]


def refuse_rows(loss: Loss, views: Views) -> None:
    """Raise ValueError for rows that the loss or its finite differences cannot take, naming the first ones,
    and for a single array if the loss takes two.
    """
    if loss.views and len(views.names) != 2:
        raise ValueError(
            f"{loss.name} takes two arrays, {' and '.join(loss.views)}; {views.names[0]} is one: save the two "
            "views separately, in one .npz or as two .npy"
        )
    for pairs, both in blocks(views):
        largest = np.max(np.abs(both), axis=2)
        refuse(
            views,
            pairs,
            (largest < BETWEEN[0]) | (largest > BETWEEN[1]),
            f"a largest entry outside {BETWEEN[0]:g} … {BETWEEN[1]:g}, where no differences are taken",
            "scale the rows, which changes no cosine",
        )


def arguments(loss: Loss, views: Views, pairs: slice | np.ndarray = slice(None)) -> dict[str, np.ndarray]:
    """Return rows of some pairs as arguments of the loss: unit rows if it takes an array for each view, or z."""
    first, second = (np.asarray(x[pairs]).astype(views.dtype) for x in (views.first, views.second))
    if loss.batch is None:
        first, second = (sphere.forward(x)[0] for x in (first, second))
        names = views.names if set(views.names) == set(loss.views) else loss.views
        return dict(zip(names, (first, second)))
    rows = np.concatenate([first, second])
    return {loss.batch: sphere.forward(rows)[0] if loss.batch == "z" else rows}


def count_pairs(views: Views) -> list[tuple[Any, int]]:
    """Return how many of these pairs each method checks."""
    return list(dict.fromkeys((method, min(most, views.pairs)) for method, most in SEEN))


def ask_all(loss: Loss, views: Views, temperature: float, convert: Callable) -> Iterator[Question]:
    """Yield every check of the rows."""
    for method, count in count_pairs(views):
        # evenly over the files, because adjacent rows may be alike
        pairs = np.arange(count) * views.pairs // count
        some = arguments(loss, views, pairs) | {"temperature": temperature}
        yield Question(method.check, Case(loss, some, f"{count} of the pairs", convert))


def summarise(
    loss: Loss, views: Views, temperature: float, convert: Callable, progress: Progress
) -> dict[str, float]:
    """Compute the loss of all rows in nats, its gradient's Euclidean norm, and the mean cosine of positives and of
    negatives: each row against all outside its pair, or against the other view's if the loss takes both views.
    """
    given = {name: convert(x) for name, x in arguments(loss, views).items()}
    form, options = loss, {}
    if not is_jax_array(next(iter(given.values()))):  # JAX arrays, which streaming refuses
        form = streaming.ALL[loss.name]
        options = {"progress": lambda done, to_do: progress(f"{loss.name}, all pairs", done, to_do)}
    value, cache = form.forward(**given, temperature=temperature, **options)
    gradients = form.backward(cache)._asdict()
    norm = math.hypot(*(float(np.linalg.norm(to_numpy(gradients[name]))) for name in given))
    positive, sums, n = 0.0, np.zeros((2, views.first.shape[1])), views.pairs
    for _, both in blocks(views):
        first, second = (unit(both[:, view].astype(np.float64)) for view in (0, 1))
        positive += float(np.sum(first * second))
        sums += [np.sum(first, axis=0), np.sum(second, axis=0)]
    if loss.views:
        negative = (float(sums[0] @ sums[1]) - positive) / (n * (n - 1))
    else:
        everything = float(np.sum(np.sum(sums, axis=0) ** 2))  # Σ_ij s_ij over all 2n rows
        negative = (everything - 2 * n - 2 * positive) / (2 * n * (2 * n - 2))
    cosines = {"positive_similarity": positive / n, "negative_similarity": negative}
    return {"loss": float(to_numpy(value)), "gradient_norm": norm, **cosines}
