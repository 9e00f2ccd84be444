"""Faults of a loss that is called in another way: with another upstream, twice, by turns, with one dtype.

A fault turns a right loss into one that is wrong for some calls; the cases of the command's default seed must
detect it.
"""

from collections import Counter

import numpy as np
import pytest
from verify.plants import of_value, rows, spoil, with_value

from infonce_ref.losses import ALL
from infonce_ref.verify.judge import answer, ask_all, ask_fixed_points

NTXENT, CLIP, CPC, QUERY_KEY, SUPCON = (
    ALL[name] for name in ("ntxent", "clip", "cpc", "query_key", "supcon")
)


def of_upstream(loss, how):
    """A backward pass that takes another upstream than it is given."""
    return loss._replace(backward=lambda cache, upstream=1.0: loss.backward(cache, how(upstream)))


def of_the_last_forward(loss):
    """A backward pass that reads a global variable, set by the last forward pass."""
    last = []

    def forward(*args, **arguments):
        value, cache = loss.forward(*args, **arguments)
        last[:] = [cache]
        return value, cache

    return loss._replace(
        forward=forward, backward=lambda cache, upstream=1.0: loss.backward(last[0], upstream)
    )


def used_up(loss, calls):
    """A backward pass that overwrites its cache: after this many calls it is wrong."""
    spent, kept = Counter(), []

    def backward(cache, upstream=1.0):
        gradients = loss.backward(cache, 0.0 * upstream if spent[id(cache)] >= calls else upstream)
        spent[id(cache)] += 1
        kept.append(cache)  # keep the cache, because its id may be reused otherwise
        return gradients

    return loss._replace(backward=backward)


def called_by_turns(loss):
    """A backward pass that is wrong if the two preceding backward passes had other caches."""
    last = []

    def backward(cache, upstream=1.0):
        by_turns = len(last) > 1 and last[-1] is not cache and last[-2] is cache
        last[:] = [*last[-1:], cache]
        return loss.backward(cache, 1.01 * upstream if by_turns else upstream)

    return loss._replace(backward=backward)


def one_without_positives(value, arguments):
    """1 instead of 0 if no label repeats."""
    labels = arguments["labels"]
    return value + (len({*labels.tolist()}) == len(labels))


def overwriting(loss):
    """A forward pass that normalises its argument in place."""

    def forward(w, **arguments):
        result = loss.forward(np.array(w), **arguments)
        w *= 0.5
        return result

    return loss._replace(forward=forward)


def wrong_if(test):
    return lambda upstream: 1.01 * upstream if test(upstream) else upstream


def reverse(upstream):
    return upstream[::-1] if np.ndim(upstream) else upstream


def reverse_many(upstream):
    return reverse(upstream) if np.size(upstream) > 34 else upstream


UPSTREAMS = {
    "a polynomial of it": (NTXENT, lambda u: u + 0.1 * (u - 1) * (u - 4)),  # right for 1 and 4
    "without its sign": (NTXENT, abs),
    "a tiny one": (NTXENT, lambda u: u if abs(u) > 1e-3 else 0.0),
    "0": (NTXENT, lambda u: u if u else np.nan),
    "a large one": (NTXENT, wrong_if(lambda u: abs(u) > 1.1e4)),
    "a large one of cpc": (CPC, wrong_if(lambda u: 1.1e4 < u < 1e6)),
    "a small negative one": (NTXENT, wrong_if(lambda u: 1e-5 < -u < 1e-3)),
    "an integer": (NTXENT, lambda u: 1.0 if isinstance(u, int) else u),
    "mixed signs": (NTXENT, lambda u: abs(u) * np.sign(np.sum(u)) if np.ndim(u) else u),
    "an array": (NTXENT, wrong_if(lambda u: hasattr(u, "shape"))),
    "an array of 0": (NTXENT, lambda u: 1.0 if hasattr(u, "shape") and u == 0 else u),
    "the anchors' mean": (NTXENT, lambda u: np.full_like(u, np.mean(u)) if np.ndim(u) else u),
    "the order of anchors": (QUERY_KEY, reverse),
    "the order of many anchors": (SUPCON, reverse_many),
}
FAULTS = {
    **{f"upstream: {name}": (of_upstream(*fault), "float64") for name, fault in UPSTREAMS.items()},
    "a global": (of_the_last_forward(NTXENT), "float64"),
    "a global, clip": (of_the_last_forward(CLIP), "float64"),
    "used up": (used_up(NTXENT, 1), "float64"),
    "used up by two": (used_up(NTXENT, 2), "float64"),
    "used up by three": (used_up(CLIP, 3), "float64"),
    "used up by five": (used_up(CPC, 5), "float64"),
    "called by turns": (called_by_turns(NTXENT), "float64"),
    "float64 for float32": (spoil(NTXENT, how=np.float64), "float32"),
    "1 where no anchor has a positive": (with_value(SUPCON, one_without_positives), "float64"),
    "a value in float64 for float32": (
        with_value(NTXENT, lambda value, _: np.asarray(value, np.float64)),
        "float32",
    ),
    "a gradient of the wrong shape": (spoil(NTXENT, how=np.transpose), "float64"),
    "beyond nine features": (
        spoil(NTXENT, how=lambda g: np.where(np.arange(g.shape[-1]) < 9, g, 0) if g.ndim else g),
        "float64",
    ),
    "written to": (overwriting(NTXENT), "float64"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_detected(name):
    """By a random case of few rows."""
    asked = (h for h in ask_all(*FAULTS[name]) if h.case.label.startswith("drawn"))
    assert any(not check.holds for h in asked if len(rows(h.case.arguments)) < 300 for check in answer(h))


def test_an_upstream_of_another_anchor_is_detected_in_a_large_batch():
    """For clip no random case detects it."""
    wrong = of_upstream(CLIP, reverse_many)
    (asked,) = (h for h in ask_fixed_points(wrong, "float64", np.asarray) if "rows 40" in h.case.label)
    assert not any(check.holds for check in answer(asked))


@pytest.mark.parametrize("name", [name for name, x in ALL.items() if {"reduction": "none"} in x.variants])
def test_swapped_anchors_are_detected(name):
    """Losses and upstreams are exchanged: the sum and its gradients stay right."""
    wrong = with_value(of_upstream(ALL[name], reverse), lambda value, _: reverse(value))
    wrong = wrong._replace(variants=({"reduction": "none"},))
    asked = [h for h in ask_fixed_points(wrong, "float64", np.asarray) if h.method == "proved formula"]
    verdicts = {h.case.arguments.get("reduction"): all(c.holds for c in answer(h)) for h in asked}
    assert verdicts == {None: True, "none": False}


WIDTHS = {
    "infonce": 128,
    "ntxent": 257,
    "dcl": 521,
    "clip": 384,
    "siglip": 257,
    "dhn_nce": 640,
    "instance": 300,
}


@pytest.mark.parametrize(("name", "width"), WIDTHS.items())
def test_an_error_of_a_hundredth_at_one_width_in_float32_is_detected(name, width):
    """Where logits are large, a tolerance that counted 1/τ twice passed it."""
    wrong = of_value(ALL[name], lambda a: rows(a).dtype == np.float32 and rows(a).shape[1] == width)
    asked = [h for h in ask_all(wrong, "float32") if rows(h.case.arguments).shape[1] == width]
    assert any(not check.holds for h in asked for check in answer(h))
