"""Mutation testing: change one thing in a file at a time; `verify` or the tests of that file must fail.

python tools/mutation.py                                   every file
python tools/mutation.py infonce_ref/losses/ntxent.py      these
python tools/mutation.py --table [FILE …]                  also write the scores into docs/mutation.md
python tools/mutation.py --table --stale                   those whose row is missing or of other code
python tools/mutation.py --stale --minutes 90              of these as many as fit, different ones each day

A mutant is one rewritten file in a copy of the tree. Each is tried in its own process, forked from one that has
SymPy and other large packages loaded. The tests of a shared file come first, then `verify` at its fixed points, the
tests of the losses, and `verify` with its random cases and 50 digits, until one fails; survivors are tried against
the losses' tests in PyTorch, JAX and Dask. A mutant of a file that checks other code is tried against the quick
tests that run the changed line, the quickest first, then some that run its file, then the slow tests that do;
coverage learns once which test runs which line. The exit status is 1 if a mutant survives that
tools/equivalent_mutants.toml does not explain, or if an explained mutant is killed or no longer exists. Existing
mutation testers start Python anew for each mutant and cannot run `verify` first.
"""

import argparse
import contextlib
import datetime
import gc
import hashlib
import io
import os
import pickle
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import coverage
import measure
import numpy as np
import pytest
from mutants import MODULE, Mutant, generate_mutants, print_code, print_plainly
from repository import DOCS, ROOT

EQUIVALENT = Path(__file__).parent / "equivalent_mutants.toml"
EVERY_LOSS = ("arrays", "checks", "isolation", "elementary")  # files that all losses import
SHARED = [
    f"infonce_ref/{name}.py"
    for name in ("sphere", "cross_entropy", "double_length", "reduction", "pairs", "columns", *EVERY_LOSS)
]
VERIFY = "infonce_ref/verify"
# Folders whose files check other code, and their tests. A fixed sample of the mutants of each file is tried.
JUDGES: dict[str, tuple[str, ...]] = {
    "derivations/prover": ("tests/derivations/prover",),
    "derivations/evidence": (
        "tests/derivations/evidence",
        "tests/derivations/test_ledger.py",
        "tests/derivations/test_review.py",
        "tests/derivations/test_own.py",
    ),
    "derivations/kernel": ("tests/derivations/kernel",),
    "derivations": (
        "tests/derivations/test_ledger.py",
        "tests/derivations/test_review.py",
        "tests/derivations/test_readings.py",
        "tests/derivations/test_own.py",
        "tests/derivations/evidence/test_tampering.py",
        "tests/derivations/test_false_changes.py",
    ),
    VERIFY: ("tests/verify", "tests/test_cli.py", "tests/test_own_loss.py"),
    "infonce_ref/conformance": ("tests/conformance",),
    "infonce_ref/mistakes": ("tests/mistakes", "tests/conformance"),
}
OF_JUDGES = {
    "derivations/kernel": ("export", "theorems", "spelling"),
    "derivations": ("ledger", "review", "quotations", "printed", "readings"),
    "infonce_ref/mistakes": ("entry", "families"),
}
SAMPLE = 10  # number of mutants tried in each of these files
OTHERS = 10  # seconds of quick tests that run a mutant's file but not its lines
IMPORT = ""  # in place of a test, for coverage: the line runs before the tests, when they import it
QUICK_TESTS, SLOW_TESTS = ("not slow and not nightly", "slow and not nightly")
# The prover imports no other folder, so its modules, with their cached proofs, stay valid when another file
# changes.
PROVER, PROVER_MODULES = "derivations/prover", "infonce_ref.derivations.prover"
LIMIT = 3  # multiple of the unchanged file's processor time, after which a mutant counts as an endless loop
# seconds of wall-clock time; a process with less than one second of processor time in these is stuck
IDLE = 60
# the cheap checks, in this order
QUICK = ("finite differences", "symbolic", "identities")
KILLERS = ("survived", "the judge", "the tests", "the time limit", "the import")


# --- which checks and tests must detect it --------------------------------------------------------


