"""Faults that do not show at the fixed points, and so only in random cases.

A fault turns a right backward pass into a wrong one for some cases; the random cases of the command's default seed
must detect it.
"""

from collections import Counter

import numpy as np
import pytest
from verify.plants import of_value, rows, spoil

from infonce_ref import sphere
from infonce_ref.losses import ALL, dcl
from infonce_ref.pairs import partner
from infonce_ref.reduction import split_upstream
from infonce_ref.verify.judge import ask_all, ask_fixed_points, hear

NTXENT, CLIP, CPC, QUERY_KEY, NCE, INSTANCE, INSTANCE_NCE, DHN_NCE, TRIPLET = (
    ALL[name]
    for name in (
        "ntxent",
        "clip",
        "cpc",
        "query_key",
        "nce",
        "instance",
        "instance_nce",
        "dhn_nce",
        "triplet",
    )
)


def coincide(arguments):
    return len(np.unique(rows(arguments), axis=0)) < len(rows(arguments))


def beyond_nine_features(loss):
    """The gradient is 0 for every feature after the ninth."""

    def backward(cache, upstream=1.0):
        gradients = loss.backward(cache, upstream)
        zero = (np.where(np.arange(x.shape[-1]) < 9, x, 0) if x.ndim == 2 else x for x in gradients)
        return type(gradients)(*zero)

    return loss._replace(backward=backward)


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


def polynomial_in_upstream(loss):
    """Right only for the upstreams 1 and 4."""
    return loss._replace(
        backward=lambda cache, u=1.0, **k: loss.backward(
            cache, (v := k.get("upstream", u)) + 0.1 * (v - 1) * (v - 4)
        )
    )


def magnitude_of_upstream(loss):
    """The sign of upstream is lost."""
    return loss._replace(backward=lambda cache, upstream=1.0: loss.backward(cache, abs(upstream)))


def tiny_upstream_is_zero(loss):
    return loss._replace(
        backward=lambda cache, upstream=1.0: loss.backward(cache, upstream if abs(upstream) > 1e-3 else 0.0)
    )


def widened(loss):
    """Return float64 for float32."""

    def backward(cache, upstream=1.0):
        gradients = loss.backward(cache, upstream)
        return type(gradients)(*(np.asarray(x, dtype=np.float64) for x in gradients))

    return loss._replace(backward=backward)


def widened_value(loss):
    def forward(*args, **arguments):
        value, cache = loss.forward(*args, **arguments)
        return np.asarray(value, dtype=np.float64), cache

    return loss._replace(forward=forward)


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


def upstream_where(loss, wrong, how=lambda upstream: 1.01 * upstream):
    """A backward pass that changes upstreams of some kind."""

    def backward(cache, upstream=1.0):
        return loss.backward(cache, how(upstream) if wrong(upstream) else upstream)

    return loss._replace(backward=backward)


def make_nan_if_upstream_is_0(loss):
    """0/0 if upstream is 0."""

    def backward(cache, upstream=1.0):
        gradients = loss.backward(cache, upstream)
        return gradients if upstream else type(gradients)(*(np.full_like(x, np.nan) for x in gradients))

    return loss._replace(backward=backward)


def of_anchors(loss, how):
    """Change the anchors' gradients under reduction="none"."""

    def backward(cache, upstream=1.0):
        return loss.backward(cache, how(upstream) if np.ndim(upstream) else upstream)

    return loss._replace(backward=backward)


def of_one_row(loss):
    """Both rows of a pair get the slope of one row's differentiated DCLW weight; right only if both have the
    same upstream.
    """

    def backward(cache, upstream=1.0):
        right, kept, z = loss.backward(cache, upstream), cache.weights, cache.sphere.z
        if kept.sigma is None or kept.mode == "constant":
            return right
        of_row = dcl.slope(kept, kept.sigma, split_upstream(upstream, cache.reduction, z))
        moved = (partner(of_row, cache.layout) - of_row)[:, None] * partner(z, cache.layout)
        return right._replace(w=right.w + sphere.backward(cache.sphere, moved / cache.temperature))

    return loss._replace(backward=backward)


def opposite(arguments):
    image, text = arguments["image"], arguments["text"]
    return len(image) > 4 and np.any(np.sum(image * text, axis=1) < -0.2 * np.max(np.sum(image**2, axis=1)))


def one_column(arguments):
    return len(set(arguments["positive"])) == 1 < len(arguments["positive"])


def many_negatives(arguments):
    return arguments["negatives"].shape[-2] > 3 * len(arguments["query"]) + 4


def many_candidates(arguments):
    n, k = arguments["scores"].shape
    return k > 3 * n + 6


def much_noise(arguments):
    n, m = arguments["noise_scores"].shape
    return m > 3 * n + 5


def by_columns(arguments):
    x = rows(arguments)
    return x.flags.f_contiguous and not x.flags.c_contiguous


def strided(arguments):
    return not rows(arguments).flags.forc


