"""The plain measure of digits: what it finds within, outside, and outside by nature."""

import digits
import numpy as np
import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify.case import Case


def test_nothing_is_outside_but_by_nature(tmp_path, capsys):
    path = tmp_path / "digits.md"
    assert digits.main(["--seed", "1", "--cases", "120", "--table", str(path)]) == 0
    words = path.read_text(encoding="utf-8")
    assert words + "\n" == capsys.readouterr().out
    assert all(f"| `{name}` |" in words for name in (*ALL, "streaming.clip", "information"))


def one(loss, what, **changes):
    case = Case.of(loss, loss.example(0, 1e-3, **changes), "here", "float64")
    return next(m for m in digits.measured(case) if m.loss == loss.name and m.what == what)


def test_digits_that_are_lost_are_outside_and_not_by_nature():
    """The sum of both partners' pulls, as if nothing cancelled."""
    loss = ALL["byol"]

    def rounded(cache, upstream=1.0):
        return loss.backward(cache, upstream)._replace(
            prediction=loss.backward(cache, upstream).prediction + 1e-15
        )

    assert not one(loss, "prediction").outside
    found = one(loss._replace(backward=rounded), "prediction")
    assert found.outside
    assert not found.explained


def test_a_sum_that_cancels_is_explained_by_its_condition_and_by_the_docstring_alone():
    found = digits.Measured("ntxent", "temperature", "here", error=5.0, condition=6.0, said=True)
    assert found.outside
    assert found.explained
    assert not found._replace(said=False).explained
    assert not found._replace(error=7.0).explained
    assert found._replace(error=float("nan")).outside
    assert not found._replace(error=float("nan")).explained


def test_a_condition_number_is_that_of_the_proved_formula():
    """Of the slopes of two queries by τ, P_n (s_n − s_p), nearly equal and of either sign."""
    loss = ALL["query_key"]
    rows = {"query": [[1.0], [1.0]], "positive": [[1.0], [2.0]], "negatives": [[[2.0]], [[1.0]]]}
    case = Case.of(loss, {k: np.array(x) for k, x in rows.items()} | {"temperature": 1.0}, "here", "float64")
    odds = np.exp(1.0)
    slopes = np.array([odds / (1 + odds), -1 / (1 + odds)])
    found = digits.explained(
        digits.Measured("query_key", "temperature", "here", 2.0),
        case,
        [np.sum(slopes) / 2],
        digits.terms(case, "temperature", [()]),
    )
    # the formula's terms are the logits, |s_n| + |s_p| = 3 for each P_n
    assert found.condition == pytest.approx(
        3 * np.sum(np.abs(slopes)) / abs(np.sum(slopes)), rel=1e-12, abs=0
    )
    assert found.said
