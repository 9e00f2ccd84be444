"""Choose which cases of a table run by default, and which only nightly."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest

OF_EACH_VERDICT = ("D1.11", "D1.13", "D1.5", "D1.0", "D3.37", "P1", "D4.9", "P2")  # a claim of each


def few(
    cases: Iterable[Any],
    kept: Callable[[Any], bool],
    mark: pytest.MarkDecorator = pytest.mark.slow,
    rare: Callable[[Any], bool] = lambda case: False,
) -> list[Any]:
    """Return the cases as parameters. All but the first few are marked: nightly if `rare`, otherwise with the
    given mark. A case of several parameters is a tuple.
    """
    given = ((case, case if type(case) is tuple else (case,)) for case in cases)
    return [
        pytest.param(*values, marks=() if kept(case) else pytest.mark.nightly if rare(case) else mark)
        for case, values in given
    ]
