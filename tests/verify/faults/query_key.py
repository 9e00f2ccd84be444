"""query_key wrong on purpose."""

import numpy as np

from infonce_ref.losses import query_key


def keys_detached(cache):
    """MoCo's detached keys, where their gradients were asked for."""
    g = query_key.backward(cache)
    return g._replace(positive=0 * g.positive, negatives=0 * g.negatives)


def with_positive_among_negatives(query, positive, negatives, **options):
    """All K + 1 keys taken for negatives, and k₊ besides [D3.35]."""
    own = np.broadcast_to(negatives, (len(query), *negatives.shape[-2:]))
    return query_key.forward(query, positive, np.concatenate([own, positive[:, None]], axis=1), **options)


def positive_counted_twice(cache):
    g = query_key.backward(cache)
    return g._replace(positive=g.positive + g.negatives[:, -1], negatives=g.negatives[:, :-1].sum(axis=0))


DIFFERENCES = {"finite differences"}  # of a right gradient of another loss: they agree with its forward pass
TEXTS = [("queue_averaged", "negatives")]
FAULTS = [
    ({"backward": keys_detached}, "positive", set()),
    ({"backward": keys_detached}, "negatives", set()),
    ({"forward": with_positive_among_negatives, "backward": positive_counted_twice}, "query", DIFFERENCES),
]
