"""Losses written like those of strangers: each gets the answer that a careful reader of its file would give."""

from pathlib import Path

import pytest
from few import few

pytest.importorskip("torch")

from infonce_ref.conformance import Refused, check

WILD = Path(__file__).parent / "wild"
# file:name, how it is asked, exit status, words of the report (after a "no " words that it must not have)
TABLE = [
    # how it is called
    (
        "unit_rows.py:loss",
        {},
        0,
        ["ntxent, τ = 0.05", "on rows of length 1, for on others", "gradient  right"],
    ),
    (
        "insists_on_unit_rows.py:InfoNCE",
        {},
        0,
        ["query_key, τ = 0.07", "others it raises", "gradient  right"],
    ),
    ("cold_numpy.py:supcon", {}, 0, ["variant: nearest to supcon", "it is asked on rows of length 1"]),
    ("cold_numpy.py:supcon", {"is_": "supcon"}, 1, ["RIGHT ON UNIT ROWS: supcon"]),
    # its value and its gradient
    # forms, and mistakes, that it may have
    ("many_in_one_log.py:loss", {}, 0, ["clip: the positives' probabilities are added before the logarithm"]),
]
QUICK = ("many_in_one_log.py:loss", "unit_rows.py:loss")


@pytest.mark.parametrize(("loss", "asked", "status", "words"), few(TABLE, lambda case: case[0] in QUICK))
def test_a_stranger_is_told_what_a_careful_reader_says(loss, asked, status, words):
    try:
        report = check(f"{WILD / loss}", **asked)
        found, text = report.status, report.text()
    except Refused as error:
        found, text = 2, str(error)
    assert found == status, text
    for each in words:
        wanted = each.removeprefix("no ")
        assert (wanted in text) == (wanted == each), text
