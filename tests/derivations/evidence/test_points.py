"""Points of instances: each refuses invalid values and prints itself."""

from fractions import Fraction

import pytest

from infonce_ref.derivations.evidence.kinds import NotShown
from infonce_ref.derivations.evidence.points import (
    Base,
    Batches,
    Integers,
    Law,
    Numbers,
    Pairing,
    Positive,
    Program,
    Rate,
    Rows,
    UnitRows,
    root,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
ROWS, BATCHES = "rows must have one length, and there must be at least one", "batches have one shape"


def test_the_root_of_a_square_is_exact():
    assert root(Fraction(9, 16)) == Fraction(3, 4)


@pytest.mark.parametrize(
    ("kind", "values", "said"),
    [
        (root, [Fraction(2), Fraction(9, 15), Fraction(8, 16)], "not the square of a fraction"),
        (Rows, [[], [[1, 2], [3]]], ROWS),
        (UnitRows, [[], [[1, 0], [1]]], ROWS),
        (UnitRows, [[[1, 0], [1, 1]], [[1, 0], [HALF, HALF]], [[0, 0]]], "not a unit row"),
        (Positive, [[[1, 2], [1, 0]], [[1, -1]]], "not positive"),
        (Batches, [[], [[[1, 2]], [[1]]], [[[1], [2]], [[3]]]], BATCHES),
        (lambda x: Base(*x), [(1,), (1, 1), (1, 2)], "a temperature is positive"),
        (lambda x: Rate(*x), [(-1, 2), (3, 2), (2,), (-1,)], "a rate lies between 0 and 1"),
        (Law, [{(0,): HALF}, {(0,): 2, (1,): -1}, {}, {(0,): 1, (1,): THIRD}], "no law"),
        (Pairing, [[0, 1], [1, 2, 0], [1, 0, 3], [-1, 0], [0], [2, 2, 0]], "no pairing of rows"),
    ],
)
def test_a_point_of_another_kind_is_refused(kind, values, said):
    for value in values:
        with pytest.raises(NotShown, match=said):
            kind(value)


def test_the_point_of_an_example_is_printed():
    for point, text in (
        (Rows([[1, HALF], [0, -3]]), "rows (1, 1/2), (0, -3)"),
        (UnitRows([[1, 0], [Fraction(-3, 5), Fraction(4, 5)]]), "unit rows (1, 0), (-3/5, 4/5)"),
        (Positive([[1, HALF]]), "rows of positive numbers (1, 1/2)"),
        (Batches([[[1, 0]], [[HALF, 2]]]), "rows (1, 0); rows (1/2, 2)"),
        (Base(3, 2), "e^(1/25τ) = 3/2"),
        (Rate(1, 3), "1/3"),
        (Program("a\nb\n"), "2 lines"),
        (Integers([3, 1]), "3, 1"),
        (Numbers([1, HALF]), "1, 1/2"),
        (Law({(0, 1): HALF, (1, 0): HALF, (1, 1): 0}), "p(0, 1) = 1/2, p(1, 0) = 1/2, p(1, 1) = 0"),
        (Pairing([2, 3, 0, 1]), "pairs 0 ↔ 2, 1 ↔ 3"),
    ):
        assert point.text() == text
