"""CLIP against 50-digit differences of the raw definition, written again without the lesson."""

import random

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses.clip import STATEMENT
from infonce_ref.derivations.prover.evaluate import evaluator

STEP = mpf(10) ** -20
CLOSE = mpf(10) ** -26  # 50 digits less those of the step and of e^{9/τ}; the scheme itself errs by 10⁻³⁶


def raw(image, text, temperature):
    """½ (cross-entropy of the rows + cross-entropy of the columns), each a mean."""
    scores = [[mpmath.fdot(u, v) / temperature for v in text] for u in image]

    def cross_entropy(table):
        return sum(mpmath.log(sum(map(mpmath.exp, row))) - row[i] for i, row in enumerate(table)) / len(table)

    return (cross_entropy(scores) + cross_entropy(list(zip(*scores, strict=True)))) / 2


def point():
    r = random.Random(5)
    image, text = ([[mpf(r.randint(-9, 9)) / 8 for _ in range(2)] for _ in range(3)] for _ in range(2))
    return {"image": image, "text": text, "temperature": mpf("0.4")}


def moved(inputs, name, index, step):
    if not index:
        return inputs | {name: inputs[name] + step}
    rows = [list(row) for row in inputs[name]]
    rows[index[0]][index[1]] += step
    return inputs | {name: rows}


@pytest.mark.parametrize("name", ["image", "text", "temperature"])
def test_the_gradient_is_that_of_the_raw_definition(name):
    with mpmath.workdps(50):
        inputs, gradient = point(), STATEMENT.gradients[name]
        at = evaluator(gradient.closed_form, STATEMENT.bind(**inputs))
        places = [(row, feature) for row in range(3) for feature in range(2)] if gradient.indices else [()]
        for place in places:
            above, below = (raw(**moved(inputs, name, place, sign * STEP)) for sign in (1, -1))
            value, _ = at(dict(zip(gradient.indices, place, strict=True)))
            assert abs(value - (above - below) / (2 * STEP)) < CLOSE


def test_the_definition_has_the_raw_value():
    with mpmath.workdps(50):
        value, _ = evaluator(STATEMENT.definition, STATEMENT.bind(**point()))({})
        assert abs(value - raw(**point())) < mpf(10) ** -47


def test_the_gradients_are_proved_for_every_size():
    for gradient in STATEMENT.gradients.values():
        gradient.prove()
