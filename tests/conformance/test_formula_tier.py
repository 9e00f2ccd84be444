"""The verdict on the formula: the loss's name, its differences from that loss, and the sentence."""

import math

import numpy as np
import pytest

from infonce_ref.conformance import formula_tier, text_tier
from infonce_ref.conformance.asking import Facts, Way, find_ways
from infonce_ref.conformance.fit import Fit
from infonce_ref.conformance.formula import Formula
from infonce_ref.conformance.formula_tier import (
    approve,
    choose_temperature,
    count_differences,
    describe,
    describe_difference,
    describe_options,
    describe_short,
    describe_unknown,
    find_formula,
    is_plain,
    judge,
    judge_found,
    name_formula,
    name_loss,
)
from infonce_ref.conformance.identification import Nearest
from infonce_ref.conformance.names import Difference, Form, Found, Reduction, find_named
from infonce_ref.conformance.question import Question
from infonce_ref.conformance.session import Session
from infonce_ref.conformance.target import Refused, target
from infonce_ref.conformance.verdicts import Record

CROSS = Formula(("positive", "other view"))
(CLIP,) = find_named("clip", "views")
KNOWN = Facts(False, False, False, False, False, True)


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def rows(logits):
    return (np.log(np.exp(logits).sum(axis=1)) - np.diag(logits)).mean()


def clip(x, y, temperature=0.1):
    logits = unit(x) @ unit(y).T / temperature
    return (rows(logits) + rows(logits.T)) / 2


LOG_10 = math.log(10)


def by_scale(x, y, logit_scale=LOG_10):
    return clip(x, y, math.exp(-logit_scale))


def found(formula=CROSS, temperature=0.1, second=None, law="mean", factor=1.0, **more):
    given = {"shift": 0.0, "residual": 1e-15, "tolerance": 1e-9, "candidates": 4, "size": 4} | more
    return Found(formula, temperature, second, Reduction(law, factor), **given)


def nearest(
    measured=None, loss=clip, name="two", unit=False, facts=KNOWN, residual=1e-15, precision="float64"
):
    measured = found() if measured is None else measured or None
    fitted = Fit((measured or found()).formula, 10.0, 0.0, 1 / 8, 0.0, residual)
    return Nearest(Way(name, Session(target(loss, {}), "numpy"), unit), fitted, measured, facts, precision)


def question(loss=clip, is_=None, **more):
    return Question(target(loss, {}), is_, **more)


def told(differences):
    return [each.mistake for each in differences]


# --- finding it -------------------------------------------------------------------------------------------


def shares(scores):
    return rows(scores)


def test_the_formula_is_found_whatever_is_claimed():
    asked = find_formula(question(shares, "supcon", inputs="scores"))  # which takes no scores
    assert asked.found.formula == Formula(("positive", "other view"), "first", "given")
    assert (asked.way.name, asked.precision) == ("scores", "float64")


@pytest.mark.parametrize(("loss", "words"), [("random", "is random"), ("raises", "raises ValueError")])
def test_a_loss_that_cannot_be_checked_is_refused(loss, words):
    rng, calls = np.random.default_rng(0), []

    def random(scores):
        return rng.standard_normal()

    def raises(scores):
        calls.append(1)
        if len(calls) > 1:
            raise ValueError("no more")
        return 1.0

    with pytest.raises(Refused, match=words if loss == "raises" else "random|keeps a state"):
        find_formula(question({"random": random, "raises": raises}[loss], inputs="scores"))


@pytest.mark.parametrize(
    ("is_", "measured", "name", "count"),
    [
        (None, found(), "two", 0),
        ("clip", found(), "two", 0),
        ("clip", found(factor=2.0, law="mean"), "two", 1),
        ("ntxent", found(), "two", 1),
        ("supcon", found(), "two", math.inf),
        ("vicreg", found(), "two", math.inf),
        (None, found(CROSS._replace(sign=-1)), "two", 1),
    ],
)
def test_differences_are_counted_from_the_claim_or_the_nearest(is_, measured, name, count):
    assert count_differences(question(is_=is_), nearest(measured, name=name)) == count


