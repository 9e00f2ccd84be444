"""The three grades: textbook forms are inexact, ours exact, planted ones wrong. Also declared cancellations."""

import re

import numpy as np
import pytest

from infonce_ref import textbook
from infonce_ref.losses import ALL, ntxent
from infonce_ref.registry import SLOPES
from infonce_ref.verify import cancellations, laws, matrix
from infonce_ref.verify.judge import answer, ask_all, ask_fixed_points, grade, holds

NTXENT = ALL["ntxent"]


def forward(w, *, temperature):
    """NT-Xent as textbooks compute it: a log-softmax, and P − 1."""
    n, norm = len(w), np.linalg.norm(w, axis=1, keepdims=True)
    z, i = w / norm, np.arange(len(w))
    p = (i + n // 2) % n
    s = z @ z.T / w.dtype.type(temperature)
    log_p = s - textbook.logsumexp(s, i != i[:, None])[:, None]
    log_p[i, i] = -np.inf
    return np.asarray(-np.mean(log_p[i, p]), w.dtype), (z, norm, s, log_p, p, float(temperature))


def backward(cache, upstream=1.0):
    z, norm, s, log_p, p, tau = cache
    i, g = np.arange(len(z)), np.exp(log_p)
    g[i, p] -= 1
    g *= upstream / len(z) / tau
    dz = (g + g.T) @ z
    dw = (dz - z * np.sum(z * dz, axis=1, keepdims=True)) / norm
    return ntxent.Gradients(dw.astype(z.dtype), np.asarray(-np.sum(g * s), z.dtype))


def example(*args, **options):
    drawn = NTXENT.example(*args, **options)
    return {name: drawn[name] for name in ("w", "temperature")}


TEXTBOOK = NTXENT._replace(forward=forward, backward=backward, example=example, variants=())


def measured(loss, dtype="float64"):
    """Run all checks except those with other kinds of arrays, because the textbook's functions do not check
    their input.
    """
    asked = (h for h in ask_all(loss, dtype) if h.check is not laws.check_kinds_of_arrays)
    return [check for question in asked for check in answer(question)]


def times(factor, where=lambda tau: True):
    def wrong(cache, upstream=1.0):
        by = factor if where(cache[5]) else 1.0
        return ntxent.Gradients(*(x * x.dtype.type(by) for x in backward(cache, upstream)))

    return TEXTBOOK._replace(backward=wrong)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_textbook_form_is_inexact_and_the_report_says_where(dtype):
    found = grade(measured(TEXTBOOK, dtype), TEXTBOOK)
    assert found.verdict == "inexact"
    # nothing is lost at τ ≥ 0.5
    assert 2 < found.starts.sharpness <= 1 / 0.07
    assert "temperature" in str(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    "loss",
    [times(2.0), times(1 + 1e-6), times(1.01, lambda tau: tau < 0.05), times(1.01, lambda tau: 2 < tau < 9)],
    ids=["twice", "a millionth", "when cold", "between 2 and 9"],
)
def test_a_wrong_inexact_gradient_is_graded_wrong(loss):
    assert grade(measured(loss), loss).verdict == "wrong"


@pytest.mark.slow
def test_ours_is_exact_and_grading_needs_every_kind_of_check():
    checks = measured(NTXENT)
    assert grade(checks, NTXENT) == ("exact", None)
    with pytest.raises(ValueError, match="ntxent cannot be graded: missing checks w 50 digits"):
        grade([check for check in checks if check.method != "50 digits"], NTXENT)


@pytest.mark.slow
@pytest.mark.parametrize(
    "where", [lambda u: True, lambda u: np.ndim(u) == 0 and u == 0], ids=["always", "at 0"]
)
def test_a_loss_that_raises_is_wrong_and_the_report_has_the_exception(where):
    """Rather than the errors of its other gradients, which are wrong too."""

    def raising(cache, upstream=1.0):
        if where(upstream):
            raise ZeroDivisionError(f"nothing comes of {upstream}")
        return ntxent.backward(cache, 2 * upstream)

    loss = NTXENT._replace(backward=raising)
    checks = measured(loss)
    found = grade(checks, loss)
    assert found.verdict == "wrong"
    assert "ZeroDivisionError: nothing comes of" in str(found)
    told = "\n".join(matrix.failures(checks))
    assert "raised    ZeroDivisionError: nothing comes of" in told
    assert "test_grades.py, line" in told
    assert not holds(checks, [loss])


# points at which the known cancellations show
SHOWN = (
    "noise 0.001",
    "noise 0.001, temperature 0.001",
    "noise 1, temperature 1.0",
    "noise 0.001, temperature 0.01",
)


def precise(loss):
    for question in ask_fixed_points(loss, "float64", np.asarray):
        label = question.case.label
        if question.method == "50 digits" and (label in SHOWN or "as long" in label):
            yield from answer(question)


def test_what_was_not_measured_in_numpys_float64_is_no_surprise():
    """A run in float32 alone, or with another library, cannot show that a declaration is stale."""
    loss, measured = NTXENT._replace(ill_conditioned={"w": SLOPES._replace(judged=True)}), [*precise(NTXENT)]
    assert cancellations.find_surprises([], [loss]) == []
    assert cancellations.find_surprises(measured, [loss], "torch") == []
    in_single = [check._replace(dtype="float32") for check in measured]
    assert cancellations.find_surprises(in_single, [loss]) == []


@pytest.mark.parametrize(
    ("loss", "declared", "words"),
    [
        (
            ALL["query_key"],
            {},
            "query_key temperature: plain error .* undeclared cancellation: declare it in ",
        ),
        (
            NTXENT,
            {"w": SLOPES._replace(judged=True)},
            "ntxent w: .* is within the tolerance: remove judged=True",
        ),
    ],
    ids=["undeclared", "stale"],
)
def test_a_wrong_declaration_is_a_failure_that_names_the_file_to_change(loss, declared, words):
    (line,) = cancellations.find_surprises(precise(loss), [loss._replace(ill_conditioned=declared)])
    assert re.search(words, line)
    assert f"LOSS.ill_conditioned in infonce_ref/losses/{loss.name}.py" in line
