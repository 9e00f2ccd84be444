"""The ways in which a loss may take its inputs, and the points at which it is called.

Each way of passing two views packs the same point and unpacks the gradients, so that all are compared with one
formula.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from .formula import LABELS

Arrays = Mapping[str, Any]
FEATURES = 5
NOISE = 5  # samples of the noise for each row, for a formula that depends on their number
SPREADS = (1.0, 0.3, 0.1, 0.03)  # spread of the rows: cosines differ by about its square, and so do products


class Inputs(NamedTuple):
    """One way in which a loss may take its arrays.

    words: for a reader · world: what is drawn: "views", "queue", "own", "one negative", "classes", "scores" … ·
    pack: turns arrays by name into the loss's arguments · unpack: turns gradients by these arguments into gradients
    by name · arrange: turns these arrays into the arguments · last: what the last argument is, "labels", "mask" or
    "negatives", if it is optional.
    """

    words: str
    world: str
    pack: Callable[[Arrays], tuple]
    unpack: Callable[[Sequence[Any]], dict[str, Any]]
    arrange: Callable[[Sequence[Any]], Sequence[Any]] = tuple
    last: str = ""


def pack_by_name(*names: str) -> tuple[Callable, Callable]:
    """The arrays of these names, one after the other, and back; integers have no gradient."""

    def pack(arrays: Arrays) -> tuple:
        return tuple(arrays[name] for name in names)

    def unpack(gradients: Sequence[Any]) -> dict[str, Any]:
        return {name: g for name, g in zip(names, gradients, strict=True) if name not in LABELS}

    return pack, unpack


def halves(g: Any) -> dict[str, Any]:
    return {"x": take_first_half(g), "y": take_second_half(g)}


class Record(dict):
    """A dict, or an object with fields, that returns its arrays in the order in which a loss asks for them, the
    negatives by their name, and a scale of 10.
    """

    def __init__(self, arrays: Sequence[Any], negatives: Any = None):
        self.__dict__.update(left=list(arrays), negatives=negatives)

    def __missing__(self, key: str) -> Any:
        if any(word in key for word in ("scale", "temperature")):
            return 10.0 if "scale" in key else 0.1
        if "neg" in key and self.negatives is not None:
            return self.negatives
        if not self.left:
            raise KeyError(key)
        self[key] = self.left.pop(0)
        return self[key]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not self.left:
            raise AttributeError(name)
        return self[name]


def take_first_half(x: Any) -> Any:
    return x[: len(x) // 2]


def take_second_half(x: Any) -> Any:
    return x[len(x) // 2 :]


def pair_labels(arrays: Arrays) -> Any:
    return arrays.get("offset", 0) + np.tile(np.arange(len(arrays["x"])), 2)  # offset: of a rank's rows


def take_shared_half(labels: Any) -> Any:
    """Return the labels of the first view, if the second has the same."""
    if not np.array_equal(take_first_half(labels), take_second_half(labels)):
        raise ValueError("the two views of a row must have the same label")
    return take_first_half(labels)


def count_pairs(arrays: Arrays) -> int:
    """The batch size of a point."""
    found = next(arrays[name] for name in ("x", "w", "scores", "data_scores") if name in arrays)
    return len(found) // (2 if "w" in arrays else 1)


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
        *pack_by_name("scores"),
    ),
    "scores, positive first": Inputs(
        "a matrix of scores, each row's positive in its first column",
        "scores, positive first",
        *pack_by_name("scores"),
    ),
    "similarities": Inputs(
        "a matrix (2B, 2B) of the products of all rows, i and i + B a pair",
        "views",
        lambda a: (concatenate(a),),
        lambda g: halves(g[0]),
        lambda a: (a[0] @ a[0].T,),
    ),
    "classes": Inputs("rows and their labels", "classes", *pack_by_name("w", "labels"), last="labels"),
    "pairs with labels": Inputs(
        "2B rows and labels that say which are a pair",
        "views",
        lambda a: (concatenate(a), pair_labels(a)),
        lambda g: halves(g[0]),
        last="labels",
    ),
    "scores and labels": Inputs(
        "a matrix of scores and the column of each row's positive",
        "scores, drawn positive",
        *pack_by_name("scores", "positive"),
        last="labels",
    ),
    "queue": Inputs(
        "queries, positives and one set of negatives for all",
        "queue",
        *pack_by_name("x", "y", "negatives"),
        last="negatives",
    ),
    "own negatives": Inputs(
        "queries, positives and negatives (n, M, d), own to each query",
        "own",
        *pack_by_name("x", "y", "negatives"),
        last="negatives",
    ),
    "triplets": Inputs(
        "anchors, positives and negatives, row by row",
        "one negative",
        lambda a: (a["x"], a["y"], a["negatives"][:, 0]),
        lambda g: {"x": g[0], "y": g[1], "negatives": g[2][:, None]},
        last="negatives",
    ),
    "bank": Inputs(
        "rows, a bank, and for each row the index of its own bank row",
        "bank",
        *pack_by_name("x", "bank", "index"),
    ),
    "predictions and projections": Inputs(  # each prediction and the other view's projection are a pair
        "four arrays: prediction and projection of one view, then of the other",
        "views",
        lambda a: (
            take_first_half(a["x"]),
            take_second_half(a["y"]),
            take_second_half(a["x"]),
            take_first_half(a["y"]),
        ),
        lambda g: {"x": np.concatenate([g[0], g[2]]), "y": np.concatenate([g[3], g[1]])},
    ),
    "predictions, then projections": Inputs(
        "four arrays: the predictions of both views, then their projections",
        "views",
        lambda a: (
            take_first_half(a["x"]),
            take_second_half(a["x"]),
            take_second_half(a["y"]),
            take_first_half(a["y"]),
        ),
        lambda g: {"x": np.concatenate([g[0], g[1]]), "y": np.concatenate([g[3], g[2]])},
    ),
    "scores and targets": Inputs(
        "a matrix of scores, and of each row's targets",
        "scores and targets",
        *pack_by_name("scores", "targets"),
    ),
    "data and noise scores": Inputs(
        "scores of data and of noise samples, and the log-probability of each under the noise",
        "data and noise",
        *pack_by_name("data_scores", "noise_scores", "log_noise_data", "log_noise"),
    ),
    "bank and noise": Inputs(
        "rows, a bank, and for each row the indices of its own bank row and of its noise samples",
        "bank and noise",
        *pack_by_name("x", "bank", "index", "noise_index"),
    ),
}
USUAL = tuple(WAYS)
WAYS |= {  # tried if none of those above is answered
    "views of classes": Inputs(
        "one array (B, 2, d), the two views of each, and the B labels",
        "classes",
        lambda a: (
            np.stack([take_first_half(a["w"]), take_second_half(a["w"])], axis=1),
            take_shared_half(a["labels"]),
        ),
        lambda g: {"w": np.concatenate([g[0][:, 0], g[0][:, 1]])},
        last="labels",
    ),
    "list": Inputs(
        "a list of two arrays, row i of each a pair", "views", *pack_by_name("x", "y"), lambda a: (list(a),)
    ),
    "views first": Inputs(
        "one array (2, B, d), the two views",
        "views",
        lambda a: (np.stack([a["x"], a["y"]]),),
        lambda g: {"x": g[0][0], "y": g[0][1]},
    ),
    "one sequence": Inputs(
        "two arrays (1, B, d), row i of each a pair",
        "views",
        lambda a: (a["x"][None], a["y"][None]),
        lambda g: {"x": g[0][0], "y": g[1][0]},
    ),
    "sequences of one step": Inputs(
        "two arrays (B, 1, d), row i of each a pair",
        "views",
        lambda a: (a["x"][:, None], a["y"][:, None]),
        lambda g: {"x": g[0][:, 0], "y": g[1][:, 0]},
    ),
    "record": Inputs(
        "a dict that is asked for two arrays of B rows, in this order",
        "views",
        *pack_by_name("x", "y"),
        lambda a: (Record(a),),
    ),
    "queue of columns": Inputs(
        "queries, positives, and negatives (d, M) for all",
        "queue",
        lambda a: (a["x"], a["y"], a["negatives"].T),
        lambda g: {"x": g[0], "y": g[1], "negatives": None if g[2] is None else g[2].T},
        last="negatives",
    ),
    "scores and mask": Inputs(
        "a square matrix of scores, and a mask that is true at the positives",
        "scores",
        lambda a: (a["scores"], np.eye(len(a["scores"]), dtype=bool)),
        lambda g: {"scores": g[0]},
        last="mask",
    ),
    "two with labels": Inputs(
        "two arrays of B rows, row i of each a pair, and B labels, no two alike",
        "views",
        lambda a: (a["x"], a["y"], np.arange(len(a["x"]))),
        lambda g: {"x": g[0], "y": g[1]},
        last="labels",
    ),
    "classes by mask": Inputs(
        "rows, and a mask that is true at two rows of one class",
        "classes",
        lambda a: (a["w"], a["labels"][:, None] == a["labels"]),
        lambda g: {"w": g[0]},
        last="mask",
    ),
    "pairs of a mask": Inputs(
        "two arrays of B rows, row i of each a pair, and a mask (B,) that is true at each pair",
        "views",
        lambda a: (a["x"], a["y"], np.ones(len(a["x"]), dtype=bool)),
        lambda g: {"x": g[0], "y": g[1]},
        last="mask",
    ),
    "pairs by mask": Inputs(
        "two arrays of B rows, and a mask (B, B) that is true at the pairs",
        "views",
        lambda a: (a["x"], a["y"], np.eye(len(a["x"]), dtype=bool)),
        lambda g: {"x": g[0], "y": g[1]},
        last="mask",
    ),
}
WAYS |= {
    "two with classes": Inputs(
        "two arrays of B rows, and B labels: all rows of a label are positives",
        "classes of views",
        *pack_by_name("x", "y", "labels"),
        last="labels",
    ),
    "pairs by two masks": Inputs(
        "two arrays of B rows, a mask (B, B) that is true at the pairs, and one that is true elsewhere",
        "views",
        lambda a: (a["x"], a["y"], np.eye(len(a["x"]), dtype=bool), ~np.eye(len(a["x"]), dtype=bool)),
        lambda g: {"x": g[0], "y": g[1]},
        last="mask of negatives",
    ),
    "positives with hard negatives": Inputs(
        "queries, and an array of 2B rows, each query's positive and then its negative",
        "one negative",
        lambda a: (a["x"], np.stack([a["y"], a["negatives"][:, 0]], axis=1).reshape(-1, a["x"].shape[1])),
        lambda g: {"x": g[0], "y": g[1][::2], "negatives": g[1][1::2][:, None]},
    ),
    "likelihoods": Inputs(
        "a matrix of e^score, each row's positive in its first column",
        "scores and noise",
        *pack_by_name("scores"),
        lambda a: (math.e ** a[0],),
    ),
    "likelihoods and labels": Inputs(
        "a matrix of e^score, each row's positive in its first column, and the number of each row",
        "scores and noise",
        lambda a: (a["scores"], np.arange(len(a["scores"]))),
        lambda g: {"scores": g[0]},
        lambda a: (math.e ** a[0], a[1]),
    ),
}
# of scores, in a dict, or turned: tried again if no formula fits a loss that can be called otherwise
LAST: dict[str, Inputs] = {
    "two matrices of scores": Inputs(
        "two square matrices of scores, the second the transpose of the first",
        "scores",
        *pack_by_name("scores"),
        lambda a: (a[0], a[0].T),
    ),
    "two matrices and labels": Inputs(
        "two square matrices of scores, the second the transpose of the first, and the numbers of the rows",
        "scores",
        *pack_by_name("scores", "positive"),
        lambda a: (a[0], a[0].T, a[1]),
        last="labels",
    ),
    "matrices in a dict": Inputs(
        "a dict that is asked for two square matrices of scores, the second the transpose of the first",
        "scores",
        *pack_by_name("scores"),
        lambda a: (Record((a[0], a[0].T)),),
    ),
}
for name in ("classes", "scores and labels", "scores and mask"):
    LAST[f"{name}, turned"] = WAYS[name]._replace(
        words=f"{WAYS[name].words}, these first",
        pack=lambda a, pack=WAYS[name].pack: pack(a)[::-1],  # type: ignore[misc]
        unpack=lambda g, unpack=WAYS[name].unpack: unpack(g[::-1]),  # type: ignore[misc]
        last="",
    )
for name in ("queue", "own negatives", "triplets"):
    LAST[f"{name} in a dict"] = WAYS[name]._replace(
        words=f"{WAYS[name].words}, in a dict", arrange=lambda a: (Record(a[:2], a[2]),), last=""
    )
APART: dict[str, Callable[[Any, Any], tuple]] = {
    "scores apart": lambda own, others: (own, others),
    "scores apart, turned": lambda own, others: (others, own),
    "scores in a dict": lambda own, others: (Record((own,), others),),
}
for (name, arrange), columns in product(APART.items(), (0, slice(1))):
    shape, order = ("(B,)" if columns == 0 else "(B, 1)"), (", these first" if "turned" in name else "")
    LAST[f"{name}, (B, 1)" if columns else name] = Inputs(
        f"the score of each row's positive {shape}, and the scores (B, M) of its negatives{order}"
        + ", in a dict" * ("dict" in name),
        "scores, positive first",
        *pack_by_name("scores"),
        lambda a, arrange=arrange, columns=columns: arrange(a[0][:, columns], a[0][:, 1:]),  # type: ignore[misc]
        last="" if order else "negatives",
    )
WAYS |= LAST
for name in [name for name, way in WAYS.items() if "mask" in way.last]:
    WAYS[f"{name} of 0 and 1"] = WAYS[name]._replace(
        words=WAYS[name].words.replace("that is true", "of integers, 1"),
        pack=lambda a, pack=WAYS[name].pack: tuple(1 * x if x.dtype == bool else x for x in pack(a)),  # type: ignore[misc]
    )
AGAIN = tuple(name for name in WAYS if name in LAST or "of a mask" in name)
UNUSUAL = tuple(name for name in WAYS if name not in USUAL)


def draw(world: str, size: int, rng: np.random.Generator, spread: float, d: int = FEATURES) -> dict[str, Any]:
    """A point: rows of different lengths around one direction, with Gaussian noise of size `spread` in each of the
    usual features, scaled down to the same length if there are more features.
    """
    own = np.sqrt(FEATURES / d)
    centre = rng.standard_normal(d)
    centre /= np.linalg.norm(centre)

    def rows(*shape: int) -> np.ndarray:
        x = centre * (1 - min(spread, 0.9)) + spread * own * rng.standard_normal((*shape, d))
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
        columns = {"scores": size, "scores and noise": NOISE + 1}.get(world, size + 2)
        scores = 3 * spread * rng.standard_normal((size, columns))
        first = np.zeros(size, dtype=int)
        positive = {"scores": np.arange(size), "scores, positive first": first, "scores and noise": first}
        return {
            "scores": scores,
            "positive": positive.get(world, np.arange(size) * 2 % columns),  # all in different columns
        }
    if world == "classes":
        labels = np.tile(np.resize([0, 1, 2, 0], size), 2)  # the two views of each are of one class
        return {"w": rows(2 * size), "labels": labels}
    x = rows(size)
    if world == "classes of views":
        y = x + 0.7 * spread * own * rng.standard_normal(x.shape)
        return {"x": x, "y": y, "labels": np.resize([0, 1, 2, 0], size)}
    if world.startswith("bank"):
        arrays = {"x": x, "bank": rows(size + 3), "index": np.arange(size) * 2 % (size + 3)}
        noise = {"noise_index": rng.integers(size + 3, size=(size, 4))} if "noise" in world else {}
        return arrays | noise
    arrays = {"x": x, "y": x + 0.7 * spread * own * rng.standard_normal(x.shape)}
    negatives = {"queue": (size + 3,), "own": (size, 3), "one negative": (size, 1)}
    return arrays | ({"negatives": rows(*negatives[world])} if world in negatives else {})


def are_labelled(world: str) -> bool:
    """Whether a loss is given labels, or indices, that may be others at the next batch."""
    return world.startswith(("classes", "bank")) or world == "scores, drawn positive"


def relabel(world: str, arrays: Arrays) -> Arrays:
    """The same rows with other labels, or other indices."""
    if not are_labelled(world):
        return arrays
    moved = dict(arrays)
    for name in ("labels", "positive", "index"):
        if name in arrays:
            views = 2 if world == "classes" else 1  # both views of a row keep one label
            moved[name] = np.roll(arrays[name].reshape(views, -1), 1, axis=1).ravel()
    return moved


def leave_alone(arrays: Arrays) -> Arrays:
    """The same rows, the last of them alone in its class."""
    labels = np.append(arrays["labels"][:-1], np.max(arrays["labels"]) + 1)
    return {**arrays, "labels": labels}


def points(
    world: str, size: int, each: int = 4, seed: int = 0, features: int = FEATURES
) -> list[dict[str, Any]]:
    """Points of every spread."""
    rng = np.random.default_rng([seed, size])
    return [draw(world, size, rng, spread, features) for spread in SPREADS for _ in range(each)]


def stack(many: Sequence[Arrays]) -> dict[str, Any]:
    """Stack points along a leading axis; integers are shared by all points."""
    return {
        name: np.stack([a[name] for a in many]) if many[0][name].dtype.kind == "f" else many[0][name]
        for name in many[0]
    }
