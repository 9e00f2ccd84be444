"""The page on a loss of one's own, followed word for word."""

import re
from pathlib import Path

import pytest

from infonce_ref.cli import main

PAGE = (Path(__file__).parent.parent / "docs" / "own-loss.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", PAGE, re.S | re.M)
FILE, CHAIN = (text for language, text in BLOCKS if language)
PRINTED, REFUSED = (text for language, text in BLOCKS if not language)


@pytest.fixture
def prove(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def run(*parts):
        Path("margin.py").write_text("\n".join(parts), encoding="utf-8")
        status = main(["prove", "margin.py"])
        return status, *capsys.readouterr()

    return run


def test_the_command_prints_what_the_page_shows(prove):
    status, out, _ = prove(FILE)
    command, *shown = re.split(r"\n\n(?=the gradient)|…\n", PRINTED)
    assert status == 0
    assert command == "infonce-ref prove margin.py"
    assert all(part.rstrip() in out for part in shown), out


def test_its_chain_is_proved(prove):
    status, out, _ = prove(FILE, CHAIN)
    assert status == 0
    assert "proved: 3" in out


def test_a_wrong_line_is_refused_as_the_page_says(prove):
    one, two = "Integer(1)", "Integer(2)"
    status, _, err = prove(FILE, CHAIN.replace(one, two))
    assert status == 1
    where = re.compile(r"line \d+")
    assert where.sub("line", err) == where.sub("line", REFUSED)
