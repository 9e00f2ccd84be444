"""To add a loss is to add files: CONTRIBUTING's checklist is followed in a copy, and no other file is touched.

The files of the loss, RankNet's, are in `thirteenth/`, in the same folders as in the tree; they are an example to
read.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infonce_ref.losses import ALL

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
FILES = Path(__file__).parent / "thirteenth"
NAME = "ranknet"
# The lines that the checklist adds to existing files: a line, and the one it precedes.
LINES = {
    "infonce_ref/losses/__init__.py": (f"from . import {NAME} as {NAME}", "# isort: on"),
    "derivations/documents.py": (
        '    "T": Document("Learning to Rank using Gradient Descent", "Burges et al. (2005): RankNet"),',
        '    "M": Document(',
    ),
    "figures/pull_on_the_positive.py": (
        '    "ranknet": Panel(\n'
        '        r"$M\\sigma(-s/\\tau)\\,t$",\n'
        '        ("T1",),\n'
        "        lambda s, tau: M / (1 + np.exp(s / tau)) * t(s),\n"
        '        lambda s, tau: pull_of_scores("ranknet", s, tau),\n'
        "    ),",
        '    "triplet": Panel(',
    ),
    "infonce_ref/textbook.py": (
        "def ranknet(scores, positive):\n"
        '    """RankNet: each negative against the positive alone, one sigmoid each [T1]."""\n'
        "    s = scores\n"
        "    partner = positive[:, None] == arange(s.shape[1])\n"
        "    lead = s - pick(s, partner)[:, None]\n"
        "    return mean(where(partner, 0, softplus(lead)).sum(axis=1))\n\n",
        "def soft_targets(",
    ),
    "infonce_ref/verify/laws.py": (
        'law("ranknet", "T1: a number added to a row of scores changes nothing", {"scores": by_rows}, {})',
        "# --- estimates of mutual information",
    ),
    "tests/losses/test_edges.py": (
        '    ("ranknet", {"scores": np.ones((1, 1)), "positive": np.array([0])}, "at least two columns"),',
        '    ("soft_targets", {"targets": TARGETS * [[1], [1], [2]]}',
    ),
    "infonce_ref/mistakes.txt": (
        "all_at_once: one logarithm of the sum over all negatives: InfoNCE [T1 gradient]\n"
        "- where(partner, 0, softplus(lead)).sum(axis=1)\n"
        "+ log(1 + where(partner, 0, exp(lead)).sum(axis=1))\n"
        "∂positive_left_alone: the negatives are pushed, and the positive is not pulled [T1 gradient]\n"
        "- pick(s, partner)[:, None]\n"
        "+ stop(pick(s, partner)[:, None])\n"
        "claims of ranknet: loss T1 gradient",
        "claims of triplet:",
    ),
    "derivations/pages/loss_cards.py": (
        "ranknet: RankNet\n"
        "    paper: Burges et al. 2005\n"
        "    inputs: scores\n"
        "    when: Each negative against the positive alone: no negative meets another.\n",
        "soft_targets: Soft targets",
    ),
    "CHANGELOG.md": ("- `ranknet`, the pairwise logistic loss (T).", "- The judge"),
}
CHECKLIST = re.search(
    r"\n## How to add a loss\n.*?(?=\n## )", (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"), re.S
)[0]
STEPS = "".join(re.findall(r"\n\d+\. \[ \] .*(?:\n   .*)*", CHECKLIST))
PATHS = sorted(set(re.findall(r"`([\w/]+\.(?:py|md|toml|txt))`", STEPS)))


def git(*arguments, cwd):
    run = subprocess.run(["git", *arguments], cwd=cwd, capture_output=True, text=True, check=True)
    return run.stdout.split("\0")[:-1]


def changed(tree):
    """Return the files that differ from git's index, and those unknown to git."""
    return set(git("diff", "--name-only", "-z", cwd=tree)) | set(
        git("ls-files", "--others", "--exclude-standard", "-z", cwd=tree)
    )


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    """Copy everything that git tracks and add a thirteenth loss by the checklist."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        pytest.skip("no git, or no checkout: git lists the files that belong to the tree")
    tree = tmp_path_factory.mktemp("copy")
    for path in git("ls-files", "--cached", "--others", "--exclude-standard", "-z", cwd=ROOT):
        if (ROOT / path).is_file():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, tree / path)
    git("init", "--quiet", cwd=tree)
    git("add", "--all", cwd=tree)

    shutil.copytree(FILES, tree, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for path, (line, before) in LINES.items():
        text = (tree / path).read_text(encoding="utf-8")
        assert text.count(f"\n{before}") == 1
        (tree / path).write_text(text.replace(f"\n{before}", f"\n{line}\n{before}"), encoding="utf-8")
    return tree


def run(tree, *arguments):
    """Run Python in the copy, whose package precedes the installed one."""
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, *arguments]
    done = subprocess.run(
        command, cwd=tree, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_every_cell_of_the_new_loss_holds(tree):
    assert "every cell holds: 4 of 4" in run(tree, "-m", "infonce_ref", "verify", "--loss", NAME)


def test_its_claim_holds_and_its_proof_has_the_line(tree, tmp_path):
    said = run(tree, "-m", "infonce_ref", "ledger", "T1", "--whole", "--markdown", str(tmp_path))
    assert "[proved]" in said
    assert f"losses/{NAME}.py" in said
    assert "T1" in (tmp_path / "T.md").read_text(encoding="utf-8")


def test_the_lesson_of_the_new_loss_is_built(tree, tmp_path):
    run(tree, "-m", "infonce_ref", "lessons", "clip", "--out", str(tmp_path))
    assert "<section class='claim proved' id='T1'>" in (tmp_path / "clip.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("framework", ["torch", "jax"])
def test_the_new_loss_works_in_each_framework(tree, framework):
    pytest.importorskip(framework, reason=f"{framework} is not installed (an extra)")
    assert NAME in run(tree, "-c", f"from infonce_ref.{framework} import {NAME}; print({NAME}.__name__)")


def test_the_panel_of_the_new_loss_is_drawn(tree, tmp_path):
    run(tree, "-m", "infonce_ref", "figures", "--only", "pull_on_the_positive", "--out", str(tmp_path))
    svg = (tmp_path / "pull_on_the_positive.svg").read_text(encoding="utf-8")
    assert "T1" in svg


@pytest.mark.nightly
def test_its_own_tests_and_those_of_all_losses_pass(tree):
    files = (
        "losses",
        "verify",
        "derivations/losses",
        "derivations/test_ledger.py",
        "derivations/pages/test_lessons.py",
        "test_figures.py",
        "test_readme.py",
        "test_thirteenth_loss.py",
        "test_walls.py",
    )
    lists = "readme or ledger or every_claim or every_figure or every_file or every_loss or wheel"
    names = f"{NAME} or [T1] or (({lists}) and not slow)"
    # tests of other losses run outside the copy; a nightly one compares the README's count of cells
    names = f"({names}) and ({NAME} or not holds)"
    quietly = ("-q", "-m", "not nightly", "--numprocesses=0", "-p", "no:cacheprovider")
    said = run(tree, "-m", "pytest", *quietly, *(f"tests/{file}" for file in files), "-k", names)
    assert int(re.search(r"(\d+) passed", said)[1]) > 100  # the names above did select tests


def test_exactly_the_files_of_the_checklist_were_touched(tree):
    touched = changed(tree)
    assert touched == {path.replace("myloss", NAME) for path in PATHS}
    # its three files, and lines in the textbook, laws, edges, catalogue, cards and figure, and in the
    # lists of losses, documents and changes
    assert len([path for path in touched if NAME in path]) == 3
    assert len(touched) == 12


@pytest.mark.parametrize("loss", ALL)
def test_every_loss_has_its_name_in_all_folders(loss):
    """A file shared by several losses, a lesson or its figure may have another name."""
    named = [
        path for path in PATHS if "myloss" in path and not path.startswith(("figures", "derivations/pages"))
    ]
    assert len(named) == 2
    assert [path for path in named if not (ROOT / path.replace("myloss", loss)).is_file()] == []
