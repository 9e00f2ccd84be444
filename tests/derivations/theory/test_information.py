"""Information and entropy in plain sums of 50 digits, apart from the lesson; false variants are refused."""

import random
from fractions import Fraction

import mpmath
import pytest
from mpmath import log, mpf
from sympy import Integer

from infonce_ref.derivations.prover.inequality import Use, bound
from infonce_ref.derivations.prover.proof import DEFINITION, derive
from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.theory import information as lesson

TINY = mpf(10) ** -46  # 50 digits less those of a dozen terms


def table(seed, rows=3, columns=4):
    r = random.Random(seed)
    cells = [[mpf(r.randint(1, 20)) for _ in range(columns)] for _ in range(rows)]
    whole = sum(map(sum, cells))
    return [[cell / whole for cell in row] for row in cells]


def entropy(law):
    return -sum(p * log(p) for p in law)


@pytest.fixture(params=range(3))
def law(request):
    with mpmath.workdps(50):
        cells = table(request.param)
        x, y = [sum(row) for row in cells], [sum(column) for column in zip(*cells, strict=True)]
        places = [(a, b) for a in range(3) for b in range(4)]
        mutual = sum(cells[a][b] * log(cells[a][b] / (x[a] * y[b])) for a, b in places)
        yield cells, x, y, places, mutual


def test_information_is_the_entropies_difference(law):
    cells, x, y, places, mutual = law
    both = entropy([cells[a][b] for a, b in places])
    assert abs(mutual - (entropy(x) + entropy(y) - both)) < TINY  # H(X|Y) = H(X,Y) − H(Y)


def test_information_lies_between_0_and_the_entropies(law):
    _, x, y, _, mutual = law
    assert 0 < mutual < min(entropy(x), entropy(y))


def test_the_misprint_is_off_by_the_difference_of_the_entropies(law):
    cells, x, y, places, mutual = law
    printed = sum(cells[a][b] * log(cells[a][b] / x[a] / x[a]) for a, b in places)
    assert abs(printed - (mutual + entropy(x) - entropy(y))) < TINY


def test_exact_entropies_agree_with_the_plain_sums():
    law = {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 6), (1, 0): Fraction(1, 12), (1, 1): Fraction(1, 4)}
    mutual, of_x, of_y = lesson.exact_entropies(law)
    both = entropy([mpf(p.numerator) / p.denominator for p in law.values()])
    assert float(mutual) == pytest.approx(
        float(of_x) + float(of_y) - float(both), rel=1e-14
    )  # a few roundings


@pytest.mark.parametrize("function", [(0, 1, 0), (2, 2, 2), (1, 2, 0)])
def test_what_a_function_of_x_loses_is_what_it_joins(function):
    """D3.27: H(X) − H(F(X)) = Σ p(x) log(1 + Σ p(x′)/p(x)), over the others with the same F; 0 if injective."""
    with mpmath.workdps(50):
        p_x = [mpf(1) / 2, mpf(1) / 3, mpf(1) / 6]
        p_y = [sum(p for p, value in zip(p_x, function, strict=True) if value == y) for y in set(function)]
        joined = [sum(q for q, v in zip(p_x, function, strict=True) if v == value) for value in function]
        gap = sum(p * log(1 + (whole - p) / p) for p, whole in zip(p_x, joined, strict=True))
        assert abs(entropy(p_x) - entropy(p_y) - gap) < TINY
        assert (gap < TINY) == (len(set(function)) == 3)


@pytest.mark.parametrize(
    "false",
    [
        lesson.MISPRINT,
        lesson.entropy_x + lesson.entropy_x_y,
        lesson.entropy_x - lesson.entropy_y_x,
        2 * lesson.information,
        Integer(0),
    ],
)
def test_a_false_form_of_the_information_is_refused(false):
    with pytest.raises(NotProved):
        derive(lesson.information, (DEFINITION, false), names=lesson.NAMES, facts=lesson.FACTS)


def test_the_information_is_not_shown_to_be_negative():
    i, j = lesson.i, lesson.j
    independent = lesson.joint_x[i] * lesson.joint_y[j]
    use = Use(lesson.joint[i, j], independent / lesson.joint[i, j], lesson.CELLS)
    with pytest.raises(NotProved):
        bound(lesson.information, use, last=Integer(0), names=lesson.NAMES, facts=lesson.FACTS)
