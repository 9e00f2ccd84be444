"""Which cases of a table the default run has."""

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def few(
    cases: Iterable[Any], kept: Callable[[Any], bool], mark: pytest.MarkDecorator = pytest.mark.slow
) -> list[Any]:
    """The cases as parameters, marked unless they are kept. A case of several parameters is a tuple."""
    given = ((case, case if type(case) is tuple else (case,)) for case in cases)
    return [pytest.param(*values, marks=() if kept(case) else mark) for case, values in given]
