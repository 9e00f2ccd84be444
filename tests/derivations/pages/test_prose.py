"""Statements in the prose of the lessons are checked when a page is built, and rendered from the checked value."""

import pytest

from infonce_ref.derivations.pages import book, formula
from infonce_ref.derivations.pages.lesson import CODE, lessons, parse, texts
from infonce_ref.derivations.pages.situations import SITUATIONS


def written(lesson):
    return [found for text in texts(lesson) for found in formula.WRITTEN.findall(CODE.sub("", text))]


@pytest.mark.parametrize("lesson", lessons().values(), ids=lessons())
def test_statements_in_lessons_hold(lesson):
    assert all(formula.check(found) for found in written(lesson))


def test_every_situation_is_used():
    used = {found.partition(" for ")[2] for lesson in lessons().values() for found in written(lesson)}
    assert set(SITUATIONS) <= used


@pytest.mark.parametrize(
    "false",
    [
        "= 1 - P_p = M // (M + e^((s_n - s_p)/τ)) for equal negatives",
        "= log x ≤ x - 2 for x > 0",
        "= P_ip ≤ 1/9 for unit rows",
        "= zᵀ·z = 2 for a row",
        "= 2/3 > 3/4",
        "= log(1 + e^(-20)) ≈ 2.07·10^-9",
        "= log(N - 2) for ntxent of equal rows",
        "= 4·N^(2·d) for 2 products",
        "0.437: 0.07·log 510",
        "= e^-50 = 0",
        "= √(2)^2 < 2",
        "= 0.54 ≈ 0.5 < 0.52",
        "= x > 1/50 for x > 0",
        "= u ≤ 2 for u",
        "5.22: E(256) for 4096 symbols misread at 0.05",
        "27: C(256, 0.1) for the curvature at a simplex",
        "≠ 5.545: log 256",
        "≠ log N for infonce of equal rows",
    ],
)
def test_a_falsehood_is_refused(false):
    with pytest.raises(formula.Refused, match="does not hold"):
        formula.check(false)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("= log x ≤ x - 1", "x is unknown"),
        ("= log x ≤ x - 1 for x > 3", "unknown letters"),
        ("= log x", "must name a situation"),
        ("= 1 + = 2", "does not begin an expression"),
        ("= 1 +", "ends where an expression is expected"),
        ("= 2 3 = 6", "does not belong"),
        ("= 2 & 3", "no token begins"),
        ("= log 2 ≈ 2/3", "takes a number other than 0 on its right"),
        ("= 6/3·2 = 4", "part of the denominator"),
        ("= log x/y = (log x)/y for x > 0, y > 0", "a function without brackets"),
        ("= 3 + 5 mod 4 = 4", "beside mod"),
        ("given 2 = 3", "is no premise"),
        ("given e = 3", "e is the base of the natural logarithm"),
        ("given τ = -0.1", "τ is the temperature and cannot have that value"),
        ("given N = 2.5", "N is the number of rows"),
        ("≠ log N = 1 for infonce of equal rows", "is no value"),
    ],
)
def test_unreadable_formulas_are_refused(text, why):
    with pytest.raises(formula.Refused, match=why):
        formula.check(text)


def test_a_wrong_answer_is_shown_as_it_was_written():
    assert formula.check("≠ -10.0: -log 255").text == "−10.0"
    shown = formula.check("≠ log N for infonce of aligned pairs")
    assert (shown.text, shown.latex) == ("log N", r"\log N")


def test_a_lesson_whose_premises_contradict_each_other_is_not_built(monkeypatch):
    name, lesson = next(iter(lessons().items()))
    summary = "{given N = 2·B}, {given τ = 0.1}, {given N = 2·B} and {given τ = 0.2}"
    monkeypatch.setattr(book, "lessons", lambda: {name: lesson._replace(summary=summary)})
    book.choose([name])
    monkeypatch.setattr(
        book, "lessons", lambda: {name: lesson._replace(summary=f"{summary}, {{given N = B}}")}
    )
    with pytest.raises(formula.Refused, match=r"contradicts .* of the same lesson"):
        book.choose([name])


def test_a_lesson_states_nothing_in_plain_mathematics():
    with pytest.raises(ValueError, match="states '=' unchecked"):
        parse("So $x = 1$.", "lesson try")
