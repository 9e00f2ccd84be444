"""clip wrong on purpose."""

import numpy as np

from infonce_ref.losses import clip, cpc, instance


def rows_alone(image, text, *, temperature):
    """Images against texts only: half of the loss, at full weight [M17]."""
    index = np.arange(len(image))
    return instance.forward(image, text, index=index, temperature=temperature, reduction="mean")


def of_rows_alone(cache):
    g = instance.backward(cache)
    return clip.Gradients(g.v, g.bank, g.temperature)


def mask_not_transposed(image, text, *, temperature, keep=None, **options):
    """A text uses its row of the mask instead of its column."""
    value, cache = clip.forward(image, text, temperature=temperature, keep=keep, **options)
    if keep is None:
        return value, cache
    scores, index = image @ text.T / temperature, np.arange(len(image))
    ways = [cpc.forward(x, positive=index, keep=keep)[0] for x in (scores, scores.T.copy())]
    _, other = clip.forward(image, text, temperature=temperature, keep=keep.T.copy(), **options)
    return np.mean(ways), cache._replace(columns=other.columns)


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [("not_transposed", "text")]
FAULTS = [
    ({"forward": rows_alone, "backward": of_rows_alone}, "image", DIFFERENCES),
    ({"forward": mask_not_transposed, "variants": ({"left_out": 0.5},)}, "image", DIFFERENCES),
]
