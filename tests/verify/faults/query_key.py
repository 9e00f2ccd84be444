"""query_key wrong on purpose."""

from infonce_ref.losses import query_key


def keys_detached(cache):
    """Detach the keys as in MoCo, although their gradients are wanted."""
    g = query_key.backward(cache)
    return g._replace(positive=0 * g.positive, negatives=0 * g.negatives)


def mask_of_another_query(query, positive, negatives, *, keep=None, **options):
    """Use the mask's lines in another order than the queries."""
    keep = None if keep is None else keep[::-1].copy()
    return query_key.forward(query, positive, negatives, keep=keep, **options)


MASKED = ({"left_out": 0.5}, {"own": True, "left_out": 0.5})
TEXTS = [("queue_averaged", "negatives"), ("positive_twice", "query")]
FAULTS = [
    ({"backward": keys_detached}, "positive", set()),
    ({"backward": keys_detached}, "negatives", set()),
    ({"forward": mask_of_another_query, "variants": MASKED}, "negatives", {"finite differences"}),
]
