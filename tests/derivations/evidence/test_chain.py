"""A chain of ≤: each link begins with the end of the previous one."""

import pytest
from sympy import IndexedBase, Integer, Symbol, exp, log

from infonce_ref.derivations.evidence.kinds import Chain, NotShown, display, relation
from infonce_ref.derivations.prover.inequality import LemmaUse, bound, nonnegative
from infonce_ref.derivations.prover.notation import Definition, sum_over
from infonce_ref.derivations.prover.proof import DEFINITION, SUMS, derive
from infonce_ref.derivations.prover.second_look import Refused
from infonce_ref.derivations.prover.zero_test import Facts

A, B = (Symbol(name, positive=True) for name in "ab")
RATIO = A / (A + B)
BELOW = bound(log(A) - log(A + B), LemmaUse(Integer(1), A, bottom=A + B), last=-B / (A + B), facts=Facts())
SIGN = nonnegative(B / (A + B))
EQUAL = derive(-B / (A + B), (SUMS, RATIO - 1), facts=Facts())


def test_a_chain_states_its_first_line_and_its_last():
    assert display(Chain((BELOW, SIGN))).states.text == "log(a) - log(a + b) ≤ 0"
    assert relation(Chain((BELOW, EQUAL))).right == RATIO - 1


@pytest.mark.parametrize(
    "links",
    [
        (),
        (SIGN, BELOW),
        (EQUAL,),
        (EQUAL, SIGN),
        (EQUAL, BELOW),
        (BELOW, BELOW),
        (BELOW, SIGN, EQUAL),
        (BELOW, derive(exp(A) * exp(B), (SUMS, exp(A + B)), facts=Facts())),
        (BELOW, True),
    ],
)
def test_a_broken_chain_is_refused(links):
    with pytest.raises(NotShown):
        Chain(links)


# --- each link is valid by itself, but both together are not --------------------------------------------

C, D = (Symbol(name, real=True) for name in "cd")


def named(first, last, *names):
    return derive(first, (DEFINITION, last), names=names, facts=Facts())


def test_a_name_means_one_thing_in_all_links():
    """c is log a − log(a + b) above the lemma, and undefined below it."""
    above = named(C, log(A) - log(A + B), Definition(C, log(A) - log(A + B)))
    assert display(Chain((above, BELOW))).states.text == "c ≤ -b/(a + b)"
    other = named(-B / (A + B), D * A, Definition(C, D), Definition(D, -B / (A + B) / A))
    assert relation(Chain((above, BELOW, other))).right == D * A
    again = named(-B / (A + B), C, Definition(C, -B / (A + B)))
    with pytest.raises(ValueError, match="c is defined twice"):
        Chain((above, BELOW, again))


LINK = bound(-log(1 + A), LemmaUse(Integer(1), 1 / (1 + A)), last=1 / (1 + A) - 1, facts=Facts())


def test_an_index_has_one_range_in_all_links():
    N, M = (Symbol(name, integer=True, positive=True) for name in "NM")
    i = Symbol("i", integer=True, nonnegative=True)
    x = IndexedBase("x", nonnegative=True)
    signs = [nonnegative(sum_over(x[i], (i, size))) for size in (N, M)]
    assert Chain((LINK, signs[0]))
    with pytest.raises(ValueError, match="i runs to"):
        Chain((LINK, *signs))


def test_contradictory_hypotheses_prove_nothing():
    below, above = (nonnegative(log(x) ** 2) for x in (-C, C))
    assert Chain((LINK, below))
    assert Chain((LINK, above))
    with pytest.raises(Refused, match="no point satisfies the assumptions"):
        Chain((LINK, below, above))
