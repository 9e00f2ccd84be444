"""First check: the gradient that is proved for every N and d, evaluated to 50 digits. No other file of `verify`
imports `derivations`.

The arithmetic is Arb's balls, numbers with rigorous error bounds, through python-flint: the ball of every operation
contains the exact result. So errors are measured against proved bounds, and a ball that is too wide is detected.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial, reduce
from operator import mul
from typing import Any

import mpmath
import numpy as np
from flint import arb, ctx, fmpq

from ..derivations import losses
from ..derivations.common.statement import Statement
from ..derivations.evidence.kinds import display
from ..derivations.prover.evaluate import Functions, evaluators
from ..derivations.theory import estimators_from_scores
from .case import Case, Check, relative
from .definition import terms_in_textbook_form
from .own_loss import OWN_LOSSES

METHOD = "proved formula"
DIGITS = 50
MOST = 64  # compare this many entries of one input
VALUE = "value"  # its name beside those of the inputs
FUNCTIONS = Functions(
    exp=lambda x: 1 if x == 0 else arb(x).exp(),  # an integer, so that six ones times 1/6 have no radius
    log=lambda x: arb(x).log(),
    sqrt=lambda x: arb(x).sqrt(),
    ratio=fmpq,
    power=lambda x, n: reduce(mul, [x] * n),  # Arb returns NaN for a power of a ball that contains 0
)


def statement(loss: str, arguments: Mapping[str, Any]) -> Statement:
    """Return the statement that a loss satisfies for these arguments: the registry's, an estimator's, or a
    user's.
    """
    if loss in estimators_from_scores.STATEMENTS:
        return estimators_from_scores.STATEMENTS[loss]
    return losses.statement_in(OWN_LOSSES[loss] if loss in OWN_LOSSES else losses.module(loss), arguments)


def prove(loss: str, arguments: Mapping[str, Any]) -> dict[str, str]:
    """Prove each gradient of the statement; return the lines of each proof. Raises ValueError if one is not
    proved."""
    return {name: display(each.prove()).text() for name, each in statement(loss, arguments).gradients.items()}


def bind(stated: Statement, case: Case) -> dict:
    """Return the case's arguments, as balls, by the symbols of a statement."""
    weights = {"upstream": case.upstream} if isinstance(case.upstream, np.ndarray) else {}
    given = {name: to_mpmath(x) for name, x in {**case.arguments, **weights}.items()}
    # whether a hinge or a clamp is active is decided in mpmath, when the arguments are bound
    with mpmath.workdps(ctx.dps):
        return {symbol: to_balls(x) for symbol, x in stated.environment(**given).items()}


def to_mpmath(x: Any) -> Any:
    """Convert arrays to nested lists of mpmath numbers without rounding; integers stay integers."""
    x = x.tolist() if isinstance(x, np.ndarray | np.generic) else x
    if isinstance(x, list):
        return [to_mpmath(row) for row in x]
    return mpmath.mpf(x) if isinstance(x, float) else x


def to_balls(numbers: Any) -> Any:
    """Convert numbers in nested lists to balls, fractions with a radius. Keep integers, which may be indices."""
    match numbers:
        case list() | tuple():
            return [to_balls(x) for x in numbers]
        case int():
            return numbers
        case Fraction():
            return arb(fmpq(numbers.numerator, numbers.denominator))
    return arb(numbers)


def sample(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """List all indices of an array, or a seeded choice of MOST of them."""
    size = math.prod(shape)
    # each entry costs a pass over the whole input, so compare fewer entries of large inputs
    count = size if size <= MOST else max(6, min(MOST, 4096 // size))
    chosen = np.random.default_rng(0).choice(size, count, replace=False)
    return [tuple(int(i) for i in np.unravel_index(flat, shape)) for flat in sorted(chosen)]


def closed_forms(
    case: Case, chosen: Mapping[str, Sequence[tuple[int, ...]]]
) -> dict[str, tuple[list[arb], list[arb]]]:
    """Evaluate the proved gradient of each input at some of its indices, and the size of its summed terms; under
    VALUE the value by its definition.
    """
    stated = statement(case.loss.name, case.arguments)
    bound = bind(stated, case)
    forms: dict[str, Any] = {VALUE: (stated.form, stated.names, ())}
    forms |= {name: (each.form, each.names, each.indices) for name, each in stated.gradients.items()}
    ats: dict[str, Any] = {}
    for names in {forms[name][1] for name in chosen}:  # what the forms share is evaluated once
        here = {name: forms[name][0] for name in chosen if forms[name][1] == names}
        ats |= zip(here, evaluators(here.values(), bound, FUNCTIONS, names), strict=True)
    found = {}
    for name, indices in chosen.items():
        pairs = [ats[name](dict(zip(forms[name][2], index, strict=True))) for index in indices]
        found[name] = [arb(value) for value, _ in pairs], [arb(size) for _, size in pairs]
    return found


def sample_terms(case: Case, name: str, indices: Sequence[tuple[int, ...]]) -> list[float]:
    """Return the size of the terms that a textbook form of some slopes sums."""
    terms = terms_in_textbook_form(case)[name]
    return [terms[index] for index in indices]


def check(case: Case) -> Iterator[Check]:
    """Yield one check for each differentiable input: the backward pass against the proved gradient."""
    gradients = case.gradients()
    samples = {name: sample(np.shape(case.arguments[name])) for name in case.loss.differentiable}
    with ctx.workdps(DIGITS):
        proved = closed_forms(case, samples)
        for name, indices in samples.items():
            got = [gradients[name][index] for index in indices]
            textbook = partial(sample_terms, case, name, indices)
            worst = relative(got, *proved[name], case.dtype, indices, textbook, case.tolerance)
            yield case.check(name, METHOD, worst, "the gradient with the proved one")
