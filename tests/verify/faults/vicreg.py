"""vicreg wrong on purpose."""

import numpy as np

from infonce_ref.losses import vicreg


def mean_over_entries(z1, z2, **options):
    """The invariance term as the mean of an array, 1/d of it, as `mse_loss` gives."""
    options["invariance"] /= z1.shape[1]
    return vicreg.forward(z1, z2, **options)


def margin_on_the_variance(cache):
    """A hinge on Var + ε instead of its root: the gradient lacks 1/S, and is doubled."""
    first, second = (view._replace(pull=(view.pull > 0) * 2 / (len(cache.apart) - 1)) for view in cache[2:4])
    return vicreg.backward(cache._replace(first=first, second=second))


def hinge_forgotten(cache):
    """Columns with enough variance are pushed apart too."""

    def opened(view):
        deviation = np.sqrt(np.sum(view.columns**2, axis=0) / (len(view.columns) - 1) + 1e-4)
        return view._replace(pull=1 / deviation / (len(view.columns) - 1))

    return vicreg.backward(cache._replace(first=opened(cache.first), second=opened(cache.second)))


DIFFERENCES = {"finite differences"}  # these agree: the gradient is right for the wrong forward pass
TEXTS = [
    ("square_not_differentiated", "z2"),
    ("second_view_forgotten", "z2"),
    ("covariance_over_b_on_the_way_back", "z1"),
]
FAULTS = [
    ({"forward": mean_over_entries}, "z1", DIFFERENCES),
    ({"backward": margin_on_the_variance}, "z1", set()),
    ({"backward": hinge_forgotten}, "z1", set()),
]
