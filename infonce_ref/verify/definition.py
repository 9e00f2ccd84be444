"""What the textbook says at a case: its value and its slopes, in float64, with the sizes of the terms they sum.

No size of a term is written anywhere: they are those of the textbook's function (`slopes`). Where that does not
explain an error, it is measured how far the value moves if the inputs round, and the slopes if the steps round too.
"""

from collections.abc import Callable, Mapping
from functools import reduce
from inspect import isfunction, signature
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from .. import textbook
from .case import Case, list_of_kind
from .own_loss import OWN_LOSSES
from .slopes import WORDS, Node, Slope, differentiate, log_in, plain

MOST = 64  # by how many eps inputs and steps are moved; by less, many numbers near 1 would stay what they are
DRAWS = 6  # how often: by chance one draw may hardly move a slope
SLACK = 4  # so that 256 times what an eps moves is explained by rounding
WIDER = np.finfo(np.longdouble).maxexp > np.finfo(float).maxexp
LARGE = 100  # logits whose exponential, squared, may overflow
SUMMED = 4  # roundings of each number on the textbook's way
MOST_LOST = 1e-3  # of the value, by the textbook's own rounding
NEARBY = 16  # laws also evaluate the loss at other cases: half the temperature, rows four times as long

# the arguments of losses by the textbook's names; where it has the name itself, it is that
NAMES = {"image": "x", "prediction": "x", "query": "x", "anchor": "x", "v": "x", "z1": "x"}
NAMES |= {"text": "y", "target": "y", "positive": "y", "z2": "y"}


def list_functions(space: Mapping[str, Any]) -> dict[str, Any]:
    """List the functions of the textbook among some names."""
    return {n: f for n, f in space.items() if isfunction(f) and f.__module__ == textbook.__name__}


FUNCTIONS = list_functions(vars(textbook))


def find_function(case: Case) -> Any:
    """Return the textbook's function of a loss with these options, or that of a user's own loss; None for a step of
    an algorithm, which is no loss.
    """
    own = OWN_LOSSES.get(case.loss.name)
    return own.textbook if own else getattr(textbook, name_of(case), None)


def reword(function: Any, words: dict[str, Any]) -> dict[str, Any]:
    """Return the names that a function sees, with itself, where these words replace those of the textbook."""
    around = function.__globals__
    space = around | vars(textbook)
    functions = list_functions(around) | FUNCTIONS | {function.__name__: function}
    space |= {n: FunctionType(f.__code__, space, n, f.__defaults__) for n, f in functions.items()} | words
    return space


def name_of(case: Case) -> str:
    """Return the textbook's name of a loss with these options."""
    name = case.loss.name.replace("information.", "estimate_")
    if case.arguments.get("sigma") is not None:
        return "dclw"
    if not case.arguments.get("symmetric", True):
        return "cpc_of_rows"
    form = case.arguments.get("form", "out")
    return name if form == "out" else f"{name}_{form}"


def define(case: Case, **words: Callable) -> Callable[[Mapping[str, Any]], Any]:
    """Return the textbook's value as a function of the loss's arguments; Σ upstream_i ℓ_i for reduction="none".

    words: functions that replace words of the textbook.
    """
    asked, upstream = case.arguments, case.upstream
    rows = np.arange(len(asked[case.loss.differentiable[0]]))
    # the textbook has view after view
    order = np.concatenate([rows[::2], rows[1::2]]) if asked.get("layout") == "interleaved" else rows
    if isinstance(upstream, np.ndarray):
        upstream = upstream[order]
    if asked.get("reduction", "mean") != "mean":
        words["mean"] = words["total"] = lambda losses, counted=None: (upstream * losses).sum()
    elif "reduction" in asked:
        words["total"] = textbook.mean
    if asked.get("stop_gradient") is False:
        words["stop"] = lambda x: x
    defined = find_function(case)
    function = reword(defined, words)[defined.__name__]
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


def hold(case: Case) -> Callable[[Mapping[str, Any]], float]:
    """Return a function of the arguments: by how much the value changes if numbers that the textbook's `stop` holds
    constant move with the arguments; 0 for a loss without a stop-gradient.
    """
    kept: list[Any] = []
    function = find_function(case)
    if function is None or not mentions(function.__code__, "stop"):
        return lambda arguments: 0.0

    def keep(x: Any) -> Any:
        kept.append(plain(x))
        return kept[-1]

    with np.errstate(all="ignore"):
        define(case, stop=keep)(as_numbers(case, float))
    free = define(case)

    def value(arguments: Mapping[str, Any]) -> float:
        again = iter(kept)
        with np.errstate(all="ignore"):
            return float(free(arguments) - define(case, stop=lambda x: next(again))(arguments))

    return value


def mentions(code: CodeType, word: str) -> bool:
    """Whether a function, or one within it, uses a word."""
    within = [each for each in code.co_consts if isinstance(each, CodeType)]
    return word in code.co_names or any(mentions(each, word) for each in within)


def as_numbers(case: Case, dtype: Any) -> dict[str, Any]:
    """Convert the arrays of the dtype under test to this dtype."""
    return {
        n: x.astype(dtype) if getattr(x, "dtype", 0) == case.dtype else x for n, x in case.arguments.items()
    }


