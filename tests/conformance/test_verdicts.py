"""A report: verdicts, records, the grid of digits and the formula, as text and as JSON."""

import json
import math

import pytest

from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.names import Difference, Found, Reduction
from infonce_ref.conformance.numerics import Cell
from infonce_ref.conformance.verdicts import Record, Report, Verdict, grid, record

ACROSS = Formula(("positive", "other view"))


def found(formula=ACROSS, temperature=0.1, second=None, law="mean", factor=1.0, **more):
    given = {"shift": 0.0, "residual": 1e-15, "tolerance": 1e-9, "candidates": 4, "size": 4} | more
    return Found(formula, temperature, second, Reduction(law, factor), **given)


def report(**fields):
    given = {
        "target": "own.loss",
        "about": "a function",
        "loss": "clip",
        "nearest": "clip",
        "options": {"reduction": "mean"},
        "temperature": 0.1,
        "mistakes": [],
        "verdicts": {"formula": Verdict("right", True, "it is clip")},
        "records": [],
    }
    return Report(**given | fields)


def cells(dtypes=("float64", "float32"), temperatures=(1.0, 0.1), alignments=("apart", "aligned")):
    return [
        Cell(dtype, t, alignment, 10.0 ** -(3 if dtype == "float32" else 9), "inf" if t < 1 else "", 1e-4)
        for dtype in dtypes
        for t in temperatures
        for alignment in alignments
    ]


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ((), 0),
        (("formula",), 1),
        (("gradient",), 4),
        (("numerics",), 8),
        (("ranks",), 16),
        (("formula", "ranks"), 17),
    ],
)
def test_the_status_adds_a_number_for_each_tier_that_does_not_hold(wrong, status):
    tiers = ("formula", "gradient", "numerics", "ranks")
    judged = report(verdicts={tier: Verdict("?", tier not in wrong, "") for tier in tiers})
    assert judged.status == status
    assert judged.holds is not wrong or not wrong
    assert judged.holds == (status == 0)


def test_json_has_every_field_and_the_status():
    difference = Difference("sign flipped", "it is minus", links=("https://a.example",))
    whole = report(
        mistakes=[difference],
        records=[record("value", math.inf, 1e-9, "w", "r")],
        cells=cells()[:1],
        equation=["s", "D"],
        verdicts={"formula": Verdict("wrong", False, "τ")},
    )
    text = whole.json()
    said = json.loads(text)
    assert said.keys() == {*Report._fields, "holds", "status"}
    assert (said["holds"], said["status"]) == (False, 1)
    assert said["verdicts"] == {"formula": {"word": "wrong", "holds": False, "sentence": "τ"}}
    assert said["mistakes"] == [difference._asdict() | {"links": ["https://a.example"]}]
    assert said["records"][0]["error"] is None
    assert said["cells"] == [cells()[0]._asdict()]
    assert (said["options"], said["equation"]) == ({"reduction": "mean"}, ["s", "D"])
    assert "τ" in text
    assert text.endswith("}\n")
    assert text.splitlines()[1].startswith(' "')


def test_the_text_has_a_line_for_each_verdict_and_shouts_what_does_not_hold():
    said = report(verdicts={"formula": Verdict("right", True, "a"), "gradient": Verdict("wrong", False, "b")})
    assert str(said).splitlines() == ["own.loss: a function", "", "formula   right: a", "gradient  WRONG: b"]


def test_the_equation_and_its_claims_stand_under_the_formula_alone():
    both = {"formula": Verdict("right", True, "a"), "gradient": Verdict("right", True, "b")}
    said = report(verdicts=both, equation=["s", "D"], claims=["F1", "F2"])
    assert said.text().splitlines()[2:] == [
        "formula   right: a",
        "          s",
        "          D",
        "          [F1, F2]: infonce-ref ledger F1",
        "gradient  right: b",
    ]
    assert (
        "          clip is [F1]: infonce-ref ledger F1"
        in report(loss=None, claims=["F1"]).text().splitlines()
    )


def test_the_grid_stands_under_the_numerics_as_wide_as_is_left():
    said = report(verdicts={"numerics": Verdict("right", True, "a")}, cells=cells())
    of_grid = [f"          {line}" for line in grid(cells(), None)]
    assert said.text().splitlines()[2:] == ["numerics  right: a", *of_grid]
    side = len(max(of_grid, key=len)) + 10
    assert said.text(side).splitlines()[3:] == of_grid
    assert len(said.text(10 + 9 + 18).splitlines()[3:]) == 8
    assert len(report(cells=cells()).text().splitlines()) == 3


def test_expected_and_unexpected_records_are_told_and_others_are_not():
    records = [
        Record(status, status, 0, 0, "", "r") for status in ("holds", "expected", "fails", "unexpected")
    ]
    assert report(records=records).text().splitlines()[3:] == [
        "expected  expected: r",
        "unexpected unexpected: r",
    ]


def test_the_first_link_of_each_mistake_is_told():
    mistakes = [Difference("m", "", links=("one", "two")), Difference("n", "")]
    assert report(mistakes=mistakes).text().splitlines()[3:] == ["reported  m: one"]


def test_lines_are_wrapped_to_the_width_and_indented():
    said = report(verdicts={"formula": Verdict("right", True, "one two-three four five six")})
    assert said.text(26).splitlines() == [
        "own.loss: a function",
        "",
        "formula   right: one",
        "          two-three four",
        "          five six",
    ]
    assert "one two-three four five six" in said.text()
