"""A malicious file: the operating system stops it, independently of Python, and the grader still reports."""

import os
import sys
import time

import numpy as np
import pytest

from infonce_ref import mistakes
from infonce_ref.exercises import check, isolation
from infonce_ref.exercises.sandbox import Learner, environment

HEAD = """
import os, sys, ctypes, struct
libc = ctypes.pythonapi  # loaded already, so that no audit hook sees it
def loss(w, temperature):
    {line}
def gradient(w, temperature):
    return w
"""
SOLUTION = os.path.join(os.path.dirname(mistakes.__file__), "texts", "ntxent.py")
# the result of a refused system call, by the limit that refuses it
REFUSED = {
    "reads the solution": ("libc.open({solution!r}.encode(), 0)", isolation.FILES),
    "reads what the grader may read": ("libc.open(b'/etc/passwd', 0)", isolation.FILES),
    "reads the grader's environment": (
        "libc.open(f'/proc/{{os.getppid()}}/environ'.encode(), 0)",
        isolation.FILES,
    ),
    "writes a file": ("libc.open(b'written', 0o101, 0o644)", isolation.CALLS),
    "sends a datagram": ("libc.socket(2, 2, 0)", isolation.CALLS),
    "forks": ("libc.fork()", isolation.CALLS),
    "kills the grader": ("libc.kill(os.getppid(), 0)", isolation.CALLS),
    "opens a handle of the grader": ("libc.syscall(434, os.getppid(), 0)", isolation.CALLS),
    "limits the grader": ("libc.prlimit(os.getppid(), 7, struct.pack('QQ', 5, 5), None)", isolation.CALLS),
    "runs a program": ("libc.execv(b'/bin/true', None)", isolation.CALLS),
    "submits calls to the kernel": ("libc.syscall(425, 1, 0)", isolation.CALLS),
}


@pytest.fixture
def mine(tmp_path):
    """Return a submission with this line as its loss."""

    def write(line):
        file = tmp_path / "mine.py"
        file.write_text(HEAD.format(line=line.format(solution=SOLUTION)), encoding="utf-8")
        return file

    return write


@pytest.mark.parametrize("what", REFUSED)
def test_the_system_refuses(mine, what):
    call, limit = REFUSED[what]
    with Learner(mine(f"return float({call})"), ("loss", "gradient")) as learner:
        if not learner.limits[limit]:
            pytest.skip(f"this system does not limit: {limit}")
        (returned,) = learner("loss", [np.ones((4, 2)), 0.5])
    assert returned == -1


def test_the_environment_is_empty(mine, monkeypatch):
    monkeypatch.setenv("TOKEN", "secret")
    line = "return float(len(set(os.environ) - {set}))".replace(
        "{set}", repr(set(environment()) | {"LC_CTYPE"})
    )
    with Learner(mine(line.replace("{", "{{").replace("}", "}}")), ("loss", "gradient")) as learner:
        (more,) = learner("loss", [np.ones((4, 2)), 0.5])
    assert more == 0


@pytest.mark.parametrize(
    "forged",
    [
        "[" * 100_000,
        '{"arrays": [{"dtype": "object", "shape": [1], "data": "AAAA"}]}',
        '{"arrays": [{"dtype": "float64", "shape": [-7], "data": "AAAA"}]}',
        '{"arrays": [{"dtype": "(,)f8", "shape": [], "data": ""}]}',  # a SyntaxError of NumPy's
        '{"arrays": 7}',
        '{"raised": 7}',
        '{"raised": {"error": 1, "words": 2, "line": "x", "code": 3}}',
        '{"refused": "unknown"}',
        "7",
        '{"arrays": [1e999, {}]}',
    ],
)
def test_a_forged_answer_ends_in_a_report(tmp_path, forged):
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\ndef loss(w, temperature):\n    for k in range(3, 30):\n        try:\n"
        f"            os.write(k, {forged.encode()!r} + b'\\n')\n        except OSError:\n            pass\n"
        "    return 1.0\ndef gradient(w, temperature):\n    return w\n"
    )
    report = check("ntxent", file)
    assert report.comments[0].id == "crash"
    assert not report.holds


def test_output_that_is_not_text_is_escaped_and_shortened(mine):
    report = check("ntxent", mine("raise ValueError(chr(0xD800) * 1000)"))
    assert report.comments[0].sentence.endswith(r"raises ValueError: " + r"\ud800" * 200)
    report.json().encode()


@pytest.mark.slow
def test_a_file_with_a_byte_order_mark_is_read(mine):
    file = mine("return 1.0")
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert check("ntxent", file).comments[0].id not in ("no_file", "syntax_error")


def test_a_flood_of_answers_ends_in_a_report(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\nfor k in range(3, 30):\n    try:\n        os.write(k, b'{}\\n' * 20_000)\n"
        "    except OSError:\n        pass\n"
    )
    report = check("ntxent", file)
    assert report.comments[0].id in ("crash", "missing_function")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("os.closerange(0, 64); import time; time.sleep(3600)", "cannot come from a function"),
        ("return np.ones(1_000_000)", "more than 4194304 bytes"),
    ],
)
def test_an_answer_without_an_end_ends_in_a_report(mine, line, words):
    report = check("ntxent", mine("import numpy as np; " + line))
    assert report.comments[0].id == "crash"
    assert words in report.comments[0].sentence


