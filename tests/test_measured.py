"""The table of versions in docs/measured.md agrees with the measured files, and one command measures them
again.
"""

import re
import subprocess

import measure
import pytest
from measure import JOBS, Conditions, read_conditions

from infonce_ref.figures import measurements

TOOLS = measure.ROOT / "tools"
MEASURES_NOTHING = {"docs/public-bugs.md": "planted and public code, whose verdicts the tests hold"}


def test_the_page_agrees_with_the_files():
    """To update it: python tools/measure.py --table"""
    assert measure.PAGE.read_text(encoding="utf-8") == measure.write_table(measure.read_files())


def test_each_way_of_writing_versions_is_read():
    """A name that ends like a library's is another library; an older version in a row counts as a second
    version.
    """
    text = (
        "Python 3.11.7, NumPy 2.4.6. On an Intel(R) Xeon(R) Processor, 2026-11-22.\n"
        "| info-nce-pytorch 0.1.4 | torch 2.12.1+cpu |\n| numpy 2.4.5 | 2026-11-25 | dask 2024.12.1, 2026-11-23"
    )
    assert read_conditions(text) == Conditions(
        {
            "Python": frozenset({"3.11.7"}),
            "NumPy": frozenset({"2.4.6", "2.4.5"}),
            "PyTorch": frozenset({"2.12.1"}),  # which build for processors it is, is left out
            "Dask": frozenset({"2024.12.1"}),
        },
        frozenset({"Intel Xeon"}),
        ("2026-11-22", "2026-11-25"),
    )
    assert read_conditions("NumPy alone, Python, PyTorch") == Conditions({}, frozenset(), ())


def test_the_versions_that_a_tool_writes_are_read():
    made = read_conditions(f"Measured: {measurements.describe_conditions('numpy', 'python-flint')}.")
    assert set(made.versions) == {"Python", "NumPy", "python-flint"}
    assert len(made.days) == 1


def test_files_that_differ_are_listed():
    texts = {
        "docs/speed.md": "torch 2.15.0",
        "docs/peers.md": "torch 2.12.1",
        "docs/matrix.md": "NumPy 2.4.6",
    }
    page = measure.write_table(texts)
    assert page.endswith("## Where the files differ\n\n- PyTorch: 2.12.1 in peers.md; 2.15.0 in speed.md\n")
    assert "- nowhere\n" in measure.write_table({"docs/matrix.md": "NumPy 2.4.6"})


def test_every_file_that_a_tool_measures_has_a_row():
    """Such a file is a document that names its program in its first lines, or the JSON of a figure."""
    written = {
        f"docs/{path.name}"
        for path in (measure.ROOT / "docs").glob("*.md")
        if re.search(r"python tools/\w+\.py", "".join(path.read_text(encoding="utf-8").splitlines(True)[:8]))
    }
    assert {"docs/matrix.md", "docs/speed.md", "docs/peers.md"} <= written
    assert written - {"docs/measured.md"} - set(MEASURES_NOTHING) <= set(JOBS)
    figures = {f"figures/{path.name}" for path in (measure.ROOT / "figures").glob("*.json")}
    assert figures - set(JOBS) == {"figures/streaming_scaling.json"}  # it comes with speed.md
    assert figures & set(JOBS)


@pytest.mark.parametrize("name", [name for name, job in JOBS.items() if job.arguments])
def test_each_command_belongs_to_its_file(name):
    """The program exists, and one names the other."""
    first, *words = JOBS[name].arguments
    program = measure.ROOT / (words[0].replace(".", "/") + ".py" if first == "-m" else first)
    text = (measure.ROOT / name).read_text(encoding="utf-8")
    own = program.read_text(encoding="utf-8")
    file = name.partition("/")[2]
    assert file in own or f"{program.stem}.json" == file or f"{program.name}" in text
    if JOBS[name].prints:
        assert " ".join(["python", *JOBS[name].arguments]) in text


def test_files_are_measured_one_after_another(monkeypatch, tmp_path, capsys):
    """A command's output is written if it succeeds; a failed command leaves its file unchanged and is named."""
    asked = []

    def run(command, stdout, **_):
        asked.append(command[1])
        code = int(command[1] == "tools/growth.py")
        return subprocess.CompletedProcess(command, code, b"torch 9.9.9\n" if stdout else None)

    for name in JOBS:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("numpy 1.1.1\n", encoding="utf-8")
    monkeypatch.setattr(measure, "ROOT", tmp_path)
    monkeypatch.setattr(measure, "PAGE", tmp_path / "docs" / "measured.md")
    monkeypatch.setattr(measure.subprocess, "run", run)
    assert measure.main(["speed.md", "cluster.md", "matrix.md"]) == 1
    assert asked == ["tools/benchmark.py", "tools/growth.py", "tools/matrix.py"]
    assert (tmp_path / "docs" / "speed.md").read_text(encoding="utf-8") == "torch 9.9.9\n"
    assert (tmp_path / "docs" / "cluster.md").read_text(encoding="utf-8") == "numpy 1.1.1\n"
    assert "failed: docs/cluster.md" in capsys.readouterr().err
    assert "9.9.9" in measure.PAGE.read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match="2"):
        measure.main(["speed-tried.md"])  # no command repeats it
