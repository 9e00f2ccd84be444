"""The mutation tester itself: what it changes and skips, and that every explained mutant exists."""

import shutil
import subprocess
import sys
from collections import Counter
from datetime import date
from difflib import ndiff
from functools import cache

import mutant_trials
import mutants
import mutated_files
import mutation
import pytest
import watched_tests

SOURCE = '''
"""Nothing here is mutated: 1 + 1."""

N = 2


@cache
def mean(x, axis: int = 0, kind="plain"):
    """Nor here: 1 + 1."""
    if axis < 0:
        raise ValueError(f"axis {axis + 1} is below 0")
    if 0 <= axis < 8 and kind in ("plain", "sum"):
        axis = f(axis, many=True, encoding="utf-8")
    return -xp.sum(x, axis=1) / (N - 1)


def example():
    return 1 + 1
'''


def test_mutants_change_the_computation():
    assert {mutant.change for mutant in mutants.generate_mutants(SOURCE)} >= {
        "axis < 0 → axis <= 0",
        "axis < 0 → axis >= 0",
        "-xp.sum(x, axis=1) / (N - 1) → -xp.sum(x, axis=1) * (N - 1)",
        "-xp.sum(x, axis=1) → xp.sum(x, axis=1)",
        "xp.sum(x, axis=1) → xp.sum(x, axis=0)",
        "xp.sum(x, axis=1) → x",
        "N - 1 → N + 1",
        "N - 1 → 1 - N",
        "N - 1 → N - 2",
        "N = 2 → N = 3",
        "@cache of mean → no decorator",
        "0 <= axis < 8 → axis < 8",
        "0 <= axis < 8 → 0 <= axis",
        "0 <= axis < 8 → 0 <= axis < 4",
        "0 <= axis < 8 and kind in ('plain', 'sum') → 0 <= axis < 8",
        "'plain' → 'plain?'",
        "f(axis, many=True, encoding='utf-8') → f(axis, encoding='utf-8')",
        "axis = f(axis, many=True, encoding='utf-8') → pass",
    }


def test_an_argument_without_effect_on_the_result_is_not_mutated():
    assert not any(
        "encoding='utf-8'" not in x.source for x in mutants.generate_mutants(SOURCE) if "→ f(" in x.change
    )


def test_each_mutant_is_one_change_that_compiles():
    plain = mutants.print_plainly(SOURCE).splitlines()
    for mutant in mutants.generate_mutants(SOURCE):
        compile(mutant.source, "mutant", "exec")
        lines = mutant.source.splitlines()
        changed = [line for line in ndiff(plain, lines) if line[0] in "-+"]
        assert [line[0] for line in changed] == (["-"] if "no decorator" in mutant.change else ["-", "+"])


def test_mutation_leaves_messages_examples_and_docstrings_alone():
    assert {mutant.function for mutant in mutants.generate_mutants(SOURCE)} == {"mean", mutants.MODULE}
    assert all(
        "is below 0" in mutant.source
        for mutant in mutants.generate_mutants(SOURCE)
        if "Raise" in mutant.change
    )
    assert not any("axis + 1 →" in mutant.change for mutant in mutants.generate_mutants(SOURCE))


@cache
def named(file):
    """The mutants of a file, by name."""
    return [
        (x.function, x.change) for x in mutants.generate_mutants((mutation.ROOT / file).read_text("utf-8"))
    ]


@pytest.mark.parametrize(
    "field", ["variants=({'tile': 3},)", "tried={'weight': (3,)}", "drawn={'beta': (3, 5)}"]
)
def test_the_points_of_verify_are_not_mutated_and_may_be_deleted(field):
    changes = [x.change for x in mutants.generate_mutants(f"LOSS = Loss(name='n', {field})")]
    assert f"Loss(name='n', {field}) → Loss(name='n')" in changes
    assert not any("4" in change for change in changes)


