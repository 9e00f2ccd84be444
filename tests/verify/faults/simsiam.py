"""simsiam wrong on purpose."""

from infonce_ref.losses import simsiam


def stop_gradient_forgotten(cache):
    return simsiam.backward(cache._replace(stop_gradient=False))


def stop_gradient_everywhere(cache):
    return simsiam.backward(cache._replace(stop_gradient=True))


def same_view(p1, z1, p2, z2, *, stop_gradient=True):
    """Each prediction compared to its own view's projection [D3.45]."""
    return simsiam.forward(p1, z2, p2, z1, stop_gradient=stop_gradient)


FAULTS = [
    ({"backward": stop_gradient_forgotten}, "z1", set()),
    ({"backward": stop_gradient_everywhere, "variants": ({"stop_gradient": False},)}, "z2", set()),
    ({"forward": same_view}, "p1", set()),
]