def find_losses_to_check(file: str) -> list[str]:
    """Return the losses to check: the file's own, or those that import it; if all import it, or if it is a part of
    `verify`, two of them."""
    path = Path(file)
    written = sorted(x.stem for x in LOSSES.glob("*.py") if x.stem != "__init__")
    of_estimators = path.parent.name == "information"
    of_verify = find_judge(file) == VERIFY and path.stem not in written and not of_estimators
    if path.stem in EVERY_LOSS or of_verify:
        return ["ntxent", "siglip"]
    if path.parent.name in ("losses", "streaming", "identities"):
        return (
            [path.stem]
            if path.stem in written
            else [x for x in written if (path.parent / f"{x}.py").exists()]
        )
    if of_estimators:
        return [f"information.{name}" for name in find_estimators(path)]
    imported = re.compile(rf"^from \.\.{path.stem} import |^from \.\. import .*\b{path.stem}\b", re.M)
    return [x for x in written if imported.search((LOSSES / f"{x}.py").read_text(encoding="utf-8"))]


def find_estimators(path: Path) -> list[str]:
    """Return the estimators of mutual information that are computed in a file."""
    return [name for name in ESTIMATORS if path.stem in (name, "batch")]


LOSSES = ROOT / "infonce_ref" / "losses"
ESTIMATORS = ("donsker_varadhan", "infonce", "mine", "nwj", "smile")


def find_judge(file: str) -> str:
    """Return the entry of JUDGES that a file belongs to, or ""."""
    return next((str(room) for room in Path(file).parents if str(room) in JUDGES), "")


def find_own_tests(file: str, root: Path) -> list[str]:
    """Return the tests named after a file that is not a loss; they are quicker than those of all losses that
    use it.
    """
    path = Path(file)
    own = [f"tests/test_{path.stem}{kind}.py" for kind in ("", "_traced", "_torch")]
    return [x for x in own if path.parent.name != "losses" and (root / x).exists()]


def choose_tests(file: str) -> list[str]:
    """Return pytest's arguments: the tests named after a loss, then the tests of every loss, if their names contain
    its name. Only NumPy and array-api-strict are used: other libraries would take seconds for each mutant, and
    mainly test `arrays`.
    """
    path = Path(file)
    if path.parent.name == "losses":
        return [
            f"tests/losses/test_{path.stem}.py",
            *OF_EVERY_LOSS,
            "-k",
            f"{path.stem} and {QUICK_LIBRARIES}",
        ]
    if path.parent.name == "information":
        files = ("test_information.py", "test_estimators.py", "test_doctests.py", "losses/test_contract.py")
        named = " or ".join(["test_information", "test_estimators", "test_doctests", *find_estimators(path)])
        return [*(f"tests/{file}" for file in files), "-k", f"{QUICK_LIBRARIES} and ({named})"]
    if path.stem == "cluster":
        return ["tests/test_streaming.py", "tests/test_cluster_restart.py", "-k", "dask or restart"]
    if path.parent.name == "streaming":
        own = f" and (test_streaming or {path.stem})" if find_losses_to_check(file) == [path.stem] else ""
        return ["tests/test_streaming.py", *OF_EVERY_LOSS, "-k", QUICK_LIBRARIES + own]
    if not find_losses_to_check(file):
        return ["tests/test_doctests.py"]
    if path.stem in EVERY_LOSS:  # one loss, with every library
        return [*OF_EVERY_LOSS, "-k", "ntxent or (test_sharing and plain)"]
    return [*OF_EVERY_LOSS, "tests/losses", "tests/test_streaming.py", "-k", QUICK_LIBRARIES]


def find_framework_tests(file: str) -> list[str]:
    """Return the tests in PyTorch, JAX and Dask of the first loss that uses a file. They take 40 seconds, and
    detect changes that do not show in NumPy, for example in a second derivative.
    """
    files = ["tests/test_arrays_traced.py", "tests/bridges", "tests/losses/test_one_pair.py"]
    if Path(file).stem in EVERY_LOSS:  # tests of the file itself, whose names contain no loss
        return [*files, "tests/test_arrays_torch.py", "tests/losses/test_sharing.py", "tests/test_checks.py"]
    return [*files, "-k", (find_losses_to_check(file) or ["ntxent"])[0]]


LIBRARIES = ("dask.array", "jax.numpy", "torch")  # loaded once for all mutants
QUICK_LIBRARIES = "not jax and not dask and not copies and not torch and not cupy"
OF_EVERY_LOSS = (
    *(f"tests/losses/test_{name}.py" for name in ("contract", "overflow", "one_pair", "sharing")),
    "tests/test_doctests.py",
)


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


