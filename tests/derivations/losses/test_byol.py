"""BYOL and SimSiam against 50-digit differences of the raw definitions, written again without the lessons."""

import random
from fractions import Fraction

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.losses.byol import STATEMENT as BYOL_STATEMENT
from infonce_ref.derivations.losses.simsiam import FREE_STATEMENT as FREE_SIMSIAM_STATEMENT
from infonce_ref.derivations.losses.simsiam import STOPPED_STATEMENT as SIMSIAM_STATEMENT
from infonce_ref.derivations.losses.simsiam import algorithm
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.prover.notation import unfold
from infonce_ref.derivations.prover.proof import SUMS, derive
from infonce_ref.derivations.prover.sums import NotProved
from infonce_ref.derivations.symbols import f, k, rate
from infonce_ref.derivations.theory.moving_average import after_updates

STEP = mpf(10) ** -20
CLOSE = mpf(10) ** -28  # 50 digits less those of the step; the scheme itself errs by 10⁻⁴⁰


def normalized(row):
    return [x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row]


def raw_byol(prediction, target):
    pairs = [(normalized(q), normalized(z)) for q, z in zip(prediction, target, strict=True)]
    return sum(sum((x - y) ** 2 for x, y in zip(q, z, strict=True)) for q, z in pairs) / len(pairs)


def raw_simsiam(p1, z1, p2, z2):
    def distance(p, z):
        return -sum(mpmath.fdot(normalized(x), normalized(y)) for x, y in zip(p, z, strict=True)) / len(p)

    return distance(p1, z2) / 2 + distance(p2, z1) / 2


def rows(*names, seed=3):
    r = random.Random(seed)
    return {name: [[mpf(r.randint(-9, 9)) / 8 for _ in range(3)] for _ in range(2)] for name in names}


def slope(function, inputs, name, row, feature):
    values = []
    for sign in (1, -1):
        moved = {key: [list(x) for x in value] for key, value in inputs.items()}
        moved[name][row][feature] += sign * STEP
        values.append(function(**moved))
    return (values[0] - values[1]) / (2 * STEP)


def assert_gradient(statement, function, inputs, name, bound=None):
    with mpmath.workdps(50):
        gradient = statement.gradients[name]
        at = evaluator(gradient.closed_form, statement.bind(**inputs, **(bound or {})))
        for row in range(2):
            for feature in range(3):
                value, _ = at(dict(zip(gradient.indices, (row, feature), strict=True)))
                assert abs(value - slope(function, inputs, name, row, feature)) < CLOSE


def test_byol_by_the_prediction():
    assert_gradient(BYOL_STATEMENT, raw_byol, rows("prediction", "target"), "prediction")


@pytest.mark.parametrize("name", ["p1", "z1", "p2", "z2"])
def test_simsiam_without_stop_gradient(name):
    assert_gradient(FREE_SIMSIAM_STATEMENT, raw_simsiam, rows("p1", "z1", "p2", "z2"), name)


@pytest.mark.parametrize("name", ["p1", "p2"])
def test_the_stop_gradient_leaves_the_predictions_alone(name):
    assert_gradient(SIMSIAM_STATEMENT, raw_simsiam, rows("p1", "z1", "p2", "z2"), name)


def test_the_stop_gradient_stops_the_projections():
    assert SIMSIAM_STATEMENT.gradients["z1"].closed_form == SIMSIAM_STATEMENT.gradients["z2"].closed_form == 0


@pytest.mark.parametrize("statement", [SIMSIAM_STATEMENT, FREE_SIMSIAM_STATEMENT])
def test_simsiam_has_one_value_with_and_without(statement):
    with mpmath.workdps(50):
        inputs = rows("p1", "z1", "p2", "z2")
        value, _ = evaluator(statement.definition, statement.bind(**inputs))({})
        assert abs(value - raw_simsiam(**inputs)) < mpf(10) ** -48


def test_byol_has_the_value_of_the_raw_definition():
    with mpmath.workdps(50):
        inputs = rows("prediction", "target")
        value, _ = evaluator(BYOL_STATEMENT.definition, BYOL_STATEMENT.bind(**inputs))({})
        assert abs(value - raw_byol(**inputs)) < mpf(10) ** -48


@pytest.mark.parametrize("statement", [BYOL_STATEMENT, SIMSIAM_STATEMENT, FREE_SIMSIAM_STATEMENT])
def test_the_gradients_are_proved_for_every_size(statement):
    for gradient in statement.gradients.values():
        gradient.prove()


def test_the_pseudo_code_computes_the_raw_loss():
    with mpmath.workdps(50):
        inputs = rows("p1", "z1", "p2", "z2")
        assert abs(algorithm(**inputs, root=mpmath.sqrt) - raw_simsiam(**inputs)) < mpf(10) ** -48


def test_a_collapsed_output_reaches_the_least_value():
    with mpmath.workdps(50):
        same = [[mpf(3), mpf(4)]] * 2
        assert abs(raw_simsiam(same, same, same, same) + 1) < mpf(10) ** -48


def test_byol_has_no_gradient_where_the_prediction_points_the_other_way():
    with mpmath.workdps(50):
        inputs = {"prediction": [[mpf(1), mpf(2), mpf(3)]], "target": [[mpf(-2), mpf(-4), mpf(-6)]]}
        for feature in range(3):
            assert abs(slope(raw_byol, inputs, "prediction", 0, feature)) < CLOSE


def test_the_weights_of_a_moving_average_sum_to_one_and_to_nothing_else():
    """D3.41: an update multiplies what they have beyond 1 by ζ, and not what they have beyond 2."""
    step = CLAIMS["D3.41"].evidence()["weights"]
    first, last = (line.expression for line in step.lines)
    with pytest.raises(NotProved):
        derive(first - 1, (SUMS, last - rate), facts=step.facts)


def test_the_gradient_by_the_target_is_shown_though_left_out():
    """D3.42: it is no 0 that would make the target constant by itself."""
    left_out = CLAIMS["D3.42"].evidence()["left_out"]
    with mpmath.workdps(50):
        inputs = rows("prediction", "target")
        at = evaluator(
            unfold(left_out.lines[-1].expression, BYOL_STATEMENT.names), BYOL_STATEMENT.bind(**inputs)
        )
        value, _ = at({k: 1, f: 2})
        assert abs(value - slope(raw_byol, inputs, "target", 1, 2)) < CLOSE
        assert abs(value) > mpf("0.01")


def test_a_moving_average_of_one_value_stays_there():
    assert after_updates(7, [7] * 5, Fraction(9, 10)) == 7
