"""clip wrong on purpose."""

import numpy as np

from infonce_ref.losses import clip, instance


def rows_alone(image, text, *, temperature):
    """Images against texts only: half of the loss, at full weight [M17]."""
    index = np.arange(len(image))
    return instance.forward(image, text, index=index, temperature=temperature, reduction="mean")


def of_rows_alone(cache):
    g = instance.backward(cache)
    return clip.Gradients(g.v, g.bank, g.temperature)


def mask_not_transposed(image, text, *, keep=None, **options):
    """A text reads its row of the mask, where its column belongs."""
    value, cache = clip.forward(image, text, keep=keep, **options)
    if keep is None:
        return value, cache
    _, other = clip.forward(image, text, keep=keep.T.copy(), **options)
    cache = cache._replace(columns=other.columns)
    return np.mean(-np.log1p(-cache.rows.q) - np.log1p(-cache.columns.q)) / 2, cache


DIFFERENCES = {"finite differences"}  # they agree: the gradient is right for the wrong forward pass
TEXTS = [("not_transposed", "text")]
FAULTS = [
    ({"forward": rows_alone, "backward": of_rows_alone}, "image", DIFFERENCES),
    ({"forward": mask_not_transposed, "variants": ({"left_out": 0.5},)}, "image", DIFFERENCES),
]
