"""Losses written like those of strangers: each gets the answer that a careful reader of its file would give."""

import re
from pathlib import Path

import pytest

pytest.importorskip("torch")

from infonce_ref.check import Refused, check
from infonce_ref.check.target import parse_settings

pytestmark = pytest.mark.torch
WILD = Path(__file__).parent / "wild"
TEXT = (WILD / "answers.txt").read_text(encoding="utf-8")
TABLE = re.findall(r"^(\w+\.py:\w+)(.*?) (\d+): (.+)$", re.sub(r"\n +", " ", TEXT), re.MULTILINE)


@pytest.mark.parametrize(("loss", "asked", "status", "words"), TABLE)
def test_a_stranger_is_told_what_a_careful_reader_says(loss, asked, status, words):
    options = [word for word in asked.split() if word != "value"]
    tiers = {"tiers": ("formula",)} if "value" in asked else {}
    try:
        report = check(f"{WILD / loss}", **parse_settings(options), **tiers)
        found, text = report.status, report.text()
    except Refused as error:
        found, text = 2, str(error)
    if "needs tensorflow, which is not installed" in text:
        pytest.skip(text)
    assert found == int(status), text
    for each in words.split(" | "):
        wanted = each.removeprefix("without: ")
        assert (wanted in text) == (wanted == each), text
