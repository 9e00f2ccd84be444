"""How a loss takes its inputs, and the points at which it is called.

Each way of passing two views packs the same point and unpacks the gradients, so that all are compared with one
formula.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .formula import LABELS

Arrays = Mapping[str, Any]
FEATURES = 5
SPREADS = (1.0, 0.3, 0.1, 0.03)  # of the rows: cosines differ by about its square, and so do products


class Inputs(NamedTuple):
    """One way in which a loss may take its arrays.

    words: for a reader · world: what is drawn: "views", "queue", "own", "one negative", "classes", "scores" … ·
    pack: from the arrays by name to those that the loss takes, in its order · unpack: from the gradients by these
    to gradients by name.
    """

    words: str
    world: str
    pack: Callable[[Arrays], tuple]
    unpack: Callable[[Sequence[Any]], dict[str, Any]]


def pack_by_name(*names: str) -> tuple[Callable, Callable]:
    """The arrays of these names, one after the other, and back; integers have no gradient."""

    def pack(arrays: Arrays) -> tuple:
        return tuple(arrays[name] for name in names)

    def unpack(gradients: Sequence[Any]) -> dict[str, Any]:
        return {name: g for name, g in zip(names, gradients, strict=True) if name not in LABELS}

    return pack, unpack


def halves(g: Any) -> dict[str, Any]:
    return {"x": top(g), "y": bottom(g)}


def top(x: Any) -> Any:
    return x[: len(x) // 2]


def bottom(x: Any) -> Any:
    return x[len(x) // 2 :]


def pair_labels(arrays: Arrays) -> Any:
    return np.tile(np.arange(len(arrays["x"])), 2)


def concatenate(arrays: Arrays) -> Any:
    return np.concatenate([arrays["x"], arrays["y"]])


WAYS: dict[str, Inputs] = {
    "two": Inputs("two arrays of B rows, row i of each a pair", "views", *pack_by_name("x", "y")),
    "concatenated": Inputs(
        "one array of 2B rows, i and i + B a pair",
        "views",
        lambda a: (concatenate(a),),
        lambda g: halves(g[0]),
    ),
    "interleaved": Inputs(
        "one array of 2B rows, 2k and 2k + 1 a pair",
        "views",
        lambda a: (np.stack([a["x"], a["y"]], axis=1).reshape(-1, a["x"].shape[1]),),
        lambda g: {"x": g[0][::2], "y": g[0][1::2]},
    ),
    "stacked": Inputs(
        "one array (B, 2, d), the two views of each",
        "views",
        lambda a: (np.stack([a["x"], a["y"]], axis=1),),
        lambda g: {"x": g[0][:, 0], "y": g[0][:, 1]},
    ),
    "scores": Inputs(
        "a square matrix of scores, the positives on its diagonal",
        "scores",
        lambda a: (a["scores"],),
        lambda g: {"scores": g[0]},
    ),
    "scores, positive first": Inputs(
        "a matrix of scores, each row's positive in its first column",
        "scores, positive first",
        lambda a: (a["scores"],),
        lambda g: {"scores": g[0]},
    ),
    "classes": Inputs("rows and their labels", "classes", *pack_by_name("w", "labels")),
    "pairs with labels": Inputs(
        "2B rows and labels that say which are a pair",
        "views",
        lambda a: (concatenate(a), pair_labels(a)),
        lambda g: halves(g[0]),
    ),
    "scores and labels": Inputs(
        "a matrix of scores and the column of each row's positive",
        "scores, drawn positive",
        *pack_by_name("scores", "positive"),
    ),
    "queue": Inputs(
        "queries, positives and one set of negatives for all", "queue", *pack_by_name("x", "y", "negatives")
    ),
    "own negatives": Inputs(
        "queries, positives and negatives (n, M, d), own to each query",
        "own",
        *pack_by_name("x", "y", "negatives"),
    ),
    "triplets": Inputs(
        "anchors, positives and negatives, row by row",
        "one negative",
        lambda a: (a["x"], a["y"], a["negatives"][:, 0]),
        lambda g: {"x": g[0], "y": g[1], "negatives": g[2][:, None]},
    ),
    "bank": Inputs(
        "rows, a bank, and the bank's row that is each one's own", "bank", *pack_by_name("x", "bank", "index")
    ),
    "predictions and projections": Inputs(  # each prediction and the other view's projection are a pair
        "four arrays: prediction and projection of one view, then of the other",
        "views",
        lambda a: (top(a["x"]), bottom(a["y"]), bottom(a["x"]), top(a["y"])),
        lambda g: {"x": np.concatenate([g[0], g[2]]), "y": np.concatenate([g[3], g[1]])},
    ),
    "scores and targets": Inputs(
        "a matrix of scores, and of each row's targets",
        "scores and targets",
        *pack_by_name("scores", "targets"),
    ),
    "data and noise scores": Inputs(
        "scores of data and of noise samples, and the noise's log-probability of each",
        "data and noise",
        *pack_by_name("data_scores", "noise_scores", "log_noise_data", "log_noise"),
    ),
    "bank and noise": Inputs(
        "rows, a bank, the bank's row that is each one's own, and its noise samples",
        "bank and noise",
        *pack_by_name("x", "bank", "index", "noise_index"),
    ),
}


def draw(world: str, size: int, rng: np.random.Generator, spread: float) -> dict[str, Any]:
    """A point: rows of different lengths around one direction, with Gaussian noise of size `spread`."""
    d = FEATURES
    centre = rng.standard_normal(d)
    centre /= np.linalg.norm(centre)

    def rows(*shape: int) -> np.ndarray:
        x = centre * (1 - min(spread, 0.9)) + spread * rng.standard_normal((*shape, d))
        return x * np.exp(0.4 * spread * rng.standard_normal((*shape, 1)))

    if world == "data and noise":
        m = 3
        return {
            "data_scores": 3 * spread * rng.standard_normal(size),
            "noise_scores": 3 * spread * rng.standard_normal((size, m)),
            "log_noise_data": -rng.uniform(0.5, 2, size),
            "log_noise": -rng.uniform(0.5, 2, (size, m)),
        }
    if world == "scores and targets":
        share = rng.uniform(0.1, 1, (size, size + 2))
        return {
            "scores": 3 * spread * rng.standard_normal(share.shape),
            "targets": share / share.sum(axis=1, keepdims=True),
        }
    if world.startswith("scores"):
        columns = size if world == "scores" else size + 2
        scores = 3 * spread * rng.standard_normal((size, columns))
        positive = {"scores": np.arange(size), "scores, positive first": np.zeros(size, dtype=int)}
        return {
            "scores": scores,
            "positive": positive.get(world, np.arange(size) * 2 % columns),  # no two in one column
        }
    if world == "classes":
        labels = np.resize([0, 1, 2, 0, 1, 2, 0, 0], 2 * size)
        return {"w": rows(2 * size), "labels": labels}
    x = rows(size)
    if world.startswith("bank"):
        arrays = {"x": x, "bank": rows(size + 3), "index": np.arange(size) * 2 % (size + 3)}
        noise = {"noise_index": rng.integers(size + 3, size=(size, 4))} if "noise" in world else {}
        return arrays | noise
    arrays = {"x": x, "y": x + 0.7 * spread * rng.standard_normal(x.shape)}
    negatives = {"queue": (size + 3,), "own": (size, 3), "one negative": (size, 1)}
    return arrays | ({"negatives": rows(*negatives[world])} if world in negatives else {})


def points(world: str, size: int, each: int = 4, seed: int = 0) -> list[dict[str, Any]]:
    """Points of every spread."""
    rng = np.random.default_rng([seed, size])
    return [draw(world, size, rng, spread) for spread in SPREADS for _ in range(each)]


def stack(many: Sequence[Arrays]) -> dict[str, Any]:
    """Stack points along a leading axis; integers are the same at all of them."""
    return {
        name: np.stack([a[name] for a in many]) if many[0][name].dtype.kind == "f" else many[0][name]
        for name in many[0]
    }
