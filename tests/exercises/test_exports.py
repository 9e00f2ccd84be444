"""An exercise as an assignment of otter-grader or nbgrader, graded by that program; a notebook run in a
kernel.
"""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from few import few

from infonce_ref.cli import main
from infonce_ref.exercises import ALL, nbgrader, notebooks

WRONG = Path(__file__).parent / "wrong"


def needed(*modules):
    """Return a mark that skips a test unless these programs are installed."""
    absent = [name for name in modules if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(
        bool(absent), reason=f"{', '.join(absent)}: not installed; pip install -e '.[otter]'"
    )


@needed("otter")
def test_otter_grades_it_and_prints_the_name(capsys, tmp_path):
    assert main(["exercise", "byol", "--otter", str(tmp_path)]) == 0
    written = capsys.readouterr().out.split()
    assert all(Path(path).is_file() for path in written)
    shutil.copy(WRONG / "byol.py", tmp_path / "byol.py")
    code = """
from otter.generate import main as generate
from otter.run import main as run
generate(tests_dir="tests", requirements="requirements.txt", no_environment=True)
run("byol.py", output_dir=".", no_logo=True, extra_submission_files=())
"""
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["tests"]
    assert {test["name"]: test["score"] for test in told if "score" in test} == {"loss": 1, "gradient": 0}
    assert "byol.stop_gradient_missing" in json.dumps(told)


@needed("nbclient", "ipykernel")
@pytest.mark.filterwarnings("ignore")  # warnings of the kernel's own libraries
def test_a_notebook_runs_in_a_kernel():
    from nbclient import NotebookClient

    made = NotebookClient(notebooks.notebook("softmax"), timeout=120, kernel_name="python3").execute()
    outputs = [str(cell.outputs) for cell in made.cells if cell.cell_type == "code"]
    assert sum("is not filled in yet" in text for text in outputs) == 2


def clear_solutions(source):
    """Turn a cell into the students' version, as nbgrader does: the lines between its marks become an error."""
    region = re.compile(r"^( *)### BEGIN SOLUTION\n.*?### END SOLUTION$", re.M | re.S)
    return region.sub(r"\1raise NotImplementedError()", source)


@pytest.mark.parametrize("name", few(ALL, ("softmax", "ntxent").__contains__))
def test_cells_for_nbgrader_have_its_metadata(name):
    cells = nbgrader.write(ALL[name])["cells"]
    about = [cell["metadata"]["nbgrader"] for cell in cells]
    assert len({each["grade_id"] for each in about}) == len(about)
    kept = {"schema_version", "grade_id", "grade", "solution", "locked", "task"}
    for each in about:
        assert each.keys() == kept | ({"points"} if each["grade"] else set())
        assert (each["schema_version"], each["task"], each["locked"]) == (3, False, not each["solution"])
    assert [each["grade_id"] for each in about if each["grade"]] == [
        f"{name}-{part}" for part in ALL[name].parts
    ]


@pytest.mark.parametrize("name", few(ALL, {"byol", "find_the_mistake"}.__contains__))
def test_cells_for_nbgrader_grade(name):
    """The solution passes every test, and the students' version fails every one."""
    cells = nbgrader.write(ALL[name])["cells"]
    (written,) = (cell["source"] for cell in cells if cell["metadata"]["nbgrader"]["solution"])
    tests = [cell["source"] for cell in cells if cell["metadata"]["nbgrader"]["grade"]]
    solved: dict[str, Any] = {}
    empty: dict[str, Any] = {}
    exec(written, solved)
    exec(clear_solutions(written), empty)
    for test in tests:
        with pytest.raises(AssertionError, match="not filled in"):
            exec(test, empty)
    exec(tests[0], solved)
    report = solved["report"]
    assert report.holds
    assert all(report.parts.values())


@needed("nbformat")
@pytest.mark.parametrize("name", ["byol", "find_the_mistake", "stable"])
def test_a_notebook_for_nbgrader_is_valid(name, capsys, tmp_path):
    import nbformat

    assert main(["exercise", name, "--nbgrader", str(tmp_path)]) == 0
    (path,) = capsys.readouterr().out.split()
    assert Path(path) == tmp_path / "source" / name / f"{name}.ipynb"
    nbformat.validate(nbformat.read(path, as_version=4))


def test_notebooks_link_to_colab_and_binder():
    at = "https://github.com/me/my-course/tree/main/week 1/notes"
    links, install, *_ = notebooks.notebook("softmax", at, "01_softmax.ipynb").cells
    there = "https://colab.research.google.com/github/me/my-course/blob/main/week%201/notes/01_softmax.ipynb"
    assert f"({there})" in links.source
    there = "https://mybinder.org/v2/gh/me/my-course/main?labpath=week%201%2Fnotes%2F01_softmax.ipynb"
    assert f"({there})" in links.source
    assert "infonce_ref[teach] @ git+https://github.com/me/my-course@main" in install.source
    with pytest.raises(ValueError, match="--at: needs the folder"):
        notebooks.notebook("softmax", "https://example.org/notes", "01_softmax.ipynb")
