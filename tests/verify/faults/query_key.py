"""query_key wrong on purpose."""

from infonce_ref.losses import query_key


def keys_detached(cache):
    """MoCo's detached keys, where their gradients were asked for."""
    g = query_key.backward(cache)
    return g._replace(positive=0 * g.positive, negatives=0 * g.negatives)


TEXTS = [("queue_averaged", "negatives"), ("positive_twice", "query")]
FAULTS = [
    ({"backward": keys_detached}, "positive", set()),
    ({"backward": keys_detached}, "negatives", set()),
]
