"""Whatever a learner's file does, the grader answers with one clear line."""

import sys

import numpy as np
import pytest

from infonce_ref.exercises import check
from infonce_ref.exercises.sandbox import Failed, Learner

LOSS = "import numpy as np\ndef gradient(w, dz):\n    return dz\ndef forward(w):\n    "
NAMES = ("forward", "gradient")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no forks and signals there")
LIMITED = pytest.mark.skipif(sys.platform == "darwin", reason="it does not enforce the limit of memory")


def outcome(tmp_path, body, before="", **limits):
    """Return the failure's name and sentence for a file whose forward is called."""
    file = tmp_path / "mine.py"
    file.write_text(before + LOSS + body + "\n", encoding="utf-8")
    with pytest.raises(Failed) as error, Learner(file, NAMES, **limits) as learner:
        learner("forward", [np.ones((2, 2))])
    return error.value.name, error.value.sentence


@pytest.mark.parametrize(
    ("body", "name", "words"),
    [
        ("raise ValueError('no')", "raises", "line 5 (raise ValueError('no')) raises ValueError: no"),
        ("return w / zero", "raises", "NameError: name 'zero' is not defined"),
        ("return", "nothing_returned", "is there a return at its end?"),
        ("return 'loss'", "no_number", "str"),
        ("w *= 2; return w", "writes_into_arguments", "let it work on a copy"),
        ("raise NotImplementedError", "not_filled_in", "forward is not filled in yet"),
        ("import os; os._exit(3)", "crash", "its process ended with status 3"),
        ("import sys; sys.exit()", "crash", "ends the program"),
        ("return forward(w)", "raises", "RecursionError"),
        pytest.param(
            "import os; os.fork()",
            "raises",
            "PermissionError: the file tries to start a process",
            marks=POSIX,
        ),
        ("open('/tmp/a', 'w')", "raises", "PermissionError: the file tries to write a file"),
        ("from infonce_ref import sphere; return 1", "raises", "NumPy and Python's own modules alone"),
        pytest.param("return np.ones(10**10)", "memory", "more memory than there is", marks=LIMITED),
        ("return [np.ones(2), None]", "nothing_returned", "returns nothing"),
        ("return ([1], [1, 2], object())", "no_number", "object"),
    ],
)
def test_each_failure_is_named(tmp_path, body, name, words):
    found, sentence = outcome(tmp_path, body)
    assert found == name, sentence
    assert words in sentence


def test_a_loop_without_an_end_is_stopped(tmp_path):
    name, sentence = outcome(tmp_path, "\n    while True: pass", seconds=0.5)
    assert name == "endless"
    assert "loop without an end" in sentence


def test_many_slow_answers_are_stopped_too(tmp_path):
    name, _ = outcome(tmp_path, "\n    while True: pass", in_all=1.0)
    assert name == "endless"


@pytest.mark.parametrize(
    ("before", "name", "words"),
    [
        ("def forward(w:\n", "syntax_error", "line 1"),
        ("import torchh\n", "fails_when_it_is_run", "imports torchh"),
        pytest.param("import os; os.abort()\n", "crash", "by signal 6", marks=POSIX),
    ],
)
def test_a_file_that_does_not_run_gets_the_reason(tmp_path, before, name, words):
    found, sentence = outcome(tmp_path, "return w", before)
    assert found == name
    assert words in sentence


def test_a_missing_function_is_named(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def forwards(w):\n    return w\n", encoding="utf-8")
    report = check("sphere", file)
    assert [comment.id for comment in report.comments] == ["missing_function"]
    assert "forward and none called backward" in report.comments[0].sentence
    assert not report.holds


def test_the_output_of_a_file_is_kept_and_does_not_block_it(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        LOSS + "print('row', w.shape, flush=True)\n    for _ in range(9000): print('x' * 99)\n    return w\n"
    )
    with Learner(file, NAMES) as learner:
        (z,) = learner("forward", [np.ones((2, 2))])
    assert np.array_equal(z, np.ones((2, 2)))
    assert learner.printed.startswith("row (2, 2)")
    assert len(learner.printed) <= 2000


@pytest.mark.parametrize(
    ("loss", "name", "words"),
    [
        ("return w @ w.T", "wrong_shape", "returns an array of shape (4, 4), where a number belongs"),
        ("return 0 * w.sum() / 0", "not_finite", "not finite at an ordinary batch"),
        ("return np.random.rand()", "random", "returns something else when it is called again"),
        ("return 1, 2", "wrong_shape", "returns 2 of 1 results"),
    ],
)
def test_an_answer_of_another_kind_is_refused(tmp_path, loss, name, words):
    file = tmp_path / "mine.py"
    text = f"import numpy as np\ndef gradient(w, temperature): return w.T[:1]\ndef loss(w, temperature): {loss}\n"
    file.write_text(text, encoding="utf-8")
    report = check("ntxent", file)
    assert report.comments[0].id == name
    assert words in report.comments[0].sentence
    assert report.comments[1].sentence.startswith("gradient returns an array of shape (1, 4) by w")


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(ValueError, match="cannot be read: there is no such file"):
        check("ntxent", tmp_path / "mine.py")
