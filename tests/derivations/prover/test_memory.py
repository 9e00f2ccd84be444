"""A memoised check runs once for equal arguments, and its result is kept under its name."""

import pickle

import pytest
from sympy import IndexedBase, Symbol

from infonce_ref.derivations.prover import memory
from infonce_ref.derivations.prover.memory import memoise


@pytest.fixture
def calls(monkeypatch):
    """The arguments of each run of the checks; what they remember is forgotten after the test."""
    monkeypatch.setattr(memory, "KNOWN", {})
    return []


def test_two_checks_do_not_share_their_results(calls):
    @memoise
    def one(number):
        return number

    @memoise
    def other(number):
        return -number

    assert (one(3), other(3), one(3)) == (3, -3, 3)
    here = "test_two_checks_do_not_share_their_results.<locals>"
    kept = {(f"{__name__}.{here}.one", (3,)): 3, (f"{__name__}.{here}.other", (3,)): -3}
    assert kept == memory.KNOWN


def test_an_error_is_not_kept(calls):
    @memoise
    def fails(number):
        calls.append(number)
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            fails(1)
    assert calls == [1, 1]


def test_what_pickle_would_change_is_not_noted(calls):
    """An array whose sign was declared apart from its letter's comes back without it."""

    @memoise
    def check(array):
        return True

    array = IndexedBase(Symbol("x", real=True), positive=True)
    assert not pickle.loads(pickle.dumps(array)).is_positive
    with memory.note() as added:
        check(array)
    assert added == {}
