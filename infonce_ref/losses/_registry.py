"""What each loss says of itself, so that tests, judge, lessons, figures and command need no list of theirs."""

from collections.abc import Callable
from typing import Any, NamedTuple


class Loss(NamedTuple):
    """One row of the registry `infonce_ref.losses.ALL`."""

    name: str
    forward: Callable[..., tuple[Any, Any]]
    backward: Callable[..., Any]
    differentiable: tuple[str, ...]  # the inputs with a gradient, in the order of the Gradients tuple
    example: Callable[
        ..., dict[str, Any]
    ]  # (seed=0, noise=1.0, **options): NumPy float64 arguments of forward;
    #                                         a small noise makes the positives nearly equal
    variants: tuple[dict[str, Any], ...]  # options that the judge runs beside the defaults
    claims: tuple[str, ...]  # ids of the ledger that the file implements
