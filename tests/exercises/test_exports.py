"""An exercise as an assignment of otter-grader, graded by it; a notebook in a kernel of its own."""

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from infonce_ref.cli import main
from infonce_ref.exercises import notebooks

WRONG = Path(__file__).parent / "wrong"


def needed(*modules):
    """A mark that skips if one of them is not installed."""
    absent = [name for name in modules if importlib.util.find_spec(name) is None]
    return pytest.mark.skipif(
        bool(absent), reason=f"{', '.join(absent)}: not installed; pip install -e '.[otter]'"
    )


@needed("otter")
def test_otter_grades_it_and_says_the_name(capsys, tmp_path):
    assert main(["exercise", "byol", "--otter", str(tmp_path)]) == 0
    written = capsys.readouterr().out.split()
    assert all(Path(path).is_file() for path in written)
    shutil.copy(WRONG / "byol.py", tmp_path / "byol.py")
    code = """
from otter.generate import main as generate
from otter.run import main as run
generate(tests_dir="tests", requirements="requirements.txt", no_environment=True)
run("byol.py", output_dir=".", no_logo=True)
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
