"""Which tests run: a bare `pytest` draws one case of each table, and CI=true allows nothing to be missing."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CLEAN = {name: value for name, value in os.environ.items() if name not in ("SEED", "CI", "PYTEST_ADDOPTS")}
pytestmark = pytest.mark.slow


def run(*words, **environment):
    """What pytest prints, and its exit status."""
    words = ("-m", "pytest", "-p", "no:cacheprovider", "--numprocesses=0", *words)
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, capture_output=True, text=True, env=CLEAN | environment
    )
    return done.stdout, done.returncode


def collected(*words, **environment):
    """How many cases of each test are run."""
    ignored = ("--ignore-glob=tests/[!t]*", "--ignore-glob=tests/test_[!s]*")
    said, _ = run("--collect-only", "-q", *ignored, *words, **environment)
    return Counter(line.partition("[")[0] for line in said.splitlines() if "::" in line)


def test_a_bare_pytest_draws_one_case_of_each_table():
    """Another with another seed, and all if a folder or words are given; the seed is printed."""
    every = collected("tests")
    assert collected(SEED="1") == dict.fromkeys(every, 1)
    assert max(every.values()) > 4
    assert collected("-k", "test") == collected(SEED="all") == every
    assert "SEED=1" in run("--collect-only", "tests/test_ci.py", SEED="1")[0]


@pytest.mark.parametrize(("environment", "status"), [({}, 0), ({"CI": "true"}, 1)])
def test_what_is_missing_is_skipped_or_a_failure(environment, status):
    said, found = run("-m", "coq", "tests/derivations/coq/test_coq.py", PATH="", **environment)
    assert found == status
    assert "coq is not installed" in said
