"""The rules of .ci/run: it runs the README's commands, and skips only tests that passed."""

import re
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUN = (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_ci_runs_each_command_of_the_readme():
    """It finds commands by their first words, so it would miss a third one."""
    start = re.search(r"grep '\^(.+?)' README\.md", RUN)[1]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.startswith(start)]
    assert (
        len(lines)
        == int(re.search(r'"\$\{#commands\[@\]\}" = (\d+)', RUN)[1])
        == text.count("pip install -e")
    )
    assert [line.rpartition("/")[2] for line in lines] == ["infonce-ref verify", "pytest"]


def collected(*words):
    words = ("-m", "pytest", "-p", "no:cacheprovider", "--collect-only", "-q", "--numprocesses=0", *words)
    done = subprocess.run([sys.executable, *words], cwd=ROOT, capture_output=True, text=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


FEW_FILES = ("--ignore-glob=tests/[!t]*", "--ignore-glob=tests/test_[!s]*")


@pytest.mark.slow
def test_a_bare_pytest_runs_two_cases_of_each_test():
    """If a folder, words or marks are given, it runs all."""
    bare, every = collected(*FEW_FILES), collected(*FEW_FILES, "tests")
    count = Counter(name.partition("[")[0] for name in every)
    assert Counter(name.partition("[")[0] for name in bare) == {test: min(2, n) for test, n in count.items()}
    assert set(bare) < set(every) < set(collected(*FEW_FILES, "-m", ""))
    assert collected(*FEW_FILES, "-k", "test") == every


@pytest.mark.slow
def test_only_passed_tests_are_skipped(tmp_path):
    """Select tests as .ci/run does; a test is not skipped if its name merely begins like that of a passed
    one.
    """
    words = shlex.split(re.search(r"pytest (.*--besides.*)", RUN)[1])
    first, second, *rest = collected("tests", *FEW_FILES)
    (tmp_path / "printed").write_text(f"PASSED {first}\nFAILED {second} - assert\nPASSED {rest[0][:-1]}\n")
    asked = [word.replace("$place", str(tmp_path)) for word in words]
    assert collected(*asked, *FEW_FILES) == [second, *rest]


def test_the_nightly_workflow_has_every_stage():
    """Each stage has a job, and the stage of the extras has one for each; an unknown stage is refused."""
    bash = shutil.which("bash")
    if bash is None or sys.platform == "win32":  # on Windows, bash belongs to another system
        pytest.skip("no bash")
    nightly = [bash, ".ci/nightly"]
    listed = subprocess.run([*nightly, "--list"], cwd=ROOT, capture_output=True, text=True, check=True)
    workflow = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    jobs = re.search(r"^        stage:\n((?:          - \S+\n)+)", workflow, re.M)[1].split("\n          - ")
    stages = [stage.strip(" -\n") for stage in jobs]
    assert stages == [stage for stage in listed.stdout.split() if stage != "lowest"]
    extras = re.search(r"extra: \[(.+)\]", workflow)[1].split(", ")
    lowest = (ROOT / ".ci" / "lowest").read_text(encoding="utf-8")
    assert set(extras) == set(re.findall(r"^  \[(\w+)\]=", lowest, re.M))
    refused = subprocess.run([*nightly, "gates"], cwd=ROOT, capture_output=True, text=True)
    assert refused.returncode == 2
    assert "no stage gates; there are: gate kernel" in refused.stderr
