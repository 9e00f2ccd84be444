"""vicreg wrong on purpose."""

import numpy as np

from infonce_ref.losses import vicreg


def mean_over_entries(z1, z2, **options):
    """The invariance term by the mean over an array, 1/d of it, as `mse_loss` gives it."""
    options["invariance"] /= z1.shape[1]
    return vicreg.forward(z1, z2, **options)


def margin_on_the_variance(cache):
    """A hinge on Var + ε instead of its root: the pull without 1/S, and twice."""
    first, second = (view._replace(pull=(view.pull > 0) * 2 / (len(cache.apart) - 1)) for view in cache[2:4])
    return vicreg.backward(cache._replace(first=first, second=second))


def hinge_forgotten(cache):
    """Columns that vary enough are pulled apart too."""

    def opened(view):
        deviation = np.sqrt(np.sum(view.columns**2, axis=0) / (len(view.columns) - 1) + 1e-4)
        return view._replace(pull=1 / deviation / (len(view.columns) - 1))

    return vicreg.backward(cache._replace(first=opened(cache.first), second=opened(cache.second)))


def square_not_differentiated(cache):
    """2 for 4: a covariance enters twice, and each time squared."""
    first, second = (view._replace(covariances=view.covariances / 2) for view in cache[2:4])
    return vicreg.backward(cache._replace(first=first, second=second))


def second_view_forgotten(cache):
    """v and c of the first view alone."""
    nothing = cache.second._replace(pull=0 * cache.second.pull, covariances=0 * cache.second.covariances)
    return vicreg.backward(cache._replace(second=nothing))


def divided_by_rows(cache):
    """Covariances over B on the way back, over B − 1 on the way there."""
    rows = len(cache.apart)
    first, second = (
        view._replace(covariances=view.covariances * ((rows - 1) / rows) ** 2) for view in cache[2:4]
    )
    return vicreg.backward(cache._replace(first=first, second=second))


DIFFERENCES = {"finite differences"}  # of a right gradient of another loss: they agree with its forward pass
FAULTS = [
    ({"forward": mean_over_entries}, "z1", DIFFERENCES),
    ({"backward": margin_on_the_variance}, "z1", set()),
    ({"backward": hinge_forgotten}, "z1", set()),
    ({"backward": square_not_differentiated}, "z2", set()),
    ({"backward": second_view_forgotten}, "z2", set()),
    ({"backward": divided_by_rows}, "z1", set()),
]
