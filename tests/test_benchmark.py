"""The benchmark itself: what it can run here runs, and its ratios are of one round."""

import inspect
from itertools import chain
from types import SimpleNamespace

import benchmark
import contenders
import pytest

NAMES = {*benchmark.SCALING, *chain.from_iterable(table.contenders for table in benchmark.TABLES.values())}


@pytest.mark.parametrize("name", sorted(NAMES))
def test_each_contender_says_what_it_is(name):
    says = inspect.getdoc(getattr(contenders, name))
    assert says.endswith(".")


@pytest.mark.parametrize("dtype", benchmark.BOTH)
@pytest.mark.parametrize("name", ["plain", "streaming", "products", "in_cache", "exponentials"])
def test_what_needs_numpy_alone_runs(name, dtype):
    run, package = getattr(contenders, name)(8, dtype)
    run()
    assert package == "numpy"


@pytest.mark.parametrize(
    "name", ["torch_eager", "torch_training", "bridge_training", "bridge_streaming_training"]
)
def test_pytorchs_contenders_run(name):
    pytest.importorskip("torch")
    run, package = getattr(contenders, name)(8, "float32")
    run()
    assert package == "torch"


def test_jaxs_contender_runs():
    pytest.importorskip("jax")
    run, package = contenders.jax_jit(8, "float64")  # JAX keeps the dtype for the whole process
    run()
    assert package == "jax"


def test_a_ratio_is_that_within_a_round(capsys):
    about = {"package": "numpy", "version": "2"}
    first, second = (
        SimpleNamespace(
            name=name, n=8, dtype="float32", seconds=seconds, memory=None, disturbed=0, about=about
        )
        for name, seconds in (("plain", [1.0, 10.0, 100.0]), ("streaming", [3.0, 20.0, 200.0]))
    )
    benchmark.show("Title", [first, second], "plain")
    shown = capsys.readouterr().out
    assert "## Title" in shown
    assert "1.00×" in shown
    assert "2.00×" in shown


@pytest.mark.slow
def test_a_race_runs_each_in_a_process_of_its_own_and_says_who_cannot_start(capsys):
    racing = benchmark.race(("plain", "rows"), 64, "float32", 2)
    assert [(c.name, len(c.seconds), c.about["package"]) for c in racing] == [("plain", 2, "numpy")]
    assert "`rows` is left out: " in capsys.readouterr().out
