"""Functions of this process, asked as a file is: for a notebook, where a learner's functions live already."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import worker
from .sandbox import understood


def asking(functions: Mapping[str, Callable[..., Any]]) -> Callable[[str, Sequence[Any]], list[np.ndarray]]:
    """ask(name, arguments): what a function returns. Raises Failed where it does not answer with numbers."""

    def ask(name: str, arguments: Sequence[Any]) -> list[np.ndarray]:
        function = functions[name]
        given = [worker.packed(x) if isinstance(x, np.ndarray) else x for x in arguments]
        try:
            said = worker.answer(function, given)
        except Exception as error:  # whatever a learner's function may raise
            code = getattr(function, "__code__", None)
            said = {"raised": worker.told(error, code.co_filename if code else "")}
        return understood(said, name)

    return ask
