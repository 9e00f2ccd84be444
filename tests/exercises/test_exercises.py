"""The exercises themselves: the file for the learner, the solution, and a mistake of each."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from exercises.asking import grade

from infonce_ref.cli import main
from infonce_ref.derivations.pages.lesson import lessons
from infonce_ref.exercises import ALL, equations, file, graded, solution

WRONG = {  # a line of a solution, and how it is written wrongly
    "sphere": ("return (dz - radial) /", "return dz /"),
    "byol": ("np.zeros_like(target)", "sphere(target, -2 * unit(prediction) / len(target))"),
}


def write_wrong(folder, name):
    """Write the solution with a mistake in it, and return the file."""
    text = solution(ALL[name]).replace(*WRONG[name])
    assert text != solution(ALL[name])
    file = folder / f"{name}.py"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_the_solution_of_each_exercise_is_right(name):
    report = grade(name, solution(ALL[name]))
    assert report.holds
    assert not report.comments


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_twice_the_loss_is_named(name):
    """The commonest mistake of all, and none of the catalogue's: a factor, or a mistake of this loss."""
    loss, _ = ALL[name].functions
    doubled = (
        f"{solution(ALL[name])}\n\nright = {loss}\n\n\ndef {loss}(*given):\n    return 2 * right(*given)\n"
    )
    report = grade(name, doubled)
    assert not report.parts[loss]
    assert "no name here" not in str(report)
    assert all(equations.read(comment.claim) for comment in report.comments if comment.claim)


def test_a_loss_in_float32_is_near_and_one_that_raises_is_reported():
    """In a notebook, where nothing else catches what the judge meets."""
    space: dict[str, Any] = {}
    exec(solution(ALL["softmax"]), space)
    loss, gradient = space["loss"], space["gradient"]

    def small(scores, positive):
        return loss(scores, positive) if abs(scores).max() < 30 else loss(scores, -1 / 0)

    rounded = graded("softmax", lambda *given: np.float32(loss(*given)), gradient)
    assert [comment.id for comment in rounded.comments] == ["softmax.few_digits"]
    assert [comment.id for comment in graded("softmax", small, gradient).comments] == ["raises"]


def test_the_mistake_to_find_is_still_there():
    report = grade("find_the_mistake", file(ALL["find_the_mistake"]))
    assert [comment.id for comment in report.comments] == ["find_the_mistake.still_there"]


@pytest.mark.parametrize("exercise", ALL.values(), ids=ALL)
def test_an_exercise_file_has_its_equations_and_no_solution(exercise):
    text = file(exercise)
    assert all(which.partition(" ")[0] in text for which in exercise.equations)
    assert max(map(len, text.splitlines())) <= 120
    shown = equations.lines(exercise.equations)
    letters = [line.partition("  ")[0] for line in shown[shown.index("") + 1 :]]
    assert len(letters) == len(set(letters))
    if not exercise.given:
        assert {c.id for c in grade(exercise.name, text).comments} == {"not_filled_in"}


def test_the_symbols_are_those_of_the_exercise():
    head = file(ALL["clip"]).partition('"""\nimport')[0]
    assert "\n    M17  G[i, j] = P[i, j] + Pᶜ[i, j] - 2·1[i = j]\n" in head
    assert "\n    L  logits: similarities divided by the temperature (B, B)\n" in head
    assert not any(line.startswith(("    N ", "    ν ")) for line in head.splitlines())


def test_exercises_follow_the_order_of_the_lessons():
    order = list(lessons())
    places = [order.index(exercise.lesson) for exercise in ALL.values()]
    assert places == sorted(places)


class TestTheCommand:
    def test_the_command_lists_every_exercise(self, capsys):
        assert main(["exercise"]) == 0
        out = capsys.readouterr().out
        assert all(name in out for name in ALL)

    def test_the_command_never_overwrites_a_file(self, capsys, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert main(["exercise", "sphere"]) == 0
        assert "def backward(w, dz):" in Path("sphere.py").read_text(encoding="utf-8")
        assert main(["exercise", "sphere"]) == 2
        assert "sphere.py exists, and may be your work" in capsys.readouterr().err
        assert main(["exercise", "sphere", "--check", "sphere.py"]) == 1
        assert "forward is not filled in yet" in capsys.readouterr().out

    def test_a_check_prints_name_batch_and_claim(self, capsys, tmp_path):
        wrong = write_wrong(tmp_path, "sphere")
        assert main(["exercise", "sphere", "--check", str(wrong)]) == 1
        out = capsys.readouterr().out
        assert out.startswith("sphere: forward right, backward not right\n\nCalled forward and backward at ")
        assert "\n\n1. sphere.projection_missing: " in out
        assert "w = [[" in out
        assert "your backward by w[" in out
        assert "read D2.11: " in out

    def test_json_has_score_and_ids(self, capsys, tmp_path):
        wrong = write_wrong(tmp_path, "byol")
        assert main(["exercise", "byol", "--check", str(wrong), "--json"]) == 1
        told = json.loads(capsys.readouterr().out)
        assert told["score"] == 0.5
        assert told["parts"] == {"loss": True, "gradient": False}
        assert [c["id"] for c in told["comments"]] == ["byol.stop_gradient_missing"]

    def test_a_solution_is_right_and_hints_lead_to_it(self, capsys, tmp_path):
        assert main(["exercise", "byol", "--solution"]) == 0
        solved = tmp_path / "byol.py"
        solved.write_text(capsys.readouterr().out, encoding="utf-8")
        assert main(["exercise", "byol", "--check", str(solved)]) == 0
        assert "It is right, but loses digits if the loss is small" in capsys.readouterr().out
        assert main(["exercise", "byol", "--hint"]) == 0
        assert "--hint 2 has the next" in capsys.readouterr().out
        assert main(["exercise", "byol", "--hint", "9"]) == 2
        assert "byol has 3 steps; got 9" in capsys.readouterr().err

    def test_an_unknown_exercise_is_refused(self, capsys):
        assert main(["exercise", "ntxnt"]) == 2
        assert "exercise: unknown 'ntxnt'; known are softmax" in capsys.readouterr().err
