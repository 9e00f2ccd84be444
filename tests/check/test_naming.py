"""What is said of a loss: the program that computes it, how it differs, and whether its gradient is that one's."""

import numpy as np
import pytest

from infonce_ref.check import elsewhere, gradient, naming
from infonce_ref.check.strangers import find_ways


def unit(x):
    return x / np.linalg.norm(x, axis=1, keepdims=True)


def rows(s):
    top = s.max(axis=1, keepdims=True)
    return (np.log(np.exp(s - top).sum(axis=1)) + top[:, 0]) - np.diag(s)


def cpc(x, y, temperature=0.2):
    return rows(unit(x) @ unit(y).T / temperature).mean()


def clip(x, y, temperature=0.2):
    return (cpc(x, y, temperature) + cpc(y, x, temperature)) / 2


def shifted(x, y):
    return cpc(x, np.roll(y, -1, axis=0))


def dead(x, y, temperature=0.3):
    return cpc(x, y, 0.3)


def odd(x, y):
    return cpc(x[: len(x) // 2 * 2], y[: len(y) // 2 * 2])


def far(x, y):
    return np.tanh(x @ y.T).sum() + ((x - y) ** 4).sum()


@pytest.mark.parametrize(
    ("loss", "claim", "word", "words"),
    [
        (clip, None, "right", "it is clip, τ = 0.2"),
        (lambda x, y: 3.7 * clip(x, y), None, "variant", "3.7 times the loss"),
        (lambda x, y: clip(x, y) - np.log(len(x)), None, "variant", "−log B (B = 4)"),
        (cpc, "clip", "wrong", "not clip: the softmax over the columns is missing"),
        (shifted, None, "wrong", "the labels are shifted by one"),
        (dead, None, "wrong", "temperature does not reach the loss"),
        (odd, None, "wrong", "cpc at 4 and 6 pairs, and not the same formula at 5 pairs"),
        (far, None, "unknown", "comes within 0.1 % of its values"),
    ],
)
def test_what_is_said_of_a_formula(loss, claim, word, words):
    found = naming.find(find_ways(loss), is_=claim)
    found = elsewhere.examine(found, {}) if isinstance(found, naming.Found) else elsewhere.explain(found)
    said, _, sentence = naming.judge(found)
    assert (said, words in sentence) == (word, True), sentence


def slopes(scores):
    p = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (p / p.sum(axis=1, keepdims=True) - np.eye(len(scores))) / len(scores)


@pytest.mark.parametrize(
    ("backward", "word", "words"),
    [
        (slopes, "right", "of the exact gradient"),
        (lambda s: 2 * slopes(s), "constant factor", "2 times the exact one"),
        (lambda s: slopes(s) + np.eye(len(s)) / len(s), "wrong", "nothing pulls the positives"),
    ],
)
def test_what_is_said_of_a_gradient(backward, word, words):
    found = naming.find(find_ways(lambda scores: rows(scores).mean(), backward=backward))
    slope = gradient.judge(found)
    assert (slope.word, words in slope.sentence) == (word, True), slope.sentence
