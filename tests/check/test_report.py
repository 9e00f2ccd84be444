"""A report is for the person: what it is or what is wrong, where, the line that mends it, and the digits."""

import json
import re
import shlex
from inspect import getsourcelines
from pathlib import Path

import numpy as np
import pytest
from check.plain import unit

from infonce_ref.check import Report, check


def partner(s):
    n = len(s)
    return s[np.arange(n), np.roll(np.arange(n), n // 2)]


def right(x, y, temperature=0.2):
    e = np.exp(unit(x) @ unit(y).T / temperature)
    return -np.log(np.diag(e) / e.sum(axis=1)).mean()


def squared(x, y, temperature=0.2):
    e = np.exp(unit(x) @ unit(y).T / temperature**2)
    return -np.log(np.diag(e) / e.sum(axis=1)).mean()


def itself(z, temperature=0.5):
    s = unit(z) @ unit(z).T / temperature
    return np.mean(np.log(np.exp(s).sum(axis=1)) - partner(s))


def over_columns(x, y, temperature=0.2):
    e = np.exp(unit(x) @ unit(y).T / temperature)
    return -np.log(np.diag(e) / e.sum(axis=0)).mean()


def raw(z, temperature=0.5):
    s = z @ z.T / temperature
    np.fill_diagonal(s, -np.inf)
    return np.mean(np.logaddexp.reduce(s, axis=1) - partner(s))


def added_twice(x, y, temperature=0.2):
    s = unit(x) @ unit(y).T / temperature
    loss = np.logaddexp.reduce(s, axis=1) + np.logaddexp.reduce(s, axis=0) - 2 * np.diag(s)
    return np.mean(loss)


def slopes(x, y, temperature=0.5):
    e = np.exp(x @ y.T / temperature)
    g = (e / e.sum(axis=1, keepdims=True) - np.eye(len(x))) / temperature / len(x)
    return g @ y, g @ x


def of_products(x, y, temperature=0.5):
    s = x @ y.T / temperature
    return np.mean(np.logaddexp.reduce(s, axis=1) - np.diag(s))


def hidden(x, y):
    return right(x, y, 0.2)


def first_positive(x, y, temperature=0.2):
    s = unit(x) @ unit(y).T / temperature
    return (np.logaddexp.reduce(s, axis=1) - s[np.arange(len(s)), np.zeros(len(s), dtype=int)]).mean()


def of_unit_rows(x, y, temperature=0.1):
    assert np.allclose(np.linalg.norm(x, axis=1), 1), "normalise first"
    return right(x, y, temperature)


def row(loss, status, *words, slow=False, **asked):
    """A loss, the exit status, lines or parts of lines of the report in their order, and how it is asked."""
    return pytest.param(loss, asked, status, words, marks=[pytest.mark.slow] if slow else ())


TABLE = [
    row(
        right,
        0,
        "right: right: it is cpc, τ = 0.2",
        "formula   right",
        "textbook.cpc_of_rows: CPC of the scores",
        "numerics  right, and overflows at small temperatures: float32: NaN from τ = 0.01, random rows",
        "digits for random rows / similar views / nearly equal views",
        "at τ =  float64      float32",
        "asked     a NumPy function of two arrays of B rows, row i of each a pair; has the precision of float64",
        "read      [D3.30",
    ),
    row(
        squared,
        1,
        "squared: WRONG: not cpc: the temperature is applied twice",
        "e = np.exp(unit(x) @ unit(y).T / temperature**2)",
        "fix: e = np.exp(unit(x) @ unit(y).T / temperature)",
        "(tried: then it is cpc)",
        is_="cpc",
    ),
    row(
        itself,
        1,
        "itself: WRONG: not ntxent: the anchor stands in its own denominator",
        "where     FILE, line LINE: s = unit(z) @ unit(z).T / temperature",
        "fix: np.fill_diagonal(s, -np.inf)",
        "- among = everything & ~itself",
        "+ among = everything",
        "reported  self in denominator: https://",
        is_="ntxent",
    ),
    row(
        over_columns, 1, "fix: return -np.log(np.diag(e) / e.sum(axis=1)).mean()", is_="cpc", anchors="first"
    ),
    row(raw, 1, "RIGHT ON UNIT ROWS", "fix: z = z / np.linalg.norm(z, axis=-1, keepdims=True)", is_="ntxent"),
    row(added_twice, 1, "WRONG: not clip: ", "twice the mean", "fix: return (np.mean(loss)) / 2", is_="clip"),
    row(
        first_positive,
        1,
        "first_positive: UNKNOWN",
        "fix: return",
        "np.arange(len(s), dtype=int)]).mean()",
        "(tried: then it is cpc)",
        is_="cpc",
        tiers=("formula",),
        slow=True,
    ),
    row(
        of_products,
        4,
        "gradient WRONG: G times the first view",
        "fix: return g @ y, g.T @ x",
        backward=slopes,
    ),
    row(hidden, 0, "asked at this temperature alone", "asked at its own temperature alone"),
    row(of_unit_rows, 0, "it is cpc, τ = 0.1", "on rows of length 1 alone", "for on others it raises"),
]


@pytest.mark.parametrize(
    ("loss", "asked", "status", "words"), TABLE, ids=lambda x: getattr(x, "__name__", None)
)
def test_the_report_says_in_this_order(loss, asked, status, words, monkeypatch):
    monkeypatch.chdir(Path(__file__).parent)
    report = check(loss, **asked)
    text, at = report.text(), 0
    assert report.status == status, text
    for each in words:
        line = getsourcelines(loss)[1] + 1
        each = each.replace("FILE", Path(__file__).name).replace("LINE", str(line))
        assert each in text[at:], f"{each}\n---\n{text}"
        at = text.index(each, at)


def test_a_report_fits_its_width_and_json_has_all_of_it():
    report = check(right)
    assert max(map(len, report.text(80).splitlines())) <= 80
    said = json.loads(report.json())
    assert said.keys() == {*Report._fields, "holds", "status"}
    assert (said["holds"], said["status"], said["loss"]) == (True, 0, "cpc")
    assert said["verdicts"]["formula"] == {
        "word": "right",
        "holds": True,
        "sentence": report.verdicts["formula"].sentence,
    }
    assert {r["status"] for r in said["records"]} == {"holds", "fails"}
    assert said["cells"][0].keys() == {"dtype", "temperature", "alignment", "error", "came", "explained"}
    wrong = json.loads(check(squared, is_="cpc", tiers=("formula",)).json())
    assert wrong["mistakes"][0].keys() == {"mistake", "sentence", "kind", "claim", "links"}


def test_the_page_shows_a_report(monkeypatch, command):
    root = Path(__file__).parents[2]
    page = (root / "docs" / "check.md").read_text(encoding="utf-8")
    words, shown = re.search(r"\$ infonce-ref (.*)\n((?:.|\n)*?)```", page).groups()
    monkeypatch.chdir(root)
    status, out, _ = command(*shlex.split(words))
    assert status == 1
    assert re.fullmatch("(.|\n)*".join(map(re.escape, shown.split("…\n"))), out)


REPORTS = []


def test_the_line_of_a_lambda_is_not_run_again():
    REPORTS.append(check(lambda x, y: 2 * right(x, y), is_="cpc", tiers=("formula",)))
    (report,) = REPORTS
    assert [line for line in report.fix if "where" in line]


def test_advice_on_digits_is_given_at_the_temperature_at_which_they_are_lost():
    assert "softplus" not in check(added_twice).text()
    assert "softplus(logsumexp of the negatives" in check(added_twice, temperature=0.01).text()


@pytest.mark.parametrize(
    ("loss", "reasons", "status", "words"),
    [
        (squared, {"temperature twice": "on purpose"}, 0, "wrong, as expected"),
        (lambda x, y, temperature=0.2: 2 * squared(x, y, temperature), {"twice": "so"}, 1, "WRONG: not cpc"),
        (right, {"temperature_twice": "so"}, 1, "temperature twice holds, though it was expected to fail"),
        (right, {"formula": "on purpose"}, 1, "formula holds, though it was expected to fail"),
    ],
)
def test_a_failure_may_be_expected_and_must_occur(loss, reasons, status, words):
    report = check(loss, is_="cpc", tiers=("formula",), expected_failures=reasons)
    assert report.status == status
    assert words in report.text()
