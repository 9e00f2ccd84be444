"""Values and slopes that the tape gives, against derivatives worked out by hand."""

import operator

import pytest
from flint import arb, ctx

from infonce_ref.verify.tape import TAPED, Node, record, slopes

X, Y = 2.0, 5.0
E2 = 7.38905609893065  # e²
DIGITS = 50


def differentiate(function):
    """The value of function(x, y) at x = 2 and y = 5, and its slopes by name."""
    tape, places = [], {}
    x, y = record(tape, [arb(X), arb(Y)], {(0,): "x", (1,): "y"}, places)
    output = function(x, y)
    return float(output.value), {key: float(slope) for key, slope in slopes(output, places)}


@pytest.mark.parametrize(
    ("function", "value", "by"),
    [
        (lambda x, y: x + y, 7, {"x": 1, "y": 1}),
        (lambda x, y: x + 3, 5, {"x": 1}),
        (lambda x, y: 3 + x, 5, {"x": 1}),
        (lambda x, y: x * y, 10, {"x": 5, "y": 2}),
        (lambda x, y: x * 3, 6, {"x": 3}),
        (lambda x, y: 3 * x, 6, {"x": 3}),
        (lambda x, y: 3 / x, 1.5, {"x": -0.75}),
        (lambda x, y: TAPED.exp(x), E2, {"x": E2}),
        (lambda x, y: TAPED.log(x), 0.6931471805599453, {"x": 0.5}),
        (lambda x, y: TAPED.sqrt(x), 1.4142135623730951, {"x": 0.35355339059327373}),
        (lambda x, y: TAPED.power(x, 3), 8, {"x": 12}),
        # each number several times: the parts of its slope are added
        (lambda x, y: x * x, 4, {"x": 4}),
        (lambda x, y: x * x * y + x, 22, {"x": 21, "y": 4}),
        (lambda x, y: TAPED.log(x * y) * x, 4.605170185988092, {"x": 3.302585092994046, "y": 0.4}),
        (lambda x, y: (1 / y) * TAPED.exp(x), E2 / 5, {"x": E2 / 5, "y": -E2 / 25}),
    ],
)
def test_value_and_slopes_are_those_worked_out_by_hand(function, value, by):
    found, slopes = differentiate(function)
    # rounding of the numbers above to float64
    assert found == pytest.approx(value, rel=1e-15, abs=0)
    assert slopes == pytest.approx(by, rel=4e-16, abs=0)


def test_a_slope_has_all_digits_of_the_context():
    with ctx.workdps(DIGITS):
        places = {}
        x = record([], arb(2), {(): "x"}, places)
        ((_, slope),) = slopes(TAPED.sqrt(x), places)
        assert slope.overlaps(1 / arb(8).sqrt())
        assert slope.rel_accuracy_bits() >= DIGITS * 3  # 50 digits are 166 bits


@pytest.mark.parametrize("operate", [operator.add, operator.mul])
def test_a_node_beside_a_number_has_one_parent(operate):
    tape = []
    one = Node(tape, arb(2))
    two = operate(one, arb(3))
    assert [len(parents) for parents in tape] == [0, 1]
    assert (one.place, two.place) == (0, 1)


def test_a_node_remembers_its_tape_and_its_place():
    tape = []
    nodes = [Node(tape, arb(x)) for x in (1, 2, 3)]
    assert [node.place for node in nodes] == [0, 1, 2]
    assert tape == [(), (), ()]
    assert all(node.tape is tape for node in nodes)


def test_the_size_of_a_node_is_a_number():
    size = abs(Node([], arb(-3)))
    assert isinstance(size, arb)
    assert size == 3


@pytest.mark.parametrize("name", ["exp", "log", "sqrt"])
def test_a_function_of_a_number_is_a_number(name):
    found = getattr(TAPED, name)(arb(1))
    assert isinstance(found, arb)
    assert float(found) == pytest.approx({"exp": 2.718281828459045, "log": 0, "sqrt": 1}[name], abs=1e-15)


def test_only_numbers_with_a_key_become_nodes():
    tape, places = [], {}
    found = record(tape, [[1, 2], [3, 4]], {(0, 1): "b", (1, 0): "c"}, places)
    assert [[isinstance(x, Node) for x in row] for row in found] == [[False, True], [True, False]]
    assert [[getattr(x, "value", x) for x in row] for row in found] == [[1, 2], [3, 4]]
    assert places == {"b": 0, "c": 1}
    assert len(tape) == 2


def test_the_empty_index_is_that_of_a_number():
    places = {}
    found = record([], 7, {(): "t"}, places)
    assert (found.value, places) == (7, {"t": 0})


def test_a_number_that_is_no_node_has_no_slopes():
    assert list(slopes(arb(3), {"x": 0})) == []


def test_only_inputs_that_the_output_depends_on_have_a_slope():
    tape, places = [], {}
    x, y = record(tape, [arb(2), arb(5)], {(0,): "x", (1,): "y"}, places)
    output = x * x
    y * x  # recorded after the output
    record(tape, arb(1), {(): "later"}, places)
    assert dict(slopes(output, places)) == {"x": 4}


def test_the_slope_of_an_input_by_itself_is_one():
    places = {}
    first, second = record([], [arb(2), arb(5)], {(0,): "x", (1,): "y"}, places)
    assert dict(slopes(first, places)) == {"x": 1}
    assert dict(slopes(second, places)) == {"y": 1}
