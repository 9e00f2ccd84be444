"""The ways in which a loss may take its arrays, and the points at which it is asked.

A point has the arrays of the textbook's functions, under their names. Each way turns it into a loss's arguments, so
that a stranger's loss and the textbook's are asked at the same point.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
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
OF_TWO_VIEWS = ("views of classes", "two with classes")  # ways in which no row is alone in its class


class Way(NamedTuple):
    """One way in which a loss may take its arrays.

    words: for a reader · world: what is drawn · pack: turns the point into arguments; it moves entries alone, so
    that a gradient finds its way back · last: what the last argument is, "labels", "mask" or "negatives", if it is
    optional · arrange: what happens to the arguments then, in their own library: products, a list, a dict.
    """

    name: str
    words: str
    world: str
    pack: Callable[[Arrays], tuple]
    last: str = ""
    arrange: Callable[[Sequence[Any]], Sequence[Any]] = tuple

    @property
    def arrays(self) -> tuple[str, ...]:
        return WORLDS[self.world]


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


def in_turn(x: Any, y: Any) -> Any:
    return np.stack([x, y], axis=1).reshape(-1, x.shape[1])


def first(x: Any) -> Any:
    return x[: len(x) // 2]


def second(x: Any) -> Any:
    return x[len(x) // 2 :]


ARRANGED: dict[str, Callable[[Sequence[Any]], Sequence[Any]]] = {
    "they are": tuple,
    "list": lambda a: (list(a),),
    "dict": lambda a: (Record(a),),
    "dict with negatives": lambda a: (Record(a[:-1], a[-1]),),
    "products": lambda a: (a[0] @ a[0].T,),
    "likelihoods": lambda a: (math.e ** a[0], *a[1:]),
}


KNOWN = {**vars(np), "in_turn": in_turn, "first": first, "second": second}


def packing(text: str) -> Callable[[Arrays], tuple]:
    """The function that computes these arguments. offset: of a rank's first pair · mask: which pairs count."""
    code = compile(f"({text},)", text, "eval")
    return lambda arrays: eval(code, KNOWN, {"offset": 0, "mask": True, **arrays})


def read(text: str) -> dict[str, Way]:
    """The ways of one part of ways.txt, by name."""
    found = {}
    for name, words, asked in re.findall(r"^(\w.*?): (.+)\n    (.+)$", text, re.MULTILINE):
        world, _, rest = asked.partition(": ")
        arguments, *more = rest.split("; ")
        marks = dict(mark.split(" ", 1) for mark in more)
        arrange = ARRANGED[marks.get("as", "they are")]
        found[name] = Way(name, words, world, packing(arguments), marks.get("last", ""), arrange)
    return found


def with_numbers(way: Way) -> Way:
    """The same way with masks of 0 and 1."""
    return way._replace(
        name=f"{way.name} of 0 and 1",
        words=way.words.replace("that is true", "of integers, 1"),
        pack=lambda arrays: tuple(1 * x if x.dtype == bool else x for x in way.pack(arrays)),
    )


def by_columns(way: Way) -> Way:
    """The same way with arrays that lie column by column in memory."""
    return way._replace(
        pack=lambda arrays: tuple(x.swapaxes(0, -1).copy() for x in way.pack(arrays)),
        arrange=lambda arguments: way.arrange([x.swapaxes(0, -1) for x in arguments]),
    )


_, *PARTS = (resources.files(__package__) / "ways.txt").read_text(encoding="utf-8").split("\n# tried")
USUAL, SECOND, LAST = map(read, PARTS)
WAYS = USUAL | SECOND | LAST
WAYS |= {way.name: way for way in map(with_numbers, WAYS.values()) if "mask" in way.last}
AGAIN = tuple(name for name in WAYS if name in LAST or "of a mask" in name)
UNUSUAL = tuple(name for name in WAYS if name not in USUAL)
PUBLIC = tuple(WAYS)
# three arrays fit a loss of triplets, and one of queries, positives and negatives of which each has one
ALSO = {name: f"{name}, one of many" for name in ("triplets", "triplets in a dict")}
for name, other in ALSO.items():
    WAYS[other] = WAYS[name]._replace(name=other, world="one", pack=packing("x, y, negatives[:, 0]"))


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
    # of negatives nearer than the positive, and farther
    distances = np.resize([[0.4], [1.4], [0.8]], (size, 1))
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


def change_rows(arrays: Arrays, change: Callable[[Any], Any]) -> dict[str, Any]:
    """The same point with a change of each array of rows."""
    return {n: change(x) if n in ROWS else x for n, x in arrays.items()}


def change_floats(arrays: Arrays, change: Callable[[Any], Any]) -> dict[str, Any]:
    """The same point with a change of each array of real numbers."""
    return {n: change(x) if x.dtype.kind == "f" else x for n, x in arrays.items()}


def normalise(arrays: Arrays) -> dict[str, Any]:
    """The same point with rows of length 1."""
    return change_rows(arrays, lambda x: x / np.linalg.norm(x, axis=-1, keepdims=True))


def leave_alone(arrays: Arrays) -> dict[str, Any]:
    """The same point with the last row alone in its class."""
    labels = arrays["labels"]
    return {**arrays, "labels": np.append(labels[:-1], np.max(labels) + 1)}


def count_pairs(arrays: Arrays) -> int:
    """The batch size of a point."""
    x = next(iter(arrays.values()))
    return len(x) // (2 if "w" in arrays else 1)
