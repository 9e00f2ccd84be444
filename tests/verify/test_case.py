"""How a case passes its numbers to a loss, and the tolerance that follows from their size."""

from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify.case import MEMORY, NUMBERS, ROUNDING, Case, relative

LAYOUTS = {
    "by rows": lambda x: x.flags.c_contiguous,
    "by columns": lambda x: x.flags.f_contiguous and not x.flags.c_contiguous,
    "strided": lambda x: x.strides[1] == 2 * x.itemsize,
    "rows backwards": lambda x: x.strides[0] < 0 < x.strides[1],
    "columns backwards": lambda x: x.strides[1] < 0 < x.strides[0],
    "both backwards": lambda x: max(x.strides) < 0,
    "read-only": lambda x: not x.flags.writeable,
    "cut out": lambda x: np.isnan(x.base).sum() == x.base.size - x.size > 0,
    "unaligned": lambda x: not x.flags.aligned,
    "mapped": lambda x: isinstance(x, np.memmap),
    "broadcast": lambda x: x.strides[0] == 0,
}


def receive(**passed):
    """The arguments of NT-Xent as the case passes them, and as it was given them; all rows are equal."""
    received = {}

    def forward(**arguments):
        received.update(arguments)
        return 0.0, None

    loss = ALL["ntxent"]
    arguments = {**loss.example(), "w": np.tile([0.6, 0.8], (4, 1))}
    Case(loss._replace(forward=forward), arguments, "", **passed).run_passes()
    return received, arguments


@pytest.mark.parametrize("memory", MEMORY)
def test_an_array_is_laid_out_as_the_case_says(memory):
    received, given = receive(memory=memory)
    assert LAYOUTS[memory](received["w"])
    assert np.array_equal(received["w"], given["w"])


def test_a_layout_that_only_numpy_has_is_by_rows_elsewhere():
    received, _ = receive(memory="read-only", convert=lambda x: np.asarray(x).view(np.memmap))
    assert received["w"].flags.writeable
    assert isinstance(received["w"], np.memmap)


@pytest.mark.parametrize(
    ("numbers", "type"),
    [
        ("float", float),
        ("numpy.float64", np.float64),
        ("numpy.float32", np.float32),
        ("0-d array", np.ndarray),
    ],
)
def test_a_number_has_the_type_that_the_case_says(numbers, type):
    assert numbers in NUMBERS
    received, given = receive(numbers=numbers)
    assert isinstance(received["temperature"], type)
    assert received["temperature"] == pytest.approx(given["temperature"], rel=1e-7, abs=0)  # of float32


def test_a_number_of_another_library_is_an_array_of_it():
    """It is made from NumPy's, which has float64 in any library."""
    received, _ = receive(numbers="0-d array", convert=lambda x: x.view(np.memmap))
    assert isinstance(received["temperature"], np.memmap)


@pytest.mark.parametrize(
    ("name", "changes", "length", "largest"),
    [
        ("ntxent", {"temperature": 0.1}, 1.0, 10.0),
        ("ntxent", {"temperature": 10.0}, 1.0, 1.0),
        ("infonce", {"temperature": 0.5}, 3.0, 18.0),
        ("uniformity", {"t": 2.0}, 3.0, 18.0),
        ("cpc", {"scores": np.array([[2.0, -7.0]]), "positive": np.array([0])}, 1.0, 7.0),
        ("siglip", {"temperature": 0.5, "bias": -20.0}, 1.0, 20.0),
        ("dcl", {"temperature": 0.5, "sigma": 0.01}, 1.0, 100.0),
        ("dcl", {"temperature": 0.5, "sigma": None}, 1.0, 2.0),
    ],
)
def test_the_tolerance_is_that_of_the_largest_logit(name, changes, length, largest):
    loss = ALL[name]
    case = Case(loss, loss.example() | changes, "", length=length)
    assert case.sharpness == pytest.approx(largest, rel=1e-15, abs=0)
    assert case.tolerance == ROUNDING * 2.0**-52 * case.sharpness


def test_a_case_does_not_change():
    """Its passes are kept, and so would be those of the arguments before."""
    case = Case(ALL["ntxent"], ALL["ntxent"].example(), "")
    with pytest.raises(FrozenInstanceError):
        case.arguments = {}


@pytest.mark.parametrize(
    ("got", "expected", "error"),
    [
        ([[1.0, 2.0]], [[1.0, 2.5]], 0.25),
        ([[np.nan, 2.0]], [[1.0, 2.0]], np.nan),
        ([[1.0, 2.0]], [[1.0], [2.0]], np.nan),
        ([[np.inf, 2.0]], [[np.inf, 2.0]], np.nan),
    ],
)
def test_an_error_is_relative_to_the_terms_and_never_hidden(got, expected, error):
    measured = relative(np.array(got), np.array(expected), 2.0, np.dtype("float64"))
    assert measured.error == pytest.approx(error, rel=1e-15, abs=0, nan_ok=True)
