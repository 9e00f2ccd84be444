"""Shared fixtures; one runs every loss test with every installed array library."""

import gc
import importlib
import os
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import dask
import numpy as np
import pytest
import threadpoolctl
from xdist.scheduler import LoadFileScheduling

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


def read_only(x: np.ndarray) -> np.ndarray:
    """A read-only copy; a loss that writes to its input raises an error."""
    x = np.array(x)
    x.flags.writeable = False
    return x


MODULES = {
    "array_api_strict": "array_api_strict",
    "slices are copies": "copying",
    "dask": "dask.array",
    "jax": "jax.numpy",
    "torch": "torch",
    "cupy": "cupy",
}
NOT_STREAMED = ("slices are copies", "jax")  # a write into a slice has no effect, or raises


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
# slow, because they compile each operation for each shape, or build a graph of them whenever a number is read
SLOW = [pytest.param(name, marks=pytest.mark.slow) for name in BESIDES]


@pytest.fixture(
    params=["numpy", "read-only numpy", *(name for name in MODULES if name not in BESIDES), *SLOW]
)
def library(request: pytest.FixtureRequest) -> Library:
    """Each array library in turn. PyTorch and CuPy are large and in no extra of the tests; a missing one is
    skipped with a message.
    """
    name = request.param
    if name in ("torch", "cupy"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    if name in BESIDES:
        request.getfixturevalue(BESIDES[name])
    if name in MODULES:
        convert = importlib.import_module(MODULES[name]).asarray
    else:
        convert = read_only if name == "read-only numpy" else np.asarray
    return Library(name, convert, name not in NOT_STREAMED)


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


collect_ignore = ["thirteenth"]  # a loss outside the library, which test_thirteenth_loss.py adds to a copy


def refuse_another_tree() -> None:
    """Raise UsageError if the package is imported from another checkout, whose code would then be tested."""
    found = Path(infonce_ref.__file__).parents[1]
    if found.resolve() != ROOT.resolve():
        raise pytest.UsageError(
            f"these tests belong to {ROOT}, but infonce_ref was imported from {found}:"
            f" run `python -m pytest` in {ROOT}"
        )


CASES = 2  # cases of each test that a bare `pytest` runs


def pytest_configure(config: pytest.Config) -> None:
    """Use one BLAS thread per process, because processes that share cores would wait for each other's threads.
    Collect garbage seldom, because few of the millions of terms of a proof are in cycles. Decide here, and not in
    the workers, whether to run few cases: they are always given files.
    """
    refuse_another_tree()
    named = config.args_source is pytest.Config.ArgsSource.ARGS or config.option.keyword
    if config.option.cases is None and not named and config.option.markexpr in config.getini("addopts"):
        config.option.cases = CASES
    gc.set_threshold(50_000, 20, 50)
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read by the workers, which start later
    # most of a test with JAX is compilation; .ci/nightly compiles with every optimization
    os.environ.setdefault("JAX_DISABLE_MOST_OPTIMIZATIONS", "1")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--besides",
        metavar="FILE",
        help="leave out the tests that this output of `pytest -rp` has as PASSED",
    )
    parser.addoption(
        "--cases",
        metavar="N",
        type=int,
        help=f"run N cases of each test; {CASES} if no file, folder, -k or -m is given, else all",
    )


@pytest.hookimpl(trylast=True)  # after the marks have deselected others
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests that have passed, with --besides: .ci/run runs most tests with only Python installed
    before it installs more. Of the rest, keep --cases cases of each test.
    """
    left_out = read_passed(config.option.besides) if config.option.besides else set()
    if config.option.cases is not None:
        left_out |= choose_others([x.nodeid for x in items if x.nodeid not in left_out], config.option.cases)
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]


def read_passed(file: str) -> set[str]:
    """Return the names of the tests that passed, from what `pytest -rp` printed."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()
    return {line.removeprefix("PASSED ") for line in lines if line.startswith("PASSED ")}


def choose_others(names: list[str], count: int) -> set[str]:
    """Return all but this many cases of each test. The names decide, so that tests of all losses do not all keep
    the same ones.
    """
    cases: dict[str, list[str]] = defaultdict(list)
    for name in names:
        cases[name.partition("[")[0]].append(name)
    shuffled = (sorted(each, key=lambda name: crc32(name.encode())) for each in cases.values())
    return {name for each in shuffled for name in each[count:]}


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadFileScheduling:
    return ByFile(config, log)


PROOFS = (
    *(f"tests/derivations/{room}/" for room in ("evidence", "kernel", "losses", "pages")),
    *(f"tests/derivations/test_{file}.py" for file in ("ledger", "review")),
    "tests/exercises/test_exercises.py",
)


class ByFile(LoadFileScheduling):
    """Run a file's tests in one process, and all tests that settle claims in one process, which settles each
    claim once.
    """

    def _split_scope(self, nodeid: str) -> str:
        return "proofs" if nodeid.startswith(PROOFS) else super()._split_scope(nodeid)
