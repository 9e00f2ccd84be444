"""Shared fixtures; one runs every loss test with every installed array library."""

import gc
import importlib
import os
import re
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from importlib.util import find_spec
from pathlib import Path
from random import Random
from shutil import rmtree, which
from tempfile import mkdtemp
from typing import Any, NamedTuple

import dask
import numpy as np
import pytest
import threadpoolctl

import infonce_ref
from infonce_ref import threads
from infonce_ref.arrays import to_numpy

ROOT = Path(__file__).parent.parent


class Library(NamedTuple):
    """An array library: how to convert NumPy arrays to it and back, and whether streaming can write into its
    arrays.
    """

    name: str
    convert: Callable[[np.ndarray], Any]
    streams: bool

    def arguments(self, example: dict[str, Any]) -> dict[str, Any]:
        return {k: self.convert(x) if isinstance(x, np.ndarray) else x for k, x in example.items()}

    @staticmethod
    def back(*arrays: Any) -> list[np.ndarray]:
        """Each result in NumPy; Dask's are computed together, because a loss and its gradients share most of the
        work."""
        return [to_numpy(x) for x in dask.compute(*arrays)]


MODULES = {
    "numpy": "numpy",
    "array_api_strict": "array_api_strict",
    "dask": "dask.array",
    "jax": "jax.numpy",
    "torch": "torch",
    "cupy": "cupy",
}


@pytest.fixture
def jax_in_64_bits() -> Iterator[None]:
    """Only for one test, because the setting applies to the whole process."""
    jax = importlib.import_module("jax")
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


@pytest.fixture
def dask_in_this_thread() -> Iterator[None]:
    """Run Dask without its thread pool, which costs a small graph more time than its tasks."""
    with dask.config.set(scheduler="synchronous"):
        yield


BESIDES = {"jax": "jax_in_64_bits", "dask": "dask_in_this_thread"}
SLOW = pytest.param("dask", marks=pytest.mark.slow)  # it builds a graph whenever a number is read