@pytest.mark.slow
def test_mutants_of_a_function_have_unique_names():
    for file in mutated_files.SHARED:
        assert len(set(named(file))) == len(named(file))


@pytest.mark.slow
@pytest.mark.parametrize("file", sorted({file for file, *_ in mutation.read_reasons()}))
def test_every_explained_mutant_exists(file):
    for key, reason in mutation.read_reasons().items():
        if key[0] == file:
            assert key[1:] in named(file)
            assert len(reason) > 10


def test_a_line_of_the_page_counts_the_mutants_and_names_the_source():
    found = Counter({"the judge": 3, "the tests": 2, "the time limit": 1, "equivalent": 4, "survived": 5})
    score = mutation.Score("infonce_ref/pairs.py", found, [], 7.0)
    assert str(score).startswith("infonce_ref/pairs.py: 6 of 11 killed (3 by the judge, 2 by the tests, 1 by")
    cells = [cell.strip() for cell in mutation.write_row(score, b"").split("|")][1:-1]
    assert cells[:7] == ["`infonce_ref/pairs.py`", "15", "3", "2", "1", "4", "5"]
    assert cells[8] == "`e69de29bb2`"  # git's hash of an empty file
    assert len(cells) == mutation.HEAD.splitlines()[-2].count("|") - 1


@pytest.mark.skipif(shutil.which("git") is None, reason="Git is not installed")
def test_only_other_code_makes_a_row_stale(tmp_path, monkeypatch):
    """Comments, docstrings and imports may change. Without the source in Git, only the same file has a row."""
    for name, value in (("ROOT", tmp_path), ("PAGE", tmp_path / "page.md")):
        monkeypatch.setattr(mutation, name, value)
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    file = tmp_path / "pairs.py"
    file.write_text(SOURCE, encoding="utf-8")
    assert mutation.is_stale(file.name)
    row = mutation.write_row(mutation.Score(file.name, Counter(survived=1), [], 1.0), file.read_bytes())
    mutation.PAGE.write_text(row, encoding="utf-8")
    assert not mutation.is_stale(file.name)
    file.write_text(SOURCE.replace("Nor here", "And not here"), encoding="utf-8")
    assert mutation.is_stale(file.name)
    subprocess.run(["git", "hash-object", "-w", "--stdin"], cwd=tmp_path, input=SOURCE, text=True, check=True)
    assert not mutation.is_stale(file.name)
    file.write_text(f"import math\n{SOURCE}", encoding="utf-8")
    assert not mutation.is_stale(file.name)
    file.write_text(SOURCE.replace("N - 1", "N - 2"), encoding="utf-8")
    assert mutation.is_stale(file.name)


def test_tests_that_run_the_changed_line_come_first():
    """First those that killed another mutant, then the quickest; a test that only runs the file comes last."""
    lines = {3: ["slow", "quick", "killer"], 4: ["other"]}
    seconds = {"slow": 5.0, "quick": 1.0, "killer": 9.0, "other": 0.1, "of another file": 0.1}
    known = watched_tests.Known(seconds, {"a.py": lines}, Counter(killer=1))
    mutant = mutants.Mutant("f", "1 → 2", "", range(3, 4))
    assert known.choose(mutant, "a.py") == ["killer", "quick", "slow", "other"]
    assert known.runs(mutant, "a.py")
    assert not known.runs(mutant._replace(lines=range(8, 9)), "a.py")
    assert known.runs(mutant._replace(lines=range(8, 9), function=mutants.MODULE), "a.py")
    long = known._replace(seconds=seconds | {"other": watched_tests.OTHERS + 1.0})
    assert "other" not in long.choose(mutant, "a.py")
    at_import = known._replace(lines={"a.py": {3: [watched_tests.IMPORT]}})
    assert at_import.choose(mutant, "a.py")[0] == "killer"
    assert set(at_import.choose(mutant, "a.py")) == set(seconds)


