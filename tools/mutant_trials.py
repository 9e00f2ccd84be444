"""Try one mutant: in a separate process, forked from one that has SymPy and other large packages loaded."""

import contextlib
import gc
import io
import os
import shutil
import signal
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mutated_files import (
    choose_tests,
    find_framework_tests,
    find_judge,
    find_losses_to_check,
    find_own_tests,
)
from repository import ROOT

# The prover imports no other folder, so its modules, with their cached proofs, stay valid when another file
# changes.
PROVER, PROVER_MODULES = "derivations/prover", "infonce_ref.derivations.prover"
LIMIT = 3  # multiple of the unchanged file's processor time, after which a mutant counts as an endless loop
# seconds of wall-clock time; a process with less than one second of processor time in these is stuck
IDLE = 60
# the cheap checks, in this order
QUICK = ("finite differences", "symbolic", "identities")
KILLERS = ("survived", "the judge", "the tests", "the time limit", "the import")
LIBRARIES = ("dask.array", "jax.numpy", "torch")  # loaded once for all mutants
OPTIONS = ("-x", "-q", "-n0", "-m", "", "-p", "no:cacheprovider", "--assert=plain")


def copy_tree(folder: str, files: Sequence[str]) -> Path:
    """Copy the tree, put the copy first on the path of modules, and load what the mutants of these files
    need.
    """
    tree = Path(folder) / "tree"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(ROOT, tree, ignore=ignored)
    sys.path.insert(0, str(tree))
    proofs_only = all(file.startswith("derivations") for file in files)
    for library in () if proofs_only else LIBRARIES:
        with contextlib.suppress(ImportError):  # if it is not installed, the tests skip it
            __import__(library)
    for module in ("verify.judge", "verify.information", "verify.proofs", "streaming", "derivations.ledger"):
        __import__(f"infonce_ref.{module}")
    sys.dont_write_bytecode = True  # otherwise a mutant's bytecode would be loaded for the next one
    from infonce_ref.losses import ALL
    from infonce_ref.verify.judge import ask_all, hear

    recall_proofs()
    for loss in () if all(map(find_judge, files)) else ALL.values():  # build the proofs' statements once
        hear(next(ask_all(loss, "float64")))
    with contextlib.chdir(tree), contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*OPTIONS, "--collect-only", "tests/test_walls.py"])  # load pytest's plugins once
    gc.freeze()  # so that no child process searches this memory for garbage
    return tree


def recall_proofs() -> None:
    """Read the proofs that pytest has cached for this tree, so that they are not repeated for each mutant."""
    import proof_cache  # from tests/, which `repository` puts on the path

    from infonce_ref.derivations.prover import memory

    folder = ROOT / ".pytest_cache" / "d" / f"proofs-{proof_cache.digest(ROOT / 'derivations')}"
    for path in folder.glob("*.pickle"):
        memory.KNOWN.update(proof_cache.read(path))


def find_killer(tree: Path, file: str, by_frameworks: bool = False) -> str:
    """Return what kills the changed file in the copy: only the tests in the frameworks, or everything else.
    Runs in its own process.
    """
    if not is_imported(tree, file, "infonce_ref.verify.judge"):
        return "the import"
    if by_frameworks:
        return "the tests" if fails(find_framework_tests(file), Spread()) else "survived"
    own = find_own_tests(file, tree)
    if own and fails(own, Spread()):
        return "the tests"
    if judge_refuses(file, judge_at_fixed_points) or judge_refuses(file, judge_information):
        return "the judge"
    if fails(choose_tests(file), Spread()):
        return "the tests"
    return "the judge" if judge_refuses(file, judge_at_all_cases) else "survived"


def find_refusal(tree: Path, file: str) -> str:
    """Return whether the changed `verify` refuses losses that are right. Runs in its own process."""
    if not is_imported(tree, file, "infonce_ref.verify.judge"):
        return "the import"
    refused = judge_refuses(file, judge_at_fixed_points) or judge_refuses(file, judge_at_all_cases)
    return "the judge" if refused else "survived"


def is_imported(tree: Path, file: str, module: str) -> bool:
    """Return whether a module can be imported with the changed file."""
    forget(tree, file)
    try:
        import_module(module)
    except Exception:
        return False
    return True


