"""How the proved statement of a loss is held against its definition, written again without the proofs."""

import random
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses import statement
from infonce_ref.derivations.prover.evaluate import evaluator

STEP = mpf(10) ** -20
CLOSE = mpf(10) ** -26  # 50 digits less those of the step and of e^{9/τ}; the scheme itself errs by 10⁻³⁶
SAME = mpf(10) ** -46  # a few dozen roundings


def places(array: Any) -> list[tuple[int, ...]]:
    """All indices of nested lists; of a number the empty one."""
    shape = []
    while isinstance(array, list):
        shape.append(len(array))
        array = array[0]
    return list(product(*map(range, shape)))


def moved(array: Any, place: tuple[int, ...], step: mpf) -> Any:
    if not place:
        return array + step
    return [moved(x, place[1:], step) if n == place[0] else x for n, x in enumerate(array)]


@pytest.fixture
def array() -> Callable[..., Any]:
    """Eighths between −9/8 and 9/8 in nested lists of a shape, others at each call."""
    source = random.Random(7)

    def drawn(*shape: int) -> Any:
        return [drawn(*shape[1:]) for _ in range(shape[0])] if shape else mpf(source.randint(-9, 9)) / 8

    return drawn


@pytest.fixture
def assert_states() -> Callable[..., None]:
    """The statement of a loss has the value of the raw loss at a point and, by each input, its slopes."""

    def check(
        loss: str,
        raw: Callable[..., Any],
        arguments: dict[str, Any],
        inputs: Sequence[str] | None = None,
        **options: Any,
    ) -> None:
        """options: arguments that the raw loss does not take. inputs: those whose slopes are compared, or all."""
        proved = statement(loss, arguments | options)
        bound = proved.bind(**arguments, **options)
        with mpmath.workdps(50):
            assert abs(evaluator(proved.form, bound, names=proved.names)({})[0] - raw(**arguments)) < SAME
            for name in proved.gradients if inputs is None else inputs:
                gradient = proved.gradients[name]
                at = evaluator(gradient.form, bound, names=gradient.names)
                for place in places(arguments[name]):
                    above, below = (
                        raw(**arguments | {name: moved(arguments[name], place, sign * STEP)})
                        for sign in (1, -1)
                    )
                    value, _ = at(dict(zip(gradient.indices, place, strict=True)))
                    assert abs(value - (above - below) / (2 * STEP)) < CLOSE, (name, place)

    return check
