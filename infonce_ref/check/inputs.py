"""The ways in which a loss may take its arrays, and the points at which it is asked.

A point has the arrays of the textbook's functions, under their names. Each way turns it into a loss's arguments, so
that a stranger's loss and the textbook's are asked at the same point.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np

Arrays = Mapping[str, Any]
FEATURES = 7  # neither 7 nor 1/7 is a temperature, a weight or a margin that anyone takes
SPREADS = (1.0, 0.3, 0.1, 0.03)  # spread of the rows: cosines differ by about its square, and so do products
WORLDS: dict[str, tuple[str, ...]] = {  # what is drawn: the arrays of the textbook
    "views": ("x", "y"),
    "predictions": ("p1", "z1", "p2", "z2"),
    "queue": ("x", "y", "negatives"),
    "own": ("x", "y", "negatives"),
    "one": ("x", "y", "negatives"),
    "triplets": ("x", "y", "negative"),
    "classes": ("w", "labels"),
    "scores": ("scores", "positive"),
    "scores, positive first": ("scores", "positive"),
    "scores, drawn positive": ("scores", "positive"),
    "scores and targets": ("scores", "targets"),
    "data and noise": ("data_scores", "noise_scores", "log_noise_data", "log_noise"),
    "bank": ("x", "bank", "index"),
    "bank and noise": ("x", "bank", "index", "noise_index"),
}
ROWS = ("x", "y", "negatives", "negative", "w", "bank", "p1", "z1", "p2", "z2")


class Way(NamedTuple):
    """One way in which a loss may take its arrays.

    words: for a reader · world: what is drawn · pack: turns the point into arguments; it moves entries alone, so
    that a gradient finds its way back · last: what the last argument is, "labels", "mask" or "negatives", if it is
    optional · arrange: what happens to the arguments then, in their own library: products, a list, a dict.
    """

    words: str
    world: str
    pack: Callable[[Arrays], tuple]
    last: str = ""
    arrange: Callable[[Sequence[Any]], Sequence[Any]] = tuple


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


def named(*names: str) -> Callable[[Arrays], tuple]:
    return lambda a: tuple(a[name] for name in names)


def both(a: Arrays) -> Any:
    return np.concatenate([a["x"], a["y"]])


def in_turn(x: Any, y: Any) -> Any:
    return np.stack([x, y], axis=1).reshape(-1, x.shape[1])


def number_pairs(a: Arrays) -> Any:
    return a.get("offset", 0) + np.arange(len(a["x"]))  # offset: of a rank's rows


def are_pairs(a: Arrays) -> Any:
    return np.eye(len(a["x"] if "x" in a else a["scores"]), dtype=bool)


def first(x: Any) -> Any:
    return x[: len(x) // 2]


def second(x: Any) -> Any:
    return x[len(x) // 2 :]


WORDS = """
two: two arrays of B rows, row i of each a pair
concatenated: one array of 2B rows, i and i + B a pair
interleaved: one array of 2B rows, 2k and 2k + 1 a pair
stacked: one array (B, 2, d), the two views of each
scores: a square matrix of scores, the positives on its diagonal
scores, positive first: a matrix of scores, each row's positive in its first column
similarities: a matrix (2B, 2B) of the products of all rows, i and i + B a pair
classes: rows and their labels
pairs with labels: 2B rows and labels that say which are a pair
scores and labels: a matrix of scores and the column of each row's positive
queue: queries, positives and one set of negatives for all
own negatives: queries, positives and negatives (n, M, d), own to each query
triplets: anchors, positives and negatives, row by row
bank: rows, a bank, and for each row the index of its own bank row
predictions and projections: four arrays: prediction and projection of one view, then of the other
predictions, then projections: four arrays: the predictions of both views, then their projections
scores and targets: a matrix of scores, and of each row's targets
data and noise scores: scores of data and of noise samples, and the log-probability of each under the noise
bank and noise: rows, a bank, and for each row the indices of its own bank row and of its noise samples
views of classes: one array (B, 2, d), the two views of each, and the B labels
list: a list of two arrays, row i of each a pair
views first: one array (2, B, d), the two views
one sequence: two arrays (1, B, d), row i of each a pair
sequences of one step: two arrays (B, 1, d), row i of each a pair
record: a dict that is asked for two arrays of B rows, in this order
queue of columns: queries, positives, and negatives (d, M) for all
scores and mask: a square matrix of scores, and a mask that is true at the positives
two with labels: two arrays of B rows, row i of each a pair, and B labels, no two alike
classes by mask: rows, and a mask that is true at two rows of one class
pairs of a mask: two arrays of B rows, row i of each a pair, and a mask (B,) that is true at each pair
pairs by mask: two arrays of B rows, and a mask (B, B) that is true at the pairs
two with classes: two arrays of B rows, and B labels: all rows of a label are positives
pairs by two masks: two arrays of B rows, a mask (B, B) that is true at the pairs, and one that is true elsewhere
positives with hard negatives: queries, and an array of 2B rows, each query's positive and then its negative
likelihoods: a matrix of e^score, each row's positive in its first column
likelihoods and labels: a matrix of e^score, each row's positive in its first column, and the number of each row
two matrices of scores: two square matrices of scores, the second the transpose of the first
two matrices and labels: two square matrices of scores, the second turned, and the numbers of the rows
matrices in a dict: a dict that is asked for two square matrices of scores, the second the transpose of the first
"""
FIRST, DRAWN = "scores, positive first", "scores, drawn positive"
# name: world, pack, last, arrange, as in Way
USUAL_PACKS: dict[str, tuple] = {
    "two": ("views", named("x", "y")),
    "concatenated": ("views", lambda a: (both(a),)),
    "interleaved": ("views", lambda a: (in_turn(a["x"], a["y"]),)),
    "stacked": ("views", lambda a: (np.stack([a["x"], a["y"]], 1),)),
    "scores": ("scores", named("scores")),
    "scores, positive first": (FIRST, named("scores")),
    "similarities": ("views", lambda a: (both(a),), "", lambda a: (a[0] @ a[0].T,)),
    "classes": ("classes", named("w", "labels"), "labels"),
    "pairs with labels": ("views", lambda a: (both(a), np.tile(number_pairs(a), 2)), "labels"),
    "scores and labels": (DRAWN, named("scores", "positive"), "labels"),
    "queue": ("queue", named("x", "y", "negatives"), "negatives"),
    "own negatives": ("own", named("x", "y", "negatives"), "negatives"),
    "triplets": ("triplets", named("x", "y", "negative"), "negatives"),
    "bank": ("bank", named("x", "bank", "index")),
    "predictions and projections": ("predictions", named("p1", "z1", "p2", "z2")),
    "predictions, then projections": ("predictions", named("p1", "p2", "z1", "z2")),
    "scores and targets": ("scores and targets", named("scores", "targets")),
    "data and noise scores": ("data and noise", named(*WORLDS["data and noise"])),
    "bank and noise": ("bank and noise", named(*WORLDS["bank and noise"])),
}
UNUSUAL_PACKS: dict[str, tuple] = {  # tried if none of those above is answered
    "views of classes": (
        "classes",
        lambda a: (np.stack([first(a["w"]), second(a["w"])], axis=1), first(a["labels"])),
        "labels",
    ),
    "list": ("views", named("x", "y"), "", lambda a: (list(a),)),
    "views first": ("views", lambda a: (np.stack([a["x"], a["y"]]),)),
    "one sequence": ("views", lambda a: (a["x"][None], a["y"][None])),
    "sequences of one step": ("views", lambda a: (a["x"][:, None], a["y"][:, None])),
    "record": ("views", named("x", "y"), "", lambda a: (Record(a),)),
    "queue of columns": ("queue", lambda a: (a["x"], a["y"], a["negatives"].T), "negatives"),
    "scores and mask": ("scores", lambda a: (a["scores"], are_pairs(a)), "mask"),
    "two with labels": ("views", lambda a: (a["x"], a["y"], number_pairs(a)), "labels"),
    "classes by mask": ("classes", lambda a: (a["w"], a["labels"][:, None] == a["labels"]), "mask"),
    "pairs of a mask": ("views", lambda a: (a["x"], a["y"], a.get("mask", number_pairs(a) >= 0)), "mask"),
    "pairs by mask": ("views", lambda a: (a["x"], a["y"], are_pairs(a)), "mask"),
    "two with classes": (
        "classes",
        lambda a: (first(a["w"]), second(a["w"]), first(a["labels"])),
        "labels",
    ),
    "pairs by two masks": (
        "views",
        lambda a: (a["x"], a["y"], are_pairs(a), ~are_pairs(a)),
        "mask of negatives",
    ),
    "positives with hard negatives": ("one", lambda a: (a["x"], in_turn(a["y"], a["negatives"][:, 0]))),
    "likelihoods": (FIRST, named("scores"), "", lambda a: (math.e ** a[0],)),
    "likelihoods and labels": (
        FIRST,
        lambda a: (a["scores"], np.arange(len(a["scores"]))),
        "",
        lambda a: (math.e ** a[0], a[1]),
    ),
}
# of scores, in a dict, or turned: tried again if no formula fits a loss that can be called otherwise
LAST_PACKS: dict[str, tuple] = {
    "two matrices of scores": ("scores", lambda a: (a["scores"], a["scores"].T)),
    "two matrices and labels": ("scores", lambda a: (a["scores"], a["scores"].T, a["positive"]), "labels"),
    "matrices in a dict": ("scores", lambda a: (a["scores"], a["scores"].T), "", lambda a: (Record(a),)),
}
SAID = dict(re.findall(r"^(.+?): (.+)$", WORDS, re.MULTILINE))
USUAL, LAST = tuple(USUAL_PACKS), {name: Way(SAID[name], *rest) for name, rest in LAST_PACKS.items()}
WAYS = {name: Way(SAID[name], *rest) for name, rest in (USUAL_PACKS | UNUSUAL_PACKS).items()}
for name in ("classes", "scores and labels", "scores and mask"):
    LAST[f"{name}, turned"] = WAYS[name]._replace(
        words=f"{WAYS[name].words}, these first",
        pack=lambda a, pack=WAYS[name].pack: pack(a)[::-1],  # type: ignore[misc]
        last="",
    )
for name in ("queue", "own negatives", "triplets"):
    LAST[f"{name} in a dict"] = WAYS[name]._replace(
        words=f"{WAYS[name].words}, in a dict", arrange=lambda a: (Record(a[:2], a[2]),), last=""
    )
for kind, columns in product(("scores apart", "scores apart, turned", "scores in a dict"), (0, slice(1))):
    shape, turned, keyed = ("(B,)" if columns == 0 else "(B, 1)"), "turned" in kind, "dict" in kind
    LAST[kind if columns == 0 else f"{kind}, (B, 1)"] = Way(
        f"the score of each row's positive {shape}, and the scores (B, M) of its negatives"
        f"{', these first' * turned}{', in a dict' * keyed}",
        FIRST,
        lambda a, k=columns, step=-1 if turned else 1: (a["scores"][:, k], a["scores"][:, 1:])[::step],  # type: ignore[misc]
        "" if turned else "negatives",
        (lambda a: (Record(a[:1], a[1]),)) if keyed else tuple,
    )
WAYS |= LAST
for name in [name for name, way in WAYS.items() if "mask" in way.last]:
    WAYS[f"{name} of 0 and 1"] = WAYS[name]._replace(
        words=WAYS[name].words.replace("that is true", "of integers, 1"),
        pack=lambda a, pack=WAYS[name].pack: tuple(1 * x if x.dtype == bool else x for x in pack(a)),  # type: ignore[misc]
    )
AGAIN = tuple(name for name in WAYS if name in LAST or "of a mask" in name)
UNUSUAL = tuple(name for name in WAYS if name not in USUAL)
# three arrays fit a loss of triplets, and one of queries, positives and negatives of which each has one
ALSO = {name: f"{name}, one of many" for name in ("triplets", "triplets in a dict")}
for name, other in ALSO.items():
    WAYS[other] = WAYS[name]._replace(world="one", pack=lambda a: (a["x"], a["y"], a["negatives"][:, 0]))
PUBLIC = tuple(name for name in WAYS if name not in ALSO.values())


def draw(world: str, size: int, rng: np.random.Generator, spread: float, d: int = FEATURES) -> dict[str, Any]:
    """A point: rows of different lengths around one direction, with Gaussian noise of size `spread` in each of the
    usual features, scaled down to the same length if there are more features.
    """
    own = spread * np.sqrt(FEATURES / d)
    centre = rng.standard_normal(d)
    centre *= (1 - min(spread, 0.9)) / np.linalg.norm(centre)

    def rows(*shape: int) -> np.ndarray:
        x = centre + own * rng.standard_normal((*shape, d))
        return x * np.exp(0.4 * spread * rng.standard_normal((*shape, 1)))

    x = rows(size)
    y = x + 0.7 * own * rng.standard_normal(x.shape)
    columns = size if world == "scores" else size + 2
    distances = np.resize(
        [[0.4], [1.4], [0.8]], (size, 1)
    )  # of negatives: nearer than the positive, and farther
    share = rng.uniform(0.1, 1, (size, columns))
    positive = {"scores": np.arange(size), "scores, positive first": np.zeros(size, dtype=int)}
    negatives = {"queue": (size + 3,), "own": (size, 3)}.get(world, (size, 1))
    draws: dict[str, Callable[[], Any]] = {
        "x": lambda: x,
        "y": lambda: y,
        "negatives": lambda: rows(*negatives),
        "negative": lambda: x + own * distances * rng.standard_normal(x.shape),
        "w": lambda: np.concatenate([x, y]),
        "labels": lambda: np.tile(np.resize([0, 1, 2, 0], size), 2),  # the two views of each are of one class
        "p1": lambda: x,
        "z1": lambda: rows(size),
        "p2": lambda: rows(size),
        "z2": lambda: y,
        "scores": lambda: 3 * spread * rng.standard_normal((size, columns)),
        "positive": lambda: positive.get(world, np.arange(size) * 2 % columns),  # all in different columns
        "targets": lambda: share / share.sum(axis=1, keepdims=True),
        "bank": lambda: rows(size + 3),
        "index": lambda: np.arange(size) * 2 % (size + 3),
        "noise_index": lambda: rng.integers(size + 3, size=(size, 4)),
        "data_scores": lambda: 3 * spread * rng.standard_normal(size),
        "noise_scores": lambda: 3 * spread * rng.standard_normal((size, 3)),
        "log_noise_data": lambda: -rng.uniform(0.5, 2, size),
        "log_noise": lambda: -rng.uniform(0.5, 2, (size, 3)),
    }
    return {name: draws[name]() for name in WORLDS[world]}


def points(
    world: str, size: int, each: int = 3, d: int = FEATURES, unit: bool = False, seed: int = 0
) -> list[dict[str, Any]]:
    """Points of every spread, `each` of each. unit: with rows of length 1."""
    rng = np.random.default_rng([seed, size])
    drawn = [draw(world, size, rng, spread, d) for spread in SPREADS for _ in range(each)]
    return [normalise(arrays) for arrays in drawn] if unit else drawn


def normalise(arrays: Arrays) -> dict[str, Any]:
    """The same point with rows of length 1."""
    return {n: x / np.linalg.norm(x, axis=-1, keepdims=True) if n in ROWS else x for n, x in arrays.items()}


def count_pairs(arrays: Arrays) -> int:
    """The batch size of a point."""
    x = next(iter(arrays.values()))
    return len(x) // (2 if "w" in arrays else 1)
