"""Whatever a learner's file does, `exercise` answers with one clear line, and never with a verdict that it has not
judged.
"""

import json
import os
import shutil
import sys
import time

import numpy as np
import pytest

from infonce_ref.exercises import ALL, check, graded, runner
from infonce_ref.exercises.runner import Failed, Learner
from infonce_ref.exercises.template import write_solution

FILE = """import numpy as np, os, sys, ctypes, time
libc = ctypes.pythonapi  # loaded already, so that no audit hook sees it
{before}
def forward(w):
    {line}
def backward(w, dz):
    return dz
"""
W, RNG = np.array([[1.0, 2.0, 2.0], [0.0, 3.0, 4.0]]), np.random.default_rng(0)
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="libc's functions are called by name")


def write(folder, line="return w", before=""):
    file = folder / "mine.py"
    file.write_text(FILE.format(line=line, before=before), encoding="utf-8")
    return file


def ask(folder, line="return w", before="", inside=()):
    """The answer of a file's forward in a process of its own."""
    with Learner(write(folder, line, before), ["forward"], inside) as learner:
        return answer(learner, "forward")


def answer(learner, name):
    """The arrays of an answer, or why there are none."""
    try:
        return learner(name, [W])
    except Failed as failure:
        return failure


LINES = [  # of a function: the kind of failure, and words of the sentence
    ("raise ValueError('no')", "raises", "(raise ValueError('no')) raises ValueError: no"),
    ("return w / zero", "raises", "NameError: name 'zero' is not defined"),
    ("return f2(w)", "raises", "RecursionError"),
    ("raise ValueError(chr(0xD800) * 1000)", "raises", r"\ud800" * 20),
    ("return", "nothing_returned", "is there a return at its end?"),
    ("return [np.ones(2), None]", "nothing_returned", "returns nothing"),
    ("return 'loss'", "no_number", "str"),
    ("return ([1], [1, 2], object())", "no_number", "object"),
    ("w *= 2; return w", "writes_into_arguments", "let it work on a copy"),
    ("raise NotImplementedError", "not_filled_in", "f9 is not filled in yet"),
    ("sys.exit()", "crash", "ends the program"),
    # what an honest file does not do
    ("os.kill(os.getppid(), 9)", "raises", "PermissionError: the file tries to use os.kill"),
    ("os.fork()", "raises", "PermissionError: the file tries to use os.fork"),
    ("os.system('true')", "raises", "PermissionError: the file tries to use os.system"),
    ("from infonce_ref import sphere", "raises", "an exercise is written without infonce_ref"),
    ("return os.environ['TOKEN']", "raises", "'TOKEN'"),
    ("open('kept.txt', 'w')", "raises", "the file tries to write a file"),
    ("os.remove(KEPT)", "raises", "PermissionError"),
    ("return np.ones(10**10)", "memory", "more memory than there is"),  # the last: macOS does not limit it
][: -1 if sys.platform == "darwin" else None]


