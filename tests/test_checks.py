"""The checks of a loss's inputs, beyond what tests/losses/test_contract.py asks of every loss."""

from decimal import Decimal
from fractions import Fraction

import array_api_strict
import dask.array
import numpy as np
import pytest

from infonce_ref.checks import check, check_choice, check_positive


def test_arrays_of_two_libraries_are_refused():
    with pytest.raises(ValueError, match="all arrays must come from one library; theirs and ours do not"):
        check(ours=(np.ones(2), "n"), theirs=(array_api_strict.ones(2), "n"))


@pytest.mark.parametrize(
    "number",
    [
        *("0.5", b"0.5", bytearray(b"0.5"), np.str_("0.5"), np.array("0.5"), np.array(b"0.5"), None, [0.5]),
        *(np.array([0.5]), np.array(0.5, dtype=object), np.array(0.5, dtype=[("x", float)]), 10**400, True),
        *(
            0.5 + 0j,
            np.complex128(0.5),
            np.array(0.5 + 0j),
            np.True_,
            np.timedelta64(1, "s"),
            Decimal("sNaN"),
        ),
    ],
    ids=repr,
)
def test_other_types_than_numbers_are_refused(number):
    with pytest.raises(ValueError, match="temperature must be a number that a float can hold"):
        check_positive("temperature", number)


@pytest.mark.parametrize(
    "number",
    [0.5, Fraction(1, 2), Decimal("0.5"), np.float16(0.5), np.array(0.5, dtype=">f8"), np.longdouble(0.5)],
    ids=repr,
)
def test_numbers_of_any_type_are_accepted(number):
    assert check_positive("temperature", number) == 0.5


def test_arrays_on_two_devices_are_refused():
    elsewhere = array_api_strict.ones(2, device=array_api_strict.Device("device1"))
    with pytest.raises(
        ValueError, match=r"all arrays must lie on one device; here is on .*, there on .*: move one"
    ):
        check(here=(array_api_strict.ones(2), "n"), there=(elsewhere, "n"))


def test_an_array_of_unknown_shape_is_refused():
    x = dask.array.ones(4)
    with pytest.raises(ValueError, match=r"x must have a known shape; got \(nan,\): compute its chunk sizes"):
        check(x=(x[x > 0], "n"))


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (np.ones(2), r"ndarray of float64 and shape \(2,\)"),
        (np.array(True), "ndarray of bool"),
        ([True], "list"),
        (None, "None"),
        ("no", "'no'"),
        ("x" * 1000, r"'x+\.\.\.x+'"),
        (10**5000, "int"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_an_unknown_option_is_refused_in_one_short_line(option, said):
    with pytest.raises(
        ValueError, match=f"^stop_gradient must be one of True, False; got {said}$"
    ) as refusal:
        check_choice("stop_gradient", option, (True, False))
    assert len(str(refusal.value)) < 100


@pytest.mark.parametrize("kind", [np.matrix, np.recarray, np.ma.masked_array])
def test_a_subclass_of_ndarray_is_refused(kind):
    x = np.ones((2, 2)).view(kind) if kind is not np.ma.masked_array else kind(np.ones((2, 2)))
    with pytest.raises(
        ValueError, match=f"x must be a plain array; got {type(x).__name__}: pass numpy.asarray"
    ):
        check(x=(x, "n d"))