# --- temperature ------------------------------------------------------------------------------------------


def test_the_temperature_is_the_claimed_one_or_that_of_the_loss():
    assert choose_temperature(question(options={"temperature": 1}), nearest()) == (1.0, "")
    assert choose_temperature(question(), nearest()) == (0.1, "")
    assert choose_temperature(question(), nearest(loss=lambda x, y: 0.0)) == (None, "")


def test_a_scale_means_the_inverse_of_the_temperature():
    asked = nearest(loss=lambda x, y, logit_scale=10.0: by_scale(x, y, np.log(logit_scale)))
    assert choose_temperature(question(), asked) == (0.1, "logit_scale")


def test_a_temperature_given_as_a_logarithm_is_noted():
    asked = nearest(loss=by_scale)
    assert choose_temperature(question(), asked) == (pytest.approx(0.1), "")
    assert list(asked.way.session.notes) == ["logit_scale is given as its logarithm"]
    plain = nearest()
    choose_temperature(question(), plain)
    assert not plain.way.session.notes


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measured", "asked", "name", "mistakes"),
    [
        (found(), {}, "clip", []),
        (found(), {"is_": "clip"}, "clip", []),
        (found(), {"is_": "ntxent"}, "ntxent", ["same view missing"]),
        (found(), {"is_": "supcon"}, "clip", ["another loss"]),
        (found(temperature=0.2), {"is_": "clip"}, "clip", ["another temperature"]),
        (found(temperature=0.01), {}, "clip", ["temperature twice"]),
        (found(temperature=-0.1), {}, "clip", []),
        (found(), {"is_": "clip", "options": {"temperature": 0.3}}, "clip", ["another temperature"]),
        (found(), {"is_": "clip", "options": {"normalised": False}}, "clip", ["another normalised"]),
        (
            found(Formula(("positive", "same view", "other view")), law="sum"),
            {"is_": "ntxent", "options": {"reduction": "sum"}},
            "ntxent",
            [],
        ),
        (
            found(Formula(("positive", "same view", "other view")), law="sum"),
            {"is_": "ntxent"},
            "ntxent",
            ["sum for mean"],
        ),
    ],
)
def test_a_formula_is_named(measured, asked, name, mistakes):
    loss = (
        clip if measured.reduction.law == "mean" else (lambda x, y: 0.0)
    )  # without a temperature to ask about
    named, differences = name_formula(question(loss, **asked), nearest(measured, loss))
    assert (named.name, told(differences)) == (name, mistakes)


def test_scores_have_their_callers_temperature():
    scores = found(CROSS._replace(rows="given"), 1.0)
    asked = nearest(scores, shares, "scores")
    assert name_formula(question(options={"temperature": 0.3}), asked)[1] == []


def test_a_loss_that_fits_on_unit_rows_alone_is_told():
    assert told(name_formula(question(is_="clip"), nearest(unit=True))[1]) == ["unit rows alone"]
    assert told(name_formula(question(), nearest(unit=True))[1]) == []


def test_the_temperature_that_is_not_used_is_told():
    def fixed(x, y, temperature=0.1):
        return clip(x, y)

    assert told(name_formula(question(fixed), nearest(loss=fixed))[1]) == ["temperature not used"]


def test_entries_of_no_reduction_are_compared():
    def entries(x, y):
        return clip(x, y)

    _, differences = name_formula(
        question(entries, "clip", options={"reduction": "none"}), nearest(loss=entries)
    )
    assert told(differences) == ["another reduction"]


def test_without_a_formula_there_is_no_name():
    named, differences = name_formula(question(), nearest(False, residual=0.5))
    assert (named, told(differences)) == (None, ["no formula fits"])