def test_a_survivor_of_the_quick_tests_is_tried_against_the_slow_tests_of_its_lines(tmp_path, monkeypatch):
    names = {watched_tests.QUICK_TESTS: "quick", watched_tests.SLOW_TESTS: "slow"}
    tried = []

    def watch_tests(tree, judge, marks):
        return watched_tests.Known(
            {names[marks]: 1.0, "other": 20.0}, {"a.py": {3: [names[marks]]}}, Counter()
        )

    def try_mutant(tree, file, source, find, limit, idle):
        tried.append((find.keywords["tests"], idle))
        return "the tests" if source == "slow" and "slow" in find.keywords["tests"] else "survived"

    monkeypatch.setattr(watched_tests, "watch_tests", watch_tests)
    monkeypatch.setattr(watched_tests, "try_mutant", try_mutant)
    patient = mutant_trials.IDLE + 21.0  # a slow test may wait for another program
    of_its_lines = [(["quick"], mutant_trials.IDLE), (["slow"], patient)]
    for line, source, by, of in (
        (3, "slow", "the tests", of_its_lines),
        (3, "never", "survived", of_its_lines),
        (7, "slow", "the tests", [(["slow", "other"], patient)]),  # in another process, perhaps
    ):
        tried.clear()
        mutant = mutants.Mutant("f", "1 → 2", source, range(line, line + 1))
        assert watched_tests.try_judge(tmp_path, "a.py", mutant) == by
        assert tried == of


@pytest.mark.slow
def test_coverage_records_which_test_runs_which_line(tmp_path, monkeypatch):
    """In a copy with one check; a test that fails on the unchanged file cannot kill a mutant. The copy may hold a
    mutant when the slow tests are run for the first time."""
    source = "def f(x):\n    if x:\n        return 1  # a comment\n    return 2\n"
    tests = "from room import judge\n\n\ndef test_one():\n    assert judge.f(1) == 1\n\n\n"
    tests += "def test_two():\n    assert judge.f(0) == 2\n\n\ndef test_text():\n    assert 'comment' in "
    tests += (
        "open('room/judge.py').read()\n\n\n@pytest.mark.slow\ndef test_slow():\n    assert judge.f(2) == 1\n"
    )
    tests = f"import pytest\n{tests}"
    for name, text in (("room/__init__.py", ""), ("room/judge.py", source), ("checks/test_judge.py", tests)):
        for place in (tmp_path / "root" / name, tmp_path / "tree" / name):
            place.parent.mkdir(exist_ok=True, parents=True)
            place.write_text(text, encoding="utf-8")
    code = f"""if True:
        import pathlib, sys, mutant_trials, mutants, mutated_files, repository
        root, tree = pathlib.Path({str(tmp_path / "root")!r}), pathlib.Path({str(tmp_path / "tree")!r})
        sys.path.insert(0, str(tree))
        sys.dont_write_bytecode = True
        repository.ROOT, mutated_files.JUDGES = root, {{"room": ("checks",)}}
        mutated_files.list_files, mutant_trials.name_module = lambda: ["room/judge.py"], lambda _: "room.judge"
        import watched_tests  # it takes these four by name
        known = watched_tests.watch_tests(tree, "room", watched_tests.QUICK_TESTS)
        print(sorted(known.seconds), known.lines["room/judge.py"][3], known.lines["room/judge.py"][4])
        for mutant in mutants.generate_mutants(mutants.print_plainly((tree / "room/judge.py").read_text())):
            print(mutant.change, watched_tests.try_judge(tree, "room/judge.py", mutant), sorted(known.kills))
        (tree / "room/judge.py").write_text("def f(x): return 0")
        print(*watched_tests.watch_tests(tree, "room", watched_tests.SLOW_TESTS).seconds)
    """
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=mutation.ROOT / "tools", text=True, capture_output=True, check=True
    )
    one, two = ("checks/test_judge.py::test_one", "checks/test_judge.py::test_two")
    dropped, first, *tried, slow = done.stdout.splitlines()
    assert dropped.endswith("checks/test_judge.py::test_text")
    assert first == f"{[one, two]} {[one]} {[two]}"
    assert "1 → 2" in tried[1]
    assert all(" the tests " in line for line in tried)
    assert slow == "checks/test_judge.py::test_slow"


