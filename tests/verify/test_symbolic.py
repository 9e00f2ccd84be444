"""The first check: which entries it compares, the proved gradient in balls, and what it reports."""

import mpmath
import numpy as np
import pytest
from flint import ctx

from infonce_ref.losses import ALL
from infonce_ref.verify import symbolic
from infonce_ref.verify.case import Case
from infonce_ref.verify.symbolic import bind, closed_forms

TAU = 0.5
Z = np.array([[0.6, 0.8], [1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])


def example(loss=ALL["infonce"], **changes):
    return Case(loss, {"z": Z, "temperature": TAU} | changes, "")


def definition(rows, tau, weights=(1, 1, 1, 1), divisor=4):
    """The sum of weight_i (log Σ_j e^(z_i·z_j/τ) − z_i·z_p(i)/τ), divided, in mpmath; row i + 2 is the positive."""
    s = [[mpmath.fdot(x, y) / tau for y in rows] for x in rows]
    each = [mpmath.log(mpmath.fsum(map(mpmath.exp, s[i]))) - s[i][(i + 2) % 4] for i in range(4)]
    return mpmath.fdot(weights, each) / divisor


def slope(k, f, **more):
    """The derivative of the definition by entry f of row k, or by the temperature if f is None."""

    def at(x):
        rows = [[mpmath.mpf(float(y)) for y in row] for row in Z]
        if f is None:
            return definition(rows, x, **more)
        rows[k][f] = x
        return definition(rows, mpmath.mpf(TAU), **more)

    with mpmath.workdps(60):
        return mpmath.diff(at, TAU if f is None else float(Z[k, f]))


@pytest.mark.parametrize(
    ("positive", "negative", "margin", "active"),
    [
        # d⁺ − d⁻ + m, exactly: (1 + 2⁻⁴⁰)² − (1 + 2·2⁻⁴⁰) = 2⁻⁸⁰, which is 0 with 15 digits
        ([1 + 2.0**-40, 0.0, 0.0], [1.0, 2.0**-20, 2.0**-20], 0.0, 1),
        # 1 − (1 + 2⁻⁴⁰)² + 2⁻³⁹ + 2⁻⁹⁰ = 2⁻⁹⁰ − 2⁻⁸⁰, which is 2⁻⁹⁰ with 15 digits
        ([1.0, 0.0, 0.0], [1 + 2.0**-40, 0.0, 0.0], 2.0**-39 + 2.0**-90, 0),
    ],
)
def test_whether_a_hinge_is_active_is_decided_with_the_digits_of_the_context(
    positive, negative, margin, active
):
    rows = {"anchor": [0.0] * 3, "positive": positive, "negative": negative}
    arguments = {name: np.array([row]) for name, row in rows.items()} | {"margin": margin}
    with ctx.workdps(50):
        found = bind(Case(ALL["triplet"], arguments, ""))
    assert {str(symbol): x for symbol, x in found.items()}["α"] == [active]


@pytest.mark.parametrize(
    ("more", "expected"), [({}, {}), ({"reduction": "sum"}, {"divisor": 1}), ({"reduction": "none"}, None)]
)
def test_the_proved_gradient_is_that_of_the_definition_to_50_digits(more, expected):
    case = example(**more)
    if expected is None:
        expected = {"weights": [float(x) for x in case.upstream], "divisor": 1}
    with ctx.workdps(60):
        found = closed_forms(case, {"z": [(3, 1), (0, 0)], "temperature": [()]})
    assert list(found) == ["z", "temperature"]
    right = {
        "z": [slope(3, 1, **expected), slope(0, 0, **expected)],
        "temperature": [slope(0, None, **expected)],
    }
    for name, (values, sizes) in found.items():
        for value, size, proved in zip(values, sizes, right[name], strict=True):
            with mpmath.workdps(60):
                assert abs(mpmath.mpf(value.str(55, radius=False)) - proved) < mpmath.mpf(10) ** -50
            assert float(size) >= abs(float(value)) * (1 - 1e-15)  # a rounding of float64


def wrong(name, index, amount):
    """InfoNCE with a gradient that is wrong by `amount` at one entry."""
    loss = ALL["infonce"]

    def backward(cache, upstream=1.0):
        found = loss.backward(cache, upstream)
        changed = np.array(getattr(found, name))
        changed[index] += amount
        return found._replace(**{name: changed})

    return loss._replace(backward=backward)


@pytest.mark.parametrize(("name", "index"), [("z", (2, 1)), ("z", (0, 0)), ("temperature", ())])
def test_one_wrong_entry_is_found(name, index):
    checks = {check.input: check for check in symbolic.testify(example(wrong(name, index, 1e-9)))}
    assert {input for input, check in checks.items() if not check.holds} == {name}
    assert checks[name].worst.entry == index
    # the error is relative to terms of a size between 0.1 and 100
    assert 1e-11 < checks[name].error < 1e-8


def test_the_error_is_relative_to_the_summed_terms_and_measured_beside_those_of_a_textbook_form():
    """Of equal rows every slope is 0, and only its terms have a size."""
    rows = np.tile([0.6, 0.8], (4, 1))
    (check, _) = symbolic.testify(example(wrong("z", (1, 0), 1e-9), z=rows))
    assert check.worst.expected == 0
    assert 1e-11 < check.worst.textbook <= check.error < 1e-8