@pytest.mark.parametrize(
    ("facts", "mistakes"),
    [
        (KNOWN, []),
        (None, []),
        (KNOWN._replace(coordinates=True), ["single coordinates"]),
        (KNOWN._replace(pairing=False), ["pairs do not matter"]),
        (KNOWN._replace(order=True), ["order matters"]),
        (KNOWN._replace(length_of_x=True), ["one side normalised"]),
        (KNOWN._replace(length_of_y=True), ["one side normalised"]),
        (KNOWN._replace(length_of_x=True, length_of_y=True), []),
    ],
)
def test_facts_of_an_unknown_loss_are_told(facts, mistakes):
    assert told(describe_unknown(nearest(False, facts=facts, residual=0.5))) == [*mistakes, "no formula fits"]


def test_the_order_of_labels_is_no_mistake():
    labelled = nearest(False, lambda x, y, labels: 0.0, "two with labels", facts=KNOWN._replace(order=True))
    assert told(describe_unknown(labelled)) == ["no formula fits"]


def test_the_nearest_formula_is_told_if_it_is_near():
    near = list(describe_unknown(nearest(False, residual=9e-4)))[-1].sentence
    assert near.startswith("the nearest formula is off by 0.09 % of what the values vary: log Σ")
    assert near.endswith("at τ = 0.1")
    far = list(describe_unknown(nearest(False, residual=2e-3)))[-1].sentence
    assert far == "no formula of the family comes within 0.1 % of its values"
    unfitted = nearest(False)._replace(fit=None)
    assert list(describe_unknown(unfitted))[-1].sentence.startswith("it is another function")
    pull = nearest(False)
    pull = pull._replace(fit=pull.fit._replace(formula=CROSS._replace(head="pull")))
    assert "τ" not in list(describe_unknown(pull))[-1].sentence


@pytest.mark.parametrize(
    ("anchors", "who"), [("both", "both views"), ("first", "the first view"), ("second", "the second view")]
)
def test_a_formula_in_a_few_words(anchors, who):
    words = describe(Formula(("positive",), anchors, head="pull"))
    assert words == f"−s_p, D: positive, anchors: {who}, rows: unit"


def test_the_head_tells_what_is_nearest():
    assert describe_short(nearest()) == "cross-entropy"
    assert describe_short(nearest()._replace(fit=None)) == "nothing"


# --- texts ------------------------------------------------------------------------------------------------


def texts(loss, is_="clip", measured=None, **more):
    asked = question(loss, is_, **more)
    return asked, nearest(measured, loss), text_tier.ask(asked, nearest(measured, loss))


def test_a_loss_that_its_text_computes_has_its_name():
    asked, held, compared = texts(clip)
    named, mistakes = name_loss(asked, held, compared)
    assert (named.name, mistakes) == ("clip", [])
    other = held._replace(found=None)
    named, mistakes = name_loss(asked, other, compared)
    assert (named.name, mistakes) == ("clip", [])


def test_without_texts_the_formula_has_the_name():
    named, mistakes = name_loss(question(is_="ntxent"), nearest(), [])
    assert (named.name, told(mistakes)) == ("ntxent", ["same view missing"])
    named, mistakes = name_loss(question(), nearest(), [])
    assert (named.name, mistakes) == ("clip", [])


@pytest.mark.parametrize(
    ("loss", "mistake"),
    [
        (lambda x, y, temperature=0.1: clip(x, y, temperature) + 0.25, "constant added"),
        (lambda x, y, temperature=0.1: clip(x, y, temperature) * 1.25, "other options"),
        (lambda x, y, temperature=0.1: math.nan, "value not finite"),
    ],
)
def test_a_loss_that_fits_differs_from_its_text(loss, mistake):
    asked, _, compared = texts(loss)
    difference = describe_difference(asked, compared)
    assert difference.mistake == mistake
    assert mistake != "constant added" or "+0.25" in difference.sentence


def test_a_loss_of_the_claimed_formula_is_compared_with_its_text_too():
    def higher(x, y, temperature=0.1):
        return clip(x, y, temperature) + 0.25

    asked, held, compared = texts(higher)
    assert told(name_loss(asked, held, compared[:1])[1]) == ["constant added"]
    assert name_loss(asked._replace(is_=None), held, compared[:1])[1] == []