def judge_refuses(file: str, ask: Callable[[str], Iterator[bool]]) -> bool:
    """Return True if a check fails or raises."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return any(ask(file))
        except Exception:
            return True


OPTIONS = ("-x", "-q", "-n0", "-m", "", "-p", "no:cacheprovider", "--assert=plain")


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


def fails(tests: Sequence[str], plugin: object) -> bool:
    """Return whether one of these tests fails in pytest."""
    passed = pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED
    return pytest.main([*OPTIONS, *tests], plugins=[plugin]) not in passed


class Known(NamedTuple):
    """Results of a test run for a folder that checks other code: the time of each test that did not fail, the tests
    that run each line of a file, and how many mutants each has killed since.
    """

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]
    kills: Counter[str]

    def choose(self, mutant: Mutant, file: str) -> list[str]:
        """Choose the tests that run a mutant's lines or are named after its file: first those that killed others,
        then the quickest. Then add some that run its file, because a test may miss a line whose result an earlier
        test cached.
        """
        lines, own = self.lines.get(file, {}), f"/test_{Path(file).stem}.py::"
        apt = {test for line in mutant.lines for test in lines.get(line, ())}
        named = {test for test in self.seconds if own in test}
        # what runs at import, and nowhere else, may fail any test
        apt = (apt | named) - {IMPORT} or ({*self.seconds} if IMPORT in apt else set())
        of_file = self.seconds.keys() & ({x for tests in lines.values() for x in tests} | apt)
        quickest = sorted(of_file, key=lambda test: (-self.kills[test], self.seconds[test]))
        spent = accumulate(0 if test in apt else self.seconds[test] for test in quickest)
        kept = [test for test, so_far in zip(quickest, spent, strict=True) if test in apt or so_far < OTHERS]
        return sorted(kept, key=lambda test: test not in apt)

    def runs(self, mutant: Mutant, file: str) -> bool:
        """Return whether a test runs the mutant's lines; code outside functions runs at import."""
        return mutant.function == MODULE or any(self.lines.get(file, {}).get(x) for x in mutant.lines)


class Watch:
    """Record which tests fail and how long each takes, and tell coverage which test is running."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured, self.seconds, self.failed = measured, Counter[str](), set[str]()

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.measured.switch_context(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed:
            self.failed.add(report.nodeid)


class Chosen:
    """Run these tests in this order, and write the name of a failed one into a file."""

    def __init__(self, tests: Sequence[str], file: Path) -> None:
        self.order, self.file = {test: place for place, test in enumerate(tests)}, file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.file.write_text(report.nodeid, encoding="utf-8")

    def pytest_collection_modifyitems(self, items: list[pytest.Function]) -> None:
        items[:] = sorted((x for x in items if x.nodeid in self.order), key=lambda x: self.order[x.nodeid])


@cache
def watch_tests(tree: Path, judge: str, marks: str) -> Known:
    """Run the tests with these marks for a folder that checks other code. Its files are first rewritten as
    Python prints them, like mutants, so that the lines are the same; a test that reads a file's text is not
    counted. The result is cached in a file until the folder or the tests change.
    """
    files = [file for file in list_files() if find_judge(file) == judge]
    sources = {file: (ROOT / file).read_text(encoding="utf-8") for file in files}  # in the copy one is a mutant
    places = [tree / place for place in JUDGES[judge]]
    tests = sorted(path for place in places for path in ([place] if place.is_file() else place.rglob("*.py")))
    read = [*sources.values(), *(path.read_text(encoding="utf-8") for path in tests), marks]
    result = ROOT / ".pytest_cache" / "d" / f"lines-{name_source(''.join(read).encode())}.pickle"

    def watch() -> None:
        forget(tree, f"{judge}/")
        measured = coverage.Coverage(data_file=None, include=[str(tree / file) for file in files])
        measured.start()
        watched = Watch(measured)
        pytest.main([*OPTIONS, "--maxfail=0", "-m", marks, *JUDGES[judge]], plugins=[watched])
        measured.stop()
        data = measured.get_data()
        lines = {file: data.contexts_by_lineno(str(tree / file)) for file in files}
        result.parent.mkdir(parents=True, exist_ok=True)
        result.write_bytes(pickle.dumps((watched.seconds, watched.failed, lines)))

    if not result.exists():
        for file, source in sources.items():
            (tree / file).write_text(print_plainly(source), encoding="utf-8")
        wait_for(tree, watch)
        for file, source in sources.items():
            (tree / file).write_text(source, encoding="utf-8")
    times, failed, lines = pickle.loads(result.read_bytes())
    for test in sorted(failed):
        print(f"  not counted, because it fails: {test}", flush=True)
    return Known({test: time for test, time in times.items() if test not in failed}, lines, Counter())


def forget(tree: Path, file: str) -> None:
    """Drop the copy's modules, except those of folders that do not import the changed file."""
    proofs = file.startswith("derivations")
    kept = () if file.startswith(PROVER) else (PROVER_MODULES,) if proofs else ("infonce_ref.derivations",)
    for name, module in list(sys.modules.items()):
        of_the_copy = (getattr(module, "__file__", None) or "").startswith(str(tree))
        if of_the_copy and not name.startswith(kept):
            del sys.modules[name]