@pytest.mark.slow
@pytest.mark.parametrize(
    ("late", "words"),
    [
        ("os._exit(0)", "not right\n\n1. crash: its process ended"),
        (
            "time.sleep(3600)",
            "not graded\n\n1. ntxent.too_slow: right at small batches, but too slow at 34 × 9: not graded",
        ),
    ],
)
def test_a_file_that_ends_or_is_slow_late_is_not_right(tmp_path, late, words):
    """During the judge's checks, which continue after a loss that raises."""
    with open(SOLUTION, encoding="utf-8") as solution:
        text = f"{solution.read()}\nimport os, time\nright = loss\ndef loss(w, temperature):\n"
    text += f"    return right(w, temperature) if w.shape != (34, 9) else {late}\n"
    (tmp_path / "mine.py").write_text(text, encoding="utf-8")
    report = check("ntxent", tmp_path / "mine.py")
    assert words in str(report)
    assert not any(report.parts.values())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a process with its parent")
def test_a_killed_grader_leaves_no_process(tmp_path):
    import signal
    import subprocess

    from infonce_ref.exercises import worker

    (tmp_path / "mine.py").write_text("import os, time\nprint(1, flush=True)\ntime.sleep(3600)\n")
    code = (
        "import os, sys, threading, time\nfrom pathlib import Path\n"
        "from infonce_ref.exercises.sandbox import Learner\n"
        "learner = Learner(Path(sys.argv[1]), ('loss',))\n"
        "def tell():\n    while not learner.printed: time.sleep(0.01)\n"
        "    print(learner.process.pid, flush=True)\n"
        "threading.Thread(target=tell, daemon=True).start()\nlearner.__enter__()\n"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "mine.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as grader:
        pid = int(grader.stdout.readline())
        grader.kill()
    for _ in range(500):
        try:
            with open(f"/proc/{pid}/cmdline", encoding="utf-8") as running:
                if worker.__file__ not in running.read():
                    return
        except OSError:
            return
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    pytest.fail("the learner's process goes on")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no FIFOs there")
def test_a_fifo_is_refused(tmp_path):
    os.mkfifo(tmp_path / "mine.py")
    assert check("ntxent", tmp_path / "mine.py").comments[0].id == "no_file"


def test_a_link_is_refused(tmp_path):
    (tmp_path / "mine.py").symlink_to(SOLUTION)
    assert check("ntxent", tmp_path / "mine.py").comments[0].id == "no_file"


def test_a_file_that_is_not_text_or_too_long_is_refused(tmp_path):
    for content in (b"\xff\xfe\x00", b"#" * 2_000_000):
        (tmp_path / "mine.py").write_bytes(content)
        assert check("ntxent", tmp_path / "mine.py").comments[0].id == "no_file"


def test_sockets_and_network_are_unavailable(monkeypatch):
    # otherwise this process would get all limits
    monkeypatch.setattr(isolation, "limit_resource", lambda *_: False)
    monkeypatch.setattr(isolation, "forbid_new_privileges", lambda: True)
    for filtered in (True, False):
        limits = {isolation.NETWORK: lambda: False, isolation.CALLS: lambda held=filtered: held}
        monkeypatch.setattr(isolation, "LINUX", limits)
        assert (isolation.NETWORK in isolation.isolate(0, 0)) == (filtered and sys.platform == "linux")


def test_the_report_says_which_limits_held(mine, monkeypatch):
    report = check("ntxent", mine("return 1.0"))
    assert set(report.limits) == set(isolation.ALL)
    none = report._replace(limits=dict.fromkeys(isolation.ALL, False))
    assert "Not limited by this system: memory, processor time, no network" in str(none)
    assert "The system's limits that held for the file: memory" in str(
        report._replace(limits=dict.fromkeys(isolation.ALL, True))
    )


@pytest.mark.parametrize("machine", isolation.ARCHITECTURES)
def test_the_filter_refuses_every_call_that_it_does_not_name(machine):
    """Run the filter's program by hand; it is data, the same on every machine."""
    column, architecture = isolation.ARCHITECTURES[machine]
    program = isolation.filter_program(machine, pid=42)
    allowed = {row[column] for row in isolation.CALLS_OF.values() if row[column] is not None}

    def verdict(number, *arguments, on=architecture):
        words = {0: number, 4: on} | {16 + 8 * k: x for k, x in enumerate(arguments)}
        at, loaded = 0, 0
        while True:
            code, yes, no, k = program[at]
            if code == isolation.RETURN:
                return k
            if code == isolation.LOAD:
                loaded, step = words[k], 0
            else:
                step = yes if (loaded == k if code == isolation.EQUAL else loaded & k) else no
            at += 1 + step

    for number in range(500):
        wanted = isolation.ALLOW if number in allowed else isolation.REFUSE
        if number not in (isolation.OPENAT[column], isolation.TGKILL[column], isolation.FCNTL[column]):
            assert verdict(number) == wanted, number
        assert verdict(number, 0, 0, 0, on=architecture + 1) == isolation.REFUSE
    assert verdict(isolation.OPENAT[column], 0, 0, os.O_RDONLY) == isolation.ALLOW
    assert verdict(isolation.OPENAT[column], 0, 0, os.O_RDWR) == isolation.REFUSE
    assert verdict(isolation.TGKILL[column], 42) == isolation.ALLOW
    assert verdict(isolation.TGKILL[column], 1) == isolation.REFUSE
    assert verdict(isolation.FCNTL[column], 3, 3) == isolation.ALLOW  # F_GETFL
    assert verdict(isolation.FCNTL[column], 3, 8) == isolation.REFUSE  # F_SETOWN