@pytest.fixture(params=[*(name for name in MODULES if name != "dask"), SLOW])
def library(request: pytest.FixtureRequest) -> Library:
    """Each array library in turn. PyTorch and CuPy are large and in no extra of the tests; a missing one is
    skipped with a message.
    """
    name = request.param
    if name in ("torch", "cupy"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    if name in BESIDES:
        request.getfixturevalue(BESIDES[name])
    return Library(name, importlib.import_module(MODULES[name]).asarray, name != "jax")


@pytest.fixture
def blas_threads() -> Iterator[Callable[[], dict[str, int]]]:
    """The number of threads of each loaded BLAS, by its file; set to two, whatever the machine and earlier
    tests.
    """

    def found() -> dict[str, int]:
        libraries = threadpoolctl.threadpool_info()
        return {x["filepath"]: x["num_threads"] for x in libraries if x["user_api"] == "blas"}

    def elsewhere(change: Callable[[], Any]) -> Any:
        """Call a function on a thread that ends; while a thread lives, threadpoolctl ignores settings of
        OpenBLAS from others.
        """
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(change).result()

    if not found():
        pytest.skip("NumPy's BLAS is none whose threads can be set")
    threads.blas.cache_clear()  # another test may have loaded another BLAS
    two = elsewhere(lambda: threadpoolctl.threadpool_limits(2, user_api="blas"))
    yield found
    elsewhere(two.restore_original_limits)


@pytest.fixture
def two_workers(
    blas_threads: Callable[[], dict[str, int]], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Run two tiles at a time, and restore the threads of BLAS afterwards."""
    monkeypatch.setattr("infonce_ref.streaming.engine.count_available", lambda: 2)
    before = blas_threads()
    yield
    assert blas_threads() == before


@pytest.fixture
def default_signals() -> Iterator[None]:
    """Restore the default signal handlers, because a child inherits that nohup or a shell's `&` ignores
    signals.
    """
    handlers = {"SIGINT": signal.default_int_handler, "SIGHUP": signal.SIG_DFL}
    numbers = {getattr(signal, name): handler for name, handler in handlers.items() if hasattr(signal, name)}
    before = {number: signal.signal(number, handler) for number, handler in numbers.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command as a user types it; return its exit status, standard output and standard error."""
    from infonce_ref.cli import main

    def run(*words: Any) -> tuple[int, str, str]:
        try:
            status = main([str(word) for word in words])
        except SystemExit as exit:  # argparse
            status = exit.code
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def refused(command: Callable[..., tuple[int, str, str]]) -> Callable[..., str]:
    """Run a command that is refused with exit status 2; return the single line that it prints, an error."""

    def run(*words: Any) -> str:
        status, out, err = command(*words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        return err

    return run


collect_ignore = ["thirteenth"]  # a loss outside the library, which test_thirteenth_loss.py adds to a copy


def refuse_another_tree() -> None:
    """Raise UsageError if the package is imported from another checkout, whose code would then be tested."""
    found = Path(infonce_ref.__file__).parents[1]
    if found.resolve() != ROOT.resolve():
        raise pytest.UsageError(
            f"these tests belong to {ROOT}, but infonce_ref was imported from {found}:"
            f" run `python -m pytest` in {ROOT}"
        )


# What a test can need: what its module imports, or what its case or fixture is named after.
MISSING = {
    "torch": find_spec("torch") is None,
    "jax": find_spec("jax") is None,
    "browser": not (which("chromium") and which("chromedriver")),
    "coq": which("coqchk") is None,
}
LEFT_OUT = re.compile(
    r'^(from bridges import frameworks|(\w+ = )?pytest.importorskip\("(torch|jax)|pytestmark = pytest.mark.slow)',
    re.M,
)


def pytest_configure(config: pytest.Config) -> None:
    """Use one BLAS thread per process, because processes that share cores would wait for each other's threads.
    Collect garbage seldom, because few of the millions of terms of a proof are in cycles. Decide here, and not in
    the workers, which cases to draw: they are always given files.
    """
    refuse_another_tree()
    # where `lessons` builds; matplotlib's list of fonts stays where it is
    usual = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    os.environ.setdefault("MPLCONFIGDIR", os.path.join(usual, "matplotlib"))
    os.environ["XDG_CACHE_HOME"] = mkdtemp(prefix="infonce-ref-")
    named = config.args_source is pytest.Config.ArgsSource.ARGS or config.option.keyword
    os.environ.setdefault("SEED", "all" if named else str(date.today().toordinal()))
    gc.set_threshold(50_000, 20, 50)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read by the workers, which start later
    # most of a test with JAX is compilation; nightly it compiles with every optimization
    os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")


def pytest_unconfigure() -> None:
    rmtree(os.environ["XDG_CACHE_HOME"], ignore_errors=True)


def pytest_report_header() -> str:
    return f"cases of each table: SEED={os.environ['SEED']}"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A bare `pytest` does not read files that have no test for it, because importing PyTorch takes seconds."""
    if collection_path.suffix != ".py" or config.option.markexpr not in config.getini("addopts"):
        return None
    return bool(LEFT_OUT.search(collection_path.read_text(encoding="utf-8"))) or None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test with what it needs; one that settles claims runs in the process that settles them all."""
    fixtures = getattr(item, "fixturenames", ())
    case = re.findall(r"(?<![/a-z])[a-z]+", item.nodeid.partition("[")[2])  # derivations/coq needs no Coq
    for name in MISSING:
        if name in fixtures or name in case or hasattr(getattr(item, "module", None), name):
            item.add_marker(name)
    if "settled" in fixtures:
        item.add_marker(pytest.mark.xdist_group("claims"))


@pytest.hookimpl(trylast=True)  # after the marks have deselected others
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Draw a case of each table, another each day: SEED=N draws those of another day, SEED=all takes them all."""
    if os.environ["SEED"] == "all":
        return
    tables: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        tables[item.nodeid.partition("[")[0]].append(item)
    drawn = {Random(f"{os.environ['SEED']} {name}").choice(cases) for name, cases in tables.items()}
    config.hook.pytest_deselected(items=[item for item in items if item not in drawn])
    items[:] = [item for item in items if item in drawn]


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test if something that it needs is missing; where CI=true, which installs all, it fails."""
    for name in (name for name, missing in MISSING.items() if missing and item.get_closest_marker(name)):
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"{name} is not installed")
