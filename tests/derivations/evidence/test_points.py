"""Points of instances: each refuses invalid values and prints itself."""

from fractions import Fraction

import pytest

from infonce_ref.derivations.evidence.pieces import NotShown
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


def test_the_root_of_a_square_is_exact():
    assert root(Fraction(9, 16)) == Fraction(3, 4)
    for number in (Fraction(2), Fraction(9, 15), Fraction(8, 16), Fraction(1, 2)):
        with pytest.raises(NotShown, match=f"not the square of a fraction: {number}"):
            root(number)


@pytest.mark.parametrize("rows", [[], [[1, 2], [3]]])
@pytest.mark.parametrize("kind", [Rows, UnitRows, Positive])
def test_rows_of_a_point_are_not_empty_and_have_equal_lengths(kind, rows):
    with pytest.raises(NotShown, match="rows must have one length, and there must be at least one"):
        kind(rows)


def test_rows_are_fractions_and_describe_themselves():
    rows = Rows([[1, HALF], [0, -3]])
    assert [type(x) for row in rows for x in row] == [Fraction] * 4
    assert rows.text() == "rows (1, 1/2), (0, -3)"
    assert UnitRows([[1, 0], [Fraction(-3, 5), Fraction(4, 5)]]).text() == "unit rows (1, 0), (-3/5, 4/5)"
    assert Positive([[1, HALF]]).text() == "rows of positive numbers (1, 1/2)"


@pytest.mark.parametrize("batches", [[], [[[1, 2]], [[1]]], [[[1], [2]], [[3]]]])
def test_batches_of_a_law_are_not_empty_and_have_one_shape(batches):
    with pytest.raises(NotShown, match="batches have one shape, and there is at least one"):
        Batches(batches)


def test_batches_describe_themselves():
    assert Batches([[[1, 0]], [[HALF, 2]]]).text() == "rows (1, 0); rows (1/2, 2)"


@pytest.mark.parametrize("row", [[1, 1], [HALF, HALF], [0, 0], [2, 0]])
def test_a_unit_row_has_length_1(row):
    with pytest.raises(NotShown, match="not a unit row"):
        UnitRows([[1, 0], row])


@pytest.mark.parametrize("x", [0, -1])
def test_positive_numbers_are_above_0(x):
    with pytest.raises(NotShown, match="not positive"):
        Positive([[1, 2], [1, x]])


def test_a_base_is_above_1():
    assert Base(3, 2).text() == "e^(1/25τ) = 3/2"
    assert Base(2) == 2
    for below in ((1,), (1, 1), (1, 2)):
        with pytest.raises(NotShown, match="a temperature is positive"):
            Base(*below)


def test_a_rate_lies_between_0_and_1():
    assert (Rate(0), Rate(1), Rate(1, 3)) == (0, 1, THIRD)
    assert Rate(1, 3).text() == "1/3"
    for outside in ((-1, 2), (3, 2), (2,), (-1,)):
        with pytest.raises(NotShown, match="a rate lies between 0 and 1"):
            Rate(*outside)


def test_a_program_counts_its_lines():
    assert Program("a\nb\n").text() == "2 lines"


def test_the_text_of_a_list_shows_its_values():
    assert Integers([3, 1]).text() == "3, 1"
    numbers = Numbers([1, HALF])
    assert [type(x) for x in numbers] == [Fraction] * 2
    assert numbers.text() == "1, 1/2"


def test_a_law_is_not_negative_and_sums_to_1():
    law = Law({(0, 1): HALF, (1, 0): HALF, (1, 1): 0})
    assert law.text() == "p(0, 1) = 1/2, p(1, 0) = 1/2, p(1, 1) = 0"
    assert type(law[1, 1]) is Fraction
    for cells in ({(0,): HALF}, {(0,): 2, (1,): -1}, {}, {(0,): 1, (1,): THIRD}):
        with pytest.raises(NotShown, match="no law"):
            Law(cells)


def test_a_pairing_pairs_each_row_with_another():
    assert Pairing([2, 3, 0, 1]).text() == "pairs 0 ↔ 2, 1 ↔ 3"
    for partners in ([0, 1], [1, 2, 0], [1, 0, 3], [-1, 0], [1, 0, 2, 3], [0], [1, 2], [2, 2, 0]):
        with pytest.raises(NotShown, match="no pairing of rows"):
            Pairing(partners)
