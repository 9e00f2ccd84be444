"""Which cases of a table the default run has, and which only the nightly."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def few(
    cases: Iterable[Any],
    kept: Callable[[Any], bool],
    mark: pytest.MarkDecorator = pytest.mark.slow,
    rare: Callable[[Any], bool] = lambda case: False,
) -> list[Any]:
    """The cases as parameters, marked unless they are kept: nightly if rare, and else with the mark. A case of
    several parameters is a tuple."""
    given = ((case, case if type(case) is tuple else (case,)) for case in cases)
    return [
        pytest.param(*values, marks=() if kept(case) else pytest.mark.nightly if rare(case) else mark)
        for case, values in given
    ]
