"""What a loss declares of itself in its LOSS."""

import inspect

import numpy as np
import pytest

from infonce_ref import losses


@pytest.mark.parametrize("name", losses.ALL)
def test_rows_of_different_things_are_compared_if_declared(name):
    """Then the mean over a batch is not the mean of the means over its two halves."""
    loss = losses.ALL[name]
    others = {"others": 5} if "others" in loss.drawn else {}
    arguments = loss.example(rows=4, **others) | {"reduction": "mean"}
    options = inspect.signature(loss.forward).parameters
    arguments = {k: x for k, x in arguments.items() if k in options}
    value, _ = loss.forward(**arguments)
    rows = len(arguments[loss.differentiable[0]])
    views = 2 if rows == 8 or name == "supcon" else 1
    halves = [{k: take_half(x, rows, views, half) for k, x in arguments.items()} for half in (0, 1)]
    mean = sum(loss.forward(**half)[0] for half in halves) / 2
    assert bool(abs(value - mean) > 1e-3) is loss.compares


def take_half(x, rows, views, half):
    """Return one half of the rows, of both views; anything else as it is."""
    if not isinstance(x, np.ndarray) or x.ndim == 0 or len(x) != rows:
        return x
    return np.concatenate([np.split(view, 2)[half] for view in np.split(x, views)])


@pytest.mark.parametrize("name", ["dcl", "spectral", "barlow_twins", "vicreg", "dhn_nce"])
def test_fewer_pairs_than_the_fewest_are_refused(name):
    loss = losses.ALL[name]
    loss.forward(**loss.example(rows=2))
    arguments = loss.example(rows=2)
    one = {k: x[::2] if isinstance(x, np.ndarray) and x.ndim else x for k, x in arguments.items()}
    with pytest.raises(ValueError, match=r"\w"):
        loss.forward(**one)


@pytest.mark.parametrize("name", losses.ALL)
def test_a_constant_column_is_refused_if_declared(name):
    loss = losses.ALL[name]
    arguments = loss.example(rows=4)
    refused = set()
    for k in loss.differentiable:
        if isinstance(arguments[k], np.ndarray) and arguments[k].ndim == 2:
            constant = arguments[k].copy()
            constant[:, 0] = 0.5
            try:
                loss.forward(**arguments | {k: constant})
            except ValueError:
                refused.add(k)
    assert refused == {*loss.varying}
