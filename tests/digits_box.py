"""Draw the points at which digits are measured, from all that a loss accepts: TABLE says from which values."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from infonce_ref.losses import Loss
from infonce_ref.verify import drawn
from infonce_ref.verify.case import Case, list_of_kind, list_registered

TABLE: drawn.Table = {  # as often as listed, or all over a range
    "rows": [(2, 5)],  # pairs, anchors or queries; with more than 8 features as few as possible
    "features": [*3 * (1, 2, 3, 8), 64, 64, 300, 1024],
    "temperature": [(1e-3, 1e3)],  # in units of the rows' squared length
    "length": [(1e-3, 1e3)],  # of the rows, and of scores
    "noise": [1.0, 0.1, 1e-3, 1e-6, 1e-9],  # distance of the positives
    # one vector is added to all rows, or a number to all scores
    "offset": [(1.0, 1e4)],
    "far": [True, False],  # or none
    # of rows: "collapsed" positives or classes coincide up to 1e-12 … 1e-6, all rows of one input up to 1e-6 … 0.1
    "tie": ["none", "none", "positives", "twins", "opposite", "nearly opposite", "collapsed", "one input"],
    "crossing": [True, *9 * [False]],  # arrays are moved to where the value crosses 0, if it does
    # scores that are nearly equal, or optimal: log p(x,c)/(p(x) p(c)); targets that are the scores' softmax
    "special": [True, True, False, False, False],
    "dtype": ["float32", "float64"],
}
OF_COLUMNS = [1, 2, 3, 8]  # features of losses that sum d² numbers
CASES = 120  # drawn for each loss; a run takes the first of them
LARGEST_SHIFT = 1e3  # of scores; the exact result needs a number of digits proportional to it
POSITIVES = ("positive", "text", "prediction", "p1", "p2", "z2")  # in arrays of their own
EVERY = list_registered()


def points(seed: int, count: int) -> Iterator[Case]:
    """Yield that many cases, the losses in turn."""
    every = [draw(loss, seed) for loss in EVERY.values()]
    for number in range(count):
        yield next(every[number % len(every)])


def draw(loss: Loss, seed: int) -> Iterator[Case]:
    """Yield the cases of a loss: a Latin hypercube, and options of their own."""
    rng, table = drawn.start(loss, "digits", seed), TABLE | {"options": drawn.variants(loss)}
    if loss.name in ("barlow_twins", "vicreg"):
        table["features"] = OF_COLUMNS
    for words in drawn.draw(rng, drawn.restrict(loss, table), CASES):
        options = words.pop("options")
        if words["features"] > 8 or words["rows"] < 3:
            words["rows"] = 3 if loss.varying else 2
        yield case(loss, options | draw_options(loss, options, rng), words)


def draw_options(loss: Loss, options: Mapping[str, Any], rng: np.random.Generator) -> dict[str, float]:
    """Return some of the declared options that are numbers: one of the values to try, or one from the range."""
    found = {}
    for name, ends in loss.drawn.items():
        if name in options or name in TABLE or not isinstance(ends[0], float) or rng.random() < 0.5:
            continue
        low, high = sorted(np.log(np.abs(ends)))
        chosen = float(np.sign(ends[0]) * np.exp(rng.uniform(low, high)))
        found[name] = rng.choice([*map(float, loss.tried.get(name, ())), chosen, chosen])
    return found


def case(loss: Loss, options: dict[str, Any], words: dict[str, Any]) -> Case:
    """Make the case that these words describe."""
    sizes = {name: words[name] for name in ("rows", "features", "temperature") if name in words}
    rng = np.random.default_rng([words["seed"], 1])
    tiny, of_scores, length = float(10 ** rng.uniform(-12, -6)), list_of_kind(loss, "score"), 1.0
    if not of_scores:
        near = {"positives": 0.0, "opposite": 0.0, "collapsed": tiny, "nearly opposite": tiny}
        words["noise"] = near.get(words["tie"], words["noise"])
    arguments = loss.example(words["seed"], words["noise"], **{**options, **sizes})
    if of_scores:
        arguments = rescale_scores(loss, arguments, words, rng)
    else:
        arguments = move(loss, tie(loss, arguments, words["tie"], rng), words, rng)
        arguments = drawn.stretch(loss, arguments, words["length"], words["dtype"])
        length = drawn.measure_length(loss, arguments)
    arguments = cross(loss, arguments, rng) if words["crossing"] else arguments
    label = drawn.describe(words | options)
    return Case.of(loss, arguments, label, words["dtype"], length=length, noise=words["noise"])


def cross(loss: Loss, arguments: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Return the arguments moved towards others until the value has changed its sign, up to 10 … 40 bits."""
    arrays = {name: x for name in loss.differentiable if np.ndim(x := arguments[name])}
    others = {name: np.sqrt(np.mean(x * x)) * rng.standard_normal(x.shape) for name, x in arrays.items()}

    def at(t: float) -> dict[str, Any]:
        return arguments | {name: (1 - t) * x + t * others[name] for name, x in arrays.items()}

    def is_positive(t: float) -> bool:
        return bool(np.sum(loss.forward(**at(t))[0]) >= 0)  # 0 too: a hinge ends there, and crosses nothing

    low, high = 0.0, 1.0
    if is_positive(low) == is_positive(high):
        return arguments
    for _ in range(rng.integers(10, 41)):
        middle = (low + high) / 2
        low, high = (middle, high) if is_positive(middle) == is_positive(low) else (low, middle)
    return at(low)


