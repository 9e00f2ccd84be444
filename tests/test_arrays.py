"""The choice of the array library."""

import sys
from types import SimpleNamespace
from typing import NamedTuple

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
        pytest.param(10**5000, "int", id="too long to print"),
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
    assert arrays.block_dtypes(x).shape == x.numblocks


def test_the_dtypes_of_blocks_are_names():
    names = arrays.block_dtypes(dask.array.zeros(2, chunks=1))
    assert names.dtype == "U16"
    assert {type(x) for x in names.compute().tolist()} == {str}
    assert arrays.block_dtypes(np.zeros(2)) == ()


def test_dask_arrays_are_computed_together_and_others_stay():
    x = dask.array.ones(2, chunks=1)
    found = arrays.compute_together([x, x + 1, np.zeros(2)])
    assert [type(each) for each in found] == [np.ndarray] * 3
    assert [each.tolist() for each in found] == [[1, 1], [2, 2], [0, 0]]
    ours = [np.ones(2)]
    assert arrays.compute_together(ours) is ours


class Pair(NamedTuple):
    first: int
    second: tuple[int, ...]


def test_nested_tuples_stay_tuples():
    assert arrays.map_leaves(lambda x: x + 1, (1, (2, ()))) == (2, (3, ()))
    assert type(arrays.map_leaves(lambda x: x + 1, Pair(1, (2,)))) is Pair


def test_the_leaves_of_nested_tuples_are_listed_in_order():
    assert arrays.leaves((1, Pair(2, (3, ())), [4, 5])) == [1, 2, 3, [4, 5]]
    assert arrays.leaves(7) == [7]


# --- memory ------------------------------------------------------------------------------------------------


def test_views_have_the_key_of_their_memory():
    x = np.arange(6.0)
    key = arrays.memory_key(x)
    assert type(key) is int
    assert arrays.memory_key(x[2:].reshape(2, 2)) == key
    assert arrays.memory_key(np.arange(6.0)) != key


def test_arrays_of_other_libraries_have_a_key_and_numbers_have_none():
    x, y = array_api_strict.zeros(2), array_api_strict.zeros(2)
    assert arrays.memory_key(x) == arrays.memory_key(x) != arrays.memory_key(y)
    assert type(arrays.memory_key(x)) is int
    assert arrays.memory_key(1.5) is None
    assert arrays.memory_key([1.5]) is None


@pytest.mark.parametrize("library", [np, array_api_strict])
def test_a_copy_has_its_own_memory(library):
    x = library.zeros(2)
    copied = arrays.copy_array(x)
    x[0] = 1
    assert np.asarray(copied).tolist() == [0, 0]


# --- devices -----------------------------------------------------------------------------------------------


def test_new_arrays_are_made_where_the_given_one_is():
    there = array_api_strict.Device("device1")
    assert arrays.device(array_api_strict.zeros(2, device=there)) == there
    assert arrays.device(np.zeros(2)) == "cpu"


def library_with_gpu(available):
    """Stand in for CuPy or PyTorch; its arrays are the arguments of asarray."""
    return SimpleNamespace(
        cuda=SimpleNamespace(is_available=lambda: available), asarray=lambda x, device=None: (x, device)
    )


@pytest.mark.parametrize("library", ["cupy", "torch:cuda"])
def test_without_a_gpu_its_library_is_refused(monkeypatch, library):
    name = library.partition(":")[0]
    monkeypatch.setitem(sys.modules, name, library_with_gpu(False))
    with pytest.raises(ValueError, match=f"{name} finds no GPU here"):
        arrays.converter(library)


@pytest.mark.parametrize(
    ("library", "available", "device"),
    [("cupy", True, None), ("torch", False, None), ("torch:cuda", True, "cuda")],
)
def test_arrays_go_to_the_named_device(monkeypatch, library, available, device):
    monkeypatch.setitem(sys.modules, library.partition(":")[0], library_with_gpu(available))
    x = np.zeros(2)
    assert arrays.converter(library)(x) == (x, device)


# --- PyTorch and JAX ---------------------------------------------------------------------------------------


@pytest.fixture
def torch():
    return pytest.importorskip("torch", reason="torch is not installed (an extra)")


@pytest.fixture
def jax():
    return pytest.importorskip("jax", reason="jax is not installed (an extra)")


def test_a_tensor_shares_the_memory_of_its_array(torch):
    x = np.lib.stride_tricks.as_strided(np.zeros(1), (2, 3), (0, 0))  # steps of 0
    for given in (np.zeros((2, 3)), x):
        found = arrays.converter("torch")(given)
        given[0, 0] = 1
        assert found[0, 0] == 1


def test_a_copy_of_a_tensor_has_its_own_memory(torch):
    x = torch.zeros(2)
    copied = arrays.copy_array(x)
    assert arrays.memory_key(x[1:]) == arrays.memory_key(x) == x.untyped_storage().data_ptr()
    assert arrays.memory_key(copied) != arrays.memory_key(x)
    assert torch.equal(copied, x)


def test_what_is_differentiated_is_known_in_either_mode(torch):
    x = torch.zeros(2, requires_grad=True)
    assert arrays.is_differentiated(x)
    assert not arrays.is_differentiated(x.detach())
    with torch.no_grad():
        assert not arrays.is_differentiated(x)
    with torch.autograd.forward_ad.dual_level():
        dual = torch.autograd.forward_ad.make_dual(torch.zeros(2), torch.ones(2))
        assert arrays.is_differentiated(dual)


def test_only_what_autograd_records_is_kept_from_being_overwritten(torch):
    x = torch.zeros(2, requires_grad=True)
    assert [arrays.is_recorded(each) for each in (x, x.detach(), np.zeros(2))] == [True, False, False]


def test_a_detached_tensor_has_no_gradient(torch):
    x = torch.ones(2, requires_grad=True)
    assert not arrays.detach(x).requires_grad
    plain = np.ones(2)
    assert arrays.detach(plain) is plain


def test_autocast_is_off_only_within(torch):
    x, read = torch.zeros(2), torch.is_autocast_enabled
    with torch.autocast("cpu", dtype=torch.bfloat16):
        with arrays.disable_autocast([x]):
            assert not read("cpu")
        assert read("cpu")


def test_arrays_of_jax_have_no_device_key_or_place_to_write(jax):
    x = jax.numpy.zeros(2)
    assert arrays.device(x) is None
    assert arrays.memory_key(x) is None
    assert not arrays.writes_in_place(jax.numpy)


def test_what_is_traced_has_no_value(jax):
    x, seen = jax.numpy.zeros(2), []
    jax.jit(lambda y: seen.append(arrays.is_traced(y)) or y)(x)
    assert seen == [True]
    assert not arrays.is_traced(x)
    assert not arrays.is_traced(np.zeros(2))


def test_nothing_is_traced_where_jax_is_not_loaded(monkeypatch):
    monkeypatch.delitem(sys.modules, "jax", raising=False)
    assert not arrays.is_traced(np.zeros(2))


def test_only_real_numbers_of_jax_are_its_floats(jax):
    zeros = jax.numpy.zeros
    given = (zeros(2), zeros(2, dtype=int), zeros(2, dtype=complex), np.zeros(2))
    assert [arrays.is_jax_float(x) for x in given] == [True, False, False, False]


def test_a_detached_factor_is_a_constant(jax):
    slope = jax.grad(lambda x: arrays.detach(x) * x)(3.0)
    assert slope == 3
