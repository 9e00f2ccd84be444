"""simsiam: the cosines of two predictions to the other view's projections, with or without stop-gradient."""

from collections.abc import Iterator

import numpy as np

from ..case import Case
from .identity import Sides, Terms, agree, declared, float64, weight
from .shared import away, scale_free, tangential


def facing(case: Case) -> dict[str, tuple[np.ndarray, np.ndarray, int]]:
    """Each input of SimSiam, the input that it is compared with, and whether it has a gradient. [D3.45,
    D3.46]
    """
    p1, z1, p2, z2 = float64(case, "p1", "z1", "p2", "z2")
    through = 0 if case.arguments.get("stop_gradient", True) else 1
    return {"p1": (p1, z2, 1), "z1": (z1, p2, through), "p2": (p2, z1, 1), "z2": (z2, p1, through)}


def gradient(case: Case) -> dict[str, Terms]:
    """M19: ∂/∂p1 = −(ẑ2 − cos · p̂1)/(2n‖p1‖); 0 for z1 and z2 under the stop-gradient, otherwise likewise."""
    gradients = {}
    for name, (x, y, passes) in facing(case).items():
        value, size = away(x, y)
        scale = passes * weight(case, len(x)) / 2
        gradients[name] = scale * value, scale * size
    return gradients


def exchanged(case: Case) -> Iterator[Sides]:
    """D3.45: the loss is symmetric, exchanging the two views exchanges their gradients."""
    other = {"p1": "p2", "p2": "p1", "z1": "z2", "z2": "z1"}
    here = case.gradients()
    changed = case.at(**{name: case.arguments[other[name]] for name in other})
    yield from agree(changed, {name: here[other[name]] for name in other})


def the_gradient_stops(case: Case) -> Iterator[Sides]:
    """D3.46: with or without stop-gradient, the value and the gradients of p1 and p2 are the same."""
    if not declared(case, "stop_gradient"):
        return
    other = case.at(stop_gradient=not case.arguments.get("stop_gradient", True))
    here = case.gradients()
    yield from agree(other, {name: here[name] for name in ("p1", "p2")})
    yield "p1", other.value(), case.value(), weight(case, 1) * len(case.arguments["p1"])


IDENTITIES = (exchanged, the_gradient_stops, tangential, scale_free)
