"""Every loss has a statement, whose gradients are the proved ones; those with a case distinction at a tie.

Elsewhere `verify` compares the definition and its gradients with the code and its textbook forms.
"""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses import (
    NAMES,
    alignment,
    hard_negative,
    list_statements,
    nce,
    triplet,
    vicreg,
)
from infonce_ref.derivations.prover.evaluate import evaluator
from infonce_ref.derivations.symbols import above
from infonce_ref.losses import ALL

STATEMENTS = list_statements()


def test_every_loss_has_a_statement():
    assert set(NAMES) == set(ALL)


GRADIENTS = [(loss, name) for loss, statement in STATEMENTS.items() for name in statement.gradients]


@pytest.mark.slow
@pytest.mark.parametrize(("loss", "name"), GRADIENTS)
def test_the_evaluated_gradient_is_the_proved_one(loss, name):
    gradient = STATEMENTS[loss].gradients[name]
    proof = gradient.prove()
    assert proof.lines[-1].expression == gradient.form
    assert set(proof.definitions) <= set(gradient.names)


def value(statement, bound):
    return evaluator(statement.form, bound, names=statement.names)({})[0]


COLUMN = [[mpf(-1)], [mpf(0)], [mpf(1)]]  # its standard deviation is 1
ROWS = [[mpf(1), mpf(2)], [mpf(0), mpf(1)]]
WEIGHTS = {"invariance": mpf(1), "variance": mpf(1), "covariance": mpf(1)}


@pytest.mark.parametrize(
    ("statement", "by", "arguments", "slopes"),
    [
        (
            triplet.STATEMENT,
            "anchor",
            {"anchor": [[0]], "positive": [[1]], "negative": [[2]], "margin": 3},
            {(0, 0): 0},
        ),
        (
            vicreg.STATEMENT,
            "z1",
            {"z1": COLUMN, "z2": COLUMN, **WEIGHTS, "margin": mpf(1), "epsilon": mpf(0)},
            {(0, 0): 0},
        ),
        *(
            (
                alignment.STATEMENT,
                "z1",
                {"z1": ROWS, "z2": [ROWS[0], [mpf(0), mpf(2)]], "exponent": exponent},
                {(0, 0): 0, (0, 1): 0, (1, 0): 0, (1, 1): -exponent / 2},
            )
            for exponent in (mpf(1), mpf(2))
        ),
    ],
    ids=["triplet: hinge", "vicreg: hinge", "alignment: equal rows", "alignment: equal rows, squared"],
)
def test_the_slope_at_a_tie_is_0(statement, by, arguments, slopes):
    gradient = statement.gradients[by]
    at = evaluator(gradient.form, statement.environment(**arguments), names=gradient.names)
    found = {place: at(dict(zip(gradient.indices, place, strict=True)))[0] for place in slopes}
    assert found == slopes


def test_an_estimate_equal_to_its_floor_counts_as_clamped():
    rows = [[mpf(1)], [mpf(-1)], [mpf(-1)], [mpf(-1)]]  # for row 0 all other rows are opposite
    bound = hard_negative.STATEMENT.environment(w=rows, temperature=mpf(1), beta=mpf(1), prior=mpf("0.5"))
    assert bound[above] == [0, 1, 1, 1]


def test_the_two_class_loss_of_d2_is_the_statement():
    """u = log 2 for both, one noise sample, p_n = 1."""
    u, none = mpmath.log(2), mpf(0)
    bound = nce.STATEMENT.environment(
        data_scores=[u], noise_scores=[[u]], log_noise_data=[none], log_noise=[[none]]
    )
    assert mpmath.exp(value(nce.STATEMENT, bound)) == pytest.approx(
        float(nce.two_class_loss(2, 2)), rel=1e-12, abs=0
    )
