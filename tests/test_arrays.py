"""The choice of the array library."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from infonce_ref import arrays


def test_numbers_of_cupy_are_read_from_the_device():
    class OnADevice:
        def get(self):
            return "in main memory"

    assert arrays.to_numpy(OnADevice()) == "in main memory"


@pytest.mark.torch
def test_a_row_with_a_negative_stride_becomes_a_tensor():
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = np.arange(6.0).reshape(2, 3)[::-1][:1]
    assert torch.equal(arrays.converter("torch")(x), torch.tensor([[3.0, 4.0, 5.0]], dtype=torch.float64))


@pytest.mark.jax
@pytest.mark.usefixtures("jax_in_64_bits")  # restores jax_enable_x64 at the end
def test_conversion_to_jax_keeps_the_dtype():
    jax = pytest.importorskip("jax", reason="jax is not installed (an extra)")
    jax.config.update("jax_enable_x64", False)
    assert arrays.converter("jax")(np.arange(3.0)).dtype == np.float64


@pytest.mark.parametrize("library", ["cupy", "torch:cuda"])
def test_without_a_gpu_its_library_is_refused(monkeypatch, library):
    name = library.partition(":")[0]
    nowhere = SimpleNamespace(is_available=lambda: False)
    monkeypatch.setitem(sys.modules, name, SimpleNamespace(cuda=nowhere))
    with pytest.raises(ValueError, match=f"{name} finds no GPU here"):
        arrays.converter(library)
