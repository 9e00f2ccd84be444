"""`check` as a user calls it: a table of losses, and what it must say of each.

A row is a loss written from scratch, how it is asked, the words of the verdict, and the names of its mistakes.
Nothing here knows how `check` finds them, so that its inside may change.
"""

import math

import numpy as np
import pytest
from check.plain import clip, cpc, ntxent, rows, unit

from infonce_ref import textbook
from infonce_ref.check import check

pytestmark = pytest.mark.slow


def sigmoid(x, y, temperature=0.2, bias=-3.0):
    sign = 2 * np.eye(len(x)) - 1
    return np.logaddexp(0, -sign * (unit(x) @ unit(y).T / temperature + bias)).sum() / len(x)


def hinge(scores, margin=0.3, itself=0.0):
    gap = scores - np.diag(scores)[:, None] + margin
    return np.maximum(gap * (1 - (1 - itself) * np.eye(len(scores))), 0).mean()


def supcon(w, labels, where="out", temperature=0.2):
    s = unit(w) @ unit(w).T / temperature
    apart = ~np.eye(len(w), dtype=bool)
    e, same = np.exp(s) * apart, (labels[:, None] == labels) & apart
    if where == "pairs":
        negative = (e * (labels[:, None] != labels)).sum(1, keepdims=True)
        return -np.log(e / (e + negative), where=same, out=np.zeros_like(e))[same].mean()
    p, count = e / e.sum(1, keepdims=True), same.sum(1)
    if where == "in":
        return -np.log((p * same).sum(1)[count > 0] / count[count > 0]).mean()
    return -(np.log(p, where=same, out=np.zeros_like(p)).sum(1)[count > 0] / count[count > 0]).mean()


def of(loss, times=1.0, plus=0.0):
    """The loss, multiplied and shifted by functions of the batch and the temperature, or by numbers."""

    def changed(x, y, temperature=0.2):
        n = len(x)
        factor, shift = (f(n, temperature) if callable(f) else f for f in (times, plus))
        return factor * loss(x, y, temperature) + shift

    return changed


def at(loss, tau):
    return lambda x, y, temperature=0.2: loss(x, y, tau(temperature, x.shape[1]))


log2 = math.log(2)


def row(loss, words, *mistakes, name=None, **asked):
    """A loss, words of the verdict and the names of its mistakes (None: any), its name, and how it is asked."""
    return loss, asked, name, words, None if mistakes == (None,) else list(mistakes)


