"""Try a mutant of a file that checks other code: against the tests that run the changed line, which coverage learns
once.
"""

import pickle
from collections import Counter
from collections.abc import Sequence
from functools import cache, partial
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

import coverage
import pytest
from mutant_trials import (
    IDLE,
    LIMIT,
    OPTIONS,
    fails,
    find_refusal,
    forget,
    is_imported,
    name_module,
    try_mutant,
    wait_for,
)
from mutants import MODULE, Mutant, print_plainly
from mutated_files import JUDGES, VERIFY, find_judge, list_files, name_source
from repository import ROOT

OTHERS = 10  # seconds of quick tests that run a mutant's file but not its lines
IMPORT = ""  # in place of a test, for coverage: the line runs before the tests, when they import it
QUICK_TESTS, SLOW_TESTS = ("not slow and not nightly", "slow and not nightly")
FIRST = 12  # collect this many tests before the others
KILLER = "killer.txt"  # the file with the name of the test that failed


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
    sources = {
        file: (ROOT / file).read_text(encoding="utf-8") for file in files
    }  # in the copy one is a mutant
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


def find_failing_test(tree: Path, file: str, tests: Sequence[str]) -> str:
    """Return whether one of these tests kills the changed file. Runs in its own process."""
    if not is_imported(tree, file, name_module(file)):
        return "the import"
    for some in (tests[:FIRST], tests[FIRST:]):
        if some and fails([*{x.partition("::")[0] for x in some}], Chosen(some, tree / KILLER)):
            return "the tests"
    return "survived"


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
