"""Information and entropy in plain sums of 50 digits, independently written; false variants are refused."""

import random
from fractions import Fraction

import mpmath
import pytest
from mpmath import log, mpf
from sympy import Integer

from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.prover.inequality import Use, bound
from infonce_ref.derivations.prover.proof import DEFINITION, derive
from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.theory import information as lesson

TINY = mpf(10) ** -46  # 50 digits minus the rounding of a dozen terms


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


def test_exact_entropies_agree_with_the_plain_sums():
    law = {(0, 0): Fraction(1, 2), (0, 1): Fraction(1, 6), (1, 0): Fraction(1, 12), (1, 1): Fraction(1, 4)}
    mutual, of_x, of_y = lesson.exact_entropies(law)
    both = entropy([mpf(p.numerator) / p.denominator for p in law.values()])
    # a few roundings
    assert float(mutual) == pytest.approx(float(of_x) + float(of_y) - float(both), rel=1e-14, abs=0)


def at(law, names):
    """The numbers of a law without its cells of probability 0, and a form evaluated at them."""
    cells = [cell for cell, p in law.items() if p]
    values = {
        lesson.V: len(cells),
        lesson.weight: [mpf(law[cell].numerator) / law[cell].denominator for cell in cells],
    }
    values |= {lesson.x_of: [x for x, _ in cells], lesson.c_of: [y for _, y in cells]}
    return lambda form: evaluator(form, values, names=names)({})[0]


LAWS = [
    {(0, 0): Fraction(1, 2), (1, 1): Fraction(1, 2), (0, 1): Fraction(0)},
    {(0, 0): Fraction(1, 4), (0, 1): Fraction(1, 4), (1, 0): Fraction(1, 2)},
    {(0, 2): Fraction(1, 8), (1, 1): Fraction(3, 8), (2, 1): Fraction(1, 4), (2, 0): Fraction(1, 4)},
    {(0, 0): Fraction(1, 6), (0, 1): Fraction(1, 3), (1, 0): Fraction(1, 6), (1, 1): Fraction(1, 3)},
]


@pytest.mark.parametrize("law", LAWS)
def test_the_symbols_are_the_quantities_of_a_law_with_cells_of_probability_0(law):
    with mpmath.workdps(50):
        value = at(law, lesson.NAMES)
        exact = lesson.exact_entropies(law)
        for form, number in zip((lesson.information, lesson.entropy_x, lesson.entropy_y), exact, strict=True):
            assert float(value(form)) == pytest.approx(float(number), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("law", LAWS)
def test_the_mass_outside_and_the_squares_are_a_lower_bound_on_the_information(law):
    with mpmath.workdps(50):
        value = at(law, (*lesson.NAMES, lesson.ABSENT))
        p_x, p_y = lesson.marginals(law)
        empty = sum(p_x[x] * p_y[y] for x in p_x for y in p_y if not law.get((x, y)))
        assert abs(value(lesson.OUTSIDE) - mpf(empty.numerator) / empty.denominator) < TINY
        far = lesson.far_from_apart().lines[-1].expression
        assert -value(lesson.information) <= value(far) + TINY
        independent = all(law.get((x, y), 0) == p_x[x] * p_y[y] for x in p_x for y in p_y)
        assert (abs(value(far)) < TINY) == independent


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
        derive(lesson.information, (DEFINITION, false), names=lesson.POSITIVE, facts=lesson.FACTS)


def test_the_information_is_not_shown_to_be_negative():
    i = lesson.i
    use = Use(lesson.joint[i], lesson.apart[i], ((i, lesson.V),), lesson.joint[i])
    last = lesson.total(lesson.apart[i] - lesson.joint[i], (i, lesson.V))
    with pytest.raises(NotProved):
        bound(lesson.information, use, last=last, names=(lesson.INFORMATION,), facts=lesson.FACTS)


def test_without_the_pairs_that_do_not_occur_the_product_law_is_not_shown_to_sum_to_1():
    i = lesson.i
    with pytest.raises(NotProved):
        derive(
            lesson.total(lesson.apart[i], (i, lesson.V)),
            (DEFINITION, Integer(1)),
            names=lesson.NAMES,
            facts=lesson.FACTS,
        )