@pytest.mark.parametrize(
    ("does", "by"),
    [
        ("threading.Event().wait()", "the time limit"),
        ("any(x for x in itertools.count() if x < 0)", "the time limit"),
        ("'survived'", "survived"),
    ],
)
def test_an_idle_or_endless_process_is_ended(does, by, tmp_path):
    (tmp_path / "file.py").touch()
    code = (
        "import itertools, pathlib, threading, mutant_trials\n"
        f"tree = pathlib.Path({str(tmp_path)!r})\n"
        f"print(mutant_trials.try_mutant(tree, 'file.py', '', lambda *_: {does}, limit=0.2, idle=0.5))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=mutation.ROOT / "tools", text=True, capture_output=True, check=True
    )
    assert done.stdout.strip() == by


def test_every_file_on_the_page_is_mutated():
    assert set(mutation.read_rows()) <= set(mutated_files.list_files())


@pytest.mark.parametrize("row", mutation.read_rows().values())
def test_a_row_of_the_page_adds_up(row):
    _, tried, *counts = (cell.strip() for cell in row.split("|")[1:8])
    assert int(tried.split(" of ")[0]) == sum(map(int, counts))


def test_a_missing_file_is_refused(capsys):
    with pytest.raises(SystemExit, match="2"):
        mutation.main(["no/such/file.py"])
    assert "no such file: no/such/file.py" in capsys.readouterr().err


def test_a_time_limit_leaves_out_other_files_each_day(monkeypatch, capsys):
    """Files begun within the limit are tried, and the others counted."""
    clock, tried = iter(range(0, 1000, 40)), []
    score = mutation.Score("", Counter(), [], 0.0)
    monkeypatch.setattr(mutation, "copy_tree", lambda *_: mutation.ROOT)
    monkeypatch.setattr(mutation, "try_file", lambda _, file: (tried.append(file), score)[1])
    monkeypatch.setattr(mutation.time, "monotonic", lambda: next(clock))
    assert mutation.main(["--minutes", "2"]) == 0  # begun after 40, 80 and 120 seconds, but not after 160
    files = mutated_files.list_files()
    assert len(set(tried)) == 3
    assert capsys.readouterr().out == f"2 minutes are over: 3 of {len(files)} files were tried\n"
    first, again, other = (mutation.shuffle_by_day(files, date(2026, 1, n)) for n in (1, 1, 2))
    assert first == again != other
    assert sorted(first) == sorted(other) == sorted(files)


@pytest.mark.parametrize(
    ("file", "judge"),
    [
        ("infonce_ref/conformance/heads/softmax.py", "infonce_ref/conformance"),
        ("infonce_ref/verify/identities/information/mine.py", "infonce_ref/verify"),
        ("infonce_ref/losses/ntxent.py", ""),
    ],
)
def test_subfolders_of_a_judge_belong_to_it(file, judge):
    assert file in mutated_files.list_files()
    assert mutated_files.find_judge(file) == judge


@pytest.mark.parametrize(
    ("file", "losses"),
    [
        ("infonce_ref/losses/clip.py", ["clip"]),
        ("infonce_ref/verify/identities/clip.py", ["clip"]),
        ("infonce_ref/verify/identities/information/nwj.py", ["information.nwj"]),
        ("infonce_ref/verify/identities/shared.py", ["ntxent", "siglip"]),
        ("infonce_ref/verify/tape.py", ["ntxent", "siglip"]),
    ],
)
def test_a_file_is_tried_with_its_own_loss_or_with_two(file, losses):
    assert mutated_files.find_losses_to_check(file) == losses
