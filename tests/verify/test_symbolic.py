"""The first check: which entries it compares, the proved gradient in balls, and what it reports."""

import mpmath
import numpy as np
import pytest
from flint import arb, ctx

from infonce_ref.losses import ALL
from infonce_ref.verify import symbolic
from infonce_ref.verify.case import Case
from infonce_ref.verify.symbolic import MOST, bind, closed_forms, exact, sample

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


def test_an_array_becomes_nested_lists_without_rounding():
    found = exact(np.array([[0.1, 2.0]], dtype=np.float32))
    assert found == [[mpmath.mpf(13421773) / 2**27, 2]]  # 0.1 in float32
    assert isinstance(found[0][0], mpmath.mpf)


@pytest.mark.parametrize("x", [0.1, np.float64(0.1), np.array(0.1)])
def test_a_float_becomes_the_same_number_of_mpmath(x):
    with mpmath.workdps(50):
        found = exact(x)
        assert isinstance(found, mpmath.mpf)
        assert found == mpmath.mpf(3602879701896397) / 2**55


def test_integers_become_those_of_python():
    found = exact(np.array([[1, 2]]))
    assert found == [[1, 2]]
    assert type(found[0][0]) is int


@pytest.mark.parametrize("x", [None, "sum", True, 3])
def test_an_option_stays_as_it_is(x):
    assert exact(x) is x


def test_every_entry_of_a_small_input_is_compared():
    assert sample((2, 3)) == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert len(sample((8, 8))) == MOST == 64


def test_a_number_is_compared_at_the_empty_index():
    assert sample(()) == [()]


@pytest.mark.parametrize(
    ("shape", "count"), [((13, 5), 63), ((16, 8), 32), ((8, 8, 8), 8), ((32, 32), 6), ((100, 100), 6)]
)
def test_of_a_large_input_about_4096_products_are_spent_but_six_entries_are_compared(shape, count):
    chosen = sample(shape)
    assert len(set(chosen)) == len(chosen) == count
    assert chosen == sorted(chosen)
    assert all(0 <= i < n for index in chosen for i, n in zip(index, shape, strict=True))
    assert all(type(i) is int for index in chosen for i in index)
    assert chosen == sample(shape)


def test_the_entries_of_a_large_input_are_spread_over_it():
    rows, columns = zip(*sample((100, 100)), strict=True)
    assert max(rows) - min(rows) > 30
    assert max(columns) - min(columns) > 30


def test_arguments_become_balls_without_rounding():
    found = {str(symbol): x for symbol, x in bind(example()).items()}
    assert found["N"] == 4
    assert found["z"][0][0] == arb(0.6)
    assert found["τ"] == arb(0.5)


def test_a_case_without_a_reduction_is_bound_with_its_weights():
    case = example(reduction="none")
    assert [arb(float(x)) for x in case.upstream] in list(bind(case).values())


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


def test_a_gradient_that_is_zero_is_a_ball():
    rows = {"anchor": np.zeros((1, 2)), "positive": np.zeros((1, 2)), "negative": np.array([[3.0, 0.0]])}
    ((values, sizes),) = closed_forms(
        Case(ALL["triplet"], rows | {"margin": 1.0}, ""), {"anchor": [(0, 0)]}
    ).values()
    assert (values, sizes) == ([0], [0])
    assert isinstance(values[0], arb)
    assert isinstance(sizes[0], arb)


def test_one_check_of_each_input_holds():
    checks = list(symbolic.testify(example()))
    assert [check.input for check in checks] == ["z", "temperature"]
    assert all(check.holds and check.witness == "symbolic" for check in checks)
    assert all(check.compared == "the gradient with the proved one" for check in checks)


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
