"""Every usual signature is called without an adapter, and the report says what was decided."""

import pytest

pytest.importorskip("torch")

from check import strangers

from infonce_ref.check import Refused, check

pytestmark = pytest.mark.torch

TABLE = [  # loss, settings, expected name, expected note on how it was called
    ("BatchSize", {"temperature": 0.2}, "ntxent", "it is given each batch size"),
    ("size_in_call", {}, "cpc", "it is given each batch size"),
    ("OnCard", {}, "cpc", "it asks for a GPU: run on the CPU"),
    ("rows", {}, "cpc", "a number for each row: their mean is judged"),
    ("views", {}, "clip", "a list of two arrays"),
    ("keyword_labels", {}, "supcon", "rows and their labels"),
    ("logits_with_labels", {}, "cpc", "a matrix of scores and the column of each row's positive"),
    ("views_of_classes", {}, "supcon", "(B, 2, d), the two views of each, and the B labels"),
    ("labels_by_choice", {}, "ntxent", "(B, 2, d), the two views of each"),
    ("of_sequences", {}, "cpc", "two sequences have the mean of their losses"),
    ("of_steps", {}, "cpc", "two sequences have the mean of their losses"),
    ("all_steps", {}, "cpc", "two sequences have the loss of all rows in place of their losses"),
    ("by_mask", {}, "cpc", "a mask that is true at the positives"),
    ("by_numbers", {}, "cpc", "a mask of integers, 1 at the positives"),
    ("queue_of_columns", {}, "query_key", "negatives (d, M) for all"),
    ("by_two_masks", {}, "cpc", "a mask (B, B) that is true at the pairs, and one that is true elsewhere"),
    ("NoiseContrast", {"n_data": 100}, "nce", "a matrix of e^score, each row's positive in its first column"),
    ("OldSpelling", {"T": 0.2}, "ntxent", "it is given each batch size"),
]


@pytest.mark.parametrize(("name", "settings", "loss", "note"), TABLE)
def test_a_usual_signature_needs_no_adapter(name, settings, loss, note):
    report = check(getattr(strangers, name), settings=settings, tiers=("formula",))
    assert report.loss == loss, report
    assert note in report.about
    tau = 1 if "score" in report.about else 0.2  # the number by which every other loss here divides
    assert report.temperature == pytest.approx(tau, rel=1e-6, abs=0)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "raises_deep",
            r"raises ValueError: embeddings .*strangers.py, line \d+\), given two arrays of B rows",
        ),
        ("unlabelled", r"unlabelled returns one, other: none is a number; say which with take=…"),
    ],
)
def test_a_refusal_says_what_was_given_and_what_to_do(name, words):
    with pytest.raises(Refused, match=words):
        check(getattr(strangers, name))


def test_settings_of_the_loss_and_options_of_check_are_separate():
    report = check(strangers.named_as_options, settings={"device": "cpu", "inputs": 0.2, "take": 1}, take=1)
    assert report.loss == "cpc"
    with pytest.raises(Refused, match=r"takes no device.*; device=… is an argument of the check"):
        check(strangers.rows, settings={"device": "cpu"})


@pytest.mark.slow
def test_settings_of_the_loss_may_have_the_names_of_options(command):
    words = ("--is", "ntxent", "--with", "device=cpu", "temperature=0.2")
    status, out, _ = command("check", f"{strangers.__file__}:BatchSize", *words)
    assert status == 0
    assert "gradient  right" in out


@pytest.mark.parametrize(
    ("name", "claim", "word", "words"),
    [
        ("of_record", None, "right", ["it is clip, τ = 0.1", "a dict that is asked for two arrays"]),
        ("in_part_float32", None, "right", ["a part of it is rounded to a coarser dtype"]),
        ("distance_to_target", None, "right", ["the second view is detached, as a target is"]),
        ("keys_first", None, "right", ["the keys are held constant"]),
        ("first_sequence", None, "wrong", ["of two sequences one does not enter the loss"]),
        ("pooled", None, "unknown", ["of one sequence it is"]),
        ("of_all_similarities", None, "right", ["it is ntxent, τ = 0.2", "the products of all rows"]),
        (
            "with_hard_negatives",
            None,
            "variant",
            ["query_key", "each query's positive and then its negative"],
        ),
        ("autocast", None, "unknown", ["half precision keeps too few digits", "gradient  UNKNOWN"]),
        ("row_sums", None, "unknown", []),
        ("focal", None, "unknown", ["gradient  UNKNOWN", "may be held constant on purpose"]),
        ("barlow_twins", "barlow_twins", "right", ["added to the variance of each column", "was float64"]),
    ],
)
def test_an_unusual_signature_is_called_too(name, claim, word, words):
    report = check(getattr(strangers, name), is_=claim, tiers=("formula", "gradient"))
    assert (report.verdicts["formula"].word, report.holds) == (word, word in ("right", "variant"))
    assert [each for each in words if each not in str(report)] == []


@pytest.mark.slow
def test_a_teacher_that_is_held_constant_is_reported_and_not_called_wrong():
    verdict = check(strangers.student_of_a_queue, inputs="queue", tiers=("gradient",)).verdicts["gradient"]
    assert verdict.word == "right"
    assert "y and negatives constant" in verdict.sentence


def test_optional_labels_are_given_if_the_claim_has_classes():
    assert check(strangers.labels_by_choice, is_="supcon", tiers=("formula",)).holds
    report = check(strangers.labels_by_choice, is_="ntxent", tiers=("formula",))
    assert report.holds
    assert "asked without labels, mask, which it may be given" in report.about


@pytest.mark.parametrize(
    ("name", "claim", "mistakes"),
    [
        ("rows", "cpc", []),
        ("turned", "cpc", ["entries differ"]),
        ("of_both", "clip", []),
        ("size_in_call", "cpc", ["another reduction"]),
    ],
)
def test_without_reduction_each_entry_is_the_loss_of_its_anchor(name, claim, mistakes):
    report = check(getattr(strangers, name), is_=claim, tiers=("formula",), reduction="none")
    assert [m.mistake for m in report.mistakes] == mistakes
