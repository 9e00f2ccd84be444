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


def test_a_check_runs_once_for_equal_arguments(calls):
    @memoise
    def add(*numbers):
        calls.append(numbers)
        return sum(numbers)

    assert [add(1, 2), add(1, 2), add(2, 1), add(1, 2)] == [3, 3, 3, 3]
    assert calls == [(1, 2), (2, 1)]


def test_a_result_that_is_false_is_kept_too(calls):
    @memoise
    def nothing(one):
        calls.append(one)

    assert [nothing(1), nothing(1)] == [None, None]
    assert calls == [1]


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


def test_a_result_read_from_a_file_is_used(calls):
    @memoise
    def check(number):
        calls.append(number)

    check(1)
    (key,) = memory.KNOWN
    memory.KNOWN[key] = "read"
    assert check(1) == "read"


def test_an_error_is_not_kept(calls):
    @memoise
    def fails(number):
        calls.append(number)
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            fails(1)
    assert calls == [1, 1]


def test_a_check_keeps_its_name_and_docstring():
    @memoise
    def check(number):
        """Say what is checked."""

    assert (check.__name__, check.__doc__) == ("check", "Say what is checked.")


def test_what_a_block_adds_is_noted(calls):
    @memoise
    def double(number):
        return 2 * number

    double(1)
    with memory.note() as added:
        double(1)
        double(3)
    double(5)
    assert list(added.items()) == [((f"{__name__}.{double.__qualname__}", (3,)), 6)]


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
