"""The report of all tiers: what the loss is, expected failures, and which verdict they excuse."""

import numpy as np
import pytest

from infonce_ref.conformance import check
from infonce_ref.conformance.asking import Way
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Found, Reduction, find_named
from infonce_ref.conformance.question import Question
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import Refused, target
from infonce_ref.conformance.tiers import answer_question, excuse, mark_all_expected, tier_of
from infonce_ref.conformance.verdicts import Record, Verdict

CROSS = Formula(("positive", "other view"))
FOUND = Found(CROSS, -0.1, None, Reduction("mean", 1.0), 0.0, 1e-15, 1e-9, 4, 4)
QUESTION = Question(target(np.sum, {}))
(CLIP,) = find_named("clip", "views")


def nearest(found=FOUND, unit=False, notes=()):
    way = Way("two", Session(target(lambda x, y: 0.0, {}), "numpy"), unit)
    way.session.notes |= dict.fromkeys(notes)
    return Nearest(way, None, found, None, "float64")


def checked(check, status="fails"):
    return Record(check, status, 1.0, 0.5, "w", "r")


@pytest.mark.parametrize(
    ("check", "tier"),
    [
        ("formula at 5", "formula"),
        ("value", "formula"),
        ("gradient at 5", "gradient"),
        ("numerics float32 τ=1 near", "numerics"),
        ("ranks: values", "ranks"),
    ],
)
def test_the_first_word_of_a_check_tells_its_tier(check, tier):
    assert tier_of(checked(check)) == tier


def test_expected_failures_are_marked_with_their_reasons():
    records = [checked("a"), checked("b", "holds"), checked("c"), checked("d", "holds")]
    found = mark_all_expected(records, {"a": "known", "b": "mended"})
    assert [(record.status, record.reason) for record in found] == [
        ("expected", "known"),
        ("unexpected", "mended"),
        ("fails", "r"),
        ("holds", "r"),
    ]
    assert found[0]._replace(status="fails", reason="r") == records[0]


def test_an_expected_failure_of_no_check_is_refused():
    with pytest.raises(Refused, match="no check is called c, d"):
        mark_all_expected([checked("a")], {"d": "", "a": "", "c": ""})


WRONG, RIGHT = Verdict("wrong", False, "why"), Verdict("right", True, "why")


@pytest.mark.parametrize(
    ("verdict", "statuses", "word", "holds"),
    [
        (WRONG, ["expected"], "wrong, as expected", True),
        (WRONG, ["expected", "holds"], "wrong, as expected", True),
        (WRONG, ["expected", "fails"], "wrong", False),
        (WRONG, ["fails"], "wrong", False),
        (WRONG, ["holds"], "wrong", False),  # another reason than a record
        (WRONG, [], "wrong", False),
        (RIGHT, ["expected"], "right", True),
        (RIGHT, ["holds"], "right", True),
        (RIGHT, ["holds", "unexpected"], "right", False),
        (WRONG, ["expected", "unexpected"], "wrong", False),
    ],
)
def test_a_verdict_holds_if_all_its_failures_were_expected(verdict, statuses, word, holds):
    records = [checked(f"gradient {k}", status) for k, status in enumerate(statuses)]
    found = excuse("gradient", verdict, records)
    assert (found.word, found.holds) == (word, holds)
    surprise = f"gradient {statuses.index('unexpected')} holds" if "unexpected" in statuses else "why"
    assert found.sentence.startswith(surprise)


def test_records_of_another_tier_excuse_nothing():
    others = [checked("numerics", "expected"), checked("formula", "unexpected")]
    assert excuse("gradient", WRONG, others) == WRONG
    assert excuse("gradient", RIGHT, others) == RIGHT


def shares(scores):
    return np.mean(np.log(np.exp(scores).sum(axis=1)) - np.diag(scores))


def slopes(scores):
    share = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return (share - np.eye(len(scores))) / len(scores)


def half(scores):
    return slopes(scores) / 2


def ask(backward, tiers):
    return answer_question(Question(target(shares, {}, backward), "cpc", inputs="scores", tiers=tiers))


def test_every_tier_is_answered():
    report = ask(slopes, ("formula", "gradient", "numerics"))
    assert (report.loss, report.mistakes, report.temperature) == ("cpc", [], pytest.approx(1))
    assert list(report.verdicts) == ["formula", "gradient", "numerics"]
    assert [report.verdicts[tier].word for tier in ("formula", "gradient")] == ["right", "right"]
    assert {record.check.split()[0] for record in report.records} == {"formula", "gradient", "numerics"}
    assert len(report.cells) == sum(tier_of(record) == "numerics" for record in report.records) > 0


def test_a_wrong_gradient_is_told_by_its_tier_alone():
    report = ask(half, ("gradient",))
    assert [(tier, verdict.holds) for tier, verdict in report.verdicts.items()] == [("gradient", False)]
    assert {record.check.split()[0] for record in report.records} == {"gradient"}
    assert report.loss == "cpc"
    assert len(report.mistakes) == 1


def apart(x, y):
    return np.sum((x - y) ** 2) / len(x)


def by_both(x, y):
    d = 2 * (x - y) / len(x)
    return d, -d


def by_both_of_few(x, y):
    return tuple(d * (1.01 if len(x) > 64 else 1) for d in by_both(x, y))


@pytest.mark.parametrize(("backward", "word"), [(by_both, "right"), (by_both_of_few, "wrong")])
def test_a_gradient_is_asked_at_a_large_batch_too(backward, word):
    report = check(apart, backward=backward, tiers=("formula", "gradient"))
    (large,) = (one for one in report.records if one.check == "gradient at 67")
    assert large.good == (word == "right")
    assert report.verdicts["gradient"].word == word


def test_a_gradient_that_is_wrong_at_a_large_batch_is_wrong_for_a_wrong_loss_too():
    report = check(
        lambda x, y: 3 * apart(x, y),
        backward=lambda x, y: tuple(3 * d for d in by_both_of_few(x, y)),
        is_="alignment",
        tiers=("formula", "gradient"),
    )
    assert [report.verdicts[tier].word for tier in ("formula", "gradient")] == ["wrong", "wrong"]
    assert "right at a small batch" in report.verdicts["gradient"].sentence
