"""Wrong on purpose: query_key, cpc, instance and clip."""

import numpy as np
import pytest
from scipy.special import logsumexp, softmax

from infonce_ref.losses import clip, cpc, instance, query_key
from infonce_ref.verify.judge import WITNESSES

EVERYONE = set(WITNESSES)
# a right gradient of another loss: differences of its own forward pass agree with it
CONSISTENT = EVERYONE - {"finite differences"}


def keys_detached(cache):
    """MoCo's detached keys, where their gradients were asked for."""
    g = query_key.backward(cache)
    return g._replace(positive=0 * g.positive, negatives=0 * g.negatives)


def queue_averaged(cache):
    """The shared queue's gradient averaged over the queries once more."""
    g = query_key.backward(cache)
    return g._replace(negatives=g.negatives / len(cache.query))


def with_positive_among_negatives(query, positive, negatives, **options):
    """All K + 1 keys taken for negatives, and k₊ besides [D3.35]."""
    own = np.broadcast_to(negatives, (len(query), *negatives.shape[-2:]))
    return query_key.forward(query, positive, np.concatenate([own, positive[:, None]], axis=1), **options)


def positive_counted_twice(cache):
    g = query_key.backward(cache)
    return g._replace(positive=g.positive + g.negatives[:, -1], negatives=g.negatives[:, :-1].sum(axis=0))


def over_contexts(scores, *, positive, reduction="mean"):
    """The softmax over the rows of a column: D2's axis with D3's scores [D2.3]."""
    chosen = np.eye(scores.shape[1])[positive]
    value = np.sum(logsumexp(scores, axis=0)[positive] - np.sum(chosen * scores, axis=1))
    slope = softmax(scores, axis=0) * chosen.sum(axis=0) - chosen
    return value / len(scores), slope / len(scores)


def positive_left_out(scores, *, positive, reduction="mean"):
    """The positive missing from the denominator: rows still sum to zero [P4]."""
    chosen = np.eye(scores.shape[1])[positive]
    negatives = np.where(chosen == 1, -np.inf, scores)
    value = np.sum(logsumexp(negatives, axis=1) - np.sum(chosen * scores, axis=1))
    return value / len(scores), (softmax(negatives, axis=1) - chosen) / len(scores)


def scores_alone(cache):
    return cpc.Gradients(cache)


def mean_for_sum(v, bank, **options):
    return instance.forward(v, bank, **options | {"reduction": "mean"})


def own_row_alone(cache):
    """The bank's rows pulled as positives, never pushed as negatives."""
    own = np.where(cache.is_own, -cache.rows.q[:, None], 0)
    return instance.backward(cache)._replace(bank=own.T @ cache.v / cache.temperature)


def rows_alone(image, text, *, temperature):
    """Images against texts only: half of the loss, at full weight [M17]."""
    index = np.arange(len(image))
    return instance.forward(image, text, index=index, temperature=temperature, reduction="mean")


def of_rows_alone(cache):
    g = instance.backward(cache)
    return clip.Gradients(g.v, g.bank, g.temperature)


def not_transposed(cache):
    """M X/τ for the texts, where Mᵀ X/τ is right."""
    m = (clip_slope(cache.rows) + clip_slope(cache.columns).T) / (2 * len(cache.image))
    return clip.backward(cache)._replace(text=m @ cache.image / cache.temperature)


def clip_slope(rows):
    return rows.q[:, None] * (rows.r - np.eye(len(rows.q)))


FAULTS = [
    (query_key, {"backward": keys_detached}, "positive", EVERYONE),
    (query_key, {"backward": keys_detached}, "negatives", EVERYONE),
    (query_key, {"backward": queue_averaged}, "negatives", EVERYONE),
    (
        query_key,
        {"forward": with_positive_among_negatives, "backward": positive_counted_twice},
        "query",
        CONSISTENT,
    ),
    (cpc, {"forward": over_contexts, "backward": scores_alone}, "scores", CONSISTENT),
    (cpc, {"forward": positive_left_out, "backward": scores_alone}, "scores", CONSISTENT),
    (instance, {"forward": mean_for_sum}, "v", CONSISTENT),
    (instance, {"backward": own_row_alone}, "bank", EVERYONE),
    (clip, {"forward": rows_alone, "backward": of_rows_alone}, "image", CONSISTENT),
    (clip, {"backward": not_transposed}, "text", EVERYONE),
]


@pytest.mark.parametrize(("module", "fault", "name", "seen_by"), FAULTS)
def test_the_judge_says_no_and_names_the_witness(assert_caught, module, fault, name, seen_by):
    assert_caught(module, fault, name, seen_by)


@pytest.mark.parametrize("module", [query_key, cpc, instance, clip])
def test_a_right_gradient_stays_right(assert_cleared, module):
    assert_cleared(module, {"backward": module.backward})
