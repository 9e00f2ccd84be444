"""SimSiam's loss as public libraries have got it wrong."""

from .bug import bug
from .tape import detach, unit


def distance(p, z):
    """−cos with the gradient stopped at z, which is right."""
    return -(unit(p) * unit(detach(z))).sum(1).mean()


def textbook(p1, z1, p2, z2):
    return (distance(p1, z2) + distance(p2, z1)) / 2


@bug("symbolic", "https://github.com/ai4co/rl4co/issues/283", named=("sign flipped",))
def similarity_maximised_with_wrong_sign(p1, z1, p2, z2):
    """+cos is minimised: the views are driven to opposite directions."""
    return -(distance(p1, z2) + distance(p2, z1)) / 2
