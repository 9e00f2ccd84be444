"""Third check: what must hold of any correct implementation, one line a law.

    law(losses, claim, change, slopes)     change the arguments: the value stays, and the slopes change as stated
    at_most(losses, claim, ends)           bounds of the value
    vanishes(losses, claim, what)          sums of slopes that are 0
    same_as(losses, claim, other, …)       another loss, at other arguments, is the same
    state(losses, claim, equation)         any other equation

and, first of all, each loss is its textbook form, in value and in every slope. The other side of an equation is the
loss itself at other arguments, or a formula of the document in NumPy; never the loss's own cache. A side may differ
from the other by what rounding explains: a multiple of the size of the terms that the textbook sums (`definition`).
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from inspect import signature
from typing import Any

import numpy as np
from scipy.special import entr

from .. import textbook
from .case import Case, Check, Measurement, list_registered, relative
from .contract import (
    EVERY_LOSS,
    LARGE_TILE,
    STREAMED,
    Equation,
    Sides,
    contract,
    each_anchor,
    other_kinds,
    row_inputs,
    streamed,
)
from .definition import Form, Slope, form_of, name_of, terms_in_textbook_form, value_in_textbook_form, widen
from .own_loss import OWN_LOSSES

METHOD = "laws"
FEW = 256  # with more rows than this, only cheap equations are checked

Arguments = dict[str, Any]
Change = Mapping[str, Callable[[Any], Any] | str]

LAWS: list[tuple[str, Equation]] = []  # the names of losses, and what holds of them


def state(losses: str, claim: str, equation: Equation) -> None:
    """Add an equation that holds of the losses of these names."""
    equation.__doc__ = claim
    LAWS.append((losses, equation))


def law(
    losses: str,
    claim: str,
    change: Change,
    slopes: Change | None = None,
    times: Callable[[Arguments], float] = lambda arguments: 1.0,
) -> None:
    """Add a law: if the arguments change, the value stays, and the slopes change too.

    change: by the name of an argument, a function of it or the name of another argument; "rows" stands for all
    arrays of rows. slopes: the same of the slopes; by default equal to change. times: the factor by which value and
    slopes are multiplied then.
    """

    def equation(case: Case, form: Form) -> Iterator[Sides]:
        names, here, factor = list_rows(case), case.gradients(), times(case.arguments)
        follow = change if slopes is None else slopes
        changed = case.at(**apply(change, case.arguments, names))
        expected, sizes = here | apply(follow, here, names), form.sizes | apply(follow, form.sizes, names)
        for name, got in changed.gradients().items():
            yield name, got, factor * expected[name], factor * np.abs(sizes[name])
        size = factor * form.size
        if slopes == {}:  # what was added may be larger than what was there
            size += form_of(changed).size * changed.sharpness / case.sharpness
        yield case.loss.differentiable[0], changed.value(), factor * case.value(), size

    state(losses, claim, equation)


def list_rows(case: Case) -> list[str]:
    """Return the names of all arrays of rows."""
    arrays = {name: x for name, x in case.arguments.items() if isinstance(x, np.ndarray)}
    return [name for name, x in arrays.items() if x.dtype == case.dtype and x.ndim > 1]


def apply(change: Change, given: Mapping[str, Any], rows: list[str]) -> Arguments:
    """Apply a change to those of the arguments, or slopes, that are given."""
    every = {**(dict.fromkeys(rows, change["rows"]) if "rows" in change else {}), **change}
    return {
        name: given[how] if isinstance(how, str) else how(given[name])
        for name, how in every.items()
        if name in given
    }


def at_most(
    losses: str, claim: str, ends: Callable[[Arguments], tuple[Any, Any]], change: Change | None = None
) -> None:
    """Add bounds of the value. ends: from the arguments, the least and the greatest mean value, None for no bound.
    change: made to the arguments first.
    """

    def equation(case: Case, form: Form) -> Iterator[Sides]:
        here = case.at(**apply(change or {}, case.arguments, list_rows(case)))
        value, scale = here.value(), count_anchors(here)
        for sign, end in zip((-1, 1), ends(here.arguments), strict=True):
            if end is not None:
                bound = sign * scale * end
                size = abs(bound) + form_of(here).size
                yield row_inputs(case)[0], max(sign * value, bound), bound, size

    state(losses, claim, equation)


def count_anchors(case: Case) -> float:
    """Count the anchors whose losses the value sums; 1 for a mean."""
    known = signature(list_registered().get(case.loss.name, case.loss).forward).parameters
    default = known["reduction"].default if "reduction" in known else "mean"
    mean = case.arguments.get("reduction", default) == "mean"
    return 1 if mean else np.sum(case.upstream * np.ones(len(case.arguments[case.loss.differentiable[0]])))


def vanishes(
    losses: str, claim: str, what: Callable[[Arguments, Arguments], Arguments], **changed: Any
) -> None:
    """Add sums of slopes that are 0. what: from arguments and slopes by name, the sums; from their sizes, the sizes
    of the sums. changed: arguments to change first.
    """

    def equation(case: Case, form: Form) -> Iterator[Sides]:
        rows = row_inputs(case)
        here = case.at(**changed).gradients()
        x = {name: case.arguments[name].astype(float) for name in rows}
        found = what(x, {name: here[name] for name in rows})
        sizes = what({n: np.abs(v) for n, v in x.items()}, {n: form.sizes[n] for n in rows})
        for name, total in found.items():
            yield name, total, np.zeros_like(total), sizes[name]

    state(losses, claim, equation)


def same_as(
    losses: str,
    claim: str,
    other: str,
    given: Callable[[Arguments], tuple[Arguments, Arguments]],
    slopes: Mapping[str, str] = {},
) -> None:
    """Add: another loss is the same. given: from the arguments, those of this loss to change, and all of the
    other's. slopes: by this loss's inputs, the other's inputs with the same slopes. For a user's own loss.
    """

    def equation(case: Case, form: Form) -> Iterator[Sides]:
        mine, theirs = given(case.arguments)
        here = case.at(**mine)
        known = form_of(here)
        there = replace(here, loss=list_registered()[other], arguments=theirs)
        yield row_inputs(case)[0], here.value(), there.value(), known.size
        got, expected = here.gradients(), there.gradients()
        for name, same in slopes.items():
            yield name, got[name], expected[same], known.sizes[name]

    state(losses, claim, equation)


# --- asking -------------------------------------------------------------------------------------------------------


def its_textbook_form(case: Case, form: Form) -> Iterator[Sides]:
    """The loss is its textbook form, in value and every slope."""
    yield row_inputs(case)[0], case.value(), form.value, form.size + form.rounding / case.tolerance
    for name, got in case.gradients().items():
        yield name, got, form.slopes[name].value, form.sizes[name]


def its_numbers(case: Case, form: Form) -> Iterator[Sides]:
    """The contract: value and slopes are finite. Asked alone where the textbook's form overflows."""
    yield row_inputs(case)[0], case.value(), case.value(), 0.0
    for name, got in case.gradients().items():
        yield name, got, got, np.zeros(got.shape)