def forget(tree: Path, file: str) -> None:
    """Drop the copy's modules, except those of folders that do not import the changed file."""
    proofs = file.startswith("derivations")
    kept = () if file.startswith(PROVER) else (PROVER_MODULES,) if proofs else ("infonce_ref.derivations",)
    for name, module in list(sys.modules.items()):
        of_the_copy = (getattr(module, "__file__", None) or "").startswith(str(tree))
        if of_the_copy and not name.startswith(kept):
            del sys.modules[name]


def name_module(file: str) -> str:
    """Return the module of a file; the proofs are imported from within the package."""
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return name if name.startswith("infonce_ref") else f"infonce_ref.{name}"


def judge_refuses(file: str, ask: Callable[[str], Iterator[bool]]) -> bool:
    """Return True if a check fails or raises."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return any(ask(file))
        except Exception:
            return True


def judge_at_fixed_points(file: str) -> Iterator[bool]:
    """Yield whether a check fails at the fixed points, check by check, without 50 digits."""
    from infonce_ref.verify.judge import ask_fixed_points, list_registered

    known = list_registered()
    asked = [
        h for name in find_losses_to_check(file) for h in ask_fixed_points(known[name], "float64", np.asarray)
    ]
    for witness in witnesses(file, *QUICK):
        yield from (objects(hearing) for hearing in asked if hearing.witness == witness)


def judge_at_all_cases(file: str) -> Iterator[bool]:
    """Yield whether a check fails at the random cases, or with 50 digits."""
    from infonce_ref.verify.judge import ask_all, ask_fixed_points, list_registered

    for name in find_losses_to_check(file):
        loss = list_registered()[name]
        asked = sum(1 for _ in ask_fixed_points(loss, "float64", np.asarray))
        for number, hearing in enumerate(ask_all(loss, "float64")):
            if (hearing.witness == "precision" or number >= asked) and (
                hearing.witness in witnesses(file, *QUICK, "precision")
            ):
                yield objects(hearing)


def witnesses(file: str, *all: str) -> Sequence[str]:
    """Return those checks that use a file; only the identities run a streaming form."""
    return ("identities",) if Path(file).parent.name == "streaming" else all


def judge_information(file: str) -> Iterator[bool]:
    """Yield whether the checks of mutual information fail."""
    from infonce_ref.verify import information
    from infonce_ref.verify.judge import DTYPES, SEED

    if Path(file).stem in ("laws", "loss_bound"):
        yield from (not check.holds for dtype in DTYPES for check in information.testify(dtype, SEED))


def objects(hearing: Any) -> bool:
    from infonce_ref.verify.judge import hear

    return not all(check.holds for check in hear(hearing))


def fails(tests: Sequence[str], plugin: object) -> bool:
    """Return whether one of these tests fails in pytest."""
    passed = pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED
    return pytest.main([*OPTIONS, *tests], plugins=[plugin]) not in passed


class Spread:
    """Sort the first case of every test before the second cases, because most mutants fail any case of some
    test.
    """

    @staticmethod
    def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
        seen: Counter = Counter()

        def place(item: pytest.Function) -> int:
            seen[item.path, item.originalname] += 1
            return seen[item.path, item.originalname]

        items.sort(key=place)


def try_mutant(
    tree: Path,
    file: str,
    source: str,
    find: Callable[[Path, str], str] = find_killer,
    limit: float = 600,
    idle: float = IDLE,
) -> str:
    """Return what kills one mutant of a file; runs in a separate process, limited to this many seconds of
    processor time.
    """
    (tree / file).write_text(source, encoding="utf-8")

    def look() -> int:
        limit_time(limit, idle)
        return KILLERS.index(find(tree, file))

    code = wait_for(tree, look)
    return KILLERS[code] if code >= 0 else "the tests"  # a signal: it crashed


def wait_for(tree: Path, work: Callable[[], object]) -> int:
    """Do work in a separate silent process, in the copy, and return its exit status."""
    child = os.fork()
    if child == 0:
        code = KILLERS.index("the tests")
        try:
            os.chdir(tree)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            code = work() or 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def limit_time(limit: float, idle: float) -> None:
    """End this process after this many seconds of processor time, or if it does not work for `idle` seconds."""
    worked = 0.0

    def over(*_: object) -> None:
        os._exit(KILLERS.index("the time limit"))

    def look(*_: object) -> None:
        nonlocal worked
        before, worked = worked, time.process_time()
        if worked - before < 1:
            over()

    signal.signal(signal.SIGPROF, over)
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_PROF, limit)
    signal.setitimer(signal.ITIMER_REAL, idle, idle)
