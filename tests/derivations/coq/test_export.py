"""What has no counterpart in Coq is refused. test_coq.py compares the statement of every claim with the record."""

import re
from pathlib import Path

import pytest
from sympy import Function, IndexedBase, Rational, Symbol, cos

from infonce_ref.derivations.coq import export
from infonce_ref.derivations.coq.export import _Statement, proposition
from infonce_ref.derivations.coq.spelling import NotExported, identifier
from infonce_ref.derivations.evidence.kinds import (
    Empirical,
    Example,
    Finding,
    Relation,
)
from infonce_ref.derivations.prover.notation import Partial, sum_over

N = Symbol("N", integer=True, positive=True)
i, k = (Symbol(name, integer=True, nonnegative=True) for name in "ik")
a, b, c, tau = (Symbol(name, real=True) for name in ("a", "b", "c", "τ"))
w = Symbol("w", positive=True)
x, z = (IndexedBase(name, real=True) for name in "xz")
p, q = (IndexedBase(name, integer=True) for name in "pq")


def say(left, sign="=", right=c, **point):
    """The proposition on one line, without the names that it introduces."""
    return " ".join(_Statement(Relation(left, sign, right), (), **point).text().split())


@pytest.mark.parametrize(
    ("expression", "why"),
    [
        (cos(a), "no Coq for cos in cos(a)"),
        (Function("h")(a), "no Coq for h in h(a)"),
        (a**b, "no Coq for Pow in a**b"),
        (c * a**b, "no Coq for Pow in a**b"),
        (w ** Rational(1, 3), "no Coq for the power 1/3 of w"),
        (sum_over(x[i], (i, N / 2)), "no natural number of Coq for 1/2"),
        (sum_over(x[i], (i, N - 1)), "no natural number of Coq for -1"),
        (sum_over(x[i], (i, N**2)), "no natural number of Coq for N**2"),
    ],
)
def test_a_term_without_a_counterpart_is_refused(expression, why):
    with pytest.raises(NotExported) as refused:
        say(expression)
    assert str(refused.value) == why


def test_two_names_with_one_identifier_are_refused():
    with pytest.raises(NotExported, match=r"two of these names have the same identifier in Coq: .*τ → tau"):
        say(tau + Symbol("tau", real=True))


def test_a_derivative_in_an_inequality_is_refused():
    with pytest.raises(NotExported, match=r"^no Coq for an inequality with a derivative$"):
        say(Partial(a**2, a), "<")


# --- pieces of evidence ---------------------------------------------------------------------------------


def test_a_map_of_two_indices_has_no_value():
    with pytest.raises(NotExported, match=r"^no Coq for a map of two indices: q$"):
        say(x[q[0, 1]], point={q: [[0, 1], [1, 0]]})


def test_a_piece_that_states_no_theorem_is_refused():
    for piece in (Empirical("words"), Example.at("one", lambda: Finding(1, "=", 1))):
        kind = type(piece).__name__
        with pytest.raises(
            NotExported, match=f"^a {kind} is not a theorem; a proof, a sign, an inequality and an ins"
        ):
            proposition(piece)


# --- names ---------------------------------------------------------------------------------------------


def test_no_definition_of_the_vocabulary_is_an_identifier():
    vocabulary = Path(export.__file__).with_name("vocabulary.v").read_text(encoding="utf-8")
    defined = re.findall(r"^(?:Definition|Fixpoint) (\w+)", vocabulary, re.M)
    assert {"sum", "delta", "set3"} < {*defined}
    used = [word for word in defined if word != "entries"]  # only the vocabulary itself uses it
    assert [identifier(word) for word in used] == [f"{word}_" for word in used]


def test_a_sign_without_a_spelling_is_refused():
    with pytest.raises(
        NotExported, match=r"^no identifier for 'ж' \(CYRILLIC SMALL LETTER ZHE\); give it one in "
    ):
        identifier("ж")