def list_laws(loss: str) -> list[Equation]:
    """List the laws of this loss."""
    return [equation for losses, equation in LAWS if loss in losses.split()]


def check(case: Case) -> Iterator[Check]:
    """Yield one check for each equation and input; several if an equation tries several ways."""
    asked: list[Equation] = [its_textbook_form, *EVERY_LOSS]
    if case.arguments.get("reduction") == "none":
        asked += [each_anchor, *STREAMED]
    elif has_many_rows(case):
        asked += [streamed(None), streamed(LARGE_TILE)]
    else:
        asked += [*list_laws(case.loss.name), *STREAMED]
    yield from ask(case, asked)


def has_many_rows(case: Case) -> bool:
    return max(len(case.arguments[name]) for name in row_inputs(case)) > FEW


def check_quickly(case: Case) -> Iterator[Check]:
    """Yield one check for each input from one pass; and check the sum under reduction='none', or the tiles of many
    rows.
    """
    tiles = [streamed(LARGE_TILE)] * has_many_rows(case)
    none = case.arguments.get("reduction") == "none"
    yield from ask(case, [contract, its_textbook_form, *([each_anchor] if none else tiles)])


def check_kinds_of_arrays(case: Case) -> Iterator[Check]:
    """Check that other kinds of arrays give the same numbers or are refused."""
    yield from ask(case, [other_kinds])


