"""Measure the digits of each value and gradient all over what a loss accepts, where `verify` asks at fewer points.

A case is a loss, or an estimator, at a random point: rows centred or far from the origin, ties, opposite rows,
nearly collapsed classes, targets equal to the softmax, 1 to 1,024 features, temperatures from 10⁻³ to 10³, options,
both dtypes. `digits_box.py` draws the points and lists all the ranges. What is measured is the value and
every entry of every gradient, and those of the streaming form if there is one:

    error = max |got − exact| / max |exact| ≤ 64·eps·max(1, 1/τ)

`exact` is computed from the definition in ball arithmetic, with 60 digits or more. τ is in units of the longest
row's squared length. A loss of scores has the largest |score| in place of 1/τ.

A number may be outside this tolerance only if it is ill-conditioned and the loss declares it, in
`LOSS.ill_conditioned`. Its error is then at most the tolerance times its condition number Σ|terms| / |Σ terms|. The
terms of a gradient are those of its proved formula; those of a value are those of its definition and 1 nat for each
anchor, because the logarithm of a number rounded by eps is off by eps.
"""

import inspect
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from flint import arb, ctx

from infonce_ref import information, streaming
from infonce_ref.verify import information as laws
from infonce_ref.verify import precision, proofs
from infonce_ref.verify.case import ROUNDING, Case, relative
from infonce_ref.verify.contract import has_tiled_form

FEWEST_DIGITS = 60


class Measured(NamedTuple):
    """One number or gradient at one point.

    error: divided by the tolerance. condition: its condition number, or 1 if that was not needed. said: whether the
    loss declares that it is ill-conditioned.
    """

    loss: str
    what: str
    point: str
    error: float
    condition: float = 1.0
    said: bool = False

    @property
    def outside(self) -> bool:
        return not self.error <= 1

    @property
    def explained(self) -> bool:
        return self.said and self.error <= self.condition

    @property
    def wrong(self) -> bool:
        return self.outside and not self.explained


def measure(case: Case) -> Iterator[Measured]:
    """Measure its value and gradients, and those of the streaming form."""
    name = case.loss.name
    forms = {name: case}
    if has_tiled_form(case):
        forms[f"streaming.{name}"] = replace(case, loss=streaming.ALL[name]).at(tile=2)
    got = {form: {"value": here.value(), **here.gradients()} for form, here in forms.items()}
    exact = compute_exactly(case)
    for form, numbers in got.items():
        for what, expected in exact.items():
            here = np.asarray(numbers[what])
            unit = 1.0 if what == "value" else case.magnified
            worst = relative(here, expected, np.ones(here.shape), case.dtype, exact=True, unit=unit)
            assert worst.plain is not None
            found = Measured(form, what, case.label, worst.plain / case.tolerance)
            yield add_condition(found, case, expected) if found.outside else found


def compute_exactly(case: Case) -> dict[str, np.ndarray]:
    """Return the value and the gradients by the definition, in balls. A ball that contains 0 is written as 0: no
    other number is that close to it.
    """

    def decide(balls: Any) -> np.ndarray:
        return np.asarray(np.frompyfunc(lambda x: arb(0) if x.contains(0) else x, 1, 1)(balls))

    with ctx.workdps(digits(case)):
        (value,), _ = proofs.closed_forms(case, {proofs.VALUE: [()]})[proofs.VALUE]
        return {name: decide(x) for name, x in {"value": value, **precision.slopes_of(case)}.items()}


def digits(case: Case) -> int:
    """Return the number of digits that `verify` uses, but at least FEWEST_DIGITS."""
    return max(precision.digits(case), FEWEST_DIGITS)


def terms(case: Case, what: str, indices: list) -> list:
    """Return the size of the summed terms: of a value by its definition, of a gradient by its proved formula."""
    with ctx.workdps(max(proofs.DIGITS, digits(case))):
        _, sizes = proofs.closed_forms(case, {what: indices})[what]
        return [size + nats(case) for size in sizes] if what == proofs.VALUE else sizes


def nats(case: Case) -> float:
    """Return 1 for each anchor of the value, because the logarithm of a number rounded by eps is off by eps."""
    each = case.upstream
    if isinstance(each, np.ndarray):
        return float(np.sum(np.abs(each)))
    usual = inspect.signature(case.loss.forward).parameters.get("reduction")
    reduction = case.arguments.get("reduction", usual and usual.default)
    return float(len(case.arguments[case.loss.differentiable[0]])) if reduction == "sum" else 1.0


def add_condition(found: Measured, case: Case, expected: np.ndarray) -> Measured:
    """Add the condition number, and whether the loss declares it."""
    said = found.what in case.loss.ill_conditioned
    largest = max(abs(x) for x in np.ravel(expected))
    sizes = terms(case, found.what, proofs.sample(expected.shape))
    condition = float(max(map(abs, sizes)) / largest) if largest > 0 else float("inf")
    return found._replace(condition=condition, said=said)


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
