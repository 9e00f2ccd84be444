"""Information and entropy in plain sums of 50 digits, independently written."""

from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations import symbols
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.theory import information as lesson

TINY = mpf(10) ** -46  # 50 digits minus the rounding of a dozen terms


def at(law, names):
    """The numbers of a law without its cells of probability 0, and a form evaluated at them."""
    cells = [cell for cell, p in law.items() if p]
    values = {
        symbols.V: len(cells),
        symbols.weight: [mpf(law[cell].numerator) / law[cell].denominator for cell in cells],
    }
    values |= {symbols.x_of: [x for x, _ in cells], symbols.c_of: [y for _, y in cells]}
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
        for form, number in zip(
            (symbols.information, symbols.entropy_x, symbols.entropy_y), exact, strict=True
        ):
            assert float(value(form)) == pytest.approx(float(number), rel=1e-14, abs=1e-15)


@pytest.mark.parametrize("law", LAWS)
def test_the_mass_outside_and_the_squares_are_a_lower_bound_on_the_information(law):
    with mpmath.workdps(50):
        value = at(law, (*lesson.NAMES, lesson.ABSENT))
        p_x, p_y = lesson.marginals(law)
        empty = sum(p_x[x] * p_y[y] for x in p_x for y in p_y if not law.get((x, y)))
        assert abs(value(lesson.PAIRS.read(lesson.OUTSIDE)) - mpf(empty.numerator) / empty.denominator) < TINY
        far = lesson.far_from_apart().steps[-1].expression
        assert -value(symbols.information) <= value(far) + TINY
        independent = all(law.get((x, y), 0) == p_x[x] * p_y[y] for x in p_x for y in p_y)
        assert (abs(value(far)) < TINY) == independent
