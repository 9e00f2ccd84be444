"""First check: the gradient that is proved for every N and d, evaluated to 50 digits."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import mpmath
import numpy as np
from flint import arb, ctx

from .balls import DIGITS, FUNCTIONS, balls
from .case import Case, Check, relative
from .definition import terms_in_textbook_form
from .proofs import evaluators, statement

WITNESS = "symbolic"
MOST = 64  # compare this many entries of one input


def statement_of(case: Case) -> Any:
    """The statement of the proofs for a loss with these options."""
    return statement(case.loss.name, case.arguments)


def exact(x: Any) -> Any:
    """Convert arrays to nested lists of mpmath numbers without rounding; integers stay integers."""
    if isinstance(x, np.ndarray):
        if x.ndim:
            return [exact(row) for row in x]
        x = x[()]
    if isinstance(x, np.floating | float):
        return mpmath.mpf(float(x))
    return int(x) if isinstance(x, np.integer) else x


def bind(case: Case) -> dict:
    """The case's arguments as balls for the symbols of its statement."""
    arguments = {name: exact(x) for name, x in case.arguments.items()}
    if isinstance(case.upstream, np.ndarray):
        arguments["upstream"] = exact(case.upstream)
    # whether a hinge or a clamp is active is decided in mpmath, when the arguments are bound
    with mpmath.workdps(ctx.dps):
        return balls(statement_of(case).bind(**arguments))


def sample(shape: tuple[int, ...]) -> list[tuple[int, ...]]:
    """All indices of an array, or a seeded choice of MOST of them."""
    size = math.prod(shape)
    # each entry costs a pass over the whole input, so compare fewer entries of large inputs
    count = size if size <= MOST else max(6, min(MOST, 4096 // size))
    chosen = np.random.default_rng(0).choice(size, count, replace=False)
    return (
        [tuple(int(i) for i in np.unravel_index(flat, shape)) for flat in sorted(chosen)] if shape else [()]
    )


def closed_forms(
    case: Case, chosen: Mapping[str, list[tuple[int, ...]]]
) -> dict[str, tuple[list[arb], list[arb]]]:
    """The proved gradient of each input at some of its indices, and the size of its summed terms."""
    gradients, bound = {name: statement_of(case).gradients[name] for name in chosen}, bind(case)
    ats: dict[str, Any] = {}
    for names in {each.names for each in gradients.values()}:
        forms = {name: each.form for name, each in gradients.items() if each.names == names}
        ats |= zip(forms, evaluators(forms.values(), bound, FUNCTIONS, names), strict=True)
    found = {}
    for name, indices in chosen.items():
        pairs = [ats[name](dict(zip(gradients[name].indices, index, strict=True))) for index in indices]
        found[name] = [arb(value) for value, _ in pairs], [arb(size) for _, size in pairs]
    return found


def testify(case: Case) -> Iterator[Check]:
    """Yield one check for each differentiable input: the backward pass against the proved gradient."""
    gradients, sums = case.gradients(), terms_in_textbook_form(case)
    samples = {name: sample(np.shape(case.arguments[name])) for name in case.loss.differentiable}
    with ctx.workdps(DIGITS):
        proved = closed_forms(case, samples)
    for name, indices in samples.items():
        got = [gradients[name][index] for index in indices]
        more = [sums[name][i] for i in indices]
        with ctx.workdps(DIGITS):
            worst = relative(got, *proved[name], case.dtype, indices, more)
        yield case.check(name, WITNESS, worst, "the gradient with the proved one")
