"""User code that cannot be checked gives one line with its place, status 2, and no report."""

import signal
import sys

import pytest

LOSS = """
import os, sys
import numpy as np

def right(x, y, temperature=0.2):
    x, y = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (x, y))
    e = np.exp(x @ y.T / temperature)
    return -np.log(np.diag(e) / e.sum(axis=1)).mean()

def loss(x, y):
    {line}
"""
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals do not end processes on Windows")


@pytest.fixture
def check(tmp_path, command, monkeypatch):
    """Run `check` on a loss with this first line; return status, output, error, and the report's file."""

    def run(line, *words):
        (tmp_path / "mine.py").write_text(LOSS.format(line=line))
        monkeypatch.chdir(tmp_path)
        ran = command("check", "mine.py:loss", "--is", "cpc", "--json", "report.json", *words)
        return *ran, tmp_path / "report.json"

    return run


@pytest.mark.parametrize(
    ("line", "words", "why"),
    [
        ("os._exit(0)", (), "its process ended with status 0"),
        pytest.param("sys.exit(0)", (), "it raises SystemExit(0)", marks=pytest.mark.slow),
        pytest.param("raise KeyboardInterrupt", (), "it raises KeyboardInterrupt()", marks=pytest.mark.slow),
        pytest.param(
            "class Own(BaseException): pass\n    raise Own(1)",
            (),
            "it raises Own(1)",
            marks=pytest.mark.nightly,
        ),
        pytest.param(
            "raise type('Own', (BaseException,), {'args': property(lambda _: 1 / 0)})()",
            (),
            "it raises an exception that cannot be shown (",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "while True: pass", ("--seconds", "4"), "it does not end in 4 s", marks=pytest.mark.slow
        ),
        pytest.param(
            "os.kill(os.getpid(), 9)", (), "SIGKILL ended its process", marks=[POSIX, pytest.mark.slow]
        ),
        pytest.param("os.abort()", (), "SIGABRT ended its process", marks=[POSIX, pytest.mark.nightly]),
    ],
)
def test_a_loss_that_ends_its_process_or_never_returns_is_not_checked(check, line, words, why):
    status, out, err, report = check(line, *words)
    assert (status, out, report.exists()) == (2, "", False)
    assert err.startswith(f"infonce-ref: could not be checked: {why}")
    assert err.count("\n") == 1
    if why not in ("its process ended with status 0", "SIGKILL ended its process"):  # which leave no trace
        assert f"mine.py, line {11 + line.count(chr(10))})" in err


def test_a_report_is_printed_and_written_even_if_the_loss_redirects_its_output(check):
    status, out, err, report = check("sys.stdout = open(os.devnull, 'w'); os.chdir('/'); return right(x, y)")
    assert (status, err) == (0, "")
    assert "it is cpc" in out
    assert report.exists()


@pytest.mark.parametrize(
    "line",
    [
        "import json; json.dumps = None",
        pytest.param(
            "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
            marks=[POSIX, pytest.mark.slow],
        ),
    ],
)
def test_a_report_that_is_not_delivered_is_no_verdict(check, line):
    status, out, err, report = check(f"{line}; return right(x, y)")
    assert (status, out, report.exists()) == (2, "", False)
    assert err.startswith("infonce-ref: could not be checked: ")
    assert err.count("\n") == 1


@pytest.mark.nightly  # takes the time that a child has to end
def test_a_thread_that_goes_on_does_not_delay_the_report(check):
    status, out, err, _ = check(
        "import threading, time; threading.Thread(target=time.sleep, args=(3600,)).start(); return right(x, y)"
    )
    assert (status, err) == (0, "")
    assert "it is cpc" in out


@pytest.mark.slow
def test_prove_is_watched_too(tmp_path, refused):
    (tmp_path / "mine.py").write_text("import sys\nsys.exit(0)\n")
    assert "mine.py, line 2)" in refused("prove", tmp_path / "mine.py")


@POSIX
@pytest.mark.slow
def test_a_signal_to_the_command_ends_the_child(tmp_path):
    import subprocess

    (tmp_path / "mine.py").write_text(
        "import os, signal, time\nos.kill(os.getppid(), signal.SIGTERM)\ntime.sleep(3600)"
    )
    command = [sys.executable, "-m", "infonce_ref", "prove", str(tmp_path / "mine.py")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stderr) == (128 + signal.SIGTERM, "infonce-ref: ended by SIGTERM\n")
