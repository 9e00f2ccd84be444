"""SupCon, written again from the labels: in each form the mean over the anchors that have a positive."""

import mpmath
import pytest
from mpmath import mpf

LABELS = [4, 1, 4, 2, 1, 4]  # row 3 is alone in its class


def rows(w, temperature, form, labels=LABELS):
    """Of each anchor its loss, or None where it has no positive."""
    z = [[x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row] for row in w]
    for i, row in enumerate(z):
        others = [j for j in range(len(z)) if j != i]
        powers = {j: mpmath.exp(mpmath.fdot(row, z[j]) / temperature) for j in others}
        chances = [powers[j] / sum(powers.values()) for j in others if labels[j] == labels[i]]
        if not chances:
            yield None
        elif form == "out":
            yield -sum(map(mpmath.log, chances)) / len(chances)
        else:
            yield -mpmath.log(sum(chances) / len(chances))


def raw(w, temperature, form, labels=LABELS, reduction="mean"):
    losses = [loss for loss in rows(w, temperature, form, labels) if loss is not None]
    return sum(losses) / (len(losses) if reduction == "mean" else 1)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("form", ["out", "in"])
def test_the_statement_is_of_the_raw_loss(assert_states, array, form, reduction):
    def of_form(w, temperature):
        return raw(w, temperature, form, reduction=reduction)

    options = {"labels": LABELS, "form": form, "reduction": reduction}
    assert_states("supcon", of_form, {"w": array(6, 3), "temperature": mpf("0.7")}, **options)


def test_the_mean_outside_is_what_is_meant_without_a_word(assert_states, array):
    def out(w, temperature):
        return raw(w, temperature, "out", labels=[0, 0, 0, 0])

    assert_states("supcon", out, {"w": array(4, 2), "temperature": mpf(1)}, labels=[0, 0, 0, 0])


@pytest.mark.parametrize("form", ["out", "in"])
def test_each_anchor_with_a_weight_of_its_own(assert_states, array, form):
    weights = array(6)

    def weighted(w, temperature):
        return sum(a * (loss or 0) for a, loss in zip(weights, rows(w, temperature, form), strict=True))

    options = {"labels": LABELS, "form": form, "reduction": "none", "upstream": weights}
    assert_states("supcon", weighted, {"w": array(6, 3), "temperature": mpf("0.5")}, **options)