def find_rows(arguments: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """The arguments that are rows of features."""
    return {name: np.array(x) for name, x in arguments.items() if drawn.is_array(x, "f") and x.ndim > 1}


def tie(loss: Loss, arguments: dict[str, Any], tie: str, rng: np.random.Generator) -> dict[str, Any]:
    """Change some rows of the arguments: equal, opposite, or nearly equal ones."""
    rows = find_rows(arguments)
    if tie == "one input" and not loss.varying:  # otherwise a column might be constant
        name, near = str(rng.choice(sorted(rows))), 10.0 ** rng.uniform(-6, -1)
        x = np.broadcast_to(rows[name][:1], rows[name].shape)
        rows[name] = x + near * rng.standard_normal(x.shape) * np.sqrt(np.mean(x * x))
        same = {"labels": np.zeros_like(arguments["labels"])} if "labels" in arguments else {}
        return arguments | rows | same
    if "opposite" in tie:
        for name, x in rows.items():
            if "labels" in arguments:
                x[0] *= -1
            elif name in ("w", "z"):  # both views in one array
                beside = arguments.get("layout") == "interleaved"
                x[slice(1, None, 2) if beside else slice(len(x) // 2, None)] *= -1
            elif name == "bank":
                x[arguments["index"]] *= -1
            elif name in POSITIVES and (name != "z2" or "p1" not in rows):
                x *= -1
        return arguments | rows
    return drawn.tie_rows(loss, arguments, tie)


def move(
    loss: Loss, arguments: dict[str, Any], words: dict[str, Any], rng: np.random.Generator
) -> dict[str, Any]:
    """Return the arguments with one vector added to all rows, normalised again if they were unit rows."""
    rows = find_rows(arguments)
    if not words["far"] or not rows:
        return arguments
    (features,) = {x.shape[-1] for x in rows.values()}
    size = np.sqrt(np.mean([np.mean(x * x) for x in rows.values()]) * features)
    direction = rng.standard_normal(features)
    direction *= words["offset"] * size / np.linalg.norm(direction)
    rows = {name: x + direction for name, x in rows.items()}
    if not loss.varying:  # normalise again
        rows = {name: x / np.linalg.norm(x, axis=-1, keepdims=True) for name, x in rows.items()}
    return arguments | rows


def rescale_scores(
    loss: Loss, arguments: dict[str, Any], words: dict[str, Any], rng: np.random.Generator
) -> dict[str, Any]:
    """Return the arguments with scores of another size, or nearly equal ones; with targets and laws that
    match them.
    """
    names = list_of_kind(loss, "score")
    most = max(float(np.max(np.abs(arguments[name]))) for name in names)
    factor = words["length"] / most
    if "nwj" in loss.name:
        factor = min(factor, 30 / most)
    arguments = arguments | {name: factor * arguments[name] for name in names}
    dtype = words["dtype"]
    if not words["special"]:
        if words["far"] and not loss.name.endswith(("nwj", "nce")):
            shift = min(words["offset"] * words["length"], LARGEST_SHIFT)
            arguments |= {name: arguments[name] + shift for name in names if name != "clip"}
        return arguments
    if "targets" in arguments:
        scores = np.asarray(arguments["scores"]).astype(dtype).astype(np.longdouble)
        p = np.exp(scores - scores.max(axis=1, keepdims=True))
        arguments["targets"] = (p / p.sum(axis=1, keepdims=True)).astype(float)
    elif "joint" in arguments:
        joint = np.asarray(arguments["joint"]).astype(dtype).astype(np.longdouble)
        arguments["scores"] = np.log(joint / joint.sum(axis=1, keepdims=True) / joint.sum(axis=0)).astype(
            float
        )
    elif "scores" in arguments:  # all nearly equal
        base = rng.standard_normal()
        tiny = words["noise"]
        arguments["scores"] = base * (1 + tiny * np.asarray(arguments["scores"]) / words["length"])
    return arguments
