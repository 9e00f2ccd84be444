"""The textbook's function of a case: which it is, its arguments, and what a reduction means there."""

from collections.abc import Callable, Mapping
from inspect import isfunction, signature
from types import FunctionType
from typing import Any

import numpy as np

from .. import textbook
from .case import Case

# the arguments of losses by the textbook's names; where it has the name itself, it is that
NAMES = {"image": "x", "prediction": "x", "query": "x", "anchor": "x", "v": "x", "z1": "x"}
NAMES |= {"text": "y", "target": "y", "positive": "y", "z2": "y"}
STEP = 1e-30  # so small that its square vanishes beside any number


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


def slope_along(value: Callable, arguments: Mapping[str, Any], name: str, v: Any) -> Any:
    """⟨∂f/∂name, v⟩ by a complex step, which loses no digit."""
    return np.imag(value({**arguments, name: arguments[name] + STEP * 1j * v})) / STEP
