"""The losses tile by tile, with the plain ones for an oracle."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from array_api_compat import is_jax_array

from ...streaming import ALL
from ..case import Case
from .identity import Sides, agree, of


@of(*ALL)
def streamed(case: Case) -> Iterator[Sides]:
    """M6, S1: tiles that do not divide the rows, one tile, or none chosen: the same value and gradients."""
    if is_jax_array(case.convert(np.ones(1))):
        return  # JAX's arrays cannot be written in place: streaming refuses them
    value, gradients = case.value(), case.gradients()
    for tile in (1, 4, None):
        tiled = replace(case, loss=ALL[case.loss.name]).at(tile=tile)
        yield case.loss.differentiable[0], tiled.value(), value, value
        yield from agree(tiled, gradients)