def test_a_formula_is_plain_in_its_usual_direction_and_form():
    _, _, (text, *_) = texts(clip)
    assert is_plain(CROSS, text)
    assert not is_plain(CROSS._replace(anchors="first"), text)
    assert not is_plain(CROSS._replace(head="sigmoid"), text)


# --- the verdict ------------------------------------------------------------------------------------------


def test_a_right_formula():
    verdict, records = judge(question(), nearest(), CLIP, [])
    assert (verdict.word, verdict.holds) == ("right", True)
    assert verdict.sentence == "it is clip, τ = 0.1, normalised=True"
    assert records[0][:5] == ("formula", "holds", 1e-15, 1e-10, "cross-entropy at 4 and 6 pairs")
    assert [record.check for record in records[1:]] == [
        "formula at 5",
        "formula at 32",
        "formula at 67",
        "formula at 8",
        "formula in float32",
        "formula by columns",
    ]


def test_a_formula_of_small_batches_alone_is_wrong():
    def large(x, y):
        return clip(x, y) * (1 if len(x) < 32 else 2)

    verdict, records = judge(question(large), nearest(loss=large), CLIP, [])
    assert (verdict.word, verdict.holds) == ("wrong", False)
    assert verdict.sentence.startswith("clip at 4 and 6 pairs, and not the same formula at 32 pairs")
    assert [record.good for record in records] == [True, True, False, False, True, True, True]


def test_another_loss_in_float32_is_wrong():
    def single(x, y):
        return clip(x, y) * (1.5 if x.dtype == np.float32 else 1)

    verdict, _ = judge(question(single), nearest(loss=single), CLIP, [])
    assert (verdict.word, verdict.holds) == ("wrong", False)
    assert verdict.sentence == "clip at 4 and 6 pairs, and not the same formula in float32: off by 5.0e-01"


def test_the_first_batch_at_which_it_differs_is_told():
    def odd(x, y):
        return clip(x, y) * (2 if len(x) % 2 else 1)

    sentence = judge(question(odd), nearest(loss=odd), CLIP, [])[0].sentence
    assert sentence.startswith("clip at 4 and 6 pairs, and not the same formula at 5 pairs")


def test_a_loss_that_its_text_alone_computes_is_right():
    form = Form((), name="vicreg")
    verdict, records = judge(question(is_="vicreg"), nearest(False, residual=0.5), form, [])
    assert (verdict.word, verdict.holds) == ("right", True)
    assert records == [Record("formula", "holds", 0.0, 1e-10, "the text of vicreg", records[0].reason)]


MISTAKE = Difference("order matters", "the order matters")
UNFIT = Difference("no formula fits", "nothing fits")


@pytest.mark.parametrize(
    ("is_", "mistakes", "word", "sentence"),
    [
        (None, [UNFIT], "unknown", "nothing fits"),
        ("clip", [UNFIT, MISTAKE], "unknown", "nothing fits; the order matters"),
        ("clip", [MISTAKE], "wrong", "not clip: the order matters"),
        (None, [MISTAKE], "unknown", "the order matters"),
        (None, [], "unknown", "no formula of the family"),
    ],
)
def test_a_loss_without_formula_is_unknown_or_not_the_claimed_one(is_, mistakes, word, sentence):
    verdict, records = judge(question(is_=is_), nearest(False, residual=0.5), None, mistakes)
    assert verdict == (word, False, sentence)
    assert [(record.check, record.status) for record in records[1:]] == [
        (d.mistake, "fails") for d in mistakes
    ]
    assert (records[0].status, records[0].error) == ("fails", 0.5)


def test_without_a_fit_nothing_holds():
    _, records = judge(question(), nearest(False)._replace(fit=None), None, [UNFIT])
    assert (records[0].error, records[0].status) == (math.inf, "fails")


HELD = Record("mean over B", "holds", math.inf, 0.0, "clip", "twice")


