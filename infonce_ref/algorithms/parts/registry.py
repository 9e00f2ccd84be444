"""What each algorithm declares about itself, so that loop, measures, command and tests need no lists."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ...floors import Floor
from .images import Images, digits
from .networks import Network


class Score(NamedTuple):
    """The score on a task with held-out images: its name, the value, and the value reached by guessing."""

    name: str
    value: float
    guess: float


class Algorithm(NamedTuple):
    """One row of the registry `infonce_ref.algorithms.ALL`.

    options: a NamedTuple class, a default for each option; one of them is batch.
    start(rng, images, options) → state: a NamedTuple of arrays, networks and tuples of them. step(state, images,
    rng, options) → (state, loss): one minibatch; pure, the old state stays as it was. embedding(state): the network
    whose output is compared; its backbone is probed. images(): what it is trained on. score(state, images): the
    score of the algorithm's own task on held-out images; None without such a task. floor(options): the least loss
    of a step; None if it is unknown or changes from step to step.
    """

    name: str
    title: str
    options: Callable[..., Any]
    start: Callable[..., Any]
    step: Callable[..., tuple[Any, float]]
    embedding: Callable[[Any], Network]
    images: Callable[[], Images] = digits
    score: Callable[[Any, Images], Score] | None = None
    floor: Callable[[Any], Floor] | None = None