def ask(case: Case, equations: list[Equation]) -> Iterator[Check]:
    """Yield the checks of some equations."""
    known = form_of(case)
    if not known.is_finite:
        nothing = {n: Slope(g, np.zeros(g.shape), np.zeros(g.shape)) for n, g in case.gradients().items()}
        known = Form(case.value(), 0.0, 0.0, nothing)
        equations = [its_numbers, *(each for each in equations if each in EVERY_LOSS)]
    for equation in equations:
        sides = list(equation(case, known))
        found = list(compare(case, sides, sides))
        if not all(each.error <= case.tolerance for each in found):
            # only then measure what rounding explains; not the sides again, which may depend on earlier calls
            wider = list(equation(case, widen(case))) if known is form_of(case) else sides
            found = list(compare(case, sides, wider))
        words = describe(case, equation)
        for (name, *_), worst in zip(sides, found, strict=True):
            yield case.check(name, METHOD, worst, words)


def compare(case: Case, sides: list[Sides], wider: list[Sides]) -> Iterator[Measurement]:
    """Compare both sides, relative to the sizes of others."""
    for (name, left, right, _), (*_, size) in zip(sides, wider, strict=True):
        textbook = partial(size_in_textbook_form, case, name, np.shape(left))
        yield relative(left, right, size, case.dtype, None, textbook, case.tolerance, unit=case.magnified)


def describe(case: Case, equation: Equation) -> str:
    """Return the claims of an equation, and what it says."""
    words = " ".join((equation.__doc__ or "").split())
    if equation is not its_textbook_form or case.loss.name in OWN_LOSSES:
        return words
    claims = re.findall(r"\[(.*)\]", getattr(textbook, name_of(case)).__doc__ or "")
    return f"{claims[0]}: {words}"


def size_in_textbook_form(case: Case, name: str, shape: tuple[int, ...]) -> Any:
    """Return the size of a textbook form's terms for a gradient, or for numbers of this shape computed from it."""
    own = terms_in_textbook_form(case)[name]
    if shape == own.shape:
        return own
    x = np.abs(np.asarray(case.arguments[name], float))
    return float(np.sum(own * (1 + x))) + value_in_textbook_form(case)


# --- changes ------------------------------------------------------------------------------------------------------


def backwards(x: Any) -> Any:
    """Reverse the rows, which exchanges the views of a batch in either layout."""
    return np.ascontiguousarray(x[::-1])


def both_backwards(x: Any) -> Any:
    return np.ascontiguousarray(x[::-1, ::-1])


def double(x: Any) -> Any:
    return 2 * x


def half(x: Any) -> Any:
    return x / 2


def by_rows(x: Any) -> Any:
    """Add another number to each row of scores."""
    return x + np.resize([-1, 0, 1], len(x)).astype(x.dtype)[:, None]


def unit(x: Any) -> Any:
    """Divide each row by its length."""
    return (x / np.linalg.norm(x.astype(float), axis=1, keepdims=True)).astype(x.dtype)


def over(axis: int, weighed: bool = False) -> Callable[[Arguments, Arguments], Arguments]:
    """Sum the slopes over an axis, or the slopes times their arguments."""
    return lambda x, g: {name: np.sum(x[name] * g[name] if weighed else g[name], axis=axis) for name in g}


# --- the laws -----------------------------------------------------------------------------------------------------

PAIRS = "infonce ntxent dcl hard_negative"
COSINES = "ntxent dcl hard_negative supcon simsiam byol"
PRODUCTS = "infonce clip siglip dhn_nce query_key instance instance_nce"
COLUMNS = "barlow_twins vicreg"
SCALE_FREE = f"{COSINES} barlow_twins".split()  # a row's length, or a column's, does not matter
MEANS = "information.infonce information.nwj information.mine information.smile"