def is_imported(tree: Path, file: str, module: str) -> bool:
    """Return whether a module can be imported with the changed file."""
    forget(tree, file)
    try:
        import_module(module)
    except Exception:
        return False
    return True


def name_module(file: str) -> str:
    """Return the module of a file; the proofs are imported from within the package."""
    name = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return name if name.startswith("infonce_ref") else f"infonce_ref.{name}"


FIRST = 12  # collect this many tests before the others
KILLER = "killer.txt"  # the file with the name of the test that failed


def find_failing_test(tree: Path, file: str, tests: Sequence[str]) -> str:
    """Return whether one of these tests kills the changed file. Runs in its own process."""
    if not is_imported(tree, file, name_module(file)):
        return "the import"
    for some in (tests[:FIRST], tests[FIRST:]):
        if some and fails([*{x.partition("::")[0] for x in some}], Chosen(some, tree / KILLER)):
            return "the tests"
    return "survived"


def find_refusal(tree: Path, file: str) -> str:
    """Return whether the changed `verify` refuses losses that are right. Runs in its own process."""
    if not is_imported(tree, file, "infonce_ref.verify.judge"):
        return "the import"
    refused = judge_refuses(file, judge_at_fixed_points) or judge_refuses(file, judge_at_all_cases)
    return "the judge" if refused else "survived"


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


def try_judge(tree: Path, file: str, mutant: Mutant) -> str:
    """Return what kills a mutant of a file that checks other code: a quick test that runs its lines; `verify`, if
    it is a part of it and refuses a right loss; or a slow test. If no quick test runs the lines, every slow test is
    tried: it may run them in another process.
    """
    judge = find_judge(file)
    quick = watch_tests(tree, judge, QUICK_TESTS)
    seen = quick.runs(mutant, file)
    by = kill(tree, file, mutant, quick, quick.choose(mutant, file), IDLE) if seen else "survived"
    if by == "survived" and judge == VERIFY:
        by = try_mutant(tree, file, mutant.source, find_refusal)
    if by != "survived":
        return by
    slow = watch_tests(tree, judge, SLOW_TESTS)
    tests = slow.choose(mutant, file) if seen else sorted(slow.seconds, key=slow.seconds.__getitem__)
    # they wait for other programs
    return kill(tree, file, mutant, slow, tests, IDLE + sum(slow.seconds.values()))


def kill(tree: Path, file: str, mutant: Mutant, known: Known, tests: Sequence[str], idle: float) -> str:
    """Return what kills a mutant, and count the test that does."""
    # the sum over all tests, because a test may have reused cached results of others
    limit = max(30.0, LIMIT * sum(known.seconds.values()))
    (tree / KILLER).write_text("", encoding="utf-8")
    by = try_mutant(tree, file, mutant.source, partial(find_failing_test, tests=tests), limit, idle)
    if by == "the tests":
        known.kills.update((tree / KILLER).read_text(encoding="utf-8").split("\n")[:1])
    return by


# --- reports ----------------------------------------------------------------------------------------


def read_reasons() -> dict[tuple[str, str, str], str]:
    """Read for each equivalent mutant the reason why it is equivalent."""
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    return {(x["file"], x["function"], x["change"]): x["reason"] for x in table}


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


class Score(NamedTuple):
    """The results for the mutants of one file: how many each kind of check killed, the remarks, the time."""

    file: str
    found: Counter
    wrongs: list[str]
    seconds: float
    mutants: int = 0  # all of the file's; perhaps only a sample was tried

    @property
    def killed(self) -> int:
        return sum(self.found[name] for name in KILLERS[1:])

    @property
    def judged(self) -> int:
        """Return the number of mutants that are not equivalent."""
        return self.killed + self.found["survived"]

    def __str__(self) -> str:
        by = ", ".join(f"{self.found[name]} by {name}" for name in KILLERS[1:] if self.found[name])
        killed = f"{self.killed} of {self.judged} killed ({by}); {self.found['equivalent']} equivalent"
        return f"{self.file}: {killed}; {self.seconds:.0f} s"


