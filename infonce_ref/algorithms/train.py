"""The training loop: runs that can be begun, continued, interrupted between steps, saved and resumed.

The random numbers of step t depend only on (seed, t), so that a resumed run equals an uninterrupted one.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from .parts import evaluate
from .parts.registry import Algorithm, Score

STEPS = 600
SHARES = ("momentum", "average")  # options: decay of the moving average


class Run(NamedTuple):
    """An algorithm, its seed and options, its current state, and the loss of each step."""

    algorithm: Algorithm
    seed: int
    options: Any
    state: Any
    losses: tuple[float, ...] = ()


class Result(NamedTuple):
    """The measures of the trained encoder, the untrained one and raw pixels, and the task's score."""

    trained: evaluate.Measures
    untrained: evaluate.Measures
    pixels: evaluate.Measures
    score: Score | None


def begin(algorithm: Algorithm, *, seed: int = 0, **options: Any) -> Run:
    """Return a run before its first step. Raises ValueError for an option that the algorithm does not have or
    allow.
    """
    if seed < 0:
        raise ValueError(f"seed must not be negative; got {seed}")
    chosen = algorithm.options(**check(algorithm, options))
    images = algorithm.images()
    if not 2 <= chosen.batch <= len(images.train):
        raise ValueError(
            f"batch must lie in 2 … {len(images.train)}, the number of images; got {chosen.batch}"
        )
    return Run(algorithm, seed, chosen, algorithm.start(np.random.default_rng(seed), images, chosen))


def check(algorithm: Algorithm, options: dict[str, Any]) -> dict[str, Any]:
    """Check the types and ranges of options, and return them."""
    defaults = algorithm.options()._asdict()
    for name, value in options.items():
        if name not in defaults:
            raise ValueError(f"{algorithm.name} has no option {name!r}; it has {', '.join(defaults)}")
        if type(value) is not type(defaults[name]):
            kind = type(defaults[name]).__name__
            raise ValueError(f"option {name} must be of type {kind}, such as {defaults[name]}; got {value!r}")
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"option {name} must be finite; got {value}")
        if name == "rate" and value <= 0:
            raise ValueError(f"option rate must be positive; got {value}")
        if name in SHARES and not 0 <= value <= 1:
            raise ValueError(f"option {name} must lie in 0 … 1, the share that is kept; got {value}")
    return options


def parse(algorithm: Algorithm, words: list[str]) -> dict[str, Any]:
    """Parse options typed as NAME=VALUE."""
    defaults = algorithm.options()._asdict()
    read: dict[type, Callable[[str], Any]] = {
        bool: {"true": True, "false": False}.__getitem__,
        int: int,
        float: float,
        str: str,
    }
    options: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals:
            raise ValueError(f"an option is NAME=VALUE; got {word!r}")
        try:
            options[name] = read[type(defaults[name])](value) if name in defaults else value
        except (KeyError, ValueError):
            options[name] = value
    return check(algorithm, options)


def steps(run: Run, count: int) -> Iterator[Run]:
    """Yield the run after each of this many more steps. Raises ValueError if the loss is no longer finite."""
    algorithm, images = run.algorithm, run.algorithm.images()
    for _ in range(count):
        rng = np.random.default_rng((run.seed, len(run.losses)))
        try:
            with np.errstate(over="raise", invalid="raise", divide="raise"):
                state, loss = algorithm.step(run.state, images, rng, run.options)
        except FloatingPointError:
            raise ValueError(
                f"step {len(run.losses) + 1} overflows: training diverged; lower the option rate"
            ) from None
        run = run._replace(state=state, losses=(*run.losses, loss))
        yield run


def advance(run: Run, count: int) -> Run:
    """Return the run after this many more steps."""
    for later in steps(run, count):
        run = later
    return run


def one_thread() -> AbstractContextManager:
    """Run matrix products on one thread: they are too small for several threads, and one thread adds in the same
    order on all machines of a kind."""
    return threadpool_limits(1)


def result(run: Run) -> Result:
    """Measure the run, and its encoder before training."""
    algorithm, images = run.algorithm, run.algorithm.images()

    def measure(state: Any) -> evaluate.Measures:
        return evaluate.measure(algorithm.embedding(state), images)

    start = begin(algorithm, seed=run.seed, **run.options._asdict())
    score = algorithm.score(run.state, images) if algorithm.score else None
    return Result(measure(run.state), measure(start.state), evaluate.measure((), images), score)
