"""A solution that is wrong only under some condition fails, because there are points of every kind, large and
small.
"""

import pytest

from infonce_ref.exercises import ALL, check, solution

RARE = {  # by exercise: the condition under which its solution is made wrong
    "ntxent": (
        "w.shape[1] > 16",
        "w.shape[1] == 1",
        "len(w) > 200",
        "len(w) == 4 and w.shape[1] == 1",
        "temperature < 0.01",
        "temperature > 20",
        "2 < temperature < 9",
        "len(np.unique(w, axis=0)) < len(w)",
        "(w == 0).any()",
        "(w > 0).all()",
        "np.abs(w).max() > 100",
        "np.abs(w).max() < 0.01",
        "calls > 400",
    ),
    "byol": (
        "len(np.unique(prediction, axis=0)) < len(prediction)",
        "prediction.shape[1] > 64",
        "len(prediction) > 200",
    ),
    "clip": (
        "temperature > 20",
        "temperature < 0.01",
        "image.shape[1] > 16",
        "len(image) > 64",
        "calls > 400",
    ),
}

WRAPPED = """

first, second, calls = {loss}, {gradient}, 0
def {loss}({names}):
    global calls
    calls += 1
    return first({names}) * (1.1 if {where} else 1)
def {gradient}({names}):
    global calls
    calls += 1
    found = second({names})
    if {where}:
        found = tuple(1.1 * x for x in found) if isinstance(found, tuple) else 1.1 * found
    return found
"""


PLACES = [(name, where) for name in RARE for where in RARE[name]]


@pytest.mark.parametrize(("name", "where"), PLACES)
def test_a_solution_that_is_wrong_under_a_condition_is_not_right(tmp_path, name, where):
    exercise = ALL[name]
    loss, gradient = exercise.functions

    words = WRAPPED.format(loss=loss, gradient=gradient, names=", ".join(exercise.takes(1)), where=where)
    (tmp_path / "mine.py").write_text(solution(exercise) + words, encoding="utf-8")
    report = check(name, tmp_path / "mine.py")
    assert not report.holds
