"""How a case passes its numbers to a loss, and the tolerance that follows from their size."""

import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify.case import MEMORY, NUMBERS, Case, relative

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
