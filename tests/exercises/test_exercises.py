"""The exercises: the file for the learner, the solution, what the command says, and the notebooks."""

import json
import re
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

from infonce_ref.catalogue import LOSSES, MISTAKES, build, compile_once, differentiate, rewrite
from infonce_ref.derivations.pages.lesson import lessons
from infonce_ref.exercises import ALL, graded, notebooks, template
from infonce_ref.exercises.template import write, write_solution

pytestmark = pytest.mark.xdist_group("claims")  # a file and a notebook have the claims of its equations
PAGE = (Path(__file__).parent.parent.parent / "docs" / "teaching.md").read_text(encoding="utf-8")


def run(text: str) -> dict[str, Any]:
    space: dict[str, Any] = {}
    exec(text, space)
    return space


def grade(name: str, text: str):
    space = run(text)
    return graded(name, *(space[function] for function in ALL[name].functions))


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_the_solution_is_right_and_twice_its_loss_is_named(name):
    """Twice is the commonest mistake of all, and none of the catalogue's: a factor, or a mistake of this loss."""
    text, loss = write_solution(ALL[name]), ALL[name].functions[0]
    report = grade(name, text)
    assert report.holds
    assert not report.comments
    report = grade(name, f"{text}\nright = {loss}\ndef {loss}(*given): return 2 * right(*given)\n")
    assert not report.parts[loss]
    assert "no name here" not in str(report)
    assert all(comment.says for comment in report.comments)


def plant(exercise, mistake):
    """The two functions, of the textbook's with a mistake; if only the gradient is wrong, with a right value."""
    right, wrong = (build(exercise.loss, those) for those in ((), (mistake,)))

    def call(function, at):
        with np.errstate(all="ignore"):
            return eval(compile_once(exercise.value), {exercise.loss: function, "np": np}, at)

    def loss(*given):
        of = right if mistake.kind == "∂" else wrong
        return np.real(call(of, dict(zip(exercise.takes(0), given, strict=True))))

    def gradient(*given):
        at = dict(zip(exercise.takes(1), given, strict=True))
        found = [differentiate(lambda **moved: call(wrong, moved), at, by) for by in exercise.by]
        return tuple(found) if len(found) > 1 else found[0]

    return loss, gradient


def some_mistakes(exercise):
    """Three or four mistakes of the catalogue that the exercise's loss can have; `check` is asked for all."""
    if exercise.loss not in LOSSES or exercise.given or exercise.by == ("temperature",):
        return []
    known = [x for x in MISTAKES if x.kind in ("", "∂") and rewrite(exercise.loss, (x,))]
    return [
        x for x in known[:: 1 + len(known) // 4] if x.name != "mean_over_entries"
    ]  # the authors' code has it


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "mistake"),
    [(name, mistake) for name, exercise in ALL.items() for mistake in some_mistakes(exercise)],
    ids=lambda x: getattr(x, "name", x),
)
def test_a_mistake_of_the_catalogue_gets_its_name(name, mistake):
    report = graded(name, *plant(ALL[name], mistake))
    assert not report.holds
    assert report.comments[0].id == f"{name}.{mistake.name}"


@pytest.mark.parametrize(
    ("which", "change", "fault"),
    [
        (0, np.cos, "value_wrong"),
        (1, np.cos, "gradient_wrong"),
        (1, lambda x: x / 2, "gradient_half"),
        (1, lambda x: x * len(x), "gradient_sum_for_mean"),
    ],
)
def test_what_has_no_name_is_called_wrong_and_a_factor_has_one(which, change, fault):
    space = run(write_solution(ALL["byol"]))
    functions = [space["loss"], space["gradient"]]
    own = functions[which]
    functions[which] = lambda *given: [*map(change, own(*given))] if which else change(own(*given))
    assert graded("byol", *functions).comments[0].id == f"byol.{fault}"


@pytest.mark.slow
def test_a_loss_in_float32_is_not_explained_by_mistakes_with_infinite_values():
    space = run(write_solution(ALL["siglip"]))
    report = graded("siglip", lambda *given: np.float32(space["loss"](*given)), space["gradient"])
    assert [comment.id for comment in report.comments] == ["siglip.few_digits"]


def test_a_loss_in_float32_is_near_and_one_that_raises_is_reported():
    """In a notebook, where nothing else catches what the judge meets."""
    space = run(write_solution(ALL["byol"]))
    loss, gradient = space["loss"], space["gradient"]

    def small(prediction, target):
        return loss(prediction, target) if abs(prediction).max() < 30 else 1 / 0

    rounded = graded("byol", lambda *given: np.float32(loss(*given)), gradient)
    assert [comment.id for comment in rounded.comments] == ["byol.few_digits"]
    assert [comment.id for comment in graded("byol", small, gradient).comments] == ["raises"]