def draw(mutants: Sequence[Mutant], file: str) -> Sequence[Mutant]:
    """Return all mutants of a file, or for a file that checks other code a sample, the same in every run."""
    if not find_judge(file) or len(mutants) <= SAMPLE:
        return mutants
    chosen = random.Random(file).sample(range(len(mutants)), SAMPLE)
    return [mutants[place] for place in sorted(chosen)]


def try_file(tree: Path, file: str) -> Score:
    """Try every mutant of a file; print the survivors and the score."""
    source, reasons, judge = (tree / file).read_text(encoding="utf-8"), read_reasons(), find_judge(file)
    plain = print_plainly(source)
    start, spent = time.monotonic(), os.times()
    mutants = [mutant for mutant in generate_mutants(plain) if mutant.source != plain]
    tried = draw(mutants, file)
    if not judge and try_mutant(tree, file, plain) != "survived":
        return Score(file, Counter(), [f"{file}: the judge or the tests refuse it as it is"], 0.0)
    own = sum(os.times()[2:4]) - sum(spent[2:4])  # of the children
    limit = max(30.0, LIMIT * own)
    score, survivors = Score(file, Counter(), [], 0.0, len(mutants)), []
    for mutant in tried:
        by = try_judge(tree, file, mutant) if judge else try_mutant(tree, file, mutant.source, limit=limit)
        if by == "survived":
            survivors.append(mutant)
            print(f"  {file}, {mutant.function}: {mutant.change} is not killed", flush=True)
        else:
            score.found[by] += 1
    unexplained = [x for x in survivors if (file, x.function, x.change) not in reasons]
    score.found["equivalent"] = len(survivors) - len(unexplained)
    in_frameworks = partial(find_killer, by_frameworks=True)
    if unexplained and not judge and try_mutant(tree, file, plain, in_frameworks) != "survived":
        score.wrongs.append(f"{file}: the tests in the frameworks refuse it as it is")
    for mutant in unexplained:
        by = "survived" if judge else try_mutant(tree, file, mutant.source, in_frameworks)
        score.found[by] += 1
        if by == "survived":
            score.wrongs.append(f"{file}, {mutant.function}: {mutant.change}")
    (tree / file).write_text(source, encoding="utf-8")
    seen = {(file, x.function, x.change) for x in survivors}
    asked = {(file, x.function, x.change) for x in tried} if judge else set(reasons)
    for key in reasons:
        if key[0] == file and key in asked - seen:
            score.wrongs.append(f"{file}, {key[1]}: {key[2]}: explained and not there")
    score = score._replace(seconds=time.monotonic() - start)
    print(score, flush=True)
    return score


PAGE = DOCS / "mutation.md"
HEAD = """\
# Mutation testing

`python tools/mutation.py --table` changes one thing in a file at a time: an operator, a comparison, a number, a
sign, an axis, the order of arguments, an option's string, or it deletes a statement. Since 2026-11-25 it also
deletes assignments, keyword arguments (such as the fields of a `LOSS` entry), decorators, one side of *and* and
*or* or of a chained comparison, halves constants, and changes those of modules and classes; earlier rows are
without these. Each mutant is tried against the file's own tests, `verify` ("the judge") at its fixed points, the
tests of the losses, `verify` at its random cases and with 50 digits, and the tests in PyTorch, JAX and Dask, until
one of them fails.

Files that check other code (prover, evidence, export to Coq, ledger, review, `verify`, `conformance`, the names of
mistakes) have many mutants. Of each such file a fixed random sample of 10 is tried (25 in some rows before
2026-11-25), and the second column also gives their total number. These mutants are tried against the quick tests
that run the changed line, then some others that run the file; a part of `verify` then judges its loss, or two,
which it must not refuse; then (since 2026-11-26) the slow tests that run the line are tried; if no quick test does,
all slow tests of the folder. What runs only at import is tried against every test of the folder.

An endless loop and a file that cannot be imported count as killed. Each row belongs to the given day and source,
the first digits of `git hash-object FILE`; comments and docstrings may have changed since. After a change of the
code `python tools/mutation.py --stale` tries the file again. `tools/equivalent_mutants.toml` says why each
equivalent mutant computes the same. If tests were added after a run, at least its survivors were tried again. A
file without a row has not been run to the end.

| file | mutants | by the judge | by the tests | otherwise | equivalent | survived | day | source |
|---|---|---|---|---|---|---|---|---|
"""


