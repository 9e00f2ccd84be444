"""The choice of the array library."""

import array_api_strict
import dask.array
import numpy as np
import pytest

from infonce_ref import arrays


@pytest.mark.parametrize(
    ("x", "words"),
    [
        (np.ones((2, 3)), "ndarray of float64 and shape (2, 3)"),
        (np.float32(1), "float32 of float32"),
        (1.5, "1.5"),
        (None, "None"),
        ({}, "dict"),
    ],
)
def test_an_argument_is_described_in_a_few_words(x, words):
    assert arrays.describe(x) == words


def test_dasks_slices_are_copies_and_numpys_are_not():
    assert arrays.writes_in_place(np)
    assert not arrays.writes_in_place(dask.array)


def test_arrays_go_to_a_library_and_back():
    x = np.arange(3.0)
    assert arrays.converter("numpy")(x) is x
    assert arrays.to_numpy(x) is x

    class OnADevice:
        def get(self):
            return x

    assert arrays.to_numpy(OnADevice()) is x
    assert isinstance(arrays.to_numpy(array_api_strict.ones(2)), np.ndarray)
    with pytest.raises(
        ValueError, match="library must be one of 'numpy', 'cupy', 'torch', 'torch:cuda', 'jax'; got 'dask'"
    ):
        arrays.converter("dask")


def test_a_row_with_a_negative_stride_becomes_a_tensor():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = np.arange(6.0).reshape(2, 3)[::-1][:1]
    assert torch.equal(arrays.converter("torch")(x), torch.tensor([[3.0, 4.0, 5.0]], dtype=torch.float64))


def test_a_missing_gpu_is_named():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    with pytest.raises(ValueError, match="torch finds no GPU here"):
        arrays.converter("torch:cuda")


@pytest.mark.usefixtures("jax_in_64_bits")  # restores jax_enable_x64 at the end
def test_conversion_to_jax_keeps_the_dtype():
    jax = pytest.importorskip("jax", reason="jax is not installed (an extra)")
    jax.config.update("jax_enable_x64", False)
    assert arrays.converter("jax")(np.arange(3.0)).dtype == np.float64


def test_dask_reports_each_dtype_of_the_blocks_once():
    x = dask.array.zeros((4, 3), chunks=(2, 3))
    assert arrays.block_dtypes(x).compute().tolist() == [["float64"], ["float64"]]


def test_nested_tuples_stay_tuples():
    assert arrays.map_leaves(lambda x: x + 1, (1, (2, ()))) == (2, (3, ()))
