"""What .ci/run rests on: that it finds the README's commands, and that what it leaves out has passed."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
RUN = (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_it_runs_each_command_of_the_readme():
    """Those that begin with the words for which it looks; a third one would be one that nobody runs."""
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


@pytest.mark.slow
def test_what_passed_is_left_out_and_nothing_else(tmp_path):
    """In the words of .ci/run, without a file; a test whose name begins as that of one that passed is another."""
    words = shlex.split(re.search(r"pytest .*?(-m .*--besides.*)", RUN)[1])
    few = ["--ignore-glob=tests/[!t]*", "--ignore-glob=tests/test_[!r]*"]  # a few files are enough
    first, second, *rest = collected("-m", "not nightly", *few)
    (tmp_path / "printed").write_text(f"PASSED {first}\nFAILED {second} - assert\nPASSED {rest[0][:-1]}\n")
    assert collected(*(word.replace("$place", str(tmp_path)) for word in words), *few) == [second, *rest]
