"""The first law: a loss is its textbook form, in value and slope, at every case and in both dtypes.

The textbook runs in float64; a complex step gives the slope along a direction in which every input moves in
proportion to its size. The tolerance is measured, by how far the result moves if the inputs and the steps of the
textbook round. That is also what its form loses, so this law says what is computed; the others say how well.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from inspect import isfunction, signature
from types import FunctionType
from typing import Any

import numpy as np

from .. import textbook
from .brought import BROUGHT
from .case import Case, Check, relative

WITNESS = "identities"
SLACK = 256
REASON = "256·eps: relative to how far the textbook's result moves if its inputs and steps round"
MOST = 64  # moved by less, many numbers near 1 would stay what they are
DRAWS = 6

# the arguments of losses by the textbook's names; where it has the name itself, it is that
NAMES = {"image": "x", "prediction": "x", "query": "x", "anchor": "x", "v": "x", "z1": "x"}
NAMES |= {"text": "y", "target": "y", "positive": "y", "z2": "y"}
STEP = 1e-160  # so small that its square is 0
ROUNDED = ("exp", "log", "sqrt", "logsumexp", "pick")  # the words whose arguments and results round


def reword(**words: Callable) -> dict[str, Any]:
    """The names of the textbook if some of its words mean something else."""
    space = dict(vars(textbook))
    functions = {n: f for n, f in space.items() if isfunction(f) and f.__module__ == textbook.__name__}
    space |= {n: FunctionType(f.__code__, space, n, f.__defaults__) for n, f in functions.items()} | words
    return space


def name_of(case: Case) -> str:
    """The textbook's name of a loss with these options."""
    name = case.loss.name.replace("information.", "estimate_")
    if case.arguments.get("sigma") is not None:
        return "dclw"
    form = case.arguments.get("form", "out")
    return name if form == "out" else f"{name}_{form}"


def define(case: Case, **words: Callable) -> Callable[[Mapping[str, Any]], Any]:
    """The textbook's value as a function of the arguments of the loss; for reduction="none" it is Σ upstream_i ℓ_i.

    words: what else some of its words mean.
    """
    asked, upstream = case.arguments, case.upstream
    rows = np.arange(len(asked[case.loss.differentiable[0]]))
    # the textbook has view after view
    order = np.concatenate([rows[::2], rows[1::2]]) if asked.get("layout") == "interleaved" else rows
    if isinstance(upstream, np.ndarray):
        upstream = upstream[order]
    if asked.get("reduction", "mean") != "mean":
        words["mean"] = words["total"] = lambda losses, counted=1: (upstream * losses).sum()
    elif "reduction" in asked:
        words["total"] = textbook.mean
    if asked.get("stop_gradient") is False:
        words["stop"] = lambda x: x
    function = reword(**words)[name_of(case)]
    known = signature(function).parameters

    def value(arguments: Mapping[str, Any]) -> Any:
        given: dict[str, Any] = {}
        for name, x in arguments.items():
            if name == "keep":
                given[name] = x[order][:, order] if "layout" in asked else x
            elif name == "weights" and "constant" in known:
                given["constant"] = x == "constant"
            elif name in known or NAMES.get(name) in known:
                given[name if name in known else NAMES[name]] = x
            elif name == case.loss.differentiable[0]:  # both views in one array
                given["x"], given["y"] = x[order[: len(x) // 2]], x[order[len(x) // 2 :]]
        return function(**given)

    return value


def run(case: Case, along: Mapping[str, Any]) -> Iterator[complex]:
    """The textbook's value, its imaginary part STEP times the slope along a direction: first as it is, then with
    inputs and steps rounded, differently each time.
    """
    rng, most = np.random.default_rng(0), MOST * float(np.finfo(case.dtype).eps)

    def move(x: Any) -> Any:
        if np.iscomplexobj(x):
            return move(np.real(x)) + 1j * move(np.imag(x))
        return x * rng.uniform(1 - most, 1 + most, np.shape(x))

    def rounded(word: str) -> Callable:
        return lambda x, *more: move(getattr(textbook, word)(move(x), *more))

    steps = {n: STEP * 1j * v for n, v in along.items()}
    here = {
        n: x.astype(float) if getattr(x, "dtype", 0) == case.dtype else x for n, x in case.arguments.items()
    }
    yield define(case)(here | {n: here[n] + step for n, step in steps.items()})
    rounding = define(case, **{word: rounded(word) for word in ROUNDED})
    while True:
        yield rounding(here | {n: move(here[n]) + step for n, step in steps.items()})


def testify(case: Case) -> Iterator[Check]:
    """Yield one check of the value and one of the slope; none where the textbook's form overflows."""
    if case.loss.name in BROUGHT:
        return
    rng, slopes = np.random.default_rng(1), case.gradients()
    along = {
        n: np.sqrt(np.mean(np.square(case.arguments[n], dtype=float))) * rng.standard_normal(np.shape(g))
        for n, g in slopes.items()
    }
    parts = np.concatenate([np.ravel(slopes[n] * v) for n, v in along.items()])
    with np.errstate(all="ignore"):
        results = run(case, along)
        found = [next(results)]
        checks = compare(case, parts, found)
        while len(found) <= DRAWS and not all(8 * check.error <= check.tolerance for check in checks):
            found.append(next(results))  # how far rounding moves it: by chance one draw may hardly show it
            checks = compare(case, parts, found)
    yield from checks


def compare(case: Case, parts: np.ndarray, found: list[complex]) -> list[Check]:
    """The checks of the value, and of the slope, the sum of these parts."""
    eps, checks = float(np.finfo(case.dtype).eps), []
    lost = np.finfo(float).tiny / STEP / eps  # a slope below this vanishes in the complex step
    claims = re.findall(r"\[(.*)\]", getattr(textbook, name_of(case)).__doc__ or "")[0]
    for what, got, (right, *near), terms in (
        ("value", case.value(), np.real(found), 0.0),
        ("slope", np.sum(parts), np.imag(found) / STEP, np.sum(np.abs(parts)) + lost),
    ):
        if np.isfinite(right):
            moved = max((abs(x - right) for x in near), default=0.0) / (MOST * eps)
            worst = relative(got, right, moved + abs(right) + terms, case.dtype, unit=case.magnified)
            compared = f"{claims}: the {what} with the textbook's"
            first = case.loss.differentiable[0]
            checks.append(case.check(first, WITNESS, worst, compared, SLACK * eps, REASON))
    return checks
