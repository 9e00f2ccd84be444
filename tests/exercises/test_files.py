"""Whatever a learner's file does, `exercise` answers with one clear line, and never with a verdict that it has not
judged.
"""

import json
import os
import shutil
import sys
import time

import pytest

from infonce_ref.cli import main
from infonce_ref.exercises import ALL, check, runner, solution

FILE = """import numpy as np, os, sys, ctypes, time
libc = ctypes.pythonapi  # loaded already, so that no audit hook sees it
{before}
def forward(w):
    {line}
def backward(w, dz):
    return dz
"""
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="libc's functions are called by name")
LIMITED = pytest.mark.skipif(sys.platform == "darwin", reason="it does not enforce the limit of memory")


def write(folder, line="return w", before=""):
    file = folder / "mine.py"
    file.write_text(FILE.format(line=line, before=before), encoding="utf-8")
    return file


def forge(what):
    """A line that writes into every open pipe, as if it were an answer."""
    return f"""
    for k in range(3, 30):
        try: os.write(k, {what.encode()!r} + b"\\n")
        except OSError: pass
    return 1.0"""


LINES = [  # of forward: the kind of failure, and words of the sentence
    ("raise ValueError('no')", "raises", "line 5 (raise ValueError('no')) raises ValueError: no"),
    ("return w / zero", "raises", "NameError: name 'zero' is not defined"),
    ("return forward(w)", "raises", "RecursionError"),
    ("raise ValueError(chr(0xD800) * 1000)", "raises", r"\ud800" * 20),
    ("return", "nothing_returned", "is there a return at its end?"),
    ("return [np.ones(2), None]", "nothing_returned", "returns nothing"),
    ("return 'loss'", "no_number", "str"),
    ("return ([1], [1, 2], object())", "no_number", "object"),
    ("w *= 2; return w", "writes_into_arguments", "let it work on a copy"),
    ("raise NotImplementedError", "not_filled_in", "forward is not filled in yet"),
    pytest.param("return np.ones(10**10)", "memory", "more memory than there is", marks=LIMITED),
    (
        "return w[:1]",
        "wrong_shape",
        "returns an array of shape (1, 3), where an array of shape (2, 3) belongs",
    ),
    ("return w, w", "wrong_shape", "returns 2 of 1 results"),
    ("return w / 0", "not_finite", "not finite at an ordinary batch"),
    ("return np.random.rand(*w.shape)", "random", "returns something else when it is called again"),
    # what an honest file does not do
    ("os._exit(0)", "crash", "its process ended with status 0"),
    ("sys.exit()", "crash", "ends the program"),
    pytest.param("libc.kill(os.getpid(), 9)", "crash", "ended by the system", marks=LINUX),
    ("os.kill(os.getppid(), 9)", "raises", "PermissionError: the file tries to use os.kill"),
    ("os.fork()", "raises", "PermissionError: the file tries to use os.fork"),
    ("os.system('true')", "raises", "PermissionError: the file tries to use os.system"),
    ("from infonce_ref import sphere", "raises", "an exercise is written without infonce_ref"),
    ("return np.ones(1_000_000)", "wrong_shape", "an array of shape (1000000,), where"),
    (forge("[" * 100_000), "crash", "cannot come from a function"),
    (forge('{"arrays": [1e999, {}]}'), "crash", "cannot come"),
    (forge('{"name": ["raises"], "sentence": 7}'), "crash", "cannot come"),
    (forge('{"holds": true, "score": 1.0, "parts": {"forward": true}}'), "crash", "cannot come"),
    (forge("7"), "crash", "cannot come"),
]


@pytest.mark.parametrize(("line", "kind", "words"), LINES)
def test_each_failure_is_named(tmp_path, line, kind, words):
    report = check("sphere", write(tmp_path, line))
    assert not report.holds
    assert kind in [comment.id for comment in report.comments], report
    assert words in str(report)


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
        ("os._exit(0)", "crash", "its process ended with status 0"),
        ("sys.exit(0)", "crash", "ends the program"),
        (FLOOD, "crash", "cannot come from a function"),
        ("while True: pass", "endless", "loop without an end"),
        pytest.param(
            "if not libc.fork(): time.sleep(9)\nelse: os._exit(0)", "crash", "status 0", marks=LINUX
        ),
    ],
)
def test_a_file_that_does_not_run_gets_the_reason(tmp_path, monkeypatch, before, kind, words):
    monkeypatch.setattr(runner, "SECONDS", 3.0)
    report = check("sphere", write(tmp_path, before=before))
    assert [comment.id for comment in report.comments] == [kind], report
    assert words in str(report)
    assert report.score == 0