@pytest.mark.slow
def test_the_mistake_to_find_is_still_there():
    report = grade("find_the_mistake", write(ALL["find_the_mistake"]))
    assert [comment.id for comment in report.comments] == ["find_the_mistake.still_there"]


def test_functions_without_their_lines_are_not_filled_in():
    for exercise in ALL.values():
        if not exercise.given:
            report = grade(exercise.name, template.write_body(exercise))
            assert {c.id for c in report.comments} == {"not_filled_in"}


# the claims of the others take seconds to prove
FEW = ("sphere", "byol")
EVERY = [name if name in FEW else pytest.param(name, marks=pytest.mark.slow) for name in ALL]


@pytest.mark.parametrize("name", EVERY)
def test_a_file_has_its_equations_and_each_symbol_once(name):
    exercise, text = ALL[name], write(ALL[name])
    assert all(which.partition(" ")[0] in text for which in exercise.equations)
    assert max(map(len, text.splitlines())) <= 120
    symbols = re.findall(r"^    (\S+)  \S", text.partition('"""\n\nimport')[0].rpartition("\n\n")[2], re.M)
    assert len(symbols) == len(set(symbols)) > 0
    assert text.endswith(f"\n\n{template.write_body(exercise)}\n")


@pytest.mark.slow
def test_a_file_has_the_symbols_of_its_equations():
    head = write(ALL["clip"]).partition('"""\n\nimport')[0]
    assert "\n    M17  G[i, j] = P[i, j] + Pᶜ[i, j] - 2·1[i = j]\n" in head
    assert "\n    L  logits: similarities divided by the temperature\n" in head
    assert not any(line.startswith(("    N ", "    ν ")) for line in head.splitlines())


def test_exercises_follow_the_order_of_the_lessons():
    order = list(lessons())
    places = [order.index(exercise.lesson) for exercise in ALL.values()]
    assert places == sorted(places)


class TestTheCommand:
    def test_it_lists_every_exercise_and_refuses_others(self, command, refused):
        status, out, _ = command("exercise")
        assert status == 0
        assert all(name in out for name in ALL)
        assert "exercise: unknown 'ntxnt'; known are softmax" in refused("exercise", "ntxnt")
        status, _, err = command("exercise", "InfoNCE", "--hint")
        assert (status, "this is clip" in err) == (0, True)

    def test_it_never_overwrites_a_file(self, command, refused, tmp_path, monkeypatch):
        monkeypatch.chdir(tmp_path)
        assert command("exercise", "sphere")[0] == 0
        assert "def backward(w, dz):" in Path("sphere.py").read_text(encoding="utf-8")
        assert "sphere.py exists, and may be your work" in refused("exercise", "sphere")
        status, out, _ = command("exercise", "sphere", "--check", "sphere.py")
        assert (status, "forward is not filled in yet" in out) == (1, True)

    def test_the_page_shows_a_real_report(self, command, tmp_path):
        mine = tmp_path / "sphere.py"
        mine.write_text(re.search(r"```python\n(import numpy.*?)```", PAGE, re.S)[1], encoding="utf-8")
        status, out, _ = command("exercise", "sphere", "--check", mine)
        assert status == 1
        assert "\n\n1. sphere.projection_missing: " in out
        assert f"```\n{out}```" in PAGE

    def test_json_has_score_and_ids(self, command, tmp_path):
        right, wrong = "np.zeros_like(target)", "sphere(target, -2 * unit(prediction) / len(target))"
        mine = tmp_path / "byol.py"
        mine.write_text(write_solution(ALL["byol"]).replace(right, wrong), encoding="utf-8")
        status, out, _ = command("exercise", "byol", "--check", mine, "--json")
        told = json.loads(out)
        assert (status, told["score"]) == (1, 0.5)
        assert told["parts"] == {"loss": True, "gradient": False}
        assert [c["id"] for c in told["comments"]] == ["byol.stop_gradient_missing"]

    def test_a_solution_is_right_and_hints_lead_to_it(self, command, refused, tmp_path):
        solved = tmp_path / "byol.py"
        solved.write_text(command("exercise", "byol", "--solution")[1], encoding="utf-8")
        status, out, _ = command("exercise", "byol", "--check", solved)
        assert status == 0
        assert "It is right, but loses digits if the loss is small" in out
        assert "--hint 2 has the next" in command("exercise", "byol", "--hint")[1]
        assert "byol has 3 steps; got 9" in refused("exercise", "byol", "--hint", "9")


