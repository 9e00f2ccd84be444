"""BYOL, written again: the mean squared distance of two directions."""

import mpmath
from mpmath import mpf

from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.losses.byol import STATEMENT
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.symbols import f, k

STEP = mpf(10) ** -20
CLOSE = mpf(10) ** -26  # 50 digits less those of the step


def normalized(row):
    return [x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row]


def raw(prediction, target):
    pairs = [(normalized(q), normalized(z)) for q, z in zip(prediction, target, strict=True)]
    return sum(sum((x - y) ** 2 for x, y in zip(q, z, strict=True)) for q, z in pairs) / len(pairs)


def slope(inputs, name, row, feature):
    values = []
    for sign in (1, -1):
        moved = {key: [list(x) for x in value] for key, value in inputs.items()}
        moved[name][row][feature] += sign * STEP
        values.append(raw(**moved))
    return (values[0] - values[1]) / (2 * STEP)


def test_the_statement_is_of_the_raw_loss(assert_states, array):
    assert_states("byol", raw, {"prediction": array(2, 3), "target": array(2, 3)})


def test_no_gradient_where_the_prediction_points_the_other_way():
    with mpmath.workdps(50):
        inputs = {"prediction": [[mpf(1), mpf(2), mpf(3)]], "target": [[mpf(-2), mpf(-4), mpf(-6)]]}
        for feature in range(3):
            assert abs(slope(inputs, "prediction", 0, feature)) < CLOSE


def test_the_gradient_by_the_target_is_shown_though_left_out(array):
    """D3.42: it is no 0 that would make the target constant by itself."""
    left_out = CLAIMS["D3.42"].evidence()["left_out"]
    with mpmath.workdps(50):
        inputs = {"prediction": array(2, 3), "target": array(2, 3)}
        at = evaluator(left_out.lines[-1].expression, STATEMENT.bind(**inputs), names=STATEMENT.names)
        value, _ = at({k: 1, f: 2})
        assert abs(value - slope(inputs, "target", 1, 2)) < CLOSE
        assert abs(value) > mpf("0.01")