@pytest.mark.slow
@pytest.mark.parametrize("line", ["while True: pass", "os.closerange(0, 64); time.sleep(99)"])
def test_a_loop_without_an_end_is_stopped(tmp_path, monkeypatch, line):
    monkeypatch.setattr(runner, "SECONDS", 3.0)
    (comment,) = check("sphere", write(tmp_path, line)).comments
    assert comment.id == "endless"
    assert "forward does not end, or not in" in comment.sentence


def test_missing_functions_are_named(tmp_path):
    (tmp_path / "mine.py").write_text("def forwards(w):\n    return w\n", encoding="utf-8")
    (comment,) = check("sphere", tmp_path / "mine.py").comments
    assert comment.id == "missing_function"
    assert "forward and none called backward" in comment.sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("late", "words"),
    [
        pytest.param(
            "time.sleep(99)",
            "right at small batches, but too slow at 34 × 9: not graded",
            marks=pytest.mark.nightly,
        ),
        ("os._exit(3)", "its process ended with status 3"),
        ("sys.exit()", "ends the program"),
    ],
)
def test_a_file_that_fails_late_is_not_right(tmp_path, monkeypatch, late, words):
    """At a batch of the judge."""
    monkeypatch.setattr(runner, "EACH", 0.02)
    text = f"{solution(ALL['ntxent'])}\nimport os, sys, time\nright = loss\ndef loss(w, temperature):\n"
    text += f"    return right(w, temperature) if w.shape != (34, 9) else {late}\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    report = check("ntxent", tmp_path / "mine.py")
    assert words in str(report)
    assert not any(report.parts.values())


def test_what_a_file_prints_is_shown_without_escape_sequences(tmp_path, capsys):
    line = "print('row', chr(27) + '[2J' + chr(0x9B), flush=True); print('x' * 10**6); raise ValueError(chr(0x9B))"
    for option in ([], ["--json"]):
        assert main(["exercise", "sphere", "--check", str(write(tmp_path, line)), *option]) == 1
        out = capsys.readouterr().out
        assert "row \\x1b[2J\\x9b" in (json.loads(out)["printed"] if option else out)
        assert not {"\x1b", "\x9b"} & set(out)
        assert len(out) < 9000


@pytest.mark.slow
def test_nothing_of_the_user_is_overwritten(tmp_path, monkeypatch):
    """Neither by its name in the folder of the call, nor by its whole path."""
    monkeypatch.chdir(tmp_path)
    kept = tmp_path / "kept.txt"
    kept.write_text("kept", encoding="utf-8")
    for line in (f"open({str(kept)!r}, 'w')", f"os.remove({str(kept)!r})", "libc.open(b'kept.txt', 0o1001)"):
        assert not check("sphere", write(tmp_path, line)).holds
        assert kept.read_text(encoding="utf-8") == "kept"


def test_the_environment_is_empty(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKEN", "secret")
    assert "'TOKEN'" in str(check("sphere", write(tmp_path, "return os.environ['TOKEN']")))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")
def test_a_killed_grader_leaves_no_process(tmp_path):
    import signal
    import subprocess

    told = tmp_path / "told"
    os.mkfifo(told)
    tell = f"libc.write(libc.open({str(told)!r}.encode(), 1), b'%7d' % os.getpid(), 7)"
    file = write(tmp_path, before=f"{tell}\ntime.sleep(99)")
    code = f"from infonce_ref.exercises import check, runner\nrunner.SECONDS = 5.0\ncheck('sphere', {str(file)!r})"
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


def test_a_file_with_a_byte_order_mark_is_read(tmp_path):
    file = write(tmp_path)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert "syntax_error" not in str(check("sphere", file))


def test_a_missing_file_or_a_command_that_does_not_start_is_no_verdict(tmp_path, capsys):
    assert main(["exercise", "sphere", "--check", str(tmp_path / "none.py")]) == 2
    assert "cannot be read: there is no such file" in capsys.readouterr().err
    mine = str(write(tmp_path))
    for command in ("false", "there-is-no-such-program"):
        assert main(["exercise", "sphere", "--check", mine, "--inside", command]) == 2
        assert f"the file was not run: {command}" in capsys.readouterr().err
    assert main(["exercise", "sphere", "--inside", "env"]) == 2


BWRAP = "bwrap --unshare-all --die-with-parent --ro-bind / / --dev /dev --tmpfs /tmp"


def test_a_file_of_a_stranger_runs_inside_what_the_system_has(tmp_path):
    """The command of docs/exercise.md."""
    line = f"return w / len(os.listdir({str(tmp_path)!r}))"
    assert check("sphere", write(tmp_path, line), ["env"]).comments[0].id.startswith("sphere.")
    if not shutil.which("bwrap"):
        pytest.skip("bubblewrap is not installed")
    assert "No such file or directory" in str(check("sphere", write(tmp_path, line), BWRAP.split()))
