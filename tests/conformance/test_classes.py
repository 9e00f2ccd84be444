"""A loss of labels is checked at other labels, with a row alone, with one class, and with labels far apart."""

import numpy as np
import pytest
from conformance.fitted import CPC, log_sums, nearest, unit

from infonce_ref.conformance import check, classes


class Labelled:
    """SupCon with the positives of its own labels, or of the first labels of each batch size."""

    def __init__(self, keeps):
        self.keeps, self.kept = keeps, {}

    def __call__(self, rows, labels):
        own = (labels[:, None] == labels) & ~np.eye(len(rows), dtype=bool)
        positive = self.kept.setdefault(len(rows), own) if self.keeps else own
        logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
        each = (positive * (log_sums(logits)[:, None] - logits)).sum(axis=1)
        return (each[positive.any(axis=1)] / positive.sum(axis=1)[positive.any(axis=1)]).mean()


@pytest.mark.parametrize("keeps", [False, True])
def test_the_labels_of_another_batch_are_its_own(keeps):
    verdict = check(Labelled(keeps), is_="supcon", tiers=("formula",)).verdicts["formula"]
    assert verdict.holds is not keeps
    assert ("as if it kept those of the first batch" in verdict.sentence) is keeps


def pairs_alone(rows, labels):
    """NT-Xent in which each row's only positive is the last row with its label."""
    logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
    partner = [
        max(j for j in range(len(rows)) if labels[j] == labels[i] and j != i) for i in range(len(rows))
    ]
    return (log_sums(logits) - logits[np.arange(len(rows)), partner]).mean()


@pytest.mark.slow
def test_labels_are_checked_with_classes_too():
    verdict = check(pairs_alone, tiers=("formula",)).verdicts["formula"]
    assert (verdict.word, verdict.holds) == ("right for pairs", False)
    assert "with several rows of a class no formula fits" in verdict.sentence
    assert check(pairs_alone, inputs="pairs with labels", tiers=("formula",)).holds


@pytest.mark.parametrize(
    ("loss", "way", "takes"),
    [
        (Labelled(keeps=False), "pairs with labels", True),
        (Labelled(keeps=False), "classes", False),
        (lambda rows, labels: 1 / (len(set(labels)) == 4), "pairs with labels", False),
        (lambda rows, labels: np.nan, "pairs with labels", False),
    ],
)
def test_whether_a_loss_of_pairs_takes_classes(loss, way, takes):
    assert classes.takes_classes(nearest(loss, way).way) is takes


def supcon(rows, labels, alone=None, at=None):
    """SupCon, whose rows without a positive are left out, or refused, or each have this loss. at: what is compared
    in place of the labels.
    """
    labels = labels if at is None else at(labels)
    same = (labels[:, None] == labels) & ~np.eye(len(rows), dtype=bool)
    logits = unit(rows) @ unit(rows).T / 0.3 - 1e9 * np.eye(len(rows))
    count = same.sum(axis=1)
    if alone == "refused" and not count.all():
        raise ValueError("a row is alone")
    each = (same * (log_sums(logits)[:, None] - logits)).sum(axis=1) / np.maximum(count, 1)
    counted = count > (0 if alone in (None, "refused") else -1)
    return np.where(count, each, 0.0 if alone in (None, "refused") else alone)[counted].mean()


def judge(part, way="classes", library="numpy", formula=CPC, device="cpu", **options):
    """What this part of `elsewhere` finds in the loss, and the notes."""
    asked = nearest(lambda rows, labels: supcon(rows, labels, **options), way, formula=formula)
    asked.way.session.target = asked.way.session.target._replace(device=device)
    asked.way.session.library = library
    return list(part(asked)), list(asked.way.session.notes)


@pytest.mark.parametrize(
    ("alone", "mistakes"),
    [
        (None, []),
        (0.0, ["mean over all rows"]),
        (np.nan, ["value not finite"]),
        (1.0, ["rows alone not left out"]),
    ],
)
def test_a_row_alone_in_its_class_is_left_out(alone, mistakes):
    found, _ = judge(classes.judge_rows_alone, alone=alone)
    assert [one.mistake for one in found] == mistakes