def test_each_failure_is_named_and_nothing_of_the_user_is_overwritten(tmp_path, monkeypatch):
    """One process answers them all; its environment and its folder are empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOKEN", "secret")
    kept = tmp_path / "kept.txt"
    kept.write_text("kept", encoding="utf-8")
    text = f"import numpy as np, os, sys, ctypes\nKEPT = {str(kept)!r}\n"
    text += "".join(f"def f{k}(w):\n    {line}\n" for k, (line, _, _) in enumerate(LINES))
    text += "def last(w):\n    ctypes.pythonapi.open(b'kept.txt', 0o1001)\n    return w\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    names = [*(f"f{k}" for k in range(len(LINES))), "last"]
    with Learner(tmp_path / "mine.py", names) as learner:
        *answers, last = (answer(learner, name) for name in names)
    assert [each.name for each in answers] == [kind for _, kind, _ in LINES]
    assert [x.sentence for x, (*_, words) in zip(answers, LINES) if words not in x.sentence] == []
    assert kept.read_text(encoding="utf-8") == "kept"
    assert np.array_equal(last[0], W)  # it goes on answering


@pytest.mark.parametrize(
    ("forward", "kind", "words"),
    [
        (lambda w: w[:1], "wrong_shape", "of shape (1, 3), where an array of shape (2, 3) belongs"),
        (lambda w: (w, w), "wrong_shape", "returns 2 of 1 results"),
        (lambda w: np.ones(1_000_000), "wrong_shape", "an array of shape (1000000,), where"),
        (lambda w: w / 0, "not_finite", "not finite at an ordinary batch"),
        (lambda w: RNG.random(w.shape), "random", "something else when it is called again"),
        (lambda w: 1 / 0, "raises", "raises ZeroDivisionError"),
    ],
)
def test_results_that_cannot_be_right_are_named(forward, kind, words):
    report = graded("sphere", forward, lambda w, dz: 1 / 0)
    assert not report.holds
    assert report.comments[0].id == kind
    assert words in report.comments[0].sentence


FORGED = ("[" * 10**5, '{"arrays": [1e999, {}]}', '{"name": ["raises"], "sentence": 7}', '{"score": 1}', "7")
FORGE = """
    for k in range(3, 30):
        try:
            for line in {}: os.write(k, line.encode() + b"\\n")
        except OSError: pass
    return w"""


def test_a_forged_answer_is_none(tmp_path):
    """A line that a file writes into every open pipe, as if it were an answer."""
    with Learner(write(tmp_path, FORGE.format(FORGED)), ["forward"]) as learner:
        answers = [answer(learner, "forward") for _ in FORGED]
    assert {(each.name, each.sentence) for each in answers} == {
        ("crash", "its answer cannot come from a function")
    }


FLOOD = """
for k in range(3, 30):
    try:
        while True: os.write(k, b'{}\\n' * 20_000)
    except OSError: pass
