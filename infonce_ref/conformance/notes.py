"""Report what was not asked of a loss: optional arrays, and the other mode of a module."""

import sys
from typing import Any

import numpy as np

from ..targets import describe_error
from . import inputs
from .asking import Way
from .identification import SIZES
from .target import find_optional


def note_unasked(way: Way) -> None:
    """Report optional arrays of the loss that were not passed."""
    left = find_optional(way.session.function, way.session.given)
    if left and not inputs.WAYS[way.name].last:
        way.session.notes[f"asked without {', '.join(left)}, which it may be given: --inputs chooses"] = None


def note_evaluation(way: Way) -> None:
    """Report a PyTorch module that returns another value in evaluation mode than in training mode, or the other
    way round.
    """
    session = way.session
    module: Any = session.function
    if session.library != "torch" or not isinstance(module, sys.modules["torch"].nn.Module):
        return
    many = [inputs.points(way.world, size)[0] for size in SIZES]
    modes = {part: part.training for part in module.modules()}
    mode = module.training
    here = [way.value(arrays) for arrays in many]
    try:
        module.train(not mode)
        there = [way.value(arrays) for arrays in many]
    except Exception as error:
        said = f"raises {describe_error(error)}"
    else:
        said = "" if np.allclose(here, there, rtol=1e-6, atol=0) else "returns another value"
    finally:
        for part, before in modes.items():
            part.training = before
    if said:
        own, other = ("training", "evaluation") if mode else ("evaluation", "training")
        session.notes[f"asked in {own} mode; in {other} mode it {said}"] = None
