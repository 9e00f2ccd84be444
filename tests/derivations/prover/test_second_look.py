"""The second interpreter: it refuses what is wrong at some point, independently of the prover's rules."""

import mpmath
import pytest
from sympy import Integer, Rational, Symbol, exp, log, sqrt, symbols
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.losses import infonce
from infonce_ref.derivations.prover import inequality, proof, second_look
from infonce_ref.derivations.prover.inequality import LemmaUse, bound, nonnegative, positive
from infonce_ref.derivations.prover.notation import Definition, Differ, Partial, delta, sum_over
from infonce_ref.derivations.prover.proof import DEFINITION, DERIVATIVE, SUMS, derive
from infonce_ref.derivations.prover.second_look import Refused
from infonce_ref.derivations.prover.zero_test import Facts, NormalForm

N, M, d = symbols("N M d", integer=True, positive=True)
i, j, k, l, f = symbols("i j k l f", integer=True, nonnegative=True)
x, y, L, P = (IndexedBase(name, real=True) for name in "xyLP")
mask = IndexedBase("O", nonnegative=True)
p, square = (IndexedBase(name, integer=True) for name in ("p", "square"))
a, b, c = symbols("a b c", real=True)
t = Symbol("t", positive=True)
FACTS = Facts(
    ranges={i: N, j: N, k: N, f: d}, maps={p: (N, N), square: ((N, N), N)}, derangements=(p,), masks=(mask,)
)


@pytest.fixture
def credulous(monkeypatch):
    """Replace the prover by one that accepts everything as equal."""
    monkeypatch.setattr(NormalForm, "equal", lambda *_: True)


@pytest.mark.parametrize(
    ("first", "rule", "wrong"),
    [
        (sum_over(x[i], (i, N)) ** 2, SUMS, sum_over(x[i] ** 2, (i, N))),  # wrong from N = 2 on
        (
            sum_over(Differ(i, j) * Differ(i, k) * x[i], (i, N)),
            SUMS,
            sum_over(x[i], (i, N)) - x[j] - x[k],
        ),  # if j = k
        (sum_over(Integer(1), (i, N)), SUMS, N + (N - 1) * (N - 2)),  # from N = 3 on
        (sum_over(delta(l, j) * x[l], (l, M)), SUMS, x[j]),  # where j is M or more
        (x[p[p[i]]], SUMS, x[i]),  # no involution
        (mask[i, j] ** 2, SUMS, mask[i, j]),  # the hypotheses omit the mask, because no step needed it
        (x[square[i, j]], SUMS, x[square[j, i]]),
        (x[i] * x[j], SUMS, x[i] ** 2),
        (a * (b + 1), SUMS, a * b + a + Rational(1, 10**18)),
        (log(t**2 + a**2), SUMS, log(t**2) + log(1 + a**2)),
        (sqrt(c), DEFINITION, a),  # where a < 0
        (Partial(a**3, a), DERIVATIVE, 3 * a**3),
        (Partial(c, a), DERIVATIVE, Integer(0)),  # hidden in the definition
        (Partial(Partial(a**2 * b**2, a), b), DERIVATIVE, 2 * a * b),
        (Partial(log(sum_over(exp(x[k]), (k, N))), x[i]), DERIVATIVE, exp(x[i])),
        (Partial(sqrt(sum_over(x[k] ** 2, (k, N))), x[i]), DERIVATIVE, x[i] / sum_over(x[k] ** 2, (k, N))),
    ],
)
def test_a_wrong_line_is_refused_whatever_the_prover_says(credulous, first, rule, wrong):
    with pytest.raises(Refused, match="two lines differ"):
        derive(first, (rule, wrong), names=(Definition(c, a**2),), facts=FACTS)


def test_a_wrong_line_in_the_middle_is_refused(credulous):
    with pytest.raises(Refused, match="two lines differ"):
        derive(a * (b + 1), (SUMS, a * b), (SUMS, a * b + a), facts=FACTS)


def test_no_proof_is_made_without_the_second_interpreter(monkeypatch):
    differing = second_look.Point("N = 1", (mpmath.mpf(1), mpmath.mpf(2)))
    monkeypatch.setattr(second_look, "points", lambda *_: iter([differing]))
    with pytest.raises(Refused, match="N = 1"):
        derive(a * (b + 1), (SUMS, a * b + a), facts=FACTS)
    monkeypatch.setattr(proof, "check", proof.check.__wrapped__)
    with pytest.raises(Refused, match="two lines differ at N = 1"):
        infonce.STATEMENT.gradients["z"].prove()


# --- what is assumed ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (sum_over((x[i] ** 2 - x[j] ** 2) / (x[i] - x[j]), (i, N)), sum_over(x[i] + x[j], (i, N))),
        (
            sum_over(Differ(i, j) * (x[i] ** 2 - x[j] ** 2) / (x[i] - x[j]), (i, N)),
            sum_over(Differ(i, j) * (x[i] + x[j]), (i, N)),
        ),
        (log(-exp(a)) + b - b / t, b + log(-exp(a)) - b / t),
    ],
)
def test_contradictory_hypotheses_prove_nothing(credulous, first, last):
    with pytest.raises(Refused, match="no point satisfies the assumptions"):
        derive(first, (SUMS, last + a - a if first != last else 2 * last), facts=FACTS)


def test_hypotheses_that_hold_only_for_size_1_prove_nothing():
    diagonal = Definition(P[i, j], delta(i, j) * t)
    total_of_logs = sum_over(P[i, j] * log(P[i, j]), (i, N), (j, N))
    with pytest.raises(Refused, match="and N > 1"):
        derive(total_of_logs, (DEFINITION, N * t * log(t)), names=(diagonal,), facts=FACTS)


def test_an_undefined_value_must_be_excluded_by_an_assumption(monkeypatch):
    monkeypatch.setattr(proof, "find_needs", lambda *_: ())
    with pytest.raises(Refused, match="≠ 0 is not assumed"):
        derive(b * (1 + 1 / a), (SUMS, b + b / a), facts=FACTS)


def test_a_sign_and_a_bound_are_evaluated_numerically_too(monkeypatch):
    monkeypatch.setattr(inequality, "is_nonnegative", lambda _: True)
    monkeypatch.setattr(inequality, "is_positive", lambda _: True)
    with pytest.raises(Refused, match="it is false that 0"):
        nonnegative(sum_over(x[i], (i, N)))
    with pytest.raises(Refused, match="is < "):
        positive(sum_over(Differ(i, j) ** 2, (i, N)))  # empty at N = 1
    with pytest.raises(Refused, match="it is false that"):
        bound(a * log(t), LemmaUse(a, t), last=a * (t - 1), facts=FACTS)
