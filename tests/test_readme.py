"""The README shows real output."""

import doctest
import re
from pathlib import Path

import pytest

from infonce_ref.cli import main
from infonce_ref.verify.judge import list_registered

README = Path(__file__).parent.parent / "README.md"
TEXT = README.read_text(encoding="utf-8")


MINE, *SNIPPETS = re.findall(r"```python\n(.*?)```", TEXT, re.S)  # a user's loss comes first


def run_the_first_snippet():
    """Run it, compare its output, and return its variables."""
    test = doctest.DocTestParser().get_doctest(SNIPPETS[0], {}, "README", str(README), 0)
    assert test.examples
    results = doctest.DocTestRunner().run(test, clear_globs=False)
    assert results.failed == 0
    return test.globs


def test_the_snippet_prints_what_the_readme_shows():
    run_the_first_snippet()


@pytest.mark.parametrize("snippet", SNIPPETS[1:], ids=["torch", "jax"])
def test_six_lines_train(snippet, request):
    """From the same start, the last step's loss is less than half of the first."""
    framework = pytest.importorskip(
        request.node.callspec.id, reason="the framework is not installed (an extra)"
    )
    losses = []
    for steps in (1, 50):
        if framework.__name__ == "torch":
            framework.manual_seed(0)
        names = run_the_first_snippet()
        exec(snippet.replace("range(50)", f"range({steps})"), names)
        losses.append(names["loss"].item())
    assert losses[1] < 0.5 * losses[0]
    assert len([line for line in snippet.splitlines() if line]) == 6


@pytest.mark.slow
def test_the_check_of_a_loss_with_a_mistake_prints_what_it_says(tmp_path, monkeypatch, capsys):
    pytest.importorskip("torch", reason="PyTorch is not installed")
    words, shown = re.search(r"\n\$ infonce-ref (.*?)\n(.*?)```", TEXT, re.S).groups()
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 1
    printed, errors = capsys.readouterr()[0].splitlines(), re.compile(r"\d+e-\d+")
    *lines, rest = shown.rstrip().splitlines()
    assert rest.strip() == "…"
    for got, line in zip(printed, lines):  # rounding errors depend on the machine that wrote it
        assert errors.sub("", got) == errors.sub("", line)


def test_the_explanation_of_digits_prints_what_the_readme_shows(tmp_path, monkeypatch, capsys):
    """The README leaves out rows of the table; the shown ones are those printed."""
    ((code, words, shown),) = re.findall(r"python -c '\n(.*?)'\n\$ infonce-ref (.*?)\n(.*?)```", TEXT, re.S)
    monkeypatch.chdir(tmp_path)
    exec(code, {})
    assert main(words.split()) == 0
    printed = capsys.readouterr()[0].splitlines()
    lines = shown.rstrip().splitlines()
    assert len(lines) == 5
    assert [line for line in printed if line in lines] == lines


def matrix(path):
    """The rows of a file's matrix, with their cells unchanged."""
    rows = re.search(r"(?<=\n)(?:\| `.*\n)+", path.read_text(encoding="utf-8"))[0].splitlines()
    return [[cell.strip("` ") for cell in row.strip("|").split("|")] for row in rows]


def test_the_matrix_has_a_row_for_each_loss_and_input_and_every_cell_holds():
    """The numbers depend on the machine that wrote them; whether they hold does not."""
    rows = matrix(README.parent / "docs" / "matrix.md")
    assert [row[:2] for row in rows] == [
        [loss.name, name] for loss in list_registered().values() for name in loss.differentiable
    ]
    for _, _, *cells in rows:
        assert len(cells) == 4
        for cell in cells:
            error, tolerance = map(float, cell.split("≤"))
            assert 0 <= error <= tolerance


def test_the_readme_shows_the_first_rows_of_the_matrix():
    shown = matrix(README)
    assert shown == matrix(README.parent / "docs" / "matrix.md")[: len(shown)]


def test_it_stays_short():
    assert len(TEXT.splitlines()) <= 175
