"""Call functions defined in a notebook in the same way as those of a learner's file."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import worker
from .sandbox import read_answer


def make_ask(functions: Mapping[str, Callable[..., Any]]) -> Callable[[str, Sequence[Any]], list[np.ndarray]]:
    """Return ask(name, arguments), which calls a function. It raises Failed if the result does not consist of
    numbers.
    """

    def ask(name: str, arguments: Sequence[Any]) -> list[np.ndarray]:
        function = functions[name]
        given = [worker.pack(x) if isinstance(x, np.ndarray) else x for x in arguments]
        try:
            said = worker.answer(function, given)
        except Exception as error:  # a learner's function may raise anything
            code = getattr(function, "__code__", None)
            said = {"raised": worker.describe_error(error, code.co_filename if code else "")}
        return read_answer(said, name)

    return ask
