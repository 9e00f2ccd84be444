"""SimSiam's loss as public libraries have got it wrong."""

from .bug import bug
from .tape import detach, unit


def distance(p, z):
    """−cos with the gradient stopped at z, which is right."""
    return -(unit(p) * unit(detach(z))).sum(1).mean()


def textbook(p1, z1, p2, z2):
    return (distance(p1, z2) + distance(p2, z1)) / 2


@bug("symbolic", of="two_minus_two_cosines", named=("two minus two cosines",))
def simsiam_uses_byols_two_minus_two_cos(p1, z1, p2, z2):
    """One of two code paths returned 2 − 2 cos for −cos: twice the gradient."""
    return (2 + 2 * distance(p1, z2) + 2 + 2 * distance(p2, z1)) / 2


@bug("symbolic", "https://github.com/ai4co/rl4co/issues/283", named=("sign flipped",))
def similarity_maximised_with_wrong_sign(p1, z1, p2, z2):
    """+cos is minimised: the views are driven to opposite directions."""
    return -(distance(p1, z2) + distance(p2, z1)) / 2


@bug("symbolic", of="one_term_alone", named=("one term alone",))
def second_half_overwrites_the_first(p2, z1):
    """The terms of the symmetric loss are assigned, not added, and still divided by their number."""
    return distance(p2, z1) / 2


@bug("finite differences", of="stop_gradient_missing", named=("stop-gradient missing",))
def stop_gradient_dropped_outside_the_loss(p1, z1, p2, z2):
    """Both threads ask about a missing stop-gradient: nothing is detached, both sides are trained."""
    return -((unit(p1) * unit(z2)).sum(1) + (unit(p2) * unit(z1)).sum(1)).mean() / 2


@bug("symbolic", of="same_view", named=("same view",))
def prediction_compared_with_its_own_view(p1, z1, p2, z2):
    """Each view's prediction is compared with the projection of the same view."""
    return (distance(p1, z1) + distance(p2, z2)) / 2