class Form(NamedTuple):
    """What the textbook says at a case: its value; by how many eps the value moves if its inputs and logits move by
    one, over the largest logit, which the tolerance has as a factor; the textbook's own rounding error; the slopes;
    and the dtype in which all that was computed.
    """

    value: float
    size: float
    rounding: float
    slopes: Mapping[str, Slope]
    dtype: Any = float

    @property
    def is_finite(self) -> bool:
        """Whether nothing overflows in the textbook's form."""
        sums: list[Any] = [np.sum(each.value) + np.sum(each.size) for each in self.slopes.values()]
        return bool(np.all(np.isfinite([self.value, self.size, *sums])))

    @property
    def sizes(self) -> dict[str, np.ndarray]:
        """Return the size of the terms of each slope."""
        return {name: each.size for name, each in self.slopes.items()}


def evaluate(case: Case, dtype: Any = float, move: Callable = np.asarray, **words: Callable) -> Form:
    """Evaluate the textbook's form in this dtype. move: applied to each input."""
    numbers = as_numbers(case, dtype)
    names = {n for n, x in numbers.items() if getattr(x, "dtype", 0) == dtype}
    names |= {*case.loss.differentiable, *list_of_kind(case.loss, "score")}
    inputs = {name: Node(move(np.asarray(numbers[name], dtype)), []) for name in sorted(names)}
    with np.errstate(all="ignore"):
        result = define(case, **WORDS | {"log": log_in(dtype)} | words)({**numbers, **inputs})
        by = differentiate(result)
        rounding = SUMMED * sum(add_up(each.textbook * np.abs(x.value)) for x, each in by.items())
        every = {name: by.get(x, Slope(*[np.zeros(x.shape)] * 3)) for name, x in inputs.items()}
        value = float(plain(result))
        size = abs(value) + sum(float(np.sum(every[n].size * abs(x.value))) for n, x in inputs.items())
    slopes = {name: every[name] for name in case.loss.differentiable}
    return Form(value, size / case.sharpness, rounding * float(np.finfo(dtype).eps), slopes, dtype)


def add_up(terms: Any) -> float:
    """Sum the terms, with 0 · ∞ as 0; `nansum`, which takes three times as long, only if one is NaN."""
    total = float(np.sum(terms))
    return float(np.nansum(terms)) if np.isnan(total) else total


def form_of(case: Case) -> Form:
    """Evaluate the textbook's form at a case, once for all checks; NaN if the platform has no wider numbers."""
    if "form" not in case.memo:
        # more bits for exponentials of large logits, so that they neither overflow nor underflow
        wide = case.sharpness > LARGE and mentions(find_function(case).__code__, "exp")
        here = evaluate(case, np.longdouble if wide else float)
        if WIDER and 0 < MOST_LOST * abs(here.value) < here.rounding:
            here = evaluate(case, np.longdouble)
        wide_enough = WIDER or here.dtype is float
        case.memo["form"] = here if wide_enough else here._replace(value=np.nan)
    return case.memo["form"]


def widen(case: Case) -> Form:
    """Return the textbook's form with sizes that cover how far value and slopes move if inputs and steps round:
    steps by one eps for the value, which may lose no digit [S1]; by more for slopes, which may be beyond a kink.
    """
    here, rng, eps = form_of(case), np.random.default_rng(0), float(np.finfo(case.dtype).eps)

    def draw(shape: tuple[int, ...], most: float) -> Any:
        return rng.uniform(-most * eps, most * eps, shape)

    def move(x: Any) -> Any:
        """Move each entry in proportion to its size, or to the mean size in its row if that is larger."""
        mean = np.sqrt(np.mean(x**2, axis=-1 if x.ndim else None, keepdims=x.ndim > 0))
        return x + draw(x.shape, MOST) * np.maximum(abs(x), mean)

    def move_all(most: float) -> Form:
        def step(word: str) -> Callable:
            return lambda x: WORDS[word](x * (1 + draw(np.shape(x), most))) * (1 + draw(np.shape(x), most))

        return evaluate(case, here.dtype, move, **{word: step(word) for word in ("exp", "log", "sqrt")})

    def add(size: Any, value: Any, near: list[Any]) -> Any:
        return size + SLACK / case.tolerance * reduce(np.maximum, [abs(x - value) for x in near])

    near, values = ([move_all(most) for _ in range(DRAWS)] for most in (MOST, 1))
    slopes = {
        name: x._replace(size=add(x.size, x.value, [other.slopes[name].value for other in near]))
        for name, x in here.slopes.items()
    }
    size = add(here.size, here.value, [other.value for other in values])
    return here._replace(size=float(size), slopes=slopes)


def terms_in_textbook_form(case: Case) -> dict[str, Any]:
    """Return the size of the terms that a textbook form of each slope sums. Its rounding error is relative to this
    size, which distinguishes an inexact loss from a wrong one.

    Each P is rounded to about eps/τ whatever 1 − P is, so a gradient below eps/τ² has no correct digit if 1 − P
    vanishes [S1, S2].
    """
    return {name: NEARBY * each.textbook for name, each in form_of(case).slopes.items()}


def value_in_textbook_form(case: Case) -> float:
    """Return the size of the terms that a textbook form of the value sums: 1 nat for each row."""
    return NEARBY * float(len(case.arguments[case.loss.differentiable[0]]))