def transposed(loss):
    """A gradient of the wrong shape with the right numbers."""

    def backward(cache, upstream=1.0):
        return type(g := loss.backward(cache, upstream))(*(x.T if x.ndim == 2 else x for x in g))

    return loss._replace(backward=backward)


def overwriting(loss):
    """A forward pass that normalises its argument in place."""

    def forward(w, **arguments):
        result = loss.forward(np.array(w), **arguments)
        w *= 0.5
        return result

    return loss._replace(forward=forward)


def in_(dtype):
    return lambda arguments: rows(arguments).dtype == dtype


FAULTS = {
    "above 34 rows": (spoil(NTXENT, lambda a: len(rows(a)) > 34), "float64"),
    "above 600 rows": (spoil(NTXENT, lambda a: len(rows(a)) > 600), "float64"),
    "between τ = 2 and 9": (spoil(NTXENT, lambda a: 2 < a["temperature"] < 9), "float64"),
    "between τ = 0.1 and 0.4": (spoil(NTXENT, lambda a: 0.1 < a["temperature"] < 0.4), "float64"),
    "between τ = 20 and 900": (spoil(NTXENT, lambda a: 20 < a["temperature"] < 900), "float64"),
    "entries above 1000": (spoil(NTXENT, lambda a: np.max(np.abs(rows(a))) > 1000), "float64"),
    "scores above 1000": (spoil(CPC, lambda a: np.max(np.abs(rows(a))) > 1000), "float64"),
    "entries below 1e-4": (spoil(NTXENT, lambda a: np.max(np.abs(rows(a))) < 1e-4), "float64"),
    "clip, entries below 1e-4": (spoil(CLIP, lambda a: np.max(np.abs(rows(a))) < 1e-4), "float64"),
    "coinciding rows": (spoil(NTXENT, coincide), "float64"),
    "coinciding rows of clip": (spoil(CLIP, coincide), "float64"),
    "float32 only": (spoil(NTXENT, in_(np.float32)), "float32"),
    "one feature": (spoil(CLIP, lambda a: rows(a).shape[1] == 1 and len(rows(a)) > 2), "float64"),
    "beyond nine features": (beyond_nine_features(NTXENT), "float64"),
    "an odd number of pairs": (spoil(CLIP, lambda a: len(rows(a)) % 2 and len(rows(a)) != 17), "float64"),
    "a global": (of_the_last_forward(NTXENT), "float64"),
    "a global, clip": (of_the_last_forward(CLIP), "float64"),
    "a polynomial of upstream": (polynomial_in_upstream(NTXENT), "float64"),
    "the sign of upstream": (magnitude_of_upstream(NTXENT), "float64"),
    "a tiny upstream": (tiny_upstream_is_zero(NTXENT), "float64"),
    "float64 for float32": (widened(NTXENT), "float32"),
    "a value in float64 for float32": (widened_value(NTXENT), "float32"),
    "used up": (used_up(NTXENT, 1), "float64"),
    "used up by two": (used_up(NTXENT, 2), "float64"),
    "used up by three": (used_up(CLIP, 3), "float64"),
    "used up by five": (used_up(CPC, 5), "float64"),
    "called by turns": (called_by_turns(NTXENT), "float64"),
    "an upstream of 0": (make_nan_if_upstream_is_0(NTXENT), "float64"),
    "a large upstream": (upstream_where(NTXENT, lambda u: abs(u) > 1.1e4), "float64"),
    "a large upstream of cpc": (upstream_where(CPC, lambda u: 1.1e4 < u < 1e6), "float64"),
    "a small negative upstream": (upstream_where(NTXENT, lambda u: 1e-5 < -u < 1e-3), "float64"),
    "an upstream that is an array": (upstream_where(NTXENT, lambda u: hasattr(u, "shape")), "float64"),
    "an upstream that is an array, at 0": (
        upstream_where(NTXENT, lambda u: hasattr(u, "shape") and u == 0, lambda u: 1.0),
        "float64",
    ),
    "entries by columns": (spoil(NTXENT, by_columns), "float64"),
    "entries by columns of cpc": (spoil(CPC, by_columns), "float64"),
    "entries that are strided": (spoil(NTXENT, strided), "float64"),
    "entries of which one is 0": (spoil(NTXENT, lambda a: np.any(rows(a) == 0)), "float64"),
    "scores of which one is 0": (spoil(CPC, lambda a: np.any(rows(a) == 0)), "float64"),
    "triplets with a 0": (spoil(TRIPLET, lambda a: np.any(rows(a) == 0)), "float64"),
    "entries all > 0": (spoil(NTXENT, lambda a: rows(a).size > 3 and np.all(rows(a) > 0)), "float64"),
    "scores all > 0": (spoil(CPC, lambda a: rows(a).size > 9 and np.all(rows(a) > 0)), "float64"),
    "positives in one column": (spoil(CPC, one_column), "float64"),
    "many negatives": (spoil(QUERY_KEY, many_negatives), "float64"),
    "many negatives, the value": (of_value(QUERY_KEY, many_negatives), "float64"),
    "many candidates": (spoil(CPC, many_candidates), "float64"),
    "many candidates, the value": (of_value(CPC, many_candidates), "float64"),
    "much noise": (spoil(NCE, much_noise), "float64"),
    "much noise, the value": (of_value(NCE, much_noise), "float64"),
    "a large bank": (spoil(INSTANCE, lambda a: len(a["bank"]) > 2 * len(a["v"]) + 5), "float64"),
    "a bank of the batch": (spoil(INSTANCE, lambda a: len(a["bank"]) == len(a["v"]) > 2), "float64"),
    "a large bank of noise": (
        spoil(INSTANCE_NCE, lambda a: len(a["bank"]) > 2 * len(a["v"]) + 5),
        "float64",
    ),
    "much noise from a bank": (spoil(INSTANCE_NCE, lambda a: a["noise_index"].shape[1] > 9), "float64"),
    "one noise row": (spoil(INSTANCE_NCE, lambda a: a["noise_index"].shape[1] == 1), "float64"),
    "β1 between 1.5 and 9": (spoil(DHN_NCE, lambda a: 1.5 < a["beta1"] < 9), "float64"),
    "β2 between 0.2 and 0.9": (spoil(DHN_NCE, lambda a: 0.2 < a["beta2"] < 0.9), "float64"),
    "β above 12": (of_value(DHN_NCE, lambda a: a["beta1"] > 12), "float64"),
    "indices of 32 bits": (spoil(CPC, lambda a: a["positive"].dtype == np.int32), "float64"),
    "an anchor's upstream": (of_anchors(NTXENT, lambda x: np.full_like(x, np.mean(x))), "float64"),
    "the order of anchors": (of_anchors(QUERY_KEY, lambda x: x[::-1]), "float64"),
    "the order of many anchors": (
        of_anchors(ALL["supcon"], lambda x: x[::-1] if len(x) > 34 else x),
        "float64",
    ),
    "the slope of one row of a pair": (of_one_row(ALL["dcl"]), "float64"),
    "positives that are opposite": (spoil(CLIP, opposite), "float64"),
    "a wide margin": (spoil(TRIPLET, lambda a: a["margin"] > 3 * np.mean(rows(a) ** 2)), "float64"),
    "a gradient of the wrong shape": (transposed(NTXENT), "float64"),
    "written to": (overwriting(NTXENT), "float64"),
}


