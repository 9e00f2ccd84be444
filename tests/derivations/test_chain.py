"""A chain of ≤ begins where the link before ends, and nothing else makes one."""

import pytest
from sympy import Integer, Symbol, exp, log

from infonce_ref.derivations.evidence import Chain, NotShown, Verdict, relation, verdict_of
from infonce_ref.derivations.prover.inequality import Use, bound, nonnegative
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.sums import Facts

A, B = (Symbol(name, positive=True) for name in "ab")
RATIO = A / (A + B)
BELOW = bound(log(A) - log(A + B), Use(Integer(1), A, bottom=A + B), last=-B / (A + B), facts=Facts())
SIGN = nonnegative(B / (A + B))
EQUAL = derive(-B / (A + B), (SUMS, RATIO - 1), facts=Facts())


def test_a_chain_states_its_first_line_and_its_last():
    assert relation(Chain((BELOW, SIGN))).text() == "log(a) - log(a + b) ≤ 0"
    assert relation(Chain((BELOW, EQUAL))).right == RATIO - 1


def test_what_stands_on_both_sides_is_added_to_both():
    assert relation(Chain((BELOW, SIGN), both=log(A + B))).text() == "log(a) ≤ log(a + b)"


def test_it_shows_every_line_with_its_sign_and_its_rule():
    _, lemma, _, equal, *_ = str(Chain((BELOW, EQUAL))).splitlines()
    assert lemma == "  ≤ a/(a + b) - 1   [log x ≤ x − 1 ✓]"
    assert equal == "  = a/(a + b) - 1   [finite sums ✓]"
    assert Chain((BELOW, SIGN)).latex()[-1] == ("0", "signs")


def test_it_is_proved_from_the_lemma():
    assert verdict_of([Chain((BELOW, SIGN))]) is Verdict.PROVED_FROM_LEMMA


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
