"""`check` as a user calls it: a table of losses, and what it must say of each.

A row is a loss written from scratch, how it is asked, the words of the verdict, and the names of its mistakes.
Nothing here knows how `check` finds them, so that its inside may change.
"""

import math

import numpy as np
import pytest

from infonce_ref.check import check

pytestmark = pytest.mark.slow


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def rows(s):
    top = s.max(axis=1, keepdims=True)
    return (np.log(np.exp(s - top).sum(axis=1)) + top[:, 0]) - np.diag(s)


def cpc(x, y, temperature=0.2):
    return rows(unit(x) @ unit(y).T / temperature).mean()


def clip(x, y, temperature=0.2):
    return (cpc(x, y, temperature) + cpc(y, x, temperature)) / 2


def pairs(x, y, temperature=0.2, inside=0.0, power=1):
    """NT-Xent, by ratios; inside: what a row has of itself in its denominator."""
    z = unit(np.concatenate([x, y])) ** power
    e, n = np.exp(z @ z.T / temperature), len(z)
    e[np.arange(n), np.arange(n)] *= inside
    return -np.log(e[np.arange(n), np.roll(np.arange(n), n // 2)] / e.sum(axis=1)).mean()


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


log2, two = math.log(2), {"inputs": "two"}
NAMED = [  # loss, how it is asked, its name, words of the verdict, the names of its mistakes
    (clip, {}, "clip", "τ = 0.2, normalised=True", []),
    (cpc, {}, "cpc", "reduction=mean, normalised=True, anchors=first", []),
    (lambda x, y: len(x) * cpc(x, y), {}, "cpc", "reduction=sum", []),
    (pairs, {}, "ntxent", "τ = 0.2", []),
    (lambda x, y: pairs(x, y) * 2 * len(x), {}, "ntxent", "reduction=sum", []),
    (lambda x, y: rows(x @ y.T).mean(), {}, "cpc", "normalised=False", []),
    (lambda scores: rows(scores).mean(), {}, "cpc", "anchors=first", []),
    (lambda scores: rows(scores.T).mean(), {}, "cpc", "anchors=second", []),
    (lambda scores: (rows(scores) + rows(scores.T)).mean() / 2, {}, "clip", "it is clip", []),
    (sigmoid, {}, "siglip", "bias -3", []),
    *(
        (lambda w, labels, f=f: supcon(w, labels, f), {}, "supcon", f"form={f}", [])
        for f in ("out", "in", "pairs")
    ),
    (
        lambda w, labels: 7 * supcon(w, labels, "pairs"),
        {"is_": "supcon"},
        None,
        "7 times",
        ["constant factor"],
    ),
    # scale
    (of(clip, 2.0), {"is_": "clip"}, None, "divided by B: twice the mean", ["mean over B"]),
    (of(cpc, 2.0), {"is_": "cpc"}, None, "2 times the loss: twice", ["twice"]),
    (of(clip, 0.5), {"is_": "clip"}, None, "0.5 times the loss", ["half"]),
    (of(clip, -1.0), {"is_": "clip"}, None, "minus the loss: training raises", ["sign flipped"]),
    (of(clip, 1 / log2), {"is_": "clip"}, None, "1.4427 times the loss: in bits", ["bits"]),
    (of(clip, lambda n, t: t), {"is_": "clip"}, None, "0.2 times the loss", ["times temperature"]),
    (
        of(clip, lambda n, t: 1 / t),
        {"is_": "clip"},
        None,
        "5 times the loss: divided by",
        ["over temperature"],
    ),
    (of(clip, 3.7), {"is_": "clip"}, None, "3.7 times the loss", ["constant factor"]),
    (of(clip, 3.7), {}, None, "3.7 times the loss", None),
    (of(clip, plus=lambda n, t: -math.log(n)), {}, None, "−log B (B = 4)", None),
    (of(clip, 1 + 1e-7), {"is_": "clip"}, None, "1 + 1e-07 times the loss", ["constant factor"]),
    (of(clip, 1 + 1e-12), {"is_": "clip"}, "clip", "it is clip", []),
    (
        of(clip, lambda n, t: 2 * n),
        {"is_": "clip"},
        None,
        "the sum over the anchors, where",
        ["sum for mean"],
    ),
    (
        of(clip, lambda n, t: 2 * n),
        {"is_": "clip", "reduction": "mean"},
        None,
        "where the mean",
        ["sum for mean"],
    ),
    (of(cpc, lambda n, t: n), {"is_": "cpc", "reduction": "mean"}, None, "where the mean", ["sum for mean"]),
    (cpc, {"is_": "cpc", "reduction": "sum"}, None, "where the sum belongs", ["mean for sum"]),
    (
        of(cpc, lambda n, t: 1 / n),
        {"is_": "cpc"},
        None,
        "the mean over all compared pairs",
        ["another reduction"],
    ),
    (
        of(pairs, lambda n, t: 2 * n / (2 * n - 2)),
        {"is_": "ntxent"},
        None,
        "divided by 2(B − 1)",
        ["mean over 2b minus 2"],
    ),
    (
        of(cpc, lambda n, t: 1 / (n - 1)),
        {"is_": "cpc"},
        None,
        "an anchor and a negative",
        ["another reduction"],
    ),
    # constants
    (of(cpc, plus=0.25), {"is_": "cpc"}, None, "by a constant, +0.25,", ["constant added"]),
    (of(cpc, plus=-0.25), {"is_": "cpc"}, None, "by a constant, -0.25,", ["constant added"]),
    (of(cpc, plus=log2), {"is_": "cpc"}, None, "a constant, +log 2,", ["constant added"]),
    (of(cpc, plus=-2 * log2), {"is_": "cpc"}, None, "a constant, −2 log 2,", ["constant added"]),
    (of(cpc, plus=3 * log2), {"is_": "cpc"}, None, "a constant, +2.07944,", ["constant added"]),
    (of(cpc, plus=lambda n, t: -math.log(n)), {"is_": "cpc"}, None, "−log B (B = 4)", ["constant added"]),
    (
        of(clip, plus=lambda n, t: math.log(2 * n)),
        {"is_": "clip"},
        None,
        "+log 2B (B = 4)",
        ["constant added"],
    ),
    (of(cpc, plus=lambda n, t: -math.log(n - 1)), {"is_": "cpc"}, None, "−log(B − 1)", ["constant added"]),
    (
        of(pairs, plus=lambda n, t: -math.log(2 * n - 2)),
        {"is_": "ntxent"},
        None,
        "−log(2B − 2)",
        ["constant added"],
    ),
    (of(cpc, 1.0, 1e-12), {"is_": "cpc"}, "cpc", "it is cpc", []),
    (
        of(cpc, lambda n, t: n, lambda n, t: n),
        {"is_": "cpc", "reduction": "sum"},
        None,
        "+1,",
        ["constant added"],
    ),
    (lambda scores: hinge(scores, itself=1.0) + hinge(scores.T, itself=1.0), {}, None, "itself too", None),
    # temperature
    (
        at(cpc, lambda t, d: t**2),
        {"is_": "cpc"},
        None,
        "applied twice: τ = 0.04, where 0.2",
        ["temperature twice"],
    ),
    (at(cpc, lambda t, d: 1 / t), {"is_": "cpc"}, None, "not divided", ["temperature multiplied"]),
    (at(cpc, lambda t, d: 1.0), {"is_": "cpc"}, None, "never reaches the loss", ["temperature not used"]),
    (at(cpc, lambda t, d: 0.2), {"is_": "cpc"}, None, "does not reach the loss", ["temperature not used"]),
    (at(cpc, lambda t, d: t**0.5), {"is_": "cpc"}, None, "the root", ["root of temperature"]),
    (
        at(cpc, lambda t, d: t * d),
        {"is_": "cpc", "temperature": 0.3},
        None,
        "with 7 features",
        ["mean over features"],
    ),
    (
        at(cpc, lambda t, d: t * d**0.5),
        {"is_": "cpc", "temperature": 0.3},
        None,
        "with 7 features",
        ["attention scaling"],
    ),
    (at(cpc, lambda t, d: -1 / math.log(t)), {"is_": "cpc"}, None, "as it is", ["scale not exponentiated"]),
    (
        at(cpc, lambda t, d: 0.37),
        {"is_": "cpc"},
        None,
        "0.37, whatever is passed: 0.2 was asked",
        ["temperature fixed"],
    ),
    (at(cpc, lambda t, d: t * (1 + 1e-4)), {"is_": "cpc"}, None, "τ = 0.20002", ["another temperature"]),
    (
        lambda x, y: cpc(x, y),
        {"is_": "cpc", "temperature": 0.3},
        None,
        "0.3 was asked",
        ["another temperature"],
    ),
    (lambda x, y, logit_scale=5.0: cpc(x, y, 1 / logit_scale), {"is_": "cpc"}, "cpc", "τ = 0.2", []),
    (
        lambda x, y, logit_scale=5.0: cpc(x, y, logit_scale),
        {"is_": "cpc"},
        None,
        "divided by logit_scale, not multiplied",
        ["temperature multiplied"],
    ),
    # structure
    (clip, {"is_": "ntxent"}, None, "missing: B − 1 negatives", ["same view missing"]),
    (pairs, {"is_": "clip"}, None, "own view are negatives too", ["same view among the negatives"]),
    (
        lambda x, y: pairs(x, y, inside=1),
        {"is_": "ntxent"},
        None,
        "own denominator",
        ["self in denominator"],
    ),
    (cpc, {"is_": "clip"}, None, "softmax over the columns is missing", ["rows alone"]),
    (lambda x, y: cpc(y, x), {"is_": "clip"}, None, "softmax over the rows is missing", ["columns alone"]),
    (clip, {"is_": "cpc", "anchors": "first"}, None, "one direction is meant", None),
    (
        lambda x, y: cpc(y, x),
        {"is_": "cpc", "anchors": "first"},
        None,
        "exchanged",
        ["softmax over the wrong axis"],
    ),
    (
        lambda x, y: rows(x @ y.T).mean(),
        {"is_": "clip"},
        None,
        "one direction alone",
        ["rows alone"],
    ),
    (
        cpc,
        {"is_": "cpc", "normalised": False},
        None,
        "normalised is True, where False",
        ["another normalised"],
    ),
    (sigmoid, {"is_": "clip"}, None, "", None),
    (clip, {"is_": "siglip"}, None, "", None),
    (
        lambda x, y: sigmoid(x, y),
        {"is_": "siglip", "bias": 1.0},
        None,
        "bias is -3, where 1.0 was asked for",
        ["another bias"],
    ),
    (lambda x, y: cpc(x, np.roll(y, 1, 0)), {"is_": "cpc"}, None, "", ["labels shifted"]),
    (
        lambda x, y: rows((unit(x) @ unit(y).T) ** 2 / 0.2).mean(),
        {"is_": "cpc"},
        None,
        "",
        ["squared similarities"],
    ),
    (
        lambda x, y: rows(abs(unit(x) @ unit(y).T) / 0.2).mean(),
        {"is_": "cpc"},
        None,
        "",
        ["absolute similarities"],
    ),
    (
        lambda x, y: rows(-unit(x) @ unit(y).T / 0.2).mean(),
        {"is_": "cpc"},
        None,
        "pushed apart",
        ["distance for similarity"],
    ),
    (
        lambda x, y: -(unit(x) * unit(y)).sum(1).mean() / 0.2,
        {"is_": "cpc"},
        None,
        "the positive's score itself",
        ["score for loss", "constant factor"],
    ),
    # nothing of the family
    (
        lambda x, y: np.tanh(x @ y.T).sum() + ((x - y) ** 4).sum(),
        {},
        None,
        "comes within 0.1 %",
        ["single coordinates", "no formula fits"],
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
