"""information.donsker_varadhan wrong on purpose."""

import numpy as np
from scipy.special import logsumexp

from infonce_ref.information import donsker_varadhan


def of_the_joint_law(scores, *, joint):
    """The mean of e^u over the joint law, not over the product of its marginals."""
    log_z = logsumexp(scores, b=joint)
    shares = joint * np.exp(scores - log_z)
    return np.sum(joint * scores) - log_z, donsker_varadhan.Cache(joint, shares)


def uniform(cache):
    """Give all cells the same weight, as in a batch."""
    return donsker_varadhan.Gradients(1 / cache.joint.size - cache.shares)


def without_the_law(cache):
    """Only the logarithm's part of the gradient."""
    return donsker_varadhan.Gradients(-cache.shares)


FAULTS = [
    ({"forward": of_the_joint_law}, "scores", {"finite differences"}),
    ({"backward": uniform}, "scores", set()),
    ({"backward": without_the_law}, "scores", set()),
]