def is_scale_free(loss: str) -> bool:
    """Whether a loss does not depend on the length of a row or of a column."""
    return loss in SCALE_FREE


law(
    f"{PAIRS} uniformity",
    "D1.5, F19: the order of the pairs, and of the views of each, does not matter",
    {"rows": backwards, "keep": both_backwards},
)
vanishes(COSINES, "D2.11, M5, M18, M19: I − zzᵀ: a slope is tangent to the sphere", over(1, weighed=True))
law(
    PRODUCTS,
    "M7, F10: it depends on products over τ alone",
    {"rows": double, "temperature": lambda t: 4 * t},
    {"rows": half, "temperature": lambda g: g / 4},
)

at_most(
    "infonce", "M1: each row of length 1 costs log 2 at least", lambda a: (np.log(2), None), {"rows": unit}
)


def end(n: int, logit: float) -> Any:
    """log(1 + (N−2) e^logit); of a single pair log(1 + 0)."""
    return np.logaddexp(0, np.log(n - 2) + logit) if n > 2 else 0.0


at_most(
    "ntxent",
    "M23: log(1 + (N−2) e^{−2/τ}) ≤ ℓ ≤ log(1 + (N−2) e^{2/τ}) for N rows",
    lambda a: (
        (None, None)
        if "keep" in a
        else tuple(end(len(a["w"]), sign * 2 / a["temperature"]) for sign in (-1, 1))
    ),
)
at_most(
    "dcl",
    "F1, M22: |ℓ_i − log(N−2)| ≤ 2/τ, because a similarity lies between −1 and 1",
    lambda a: (
        (None, None)
        if a.get("sigma") is not None
        else tuple(np.log(len(a["w"]) - 2) + sign * 2 / a["temperature"] for sign in (-1, 1))
    ),
)
# --- two views ----------------------------------------------------------------------------------------------------

law(f"spectral {COLUMNS}", "F7, F25, F27: exchanging the views", {"z1": "z2", "z2": "z1"})
law("alignment", "F12: rows twice as long", {"rows": double}, {"rows": half}, lambda a: 2.0 ** a["exponent"])
vanishes(
    "alignment triplet",
    "F13, M12: moving all together changes nothing",
    lambda x, g: dict.fromkeys(g, sum(g.values())),
)
vanishes("uniformity", "F20: moving all rows together changes nothing", over(0))


vanishes("barlow_twins", "F26: the slopes of a column sum to 0", over(0))
vanishes("barlow_twins", "F26: the slopes of a column are orthogonal to it", over(0, weighed=True))
vanishes(
    "vicreg",
    "F28: the slopes of a column sum to 0, without the distance of the views",
    over(0),
    invariance=0.0,
)


# --- scores, queues and banks -------------------------------------------------------------------------------------

SCORES = "cpc soft_targets information.infonce"
law(
    SCORES, "D2.1, D3.31, F6, F16: a number added to a row of scores changes nothing", {"scores": by_rows}, {}
)
vanishes(SCORES, "D1.11, F5: the slopes of a row of scores sum to 0", over(1))
at_most(
    "soft_targets",
    "F4: it is at least the entropy of its targets",
    lambda a: (np.mean(np.sum(entr(a["targets"].astype(float)), axis=1)), None),
)


law(
    "nce",
    "D3.10: it depends on u − log p_n alone",
    dict.fromkeys(
        ("data_scores", "noise_scores", "log_noise_data", "log_noise"), lambda x: x + x.dtype.type(1)
    ),
    {},
)


# --- estimates of mutual information ------------------------------------------------------------------------------

ANY = "information.donsker_varadhan information.infonce information.mine"
law(
    ANY,
    "F14, F16, F17: a number added to all scores changes nothing",
    {"scores": lambda u: u + u.dtype.type(2)},
    {},
)
law(MEANS, "F15, F16, F17, F18: the order of the pairs does not matter", {"scores": both_backwards})
at_most("information.infonce", "P1: it is at most log N", lambda a: (None, np.log(len(a["scores"]))))