def test_a_loss_may_refuse_a_row_alone():
    found, (note,) = judge(classes.judge_rows_alone, alone="refused")
    assert found == []
    assert note.startswith("not asked with an ordinary batch that has a row alone in its class: it raises")


def test_of_two_views_no_row_is_alone():
    assert judge(classes.judge_rows_alone, "views of classes", alone=1.0) == ([], [])


def test_in_a_loss_of_another_form_rows_alone_may_have_a_part():
    sigmoid = CPC._replace(head="sigmoid without bias")
    assert judge(classes.judge_rows_alone, formula=sigmoid, alone=1.0) == ([], [])


@pytest.mark.parametrize(("added", "status"), [(0.0, "holds"), (1.0, "fails"), (np.nan, "fails")])
def test_all_rows_may_be_of_one_class(added, status):
    asked = nearest(lambda rows, labels: supcon(rows, labels) + added * (len(set(labels)) == 1), "classes")
    (record,) = classes.judge_one_class(asked)
    assert (record.status, record.witness) == (status, "the same formula at a batch of one class")
    _, arrays = classes.draw_classes(asked)
    right = asked.way.value({**arrays, "labels": 0 * arrays["labels"]}) - added
    relative = added / (1 + abs(right))
    assert record.error == pytest.approx(relative, rel=1e-9, abs=1e-12, nan_ok=True)


def test_a_loss_of_0_at_one_class_is_noted():
    asked = nearest(lambda rows, labels: supcon(rows, labels) * (len(set(labels)) > 1), "classes")
    assert list(classes.judge_one_class(asked)) == []
    (note,) = asked.way.session.notes
    assert note.startswith("at a batch of one class it returns 0, where the formula returns ")


@pytest.mark.parametrize(
    "choices", [{"candidates": ("other view",)}, {"head": "each positive alone, every positive"}]
)
def test_a_denominator_of_negatives_alone_is_not_asked_at_one_class(choices):
    negatives = CPC._replace(**choices)
    assert judge(classes.judge_one_class, formula=negatives) == ([], [])


@pytest.mark.parametrize(
    ("dtype", "words"),
    [
        ("int64", ""),
        ("uint8", ", which it tells apart only up to multiples of 2⁸"),
        ("int16", ", which it tells apart only up to multiples of 2¹⁶"),
        ("int32", ", which it tells apart only up to multiples of 2³²"),
        ("float16", ", which it tells apart only as float16"),
        ("float32", ", which it tells apart only as float32"),
    ],
)
def test_labels_that_are_far_apart_are_not_alike(dtype, words):
    (record,), _ = judge(classes.judge_far_labels, at=lambda labels: labels.astype(dtype))
    assert record.witness == f"the same formula at labels that are negative and far apart{words}"
    assert record.good is (not words)


def test_another_value_at_negative_labels_is_noted():
    def unlabelled(labels):
        """Each row of a negative label is of a class of its own."""
        return np.where(labels < 0, 1 + np.arange(len(labels)), labels)

    found, notes = judge(classes.judge_far_labels, at=unlabelled)
    assert (found, notes) == ([], ["at labels that are negative and far apart it returns another value"])


def test_a_loss_may_make_room_for_all_labels_up_to_the_largest():
    seen = []
    judge(classes.judge_far_labels, at=lambda labels: seen.append(labels.max()) or labels)
    assert set(seen) == {0}


def test_on_a_gpu_labels_are_not_out_of_range():
    assert judge(classes.judge_far_labels, device="cuda") == ([], [])


@pytest.mark.slow
def test_jax_is_asked_with_labels_of_32_bits():
    jax = pytest.importorskip("jax.numpy")
    (record,), _ = judge(classes.judge_far_labels, library="jax", at=lambda y: jax.asarray(y))
    assert record.good
