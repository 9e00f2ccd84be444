"""Nested tuples of arrays, such as a network or the state of a run: map, flatten, rebuild."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np


def map_trees(function: Callable[..., Any], *trees: Any) -> Any:
    """Apply the function to the corresponding arrays of trees of one shape."""
    first = trees[0]
    if not isinstance(first, tuple):
        return function(*trees)
    branches = [map_trees(function, *parts) for parts in zip(*trees, strict=True)]
    return type(first)(*branches) if hasattr(first, "_fields") else tuple(branches)


def leaves(tree: Any) -> Iterator[np.ndarray]:
    """Yield the arrays, in order."""
    if isinstance(tree, tuple):
        for branch in tree:
            yield from leaves(branch)
    else:
        yield tree


def rebuild(tree: Any, arrays: Iterator[np.ndarray]) -> Any:
    """Return a tree of that shape with these arrays as leaves."""
    return map_trees(lambda _: next(arrays), tree)