@pytest.mark.parametrize(
    ("is_", "mistakes", "word", "holds", "status"),
    [
        (None, ["mean over B"], "variant", True, "holds"),
        (None, ["sign flipped"], "wrong", False, "fails"),
        (None, ["temperature twice"], "wrong", False, "fails"),
        (None, ["mean over all rows"], "wrong", False, "fails"),
        (None, ["mean over B", "temperature twice"], "wrong", False, "fails"),
        (None, ["sequences mixed"], "unknown", False, None),
        ("clip", ["mean over B"], "wrong", False, "fails"),
        ("clip", ["sequences mixed"], "wrong", False, "fails"),
        ("clip", ["not normalised"], "right on unit rows", False, "fails"),
        ("clip", ["unit rows alone", "not normalised"], "right on unit rows", False, "fails"),
        ("clip", ["not normalised", "mean over B"], "wrong", False, "fails"),
        (None, [], "right", True, None),
    ],
)
def test_mistakes_decide_the_verdict(is_, mistakes, word, holds, status):
    differences = [Difference(name, f"about {name}") for name in mistakes]
    own = Record("formula", "holds", 0.0, 1.0, "w", "r")
    verdict, records = judge_found(question(is_=is_), nearest(), found(), CLIP, differences, [own])
    assert (verdict.word, verdict.holds) == (word, holds)
    assert all(f"about {name}" in verdict.sentence for name in mistakes)
    assert records[0] == own
    assert [record.status for record in records[1:]] == ([status] * len(mistakes) if status else [])


def test_mistakes_of_the_formula_are_wrong_without_a_claim():
    flipped = found(CROSS._replace(similarity="absolute"))
    verdict, _ = judge_found(question(), nearest(flipped), flipped, CLIP, flipped.mistakes, [])
    assert verdict.word == "wrong"


@pytest.mark.parametrize(
    ("mistakes", "word"), [([], "right for pairs"), (["mean over B"], "variant for pairs")]
)
def test_labels_of_pairs_tell_less_than_those_of_classes(mistakes, word):
    def labelled(w, labels):
        return float(np.sum(w))

    asked = nearest(loss=labelled, name="pairs with labels")
    differences = [Difference(name, name) for name in mistakes]
    verdict, _ = judge_found(question(labelled), asked, found(), CLIP, differences, [])
    assert (verdict.word, verdict.holds) == (word, False)
    chosen = question(labelled, inputs="pairs with labels")
    assert judge_found(chosen, asked, found(), CLIP, [], [])[0].word == "right"


def test_a_right_loss_is_told_with_what_is_special():
    added = found(CROSS._replace(numbers=(("length", 1e-8),)))
    assert approve(nearest(added), added, CLIP).sentence.endswith(
        ", with about 1e-08 added to the length of each row"
    )
    rough = approve(nearest(residual=2e-6), found(), CLIP).sentence
    assert rough.endswith(
        ", but for 2e-06 of what its values vary: a part of it is rounded to a coarser dtype"
    )
    assert approve(nearest(residual=2e-6, precision="float32"), found(), CLIP).sentence.endswith("=True")
    assert approve(nearest(unit=True), found(), CLIP).sentence.endswith(", on rows of length 1 alone")
    assert approve(nearest()._replace(fit=None), found(), CLIP).word == "right"


def test_a_right_loss_of_labels_is_told_as_such():
    labelled = nearest(loss=lambda x, y, labels: 0.0, name="two with labels")
    assert approve(labelled, found(), CLIP).word == "right for pairs"
    classes = nearest(loss=lambda x, y, labels: 0.0, name="two with classes")
    assert "as in UniCL" in approve(classes, found(), CLIP).sentence


@pytest.mark.parametrize(
    ("measured", "words"),
    [
        (found(), ", τ = 0.1, normalised=True"),
        (found(temperature=None), ", normalised=True"),
        (found(CROSS._replace(head="sigmoid"), second=1 / 3), ", τ = 0.1, normalised=True, bias 0.333333"),
    ],
)
def test_options_in_words(measured, words):
    assert describe_options(measured, CLIP) == words
    assert describe_options(found(temperature=None), Form(("positive",), reductions=("mean",))) == ""


def test_ways_are_those_in_which_the_loss_can_be_called():
    assert {way.name for way in find_ways(target(clip, {}))} >= {"two"}
    assert formula_tier.CONSTANT == formula_tier.NEAR
