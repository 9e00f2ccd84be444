"""Every public function has an example in its docstring, and the example prints what the docstring shows."""

import doctest
from inspect import getmembers, isfunction

import pytest

from infonce_ref import (
    check,
    cross_entropy,
    double_length,
    explain,
    information,
    losses,
    pairs,
    reduction,
    sphere,
    streaming,
    testing,
)

PUBLIC = [
    explain,
    sphere.forward,
    sphere.backward,
    # and backward, in one example
    *(loss.forward for room in (losses.ALL, streaming.ALL, information.ESTIMATORS) for loss in room.values()),
    *(f for name, f in getmembers(information, isfunction) if name != "entries"),
]


@pytest.mark.parametrize("function", PUBLIC, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_has_an_example_that_runs(function):
    # without the module's own names, so that a reader can paste the example
    (test,) = doctest.DocTestFinder(recurse=False).find(function, globs={})
    assert test.examples, f"{function.__module__}.{function.__name__} shows no example"
    if function.__name__ == "forward" and function is not sphere.forward:
        assert any("backward(" in example.source for example in test.examples)
    said = []
    doctest.DocTestRunner(verbose=False).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize(
    "module",
    [cross_entropy, double_length, pairs, reduction, check, testing],
    ids=lambda module: module.__name__,
)
def test_examples_elsewhere_run(module):
    failed, attempted = doctest.testmod(module)
    assert attempted > 0
    assert failed == 0
