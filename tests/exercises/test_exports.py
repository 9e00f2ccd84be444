"""An exercise as an assignment of nbgrader; a notebook run in a kernel."""

import re
from pathlib import Path
from typing import Any

import pytest

from infonce_ref.cli import main
from infonce_ref.exercises import ALL, notebooks


@pytest.mark.filterwarnings("ignore")  # warnings of the kernel's own libraries
def test_a_notebook_runs_in_a_kernel():
    pytest.importorskip("ipykernel", reason="ipykernel is not installed; pip install ipykernel nbclient")
    nbclient = pytest.importorskip(
        "nbclient", reason="nbclient is not installed; pip install ipykernel nbclient"
    )
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (an extra)")
    made = nbformat.reads(notebooks.write(notebooks.notebook("softmax")), as_version=4)
    nbformat.validate(made)
    nbclient.NotebookClient(made, timeout=120, kernel_name="python3").execute()
    outputs = [str(cell.outputs) for cell in made.cells if cell.cell_type == "code"]
    assert sum("is not filled in yet" in text for text in outputs) == 2


def clear_solutions(source):
    """Turn a cell into the students' version, as nbgrader does: the lines between its marks become an error."""
    region = re.compile(r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION$", re.M | re.S)
    return region.sub(r"\1raise NotImplementedError()", source)


@pytest.mark.parametrize("name", ALL)
def test_an_assignment_has_nbgraders_metadata_and_grades(name):
    """The students' version fails every test; the solution passes those of an exercise of each kind."""
    cells = notebooks.assign(ALL[name])["cells"]
    about = [cell["metadata"]["nbgrader"] for cell in cells]
    assert len({each["grade_id"] for each in about}) == len(about)
    kept = {"schema_version", "grade_id", "grade", "solution", "locked", "task"}
    for each in about:
        assert each.keys() == kept | ({"points"} if each["grade"] else set())
        assert (each["schema_version"], each["task"], each["locked"]) == (3, False, not each["solution"])
    graded = [each["grade_id"] for each in about if each["grade"]]
    assert graded == [f"{name}-{part}" for part in ALL[name].parts]
    (written,) = (cell["source"] for cell in cells if cell["metadata"]["nbgrader"]["solution"])
    tests = [cell["source"] for cell in cells if cell["metadata"]["nbgrader"]["grade"]]
    solved: dict[str, Any] = {}
    empty: dict[str, Any] = {}
    exec(written, solved)
    exec(clear_solutions(written), empty)
    for test in tests:
        with pytest.raises(AssertionError, match="not filled in"):
            exec(test, empty)
    if name in ("sphere", "stable", "find_the_mistake"):
        exec(tests[0], solved)
        assert all(solved["report"].parts.values())


@pytest.mark.parametrize("name", ["byol", "find_the_mistake", "stable"])
def test_a_notebook_for_nbgrader_is_valid(name, capsys, tmp_path):
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed (an extra)")
    assert main(["exercise", name, "--nbgrader", str(tmp_path)]) == 0
    (path,) = capsys.readouterr().out.split()
    assert Path(path) == tmp_path / "source" / name / f"{name}.ipynb"
    nbformat.validate(nbformat.read(path, as_version=4))


def test_notebooks_link_to_colab_and_binder():
    at = "https://github.com/me/my-course/tree/main/week 1/notes"
    links, install, *_ = notebooks.notebook("softmax", at, "01_softmax.ipynb")["cells"]
    there = "https://colab.research.google.com/github/me/my-course/blob/main/week%201/notes/01_softmax.ipynb"
    assert f"({there})" in links["source"]
    there = "https://mybinder.org/v2/gh/me/my-course/main?labpath=week%201%2Fnotes%2F01_softmax.ipynb"
    assert f"({there})" in links["source"]
    assert "infonce_ref[teach] @ git+https://github.com/me/my-course@main" in install["source"]
    with pytest.raises(ValueError, match="--at: needs the folder"):
        notebooks.notebook("softmax", "https://example.org/notes", "01_softmax.ipynb")
