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


DIFFERENCES = {"finite differences"}  # they agree: the gradient is right for the wrong forward pass
TEXTS = [("not_transposed", "text")]
FAULTS = [
    ({"forward": rows_alone, "backward": of_rows_alone}, "image", DIFFERENCES),
]
