"""Every block of the README runs and prints what it shows."""

import re
import shlex
import webbrowser
from pathlib import Path

import pytest

from infonce_ref.derivations.pages.claim_card import check_card

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")

BLOCKS = re.findall(r"```(\w*)\n(.*?)```", TEXT, re.S)
MINE, _ = (text for kind, text in BLOCKS if kind == "python")  # the loss for `check` comes first
COMMANDS, VERIFY, CHECK = (text for kind, text in BLOCKS if kind == "")
(FORMULAS,) = (text for kind, text in BLOCKS if kind == "text")
DOORS = dict(re.findall(r"^\| \*\*(.+?)\*\*[^|]* \| `(pip install .+?)` \|$", TEXT, re.M))
# rounding errors depend on the machine, and so does the input that is nearest to its tolerance
ROUNDING = re.compile(r"\d+e-\d+|(?<=^infonce          )\w+ +")


@pytest.fixture
def run_door(command):
    """Run a command of the README's table after its installation."""
    return lambda name: command(*shlex.split(DOORS[name].rpartition(" && ")[2])[1:])


def assert_begins(printed, shown):
    """Assert that the shown lines are the first printed ones, and that the last shown line is "…"."""
    *lines, rest = shown.rstrip().splitlines()
    assert rest == "…"
    assert [ROUNDING.sub("", line) for line in printed.splitlines()[: len(lines)]] == [
        ROUNDING.sub("", line) for line in lines
    ]


def test_each_command_of_the_table_installs_what_it_needs():
    assert list(DOORS) == ["Check my loss", "Read", "Teach"]
    extras = [
        re.match(r'pip install (\.|"\.\[\w+\]") && infonce-ref (\w+)', words).groups()
        for words in DOORS.values()
    ]
    assert extras == [(".", "check"), ('".[lessons]"', "lessons"), ('".[lessons]"', "figures")]


@pytest.mark.slow
def test_the_first_command_prints_what_the_readme_shows(monkeypatch, run_door):
    monkeypatch.chdir(ROOT)
    status, out, _ = run_door("Check my loss")
    assert status == 1  # because the loss is wrong
    words, shown = CHECK.split("\n", 1)
    assert words == f"$ {DOORS['Check my loss'].rpartition(' && ')[2]}"
    assert_begins(out, shown)


def test_the_readme_shows_the_loss_that_is_checked():
    assert (ROOT / "infonce_ref" / "check" / "example.py").read_text(encoding="utf-8").endswith(f"\n{MINE}")


@pytest.mark.nightly  # .ci/run runs this command itself
def test_the_second_command_opens_the_lessons(tmp_path, monkeypatch, run_door):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda page: opened.append(page) or True)
    monkeypatch.chdir(tmp_path)
    assert run_door("Read")[0] == 0
    assert len(opened) == 1


@pytest.mark.slow
def test_the_third_command_draws_a_figure(tmp_path, monkeypatch, run_door):
    monkeypatch.chdir(tmp_path)
    status, out, _ = run_door("Teach")
    assert status == 0
    assert Path(out.splitlines()[0]).stat().st_size > 10_000


@pytest.mark.nightly
def test_verify_begins_with_what_the_readme_shows(command):
    """This is the first of the two commands, which .ci/run runs in an empty environment."""
    assert COMMANDS.splitlines()[0].endswith("infonce-ref verify")
    status, out, _ = command("verify")
    assert status == 0
    assert_begins(out, VERIFY)


def test_its_formulas_are_those_of_the_ledger():
    for id, line in zip(("D1.6", "D2.8"), FORMULAS.splitlines(), strict=True):
        left, right = re.split("   +", line)[0].split(" = ")
        said = {run.text for runs in check_card(id).said.values() for run in runs if run.mark}
        assert any(one.startswith(f"{left} = ") and one.endswith(f" = {right}") for one in said), line


def test_the_explanation_of_digits_prints_what_its_page_shows(tmp_path, monkeypatch, command):
    page = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"```\npython -c '\n(.*?)'\n\$ infonce-ref (.*?)\n(.*?)```", page, re.S)
    code, words, shown = found
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    status, out, _ = command(*words.split())
    assert status == 0
    assert_begins(out, shown)


def test_the_readme_stays_short():
    assert len(TEXT.splitlines()) <= 100