NAMED = [
    row(clip, "τ = 0.2, normalised=True", name="clip"),
    row(cpc, "reduction=mean, normalised=True, anchors=first", name="cpc"),
    row(lambda x, y: len(x) * cpc(x, y), "reduction=sum", name="cpc"),
    row(ntxent, "τ = 0.2", name="ntxent"),
    row(lambda x, y: ntxent(x, y) * 2 * len(x), "reduction=sum", name="ntxent"),
    row(lambda x, y: rows(x @ y.T).mean(), "normalised=False", name="cpc"),
    row(lambda scores: rows(scores).mean(), "anchors=first", name="cpc"),
    row(lambda scores: rows(scores.T).mean(), "runs over the rows of the first view", name="cpc"),
    row(lambda scores: (rows(scores) + rows(scores.T)).mean() / 2, "it is clip", name="clip"),
    row(sigmoid, "bias -3", name="siglip"),
    *(
        row(lambda w, labels, f=f: supcon(w, labels, f), f"form={f}", name="supcon")
        for f in ("out", "in", "pairs")
    ),
    row(lambda w, labels: 7 * supcon(w, labels, "pairs"), "7 times", "constant factor", is_="supcon"),
    row(textbook.dcl, "τ = 0.1", name="dcl", temperature=0.1),
    row(textbook.alignment, "exponent 1.5", name="alignment", exponent=1.5),
    row(textbook.uniformity, "τ = 0.5", name="uniformity", t=2.0),
    row(textbook.spectral, "", name="spectral"),
    row(textbook.triplet, "margin 0.2", name="triplet", margin=0.2),
    row(textbook.barlow_twins, "weight 0.005", name="barlow_twins", weight=0.005),
    # scale
    row(of(clip, 2.0), "divided by B: twice the mean", "mean over B", is_="clip"),
    row(of(cpc, 2.0), "2 times the loss: twice", "twice", is_="cpc"),
    row(of(clip, 0.5), "0.5 times the loss", "half", is_="clip"),
    row(of(clip, -1.0), "minus the loss: training raises", "sign flipped", is_="clip"),
    row(of(clip, 1 / log2), "1.4427 times the loss: in bits", "bits", is_="clip"),
    row(of(clip, lambda n, t: t), "0.2 times the loss", "times temperature", is_="clip"),
    row(of(clip, lambda n, t: 1 / t), "5 times the loss: divided by", "over temperature", is_="clip"),
    row(of(clip, 3.7), "3.7 times the loss", "constant factor", is_="clip"),
    row(of(clip, 3.7), "3.7 times the loss", None),
    row(of(clip, plus=lambda n, t: -math.log(n)), "−log B (B = 4)", None),
    row(of(clip, 1 + 1e-7), "1 + 1e-07 times the loss", "constant factor", is_="clip"),
    row(of(clip, 1 + 1e-12), "it is clip", name="clip", is_="clip"),
    row(of(clip, lambda n, t: 2 * n), "the sum over the anchors, where", "sum for mean", is_="clip"),
    row(of(clip, lambda n, t: 2 * n), "where the mean", "sum for mean", is_="clip", reduction="mean"),
    row(of(cpc, lambda n, t: n), "where the mean", "sum for mean", is_="cpc", reduction="mean"),
    row(cpc, "where the sum belongs", "mean for sum", is_="cpc", reduction="sum"),
    row(of(cpc, lambda n, t: 1 / n), "the mean over all compared pairs", "another reduction", is_="cpc"),
    row(
        of(ntxent, lambda n, t: 2 * n / (2 * n - 2)),
        "divided by 2(B − 1)",
        "mean over 2b minus 2",
        is_="ntxent",
    ),
    row(of(cpc, lambda n, t: 1 / (n - 1)), "an anchor and a negative", "another reduction", is_="cpc"),
    # constants
    row(of(cpc, plus=0.25), "by a constant, +0.25,", "constant added", is_="cpc"),
    row(of(cpc, plus=-0.25), "by a constant, -0.25,", "constant added", is_="cpc"),
    row(of(cpc, plus=log2), "a constant, +log 2,", "constant added", is_="cpc"),
    row(of(cpc, plus=-2 * log2), "a constant, −2 log 2,", "constant added", is_="cpc"),
    row(of(cpc, plus=3 * log2), "a constant, +2.07944,", "constant added", is_="cpc"),
    row(of(cpc, plus=lambda n, t: -math.log(n)), "−log B (B = 4)", "constant added", is_="cpc"),
    row(of(clip, plus=lambda n, t: math.log(2 * n)), "+log 2B (B = 4)", "constant added", is_="clip"),
    row(of(cpc, plus=lambda n, t: -math.log(n - 1)), "−log(B − 1)", "constant added", is_="cpc"),
    row(of(ntxent, plus=lambda n, t: -math.log(2 * n - 2)), "−log(2B − 2)", "constant added", is_="ntxent"),
    row(of(cpc, 1.0, 1e-12), "it is cpc", name="cpc", is_="cpc"),
    row(of(cpc, lambda n, t: n, lambda n, t: n), "+1,", "constant added", is_="cpc", reduction="sum"),
    row(lambda scores: hinge(scores, itself=1.0) + hinge(scores.T, itself=1.0), "itself too", None),
    # temperature
    row(at(cpc, lambda t, d: t**2), "applied twice: τ = 0.04, where 0.2", "temperature twice", is_="cpc"),
    row(at(cpc, lambda t, d: t**2), "τ = 0.25, where 0.5", "temperature twice", is_="cpc", temperature=0.5),
    row(at(cpc, lambda t, d: 1 / t), "not divided", "temperature multiplied", is_="cpc"),
    row(lambda x, y, t=0.07: cpc(x, y, 1 / t), "not divided: τ", "temperature multiplied", is_="InfoNCE"),
    row(at(cpc, lambda t, d: 1.0), "never reaches the loss", "temperature not used", is_="cpc"),
    row(at(cpc, lambda t, d: 0.2), "does not reach the loss", "temperature not used", is_="cpc"),
    row(at(cpc, lambda t, d: t**0.5), "the root", "root of temperature", is_="cpc"),
    row(at(cpc, lambda t, d: t * d), "with 7 features", "mean over features", is_="cpc", temperature=0.3),
    row(at(cpc, lambda t, d: t * d**0.5), "with 7 features", "attention scaling", is_="cpc", temperature=0.3),
    row(at(cpc, lambda t, d: -1 / math.log(t)), "as it is", "scale not exponentiated", is_="cpc"),
    row(
        at(cpc, lambda t, d: 0.37), "0.37, whatever is passed: 0.2 was asked", "temperature fixed", is_="cpc"
    ),
    row(at(cpc, lambda t, d: t * (1 + 1e-4)), "τ = 0.20002", "another temperature", is_="cpc"),
    row(lambda x, y: cpc(x, y), "0.3 was asked", "another temperature", is_="cpc", temperature=0.3),
    row(lambda x, y, logit_scale=5.0: cpc(x, y, 1 / logit_scale), "τ = 0.2", name="cpc", is_="cpc"),
    row(
        lambda x, y, logit_scale=5.0: cpc(x, y, logit_scale),
        "divided by logit_scale, not multiplied",
        "temperature multiplied",
        is_="cpc",
    ),
    # structure
    row(lambda z: ntxent(z[::2], z[1::2]), "2k and 2k + 1 are taken", "wrong partner", inputs="concatenated"),
    row(lambda z: ntxent(*np.split(z, 2)), "where 2k and 2k + 1 are", "wrong partner", inputs="interleaved"),
    row(clip, "missing: B − 1 negatives", "same view missing", is_="ntxent"),
    row(ntxent, "own view are negatives too", "same view among the negatives", is_="clip"),
    row(lambda x, y: ntxent(x, y, itself=1), "own denominator", "self in denominator", is_="ntxent"),
    row(cpc, "softmax over the columns is missing", "rows alone", is_="clip"),
    row(lambda x, y: cpc(y, x), "softmax over the rows is missing", "columns alone", is_="clip"),
    row(clip, "one direction is meant", None, is_="cpc", anchors="first"),
    row(lambda x, y: cpc(y, x), "exchanged", "softmax over the wrong axis", is_="cpc", anchors="first"),
    row(lambda x, y: rows(x @ y.T).mean(), "one direction alone", "rows alone", is_="clip"),
    row(cpc, "normalised is True, where False", "another normalised", is_="cpc", normalised=False),
    row(sigmoid, "", None, is_="clip"),
    row(clip, "", None, is_="siglip"),
    row(
        lambda x, y: sigmoid(x, y),
        "bias is -3, where 1.0 was asked for",
        "another bias",
        is_="siglip",
        bias=1.0,
    ),
    row(lambda x, y: cpc(x, np.roll(y, 1, 0)), "", "labels shifted", is_="cpc"),
    row(lambda x, y: rows((unit(x) @ unit(y).T) ** 2 / 0.2).mean(), "", "squared similarities", is_="cpc"),
    row(lambda x, y: rows(abs(unit(x) @ unit(y).T) / 0.2).mean(), "", "absolute similarities", is_="cpc"),
    row(
        lambda x, y: rows(-unit(x) @ unit(y).T / 0.2).mean(),
        "pushed apart",
        "distance for similarity",
        is_="cpc",
    ),
    row(
        lambda x, y: -(unit(x) * unit(y)).sum(1).mean() / 0.2,
        "the positive's score itself",
        "score for loss",
        "constant factor",
        is_="cpc",
    ),
    # nothing of the family
    row(
        lambda x, y: np.tanh(x @ y.T).sum() + ((x - y) ** 4).sum(),
        "comes within 0.1 %",
        "single coordinates",
        "no formula fits",
    ),
]
NAMES = [f"{k} {told}" for k, (_, _, _, told, _) in enumerate(NAMED)]


@pytest.mark.parametrize(("loss", "asked", "name", "words", "mistakes"), NAMED, ids=NAMES)
def test_what_is_said_of_a_formula(loss, asked, name, words, mistakes):
    report = check(loss, tiers=("formula",), **asked)
    verdict = report.verdicts["formula"]
    assert words in verdict.sentence, report
    assert mistakes is None or [each.mistake for each in report.mistakes] == mistakes, report
    assert name is None or (report.loss == name and verdict.holds), report