RARE = (  # conditions under which a solution is made wrong
    "len(np.unique(prediction, axis=0)) < len(prediction)",
    "len(prediction) > 200",
    "prediction.shape[1] > 64",
    "calls > 300",
)
WRAPPED = """
first, second, calls = loss, gradient, 0
def loss({names}):
    global calls
    calls += 1
    return first({names}) * (1.1 if {where} else 1)
def gradient({names}):
    global calls
    calls += 1
    found = second({names})
    if {where}:
        found = tuple(1.1 * x for x in found) if isinstance(found, tuple) else 1.1 * found
    return found
"""


@pytest.mark.parametrize("where", RARE)
def test_a_solution_that_is_wrong_under_a_condition_is_not_right(where):
    """`verify` draws the batches, of every kind: tests/verify/test_conditions.py."""
    wrapped = WRAPPED.format(names=", ".join(ALL["byol"].takes(1)), where=where)
    assert not grade("byol", write_solution(ALL["byol"]) + wrapped).holds


def test_a_solution_that_overflows_is_judged_at_small_logits():
    naive = (
        write_solution(ALL["softmax"])
        + "\ndef logsumexp(x, over):\n    return log((over * exp(x)).sum(axis=1))\n"
    )
    wrapped = WRAPPED.format(names="scores, positive", where="len(scores) > 6")
    for text, fault in ((naive, "overflows"), (naive + wrapped, "fails_the_judge")):
        (comment,) = grade("softmax", text).comments
        assert comment.id == f"softmax.{fault}"


class TestNotebooks:
    @pytest.mark.slow
    @pytest.mark.filterwarnings("ignore")  # warnings of the kernel's own libraries
    def test_a_notebook_runs_in_a_kernel(self):
        pytest.importorskip("ipykernel", reason="ipykernel is not installed; pip install ipykernel nbclient")
        nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed; pip install nbclient")
        made = nbformat.reads(notebooks.write(notebooks.notebook("softmax")), as_version=4)
        nbformat.validate(made)
        nbclient.NotebookClient(made, timeout=120, kernel_name="python3").execute()
        outputs = [str(cell.outputs) for cell in made.cells if cell.cell_type == "code"]
        assert sum("is not filled in yet" in text for text in outputs) == 2

    @pytest.mark.parametrize("name", EVERY)
    def test_an_assignment_has_nbgraders_metadata_and_grades(self, name):
        """The students' version fails every test; the solution passes those of an exercise of each kind."""
        cells = notebooks.assign(ALL[name])["cells"]
        about = [cell["metadata"]["nbgrader"] for cell in cells]
        kept = {"schema_version", "grade_id", "grade", "solution", "locked", "task"}
        for each in about:
            assert each.keys() == kept | ({"points"} if each["grade"] else set())
            assert (each["schema_version"], each["task"], each["locked"]) == (3, False, not each["solution"])
        parts = [f"{name}-{part}" for part in ALL[name].parts]
        assert [each["grade_id"] for each in about] == [f"{name}-task", f"{name}-functions", *parts]
        _, written, *tests = (cell["source"] for cell in cells)
        region = re.compile(r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION$", re.M | re.S)
        empty = run(region.sub(r"\1raise NotImplementedError()", written))  # as nbgrader does
        for test in tests:
            with pytest.raises(AssertionError, match="not filled in"):
                exec(test, empty)
        if name in ("sphere", "stable", "find_the_mistake"):
            solved = run(written)
            exec(tests[0], solved)
            assert all(solved["report"].parts.values())

    @pytest.mark.parametrize("name", FEW)
    def test_a_notebook_for_nbgrader_is_valid(self, name, command, tmp_path):
        status, path, _ = command("exercise", name, "--nbgrader", tmp_path)
        assert status == 0
        path = Path(path.strip())
        assert path == tmp_path / "source" / name / f"{name}.ipynb"
        nbformat.validate(nbformat.read(path, as_version=4))

    @pytest.mark.slow
    def test_notebooks_link_to_colab_and_binder(self):
        at = "https://github.com/me/my-course/tree/main/week 1/notes"
        links, install, *_ = notebooks.notebook("softmax", at, "01_softmax.ipynb")["cells"]
        colab = (
            "https://colab.research.google.com/github/me/my-course/blob/main/week%201/notes/01_softmax.ipynb"
        )
        binder = "https://mybinder.org/v2/gh/me/my-course/main?labpath=week%201%2Fnotes%2F01_softmax.ipynb"
        assert f"({colab})" in links["source"]
        assert f"({binder})" in links["source"]
        assert "infonce_ref[teach] @ git+https://github.com/me/my-course@main" in install["source"]

    def test_an_address_elsewhere_is_refused(self):
        with pytest.raises(ValueError, match="--at: needs the folder"):
            notebooks.notebook("softmax", "https://example.org/notes", "01_softmax.ipynb")
