"""BYOL's loss as public libraries have got it wrong."""

from .bug import bug
from .tape import Node, unit


def cosine(prediction, target):
    return (unit(prediction) * unit(Node(target))).sum(1)


def textbook(prediction, target):
    return (2 - 2 * cosine(prediction, target)).mean()


@bug("symbolic", "https://github.com/imbue-ai/self_supervised/issues/7", named=("half",))
def half_scale_one_minus_cosine(prediction, target):
    """1 − cos, half of the loss."""
    return (1 - cosine(prediction, target)).mean()