"""


@pytest.mark.parametrize(
    ("before", "kind", "words"),
    [
        ("def forward(w:\n", "syntax_error", "line 3"),
        ("import torchh", "fails_when_it_is_run", "No module named 'torchh'"),
        ("os.abort()", "crash", "by signal 6" if os.name == "posix" else "with status"),
        ("sys.exit(0)", "crash", "ends the program"),
        (FLOOD, "crash", "cannot come from a function"),
        ("while True: pass", "endless", "loop without an end"),
        pytest.param(
            "if not libc.fork(): time.sleep(9)\nelse: os._exit(0)", "crash", "status 0", marks=LINUX
        ),
        ("del forward, backward", "fails_when_it_is_run", "NameError"),
    ],
)
def test_a_file_that_does_not_run_gets_the_reason(tmp_path, monkeypatch, before, kind, words):
    monkeypatch.setattr(runner, "SECONDS", 0.5)
    failure = ask(tmp_path, before=before)
    assert failure.name == kind
    assert words in failure.sentence


@pytest.mark.parametrize(
    ("line", "kind", "words"),
    [
        ("os._exit(0)", "crash", "its process ended with status 0"),
        pytest.param("libc.kill(os.getpid(), 9)", "crash", "ended by the system", marks=LINUX),
        ("os.closerange(0, 64); time.sleep(99)", "endless", "forward does not end, or not in"),
    ],
)
def test_a_file_that_ends_or_does_not_is_no_answer(tmp_path, monkeypatch, line, kind, words):
    monkeypatch.setattr(runner, "SECONDS", 0.5)
    report = check("sphere", write(tmp_path, line))
    assert [comment.id for comment in report.comments] == [kind], report
    assert words in str(report)
    assert report.score == 0


def test_missing_functions_are_named(tmp_path):
    (tmp_path / "mine.py").write_text("def forwards(w):\n    return w\n", encoding="utf-8")
    (comment,) = check("sphere", tmp_path / "mine.py").comments
    assert comment.id == "missing_function"
    assert "forward and none called backward" in comment.sentence


@pytest.mark.parametrize(
    ("late", "words"),
    [
        pytest.param(
            "time.sleep(99)",
            "right at small batches, but too slow at 17 × 9: not graded",
            marks=pytest.mark.slow,
        ),
        ("os._exit(3)", "its process ended with status 3"),
    ],
)
def test_a_file_that_fails_late_is_not_right(tmp_path, monkeypatch, late, words):
    """At a batch of the judge."""
    monkeypatch.setattr(runner, "EACH", 0.02)
    text = f"{write_solution(ALL['byol'])}\nimport os, time\nright = loss\ndef loss(prediction, target):\n"
    text += f"    return right(prediction, target) if len(target) != 17 else {late}\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    report = check("byol", tmp_path / "mine.py")
    assert words in str(report)
    assert not any(report.parts.values())


def test_what_a_file_prints_is_shown_without_escape_sequences(tmp_path, command):
    line = "print('row', chr(27) + '[2J' + chr(0x9B), flush=True); print('x' * 10**6); raise ValueError(chr(0x9B))"
    file = write(tmp_path, line).read_text(encoding="utf-8").replace("return dz", "return forward(w)")
    (tmp_path / "mine.py").write_text(file, encoding="utf-8")
    for option in ([], ["--json"]):
        status, out, _ = command("exercise", "sphere", "--check", tmp_path / "mine.py", *option)
        assert status == 1
        assert "row \\x1b[2J\\x9b" in (json.loads(out)["printed"] if option else out)
        assert not {"\x1b", "\x9b"} & set(out)
        assert len(out) < 9000


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_killed_grader_leaves_no_process(tmp_path):
    import signal
    import subprocess

    told = tmp_path / "told"
    os.mkfifo(told)
    tell = f"libc.write(libc.open({str(told)!r}.encode(), 1), b'%7d' % os.getpid(), 7)"
    file = write(tmp_path, before=f"{tell}\ntime.sleep(99)")
    code = (
        f"from infonce_ref.exercises import check, runner\nrunner.LIFE = 5.0\ncheck('sphere', {str(file)!r})"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as grader:
        with told.open("rb", buffering=0) as pipe:
            pid = int(pipe.read(7))
        grader.kill()
    for _ in range(2000):
        if not os.path.exists(f"/proc/{pid}"):
            return
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the learner's process goes on")


@pytest.mark.parametrize("what", ["a link", "a pipe", b"\xff\xfe\x00", b"#" * 2_000_000])
def test_what_is_no_text_is_refused(tmp_path, what):
    file = tmp_path / "mine.py"
    if what == "a link":
        file.symlink_to(__file__)
    elif what == "a pipe":
        os.mkfifo(file) if hasattr(os, "mkfifo") else pytest.skip("there are no FIFOs here")
    else:
        file.write_bytes(what)
    assert check("sphere", file).comments[0].id == "no_file"


def test_a_missing_file_or_a_command_that_does_not_start_is_no_verdict(tmp_path, refused):
    said = refused("exercise", "sphere", "--check", tmp_path / "none.py")
    assert "cannot be read: there is no such file" in said
    for program in ("false", "there-is-no-such-program"):
        said = refused("exercise", "sphere", "--check", write(tmp_path), "--inside", program)
        assert f"the file was not run: {program}" in said
    refused("exercise", "sphere", "--inside", "env")


BWRAP = "bwrap --unshare-all --die-with-parent --ro-bind / / --dev /dev --tmpfs /tmp"


def test_a_file_of_a_stranger_runs_inside_what_the_system_has(tmp_path):
    """The command of docs/teaching.md. The file begins with a byte order mark, as Windows' editors write it."""
    file = write(tmp_path, f"return w / len(os.listdir({str(tmp_path)!r}))")
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    with Learner(file, ["forward"], ["env"]) as learner:
        assert np.array_equal(answer(learner, "forward")[0], W)
    if not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    with Learner(file, ["forward"], BWRAP.split()) as learner:
        assert "No such file or directory" in answer(learner, "forward").sentence
