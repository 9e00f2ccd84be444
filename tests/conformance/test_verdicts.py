"""A report: verdicts, records, the grid of digits and the formula, as text and as JSON."""

import json
import math

import pytest

from infonce_ref.conformance import verdicts
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.names import Difference, Found, Reduction
from infonce_ref.conformance.numerics import Cell
from infonce_ref.conformance.verdicts import Record, Report, Verdict, equation, grid, record

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
    ("error", "status"), [(0.5, "holds"), (1.0, "holds"), (1.5, "fails"), (math.nan, "fails")]
)
def test_a_record_holds_up_to_its_tolerance(error, status):
    assert record("value", error, 1.0, "a witness", "why") == Record(
        "value", status, error, 1.0, "a witness", "why"
    )


@pytest.mark.parametrize(
    ("status", "good"), [("holds", True), ("expected", True), ("fails", False), ("unexpected", False)]
)
def test_a_record_is_good_if_it_holds_or_fails_as_expected(status, good):
    assert Record("value", status, 0, 0, "", "").good is good


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


@pytest.mark.parametrize(
    ("x", "converted"),
    [
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (2.5, 2.5),
        (3, 3),
        (True, True),
        ("inf", "inf"),
        ((1.0, [math.nan]), [1.0, [None]]),
        ({"a": {"b": math.inf}}, {"a": {"b": None}}),
    ],
)
def test_numbers_that_are_not_finite_become_null(x, converted):
    assert verdicts.convert_to_json(x) == converted


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


def test_the_grid_has_a_row_for_each_temperature_and_columns_by_dtype():
    assert grid(cells(), None) == [
        "digits   float64           float32",
        "τ        apart    aligned  apart    aligned",
        "1        9        9        3        3",
        "0.1      inf      inf      inf      inf",
    ]


def test_dtypes_go_below_one_another_if_they_do_not_fit():
    beside = grid(cells(), None)
    width = 9 + 2 * 2 * (len("aligned") + 2)
    assert grid(cells(), width) == beside
    below = grid(cells(), width - 1)
    assert [line.split() for line in below] == [
        ["digits", "float64"],
        ["τ", "apart", "aligned"],
        ["1", "9", "9"],
        ["0.1", "inf", "inf"],
        ["digits", "float32"],
        ["τ", "apart", "aligned"],
        ["1", "3", "3"],
        ["0.1", "inf", "inf"],
    ]
    assert grid(cells(), 5) == below


def test_a_place_that_was_not_asked_is_empty():
    some = [c for c in cells() if (c.dtype, c.temperature) != ("float32", 0.1)]
    assert grid(some, None)[-1].split() == ["0.1", "inf", "inf"]


def test_no_cells_make_no_grid():
    assert grid([], None) == []


def test_the_equation_of_a_mean():
    assert equation(found(), "views") == [
        "s_ac  cosine: a·c / (‖a‖ ‖c‖)",
        "D(a)  its positive, the other rows of the other view",
        "ℓ_a   log Σ_{c∈D} e^{s_c/τ} − s_p/τ",
        "loss  the mean over the anchors; anchors: the rows of both views",
        "      τ = 0.1, as measured",
    ]


@pytest.mark.parametrize(
    ("formula", "world", "says"),
    [
        ({"anchors": "first"}, "views", "anchors: the rows of the first view"),
        ({"anchors": "second"}, "views", "anchors: the rows of the second"),
        ({"anchors": "first"}, "classes", "anchors: every row"),
        ({"anchors": "first"}, "scores", "anchors: every row"),
        ({"anchors": "second"}, "scores", "anchors: every column"),
        ({"anchors": "both"}, "scores", "anchors: every row and every column"),
        ({"rows": "columns"}, "views", "the sum over the anchors; anchors: the features of the first view"),
    ],
)
def test_the_equation_says_which_anchors(formula, world, says):
    assert equation(found(ACROSS._replace(**formula)), world)[3].endswith(says)


@pytest.mark.parametrize(
    ("rows", "world", "words"),
    [
        ("unit", "views", "its positive, the other rows of the other view"),
        ("unit", "classes", "the rows of its label, the rows of other labels"),
        (
            "unit",
            "classes of views",
            "the rows of its label in the other view, the rows of other labels in the other view",
        ),
        ("given", "scores, drawn positive", "its positive, the other candidates of its row"),
        ("columns", "views", "the same feature of the other view, the other features of the other view"),
    ],
)
def test_the_equation_says_which_candidates(rows, world, words):
    assert equation(found(Formula(("positive", "other view"), rows=rows)), world)[1] == f"D(a)  {words}"


@pytest.mark.parametrize("head", ["pull", "power"])
def test_a_pull_has_no_denominator(head):
    assert not any(
        line.startswith("D(a)") for line in equation(found(Formula(("positive",), head=head)), "views")
    )


def test_a_flipped_sign_is_told():
    lines = equation(found(Formula(("positive", "other view"), sign=-1), temperature=-0.1), "views")
    assert lines[2].endswith(", with −s for s")
    assert lines[-1] == "      τ = 0.1, as measured"


@pytest.mark.parametrize(
    ("measured", "line"),
    [
        ({"factor": 2.0}, "2 × the mean over the anchors"),
        ({"factor": 1 + 5e-9}, "the mean over the anchors"),
        ({"factor": 1 + 2e-8}, "1 × the mean over the anchors"),
        ({"law": "sum", "shift": 0.5}, "the sum over the anchors + 0.5"),
        ({"shift": -0.5}, "the mean over the anchors − 0.5"),
        ({"shift": 5e-7}, "the mean over the anchors"),
        ({"shift": 2e-6}, "the mean over the anchors + 2e-06"),
    ],
)
def test_factor_and_shift_are_told_if_they_are_measurable(measured, line):
    assert equation(found(**measured), "views")[3] == f"loss  {line}; anchors: the rows of both views"


def test_every_measured_number_is_told():
    hard = Formula(("other view",), head="hard and debiased", numbers=(("prior", 0.25), ("length", 1e-3)))
    assert equation(found(hard, second=2.0), "views")[-2:] == [
        "      τ = 0.1, beta = 2, prior = 0.25, as measured",
        "      with about 0.001 added to the length of each row",
    ]


def test_without_numbers_there_is_no_line_of_them():
    assert len(equation(found(Formula(("positive",), head="pull"), temperature=None), "views")) == 3


@pytest.mark.parametrize(
    ("rows", "similarity", "world", "words"),
    [
        ("unit", "dot", "views", "cosine: a·c / (‖a‖ ‖c‖)"),
        ("given", "dot", "views", "product: a·c, rows used as they come"),
        ("given", "dot", "scores", "the scores as they come"),
        ("unit", "distance", "views", "−‖a − c‖; rows are divided by their length"),
        (
            "first unit",
            "dot",
            "views",
            "a·c; the first view is divided by its rows' length, the second is not",
        ),
    ],
)
def test_it_says_how_rows_are_compared(rows, similarity, world, words):
    formula = Formula(("positive",), rows=rows, similarity=similarity)
    assert verdicts.compare(found(formula), world) == words