def small(case):
    """Leave out the cases with many rows; their faults have tests of their own."""
    return len(rows(case.arguments)) < 300


@pytest.mark.parametrize("name", FAULTS)
def test_a_planted_fault_is_detected(name):
    loss, dtype = FAULTS[name]
    asked = ask_all(loss, dtype)
    seen = (h for h in asked if h.case.label.startswith("drawn") and ("600" in name or small(h.case)))
    assert any(not check.holds for hearing in seen for check in hear(hearing))


def test_an_upstream_of_another_anchor_is_detected_in_a_large_batch():
    """For clip no random case detects it."""
    wrong = of_anchors(CLIP, lambda x: x[::-1] if len(x) > 34 else x)
    (asked,) = (h for h in ask_fixed_points(wrong, "float64", np.asarray) if "rows 40" in h.case.label)
    assert not any(check.holds for check in hear(asked))


def test_random_cases_are_needed():
    """Some of the faults do not show at any fixed point."""
    loss, dtype = FAULTS["between τ = 2 and 9"]
    fixed = (h for h in ask_fixed_points(loss, dtype, np.asarray) if h.witness == "identities")
    assert all(check.holds for hearing in fixed for check in hear(hearing))


@pytest.mark.nightly  # .ci/run uses the command's seed
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
def test_every_drawn_case_of_every_loss_holds(loss, dtype):
    """With another seed than the command's."""
    asked = [h for h in ask_all(loss, dtype, seed=1) if h.case.label.startswith("drawn")]
    assert [check for h in asked for check in hear(h) if not check.holds] == []


def turned_round(loss):
    """Exchange the anchors' losses and their upstreams: the sum and its gradients stay right."""

    def forward(*args, **arguments):
        value, cache = loss.forward(*args, **arguments)
        return (value[::-1] if value.ndim else value), cache

    def backward(cache, upstream=1.0):
        return loss.backward(cache, upstream[::-1] if np.ndim(upstream) else upstream)

    return loss._replace(forward=forward, backward=backward, variants=({"reduction": "none"},))


ANCHORED = [loss for loss in ALL.values() if {"reduction": "none"} in loss.variants]


@pytest.mark.parametrize("loss", ANCHORED, ids=lambda loss: loss.name)
def test_swapped_anchors_are_detected(loss):
    asked = ask_fixed_points(turned_round(loss), "float64", np.asarray)
    unweighed, weighed = (
        next(x for x in asked if x.witness == "symbolic" and x.case.arguments.get("reduction") == reduction)
        for reduction in (None, "none")
    )
    assert all(check.holds for check in hear(unweighed))
    assert not all(check.holds for check in hear(weighed))