def write_row(score: Score, source: bytes) -> str:
    """Write a line of the page."""
    found = score.found
    otherwise = found["the time limit"] + found["the import"]
    counts = [found["the judge"], found["the tests"], otherwise, found["equivalent"], found["survived"]]
    day = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
    tried = f"{found.total()} of {score.mutants}" if score.mutants > found.total() else found.total()
    cells = [f"`{score.file}`", *map(str, (tried, *counts)), day, f"`{name_source(source)}`"]
    return f"| {' | '.join(cells)} |"


def name_source(source: bytes) -> str:
    """Return the first digits of a file's Git hash."""
    return hashlib.sha1(b"blob %d\0" % len(source) + source, usedforsecurity=False).hexdigest()[:10]


def read_rows() -> dict[str, str]:
    """Read the rows of the existing page, by file."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `")}


def is_stale(file: str) -> bool:
    """Return whether the page lacks a row for the present code of a file: comments and docstrings may differ
    from those of the row's source, if Git has it.
    """
    row, source = read_rows().get(file, ""), (ROOT / file).read_bytes()
    same = f"`{name_source(source)}`" in row
    if same or not row or not shutil.which("git"):
        return not same
    asked = ["git", "cat-file", "blob", row.split("`")[-2]]
    found = subprocess.run(asked, cwd=ROOT, capture_output=True, check=False)
    return found.returncode != 0 or print_code(found.stdout.decode()) != print_code(source.decode())


def list_files() -> list[str]:
    """Every file that is mutated, in the order of the page."""
    rooms = [
        str(x.relative_to(ROOT))
        for room in ("losses", "streaming", "information")
        for x in (ROOT / "infonce_ref" / room).glob("*.py")
    ]
    judges = [
        str(x.relative_to(ROOT))
        for room in JUDGES
        for x in sorted((ROOT / room).glob("*.py" if room in OF_JUDGES else "**/*.py"))
        if x.stem in OF_JUDGES.get(room, (x.stem,)) and x.stem != "__init__"
    ]
    return [*sorted(x for x in rooms if not x.endswith("__init__.py")), *SHARED, *judges]


def shuffle_by_day(files: Sequence[str], day: datetime.date) -> list[str]:
    """Return the files in an order that changes every day, so that a time limit leaves out different ones."""
    return random.Random(day.isoformat()).sample(files, len(files))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python tools/mutation.py")
    parser.add_argument("file", nargs="*", help=f"such as {list_files()[0]}; all, if none is named")
    parser.add_argument(
        "--table", action="store_true", help=f"write the scores into {PAGE.relative_to(ROOT)}"
    )
    parser.add_argument("--stale", action="store_true", help="only files whose present code has no score")
    parser.add_argument(
        "--minutes", type=float, help="begin no file after this many minutes; the order changes every day"
    )
    options = parser.parse_args(arguments)
    unknown = [file for file in options.file if not (ROOT / file).exists()]
    if unknown:
        parser.error(f"no such file: {', '.join(unknown)}; name files as {list_files()[0]}")
    wrongs, start = [], time.monotonic()
    files = [file for file in options.file or list_files() if not options.stale or is_stale(file)]
    if options.minutes is not None:
        files = shuffle_by_day(files, datetime.datetime.now(datetime.UTC).date())
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_tree(folder, files)
        for place, file in enumerate(files):
            if options.minutes is not None and time.monotonic() - start > 60 * options.minutes:
                print(f"{options.minutes:g} minutes are over: {place} of {len(files)} files were tried")
                break
            score = try_file(tree, file)
            wrongs += score.wrongs
            if options.table and score.found:
                lines = read_rows() | {file: write_row(score, (tree / file).read_bytes())}
                kept = [lines[file] for file in list_files() if file in lines]
                PAGE.write_text(HEAD + "\n".join(kept) + "\n", encoding="utf-8")
                measure.write_page()  # it lists the days of these rows
    for words in wrongs:
        print(words, file=sys.stderr)
    return bool(wrongs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
