"""The benchmark itself: contenders run, and the losses as written in PyTorch are ours."""

import benchmark
import contenders
import numpy as np
import pytest
from contenders import TEMPERATURE, Case, declare_for_torch

from infonce_ref import losses


@pytest.mark.parametrize("dtype", benchmark.BOTH)
@pytest.mark.parametrize("name", ["plain", "streaming"])
def test_contenders_that_need_only_numpy_run(name, dtype):
    run, package = getattr(contenders, name)(Case(8, dtype))
    run()
    assert package == "numpy"


LOSSES = ("ntxent", *benchmark.OTHERS)


@pytest.mark.torch
@pytest.mark.parametrize("name", LOSSES)
def test_each_loss_as_written_in_pytorch_has_our_value_and_gradients(name):
    torch = pytest.importorskip("torch")
    case = Case(16, "float64", name)
    arrays = [torch.from_numpy(x).requires_grad_() for x in case.draw()]
    value = declare_for_torch(case)(*arrays)
    value.backward()
    plain = getattr(losses, case.loss)
    expected, cache = plain.forward(*case.draw(), temperature=TEMPERATURE, **case.settings())
    assert float(value.detach()) == pytest.approx(float(expected), rel=1e-13, abs=0)  # a sum of 256 terms
    for x, gradient in zip(arrays, plain.backward(cache)):
        np.testing.assert_allclose(x.grad, gradient, rtol=0, atol=1e-13)  # entries are of order 1


@pytest.mark.torch
def test_a_race_times_each_contender_in_its_own_process(capsys):
    pytest.importorskip("torch")
    table = benchmark.Table(("streaming", "torch_eager", "cupy"), [Case(8, "float32")])
    ran = benchmark.measure(table, 2)
    assert [(c.name, len(c.seconds)) for c in ran] == [("streaming", 2), ("torch_eager", 2)]
    out, err = capsys.readouterr()
    assert "| ntxent, N = 8, float32 |" in out
    assert "cupy is left out" in err
