"""DHN-NCE against the double loop, written again without the proof."""

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.losses.dhn_nce import STATEMENTS

STEP = mpf(10) ** -20
CLOSE = mpf(10) ** -26  # 50 digits less those of the step and of the slopes; the scheme itself errs by 10⁻³⁶
BETAS = {"beta1": mpf("0.15"), "beta2": mpf(2)}


def weights(image, text, temperature, beta):
    """(B − 1) times the softmax of the negatives, by the two loops of the document."""
    pairs = range(len(image))
    hard = [[mpmath.exp(beta * mpmath.fdot(image[i], text[j]) / temperature) for j in pairs] for i in pairs]
    return [
        [(len(image) - 1) * hard[i][j] / sum(hard[i][k] for k in pairs if k != i) for j in pairs]
        for i in pairs
    ]


def one_way(image, text, temperature, weight):
    """Σ_i of −S_ii/τ + log Σ_{j≠i} e^{S_ij/τ} W_ij."""
    loss = mpf(0)
    for i, row in enumerate(image):
        loss -= mpmath.fdot(row, text[i]) / temperature
        loss += mpmath.log(
            sum(
                mpmath.exp(mpmath.fdot(row, text[j]) / temperature) * weight[i][j]
                for j in range(len(text))
                if j != i
            )
        )
    return loss


def both_weights(image, text, temperature, beta1, beta2):
    return weights(image, text, temperature, beta1), weights(text, image, temperature, beta2)


def raw(image, text, temperature, held=None):
    forth, back = held or both_weights(image, text, temperature, **BETAS)
    return one_way(image, text, temperature, forth) + one_way(text, image, temperature, back)


@pytest.mark.parametrize(("reduction", "divisor"), [("sum", 1), ("mean", 3)])
@pytest.mark.parametrize("treatment", ["differentiated", "constant"])
def test_the_statement_is_of_the_raw_loss(assert_states, array, treatment, reduction, divisor):
    point = {"image": array(3, 2), "text": array(3, 2), "temperature": mpf("0.7")}
    with mpmath.workdps(50):
        held = both_weights(**point, **BETAS) if treatment == "constant" else None

    def reduced(image, text, temperature):
        return raw(image, text, temperature, held) / divisor

    assert_states("dhn_nce", reduced, point, **BETAS, weights=treatment, reduction=reduction)


def test_an_unknown_treatment_of_the_weights_is_refused(array):
    with pytest.raises(ValueError, match="weights must be one of"):
        STATEMENTS["constant"].bind(array(3, 2), array(3, 2), temperature=mpf(1), **BETAS, weights="frozen")


def scores(L):
    """A batch at temperature 1 whose scores are L: the images are the unit vectors, the texts the columns of L."""
    size = range(len(L))
    return [[mpf(int(a == b)) for b in size] for a in size], [[row[b] for row in L] for b in size]


def image_rows(L, beta, held=None):
    """The direction from image to text at the scores L, its weights made of `held` where they are constant."""
    image, text = scores(L)
    return one_way(image, text, mpf(1), weights(*scores(held or L), mpf(1), beta))


def slope(L, row, column, beta, held=None):
    def at(step):
        moved = [list(entries) for entries in L]
        moved[row][column] += step
        return image_rows(moved, beta, held)

    return (at(STEP) - at(-STEP)) / (2 * STEP)


SCORES = [[mpf(1), mpf(3), mpf(-1)], [mpf(0), mpf(2), mpf(1)], [mpf("0.5"), mpf("-0.5"), mpf(1)]]


@pytest.mark.parametrize("held", [None, SCORES], ids=["differentiated", "constant"])
def test_the_slopes_of_a_row_sum_to_zero(held):  # M20
    with mpmath.workdps(50):
        assert abs(sum(slope(SCORES, 0, j, mpf(2), held) for j in range(3))) < CLOSE


def test_an_easy_negative_is_attracted_only_where_the_weights_are_differentiated():  # M21
    with mpmath.workdps(50):
        easy = slope(SCORES, 0, 2, mpf(1))
        # r⁽²⁾/r⁽¹⁾ = e⁻¹(e³ + e⁻¹)/(e⁶ + e⁻²) is below β/(1 + β) = 1/2
        assert easy < 0 < slope(SCORES, 0, 2, mpf(1), held=SCORES)
        assert slope(SCORES, 0, 1, mpf(1)) > 0


@pytest.mark.parametrize(("row", "negative"), [(row, j) for row in range(3) for j in range(3) if j != row])
def test_with_constant_weights_every_negative_is_repelled(row, negative):  # M21
    with mpmath.workdps(50):
        assert slope(SCORES, row, negative, mpf(3), held=SCORES) > 0


def test_the_loss_climbs_with_beta_to_the_hardest_negative():  # M22
    with mpmath.workdps(50):
        values = [image_rows(SCORES, mpf(beta)) for beta in (0, 1, 10, 100)]
        limit = (3 - 1) + (1 - 2) + (mpf("0.5") - 1) + 3 * mpmath.log(2)
        assert values == sorted(values)
        assert (
            0 < limit - values[-1] < mpf(10) ** -40
        )  # the other negatives are e⁻¹⁰⁰ of the hardest, or less


def test_a_constant_in_all_scores_changes_nothing():  # M26
    with mpmath.workdps(50):
        moved = [[x + 7 for x in row] for row in SCORES]
        assert abs(image_rows(moved, mpf(2)) - image_rows(SCORES, mpf(2))) < mpf(10) ** -45
