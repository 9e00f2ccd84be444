"""Measure the digits of each value and gradient all over what a loss accepts, where `verify` asks at fewer points.

A case is a loss, or an estimator, at a random point of `digits_box.py`. What is measured is the value and every
entry of every gradient, and those of the streaming form if there is one:

    error = max |got − exact| / max |exact| ≤ 64·eps·max(1, 1/τ)

`exact` is computed from the definition in ball arithmetic, with 65 digits or more. τ is in units of the longest
row's squared length. A loss of scores has the largest |score| in place of 1/τ.

A number may be outside this tolerance only if it is ill-conditioned and the loss declares it, in
`LOSS.ill_conditioned`. Its error is then at most the tolerance times its condition number Σ|terms| / |Σ terms|. The
terms of a gradient are those of its proved formula; those of a value are those of its definition and 1 nat for each
anchor, because the logarithm of a number rounded by eps is off by eps.
"""

import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from flint import arb, ctx

from infonce_ref import information, streaming
from infonce_ref.verify import information as laws
from infonce_ref.verify import precision, proofs
from infonce_ref.verify.case import ROUNDING, Case, relative
from infonce_ref.verify.contract import has_tiled_form


class Measured(NamedTuple):
    """One number or gradient at one point.

    error: divided by the tolerance. allowed: 1, or the condition number of what is declared to be ill-conditioned.
    """

    loss: str
    what: str
    point: str
    error: float
    allowed: float = 1.0

    @property
    def wrong(self) -> bool:
        return not self.error <= self.allowed


def measure(case: Case) -> Iterator[Measured]:
    """Measure its value and gradients, and those of the streaming form."""
    name = case.loss.name
    forms = {name: case}
    if has_tiled_form(case):
        forms[f"streaming.{name}"] = replace(case, loss=streaming.ALL[name]).at(tile=2)
    exact = compute_exactly(case)
    for form, here in forms.items():
        numbers = {"value": here.value(), **here.gradients()}
        for what, expected in exact.items():
            unit = 1.0 if what == "value" else case.magnified
            worst = relative(numbers[what], expected, 1, case.dtype, exact=True, unit=unit)
            assert worst.plain is not None
            found = Measured(form, what, case.label, worst.plain / case.tolerance)
            declared = found.wrong and what in case.loss.ill_conditioned
            yield found._replace(allowed=find_condition(case, what, expected)) if declared else found


def compute_exactly(case: Case) -> dict[str, np.ndarray]:
    """Return the value and the gradients by the definition, in balls. A ball that contains 0 is written as 0: no
    other number is that close to it.
    """
    decide = np.frompyfunc(lambda x: arb(0) if x.contains(0) else x, 1, 1)
    with ctx.workdps(precision.digits(case)):
        (value,), _ = proofs.closed_forms(case, {proofs.VALUE: [()]})[proofs.VALUE]
        return {
            name: np.asarray(decide(x)) for name, x in {"value": value, **precision.slopes_of(case)}.items()
        }


def find_condition(case: Case, what: str, exact: np.ndarray) -> float:
    """Return the condition number, of a value by its definition, of a gradient by its proved formula."""
    with ctx.workdps(precision.digits(case)):
        _, sizes = proofs.closed_forms(case, {what: proofs.sample(exact.shape)})[what]
        terms = max(map(abs, sizes)) + (count_anchors(case) if what == proofs.VALUE else 0)
        largest = max(map(abs, np.ravel(exact)))
        return float(terms / largest) if largest > 0 else float("inf")


def count_anchors(case: Case) -> float:
    """Return the weight of all anchors in the value."""
    usual = inspect.signature(case.loss.forward).parameters.get("reduction")
    if case.arguments.get("reduction", usual and usual.default) == "sum":
        return float(len(case.arguments[case.loss.differentiable[0]]))
    return float(np.sum(np.abs(case.upstream)))


def measure_information(seed: int, count: int) -> Iterator[Measured]:
    """Mutual information of independent laws that are tilted by 10⁻¹² … 1."""
    rng = np.random.default_rng([seed, 1])
    for _ in range(count):
        x, y = (rng.dirichlet(np.ones(n)) for n in rng.integers(2, 9, 2))
        tilt, dtype = float(10 ** rng.uniform(-12, 0)), str(rng.choice(["float32", "float64"]))
        joint = np.outer(x, y) * (1 + tilt * rng.uniform(-1, 1, (len(x), len(y))))
        joint = (joint / joint.sum()).astype(dtype)
        with ctx.workdps(laws.WORKING_DIGITS):
            exact = laws.compute_by_definition(joint)["mutual_information"]
        plain = relative(information.mutual_information(joint), exact, 1, joint.dtype, exact=True).plain
        tolerance = ROUNDING * float(np.finfo(dtype).eps)
        label = f"law {joint.shape}, tilt {tilt:.1g}, {dtype}"
        yield Measured("information", "mutual_information", label, float(plain or 0) / tolerance)
