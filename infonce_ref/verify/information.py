"""Check the functions of `information`.

They have no gradient, so that only two of the four kinds of checks apply: equations of entropies, and 50 digits.
The laws are drawn, of 1 … 40 rows and columns, with empty cells, empty rows, cells down to 10⁻¹², independent laws
and deterministic ones.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

import numpy as np
from flint import arb, ctx

from .. import information
from ..arrays import to_numpy
from .case import ROUNDING, Check, relative
from .precision import VALUE, to_ball

NAME = "information"
LAWS, DIGITS = "laws", "50 digits"
METHODS = (LAWS, DIGITS)
FUNCTIONS = ("mutual_information", "entropy", "conditional_entropy", "bound")
REASON = (
    "64·eps: sums of products, each rounded a few times; I is measured by itself, an entropy against 1 too"
)
# of `bound`: for each setting the claim, what is counted, and k and m of N = k + m · count
BOUNDS = {
    "cpc": ("P1", "candidates", 0, 1),
    "clip": ("P1", "pairs", 0, 1),
    "ntxent": ("P2", "pairs", 0, 1),
    "infonce": ("P3", "pairs", 0, 2),
    "query_key": ("P5", "negatives", 1, 1),
}
COUNTED, COSTS = (1, 2, 7, 4096), (0.0, 0.25, 3.0)
REFUSED = (
    ("dhn_nce", {"pairs": 4}),
    ("decoupled", {"pairs": 4}),
    ("cpc", {"pairs": 4}),
    ("clip", {"pairs": 0}),
)
DRAWN = 12
WORKING_DIGITS = 60


def laws(dtype: str, seed: int) -> Iterator[tuple[np.ndarray, str]]:
    """Joint laws in this dtype, each with its description: at the edges of the allowed range, then drawn ones."""
    rng = np.random.default_rng([seed, len(NAME)])
    edges = {
        "one cell": [[1.0]],
        "one row": [[0.25, 0.75]],
        "a rare row": [[1 - 2.0**-20], [2.0**-20]],
        "deterministic": np.eye(5) / 5,
        "independent": np.outer([0.5, 0.25, 0.25], [0.125, 0.875]),
        "an empty row and column": [[0.5, 0.0, 0.25], [0.0, 0.0, 0.0], [0.125, 0.0, 0.125]],
        "nearly independent": np.outer([0.5, 0.5], [0.5, 0.5]) + 1e-4 * np.array([[1, -1], [-1, 1]]),
    }
    for label, joint in edges.items():
        yield np.asarray(joint, dtype=dtype), label
    for number in range(DRAWN):
        shape = tuple(int(x) for x in np.exp(rng.uniform(0, np.log(40), 2)))
        # a larger exponent makes the cells more unequal
        power = (1.0, 4.0, 12.0)[number % 3]
        joint = rng.random(shape) ** power * (rng.random(shape) > (0.3 if number % 2 else 0.0))
        joint.flat[0] += 0.1
        yield (joint / joint.sum()).astype(dtype), f"drawn: number {number}, seed {seed}, shape {shape}"


def compute_by_definition(joint: np.ndarray) -> dict[str, Any]:
    """I, H(X) and H(X|Y) as they are printed, over the nonempty cells, of a law in balls, divided by its sum, which
    is 1 up to rounding.                                                                [D3.21, D3.24, D3.25]"""
    law = to_ball(joint.astype(float))
    law = law / np.sum(law)
    rows, columns = np.sum(law, axis=1), np.sum(law, axis=0)
    where = [(p, rows[i], columns[j]) for (i, j), p in np.ndenumerate(law) if p > 0]
    return {
        "mutual_information": sum(p * (p / (x * y)).log() for p, x, y in where),
        "entropy": -sum(x * x.log() for x in rows if x > 0),
        "conditional_entropy": -sum(p * (p / y).log() for p, _, y in where),
    }


def compute_all(joint: np.ndarray, functions: Any, convert: Callable) -> dict[str, np.ndarray]:
    """Compute the same with the library; H(X) from the sums of the rows."""
    given = {"mutual_information": joint, "conditional_entropy": joint, "entropy": joint.sum(axis=1)}
    return {name: to_numpy(getattr(functions, name)(convert(x))) for name, x in given.items()}


def equations(joint: np.ndarray, functions: Any, convert: Callable) -> Iterator[tuple]:
    """Yield equations: the function, the claim, both sides, and the size of the terms."""
    found = compute_all(joint, functions, convert)
    i, given, h = map(float, found.values())
    turned, given_turned, other = map(
        float, compute_all(np.ascontiguousarray(joint.T), functions, convert).values()
    )
    uniform = float(functions.entropy(convert(np.full(len(joint), 1 / len(joint), dtype=joint.dtype))))
    k, least, size = math.log(len(joint)), min(h, other), abs(h) + abs(given) + abs(other) + 1
    yield "mutual_information", "D3.25: I(X;Y) = H(X) − H(X|Y)", i, h - given, size
    yield "mutual_information", "D3.25: I(X;Y) = I(Y;X)", turned, i, size
    yield "mutual_information", "D3.26: I(X;Y) ≥ 0", max(i, 0.0), i, i
    yield "mutual_information", "D3.27: I(X;Y) ≤ min(H(X), H(Y))", min(i, least), i, size
    name = "conditional_entropy"
    yield name, "D3.25: H(X) + H(Y|X) = H(Y) + H(X|Y)", h + given_turned, other + given, size
    yield name, "D3.27: 0 ≤ H(X|Y) ≤ H(X)", min(max(given, 0.0), h), given, size
    yield "entropy", "D3.27: H(X) ≤ log K", min(h, k), h, size
    yield "entropy", "D3.25: H(X) of a uniform law is log K", uniform, k, k + 1
    for name, x in found.items():
        shape = np.array([x.ndim, x.dtype.itemsize]), np.array([0, joint.dtype.itemsize]), np.ones(2)
        yield name, "The contract: a 0-d array of the law's dtype, here its bytes", *shape


def ask(dtype: str, seed: int, convert: Callable, functions: Any) -> Iterator[tuple]:
    """Yield what is compared: the function, the method, the case, words, both sides, and the size of the terms."""
    # I is nearly a sum of squares; for independent variables these are squares of the cells' rounding errors
    least = {"mutual_information": arb(float(np.finfo(dtype).eps)) ** 2}
    for joint, label in laws(dtype, seed):
        for name, compared, *sides in equations(joint, functions, convert):
            yield name, LAWS, label, compared, *sides
        got = compute_all(joint, functions, convert)
        for name, exact in compute_by_definition(joint).items():
            yield name, DIGITS, label, VALUE, got[name], exact, abs(exact) + least.get(name, 1)
    for (setting, (claim, counted, more, times)), number, loss in product(BOUNDS.items(), COUNTED, COSTS):
        exact = arb(times * number + more).log() - loss
        got = functions.bound(setting, loss, **{counted: number})
        label = f"{setting}, {counted} {number}, loss {loss}"
        yield "bound", DIGITS, label, f"{claim}: log N − 𝓛", got, exact, abs(exact) + loss + 1
    for setting, given in REFUSED:
        raised = 0.0
        try:
            functions.bound(setting, 0.5, **given)
        except ValueError:
            raised = 1.0
        compared = "P4: if there is no bound, ValueError is raised (1: raised)"
        yield "bound", LAWS, f"{setting}, {given}", compared, raised, 1.0, 1.0


def check_all(
    dtype: str, seed: int, convert: Callable = np.asarray, functions: Any = information
) -> list[Check]:
    """Check every function of a module such as `information`."""
    kind, checks = np.dtype(dtype), []
    tolerance = ROUNDING * float(np.finfo(kind).eps)
    with ctx.workdps(WORKING_DIGITS):
        for name, method, case, compared, got, exact, size in ask(dtype, seed, convert, functions):
            worst = relative(got, exact, size, kind)
            checks.append(Check(NAME, name, method, case, compared, worst, tolerance, REASON, dtype=dtype))
    return checks


def holds(checks: Iterable[Check]) -> bool:
    """Return whether every function was checked in both ways, and every check holds."""
    own = [c for c in checks if c.loss == NAME]
    asked = {(c.input, c.method) for c in own}
    return asked == {(f, w) for f in FUNCTIONS for w in METHODS} and all(c.holds for c in own)
