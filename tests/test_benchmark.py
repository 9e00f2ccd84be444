"""The benchmark itself: available contenders run, and each ratio compares times of one round."""

import contextlib
import inspect
import threading
from itertools import chain
from types import SimpleNamespace

import benchmark
import contenders
import numpy as np
import pytest
from framework_losses import BIAS, PER_CLASS, TEMPERATURE, Case, declare_for_jax, declare_for_torch

from infonce_ref import losses, threads

NAMES = {*benchmark.SCALING, *chain.from_iterable(table.contenders for table in benchmark.TABLES.values())}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_each_contender_is_described(name):
    says = inspect.getdoc(getattr(contenders, name))
    assert says.endswith(".")


@pytest.mark.parametrize("dtype", benchmark.BOTH)
@pytest.mark.parametrize("name", ["plain", "streaming", "products", "in_cache", "exponentials"])
def test_contenders_that_need_only_numpy_run(name, dtype):
    run, package = getattr(contenders, name)(Case(8, dtype))
    run()
    assert package == "numpy"


def test_the_exponentials_are_computed_on_several_cores(two_workers, monkeypatch):
    """Tiles in one row of blocks would have to wait for each other."""
    both = threading.Barrier(2)
    monkeypatch.setattr(threads, "count_available", lambda: 2)
    run, _ = contenders.exponentials(Case(1024, "float32"))
    monkeypatch.setattr(np, "exp", lambda scores, out: both.wait(60))
    run()


@pytest.mark.parametrize(
    "name", ["torch_eager", "torch_training", "bridge_training", "bridge_streaming_training"]
)
def test_pytorchs_contenders_run(name):
    pytest.importorskip("torch")
    run, package = getattr(contenders, name)(Case(8, "float32"))
    run()
    assert package == "torch"


@pytest.mark.parametrize("name", [name for name in benchmark.TABLES if name.startswith("peers-")])
@pytest.mark.filterwarnings("ignore")  # of the libraries
def test_the_contenders_of_a_loss_have_its_value(name, monkeypatch):
    torch = pytest.importorskip("torch")
    w = torch.from_numpy(contenders.rows(Case(32, "float64")))
    monkeypatch.setattr(contenders, "training", lambda case, loss: (loss(w), "torch"))
    values = {}
    for contender in benchmark.TABLES[name].contenders:
        with contextlib.suppress(ImportError):
            values[contender] = float(getattr(contenders, contender)(Case(32, "float64"))[0])
    expected = values[f"our_{name.removeprefix('peers-')}"]
    # MONAI adds 1e-8 to lengths
    assert values == dict.fromkeys(values, pytest.approx(expected, rel=1e-7, abs=0))


LOSSES = sorted({case.loss for table in benchmark.TABLES.values() for case in table.list_cases()})


@pytest.mark.parametrize("name", LOSSES)
def test_each_loss_as_written_in_pytorch_has_our_value_and_gradients(name):
    torch = pytest.importorskip("torch")
    case = Case(16, "float64", 5, name)
    arrays = [torch.from_numpy(x).requires_grad_() for x in case.draw()]
    value = declare_for_torch(case)(*arrays)
    value.backward()
    expected, gradients = evaluate(case)
    assert float(value.detach()) == pytest.approx(expected, rel=1e-13, abs=0)  # a sum of 256 terms
    for x, gradient in zip(arrays, gradients):
        np.testing.assert_allclose(x.grad, gradient, rtol=0, atol=1e-13)  # entries are of order 1


@pytest.mark.parametrize("name", LOSSES)
def test_each_loss_as_written_in_jax_has_our_value(name):
    jax = pytest.importorskip("jax")
    case = Case(16, "float32", 5, name)
    value = declare_for_jax(case)(*map(jax.numpy.asarray, case.draw()))
    assert float(value) == pytest.approx(evaluate(case)[0], rel=1e-5, abs=0)  # scores of 10, exponentiated


def evaluate(case):
    """Return the value and the gradients by the arrays of our plain loss."""
    loss = getattr(losses, case.loss)
    value, cache = loss.forward(*case.draw(), temperature=TEMPERATURE, **case.settings())
    return float(value), loss.backward(cache)


def test_what_the_losses_take_besides_arrays():
    assert Case(4, "float32", 2, "siglip").settings() == {"bias": BIAS}
    labels = Case(2 * PER_CLASS, "float32", 2, "supcon").settings()["labels"]
    assert labels.tolist() == [0] * PER_CLASS + [1] * PER_CLASS


def test_jaxs_contender_runs():
    pytest.importorskip("jax")
    run, package = contenders.jax_jit(Case(8, "float64"))  # JAX keeps the dtype for the whole process
    run()
    assert package == "jax"


def test_a_ratio_is_that_within_a_round(capsys):
    about = {"package": "numpy", "version": "2"}
    first, second = (
        SimpleNamespace(
            name=name, case=Case(8, "float32"), seconds=seconds, memory=None, disturbed=0, about=about
        )
        for name, seconds in (("plain", [1.0, 10.0, 100.0]), ("streaming", [3.0, 40.0, 200.0]))
    )
    benchmark.show("Title", [first, second], "plain")
    shown = capsys.readouterr().out
    assert "## Title" in shown
    assert "1.00×" in shown
    assert "3.00×" in shown  # the ratio of the medians would be 4


@pytest.mark.slow
def test_each_contender_runs_in_its_own_process_and_one_that_cannot_start_is_named(capsys):
    racing = benchmark.race(("plain", "rows"), Case(64, "float32"), 2)
    assert [(c.name, len(c.seconds), c.about["package"]) for c in racing] == [("plain", 2, "numpy")]
    assert "`rows` is left out at N = 64: " in capsys.readouterr().out


def test_a_contender_that_ends_midway_is_left_out_with_its_status(capsys):
    contender = benchmark.Contender("plain", Case(8, "float32"))
    contender.start()
    contender.process.kill()
    assert benchmark.keep_running([contender], benchmark.Contender.run) == []
    assert "`plain` is left out at N = 8: it ended with status -9" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (("--repeats", "0"), "invalid positive value: '0'"),
        (("--json", "nowhere/x.json"), "there is no folder nowhere"),
    ],
)
def test_impossible_requests_are_refused_before_any_timing(monkeypatch, capsys, option, said):
    monkeypatch.setattr("sys.argv", ["benchmark.py", *option])
    with pytest.raises(SystemExit, match="2"):
        benchmark.main()
    out, err = capsys.readouterr()
    assert said in err
    assert out == ""
