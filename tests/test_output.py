"""Output files are refused before the work if they would destroy something, and replaced in one step: after any
failure while a command writes, the old file is whole, and one line names the reason.
"""

import errno
import json
import os
import signal
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

from infonce_ref import output
from infonce_ref.cli import main

CPC = "import numpy as np\ndef loss(scores): return np.log(np.exp(scores).sum(1)).mean() - np.diag(scores).mean()\n"
COMMANDS = {  # the output, and the command that writes it
    "explanation.json": "explain views.npy --json explanation.json",
    "claim.json": "ledger D1.2 --json claim.json",
    "pages/D1.md": "ledger D1.2 --markdown pages --force",
    "drawn/hardness_weights.svg": "figures --only hardness_weights --format svg --out drawn --force",
    "handed/source/byol/byol.ipynb": "exercise byol --nbgrader handed --force",
    "noted/01_softmax.ipynb": "exercise --notebooks noted --force",
    "trained/rotation.run": "train rotation --steps 1 --option batch=16 --out trained --force",
    "checked.json": "check mine.py:loss --json checked.json",
    "verified.json": "verify --loss cpc --dtype float64 --json verified.json",
    "lesson/softmax.html": "lessons softmax --out lesson --force",
    "page.html": "explain views.npy --out page.html",
}


def full(_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def sent(name):
    return lambda _: os.kill(os.getpid(), signal.Signals[name])


def read_only(**_):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


FAULTS = {  # the failure of flushing or opening the new file: the status, and the message
    "a full disk": (full, 2, "No space left on device; nothing there was changed"),
    "SIGINT": (sent("SIGINT"), 128 + signal.SIGINT, "interrupted"),
    "SIGTERM": (sent("SIGTERM"), 128 + signal.SIGTERM, "SIGTERM"),
    "SIGHUP": (sent("SIGHUP"), 128 + 1, "SIGHUP"),
    "read-only": (read_only, 2, "cannot be written (Read-only file system); name another place"),
}


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with the inputs of the commands."""
    monkeypatch.chdir(tmp_path)
    np.save("views.npy", np.random.default_rng(0).standard_normal((8, 3)))
    (tmp_path / "mine.py").write_text(CPC)
    return tmp_path


def prepare(place, written):
    """Write an old file, and build what a command copies into its folder."""
    if "lessons" in COMMANDS[written]:
        assert main(["lessons", "softmax"]) == 0
    (place / written).parent.mkdir(parents=True, exist_ok=True)
    (place / written).write_text("old")


def contents(folder):
    """Return every file but the bytecode that Python writes beside a file that it imports."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    return {path.relative_to(folder): path.read_bytes() for path in files}


@pytest.mark.slow
@pytest.mark.usefixtures("default_signals")
@pytest.mark.parametrize(("written", "fault"), list(product(COMMANDS, FAULTS)))
def test_an_interrupted_write_leaves_the_old_file_whole(place, command, monkeypatch, written, fault):
    if sys.platform == "win32" and fault.startswith("SIG"):
        pytest.skip("no such signals there")
    happens, status, words = FAULTS[fault]
    prepare(place, written)
    before = contents(place)
    if fault == "read-only":
        monkeypatch.setattr(output.tempfile, "TemporaryFile", happens)
    else:
        monkeypatch.setattr(output.os, "fsync", happens)
    found, _, err = command(*COMMANDS[written].split())
    assert found == status
    assert words in err
    assert contents(place) == before


KILLED = """
import os, signal, sys
os.fsync = lambda _: os.kill(os.getpid(), signal.SIGKILL)
from infonce_ref.cli import main
main(sys.argv[1:])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
@pytest.mark.parametrize("written", COMMANDS)
def test_a_killed_process_leaves_the_old_file_whole(place, written):
    prepare(place, written)
    before = contents(place)
    words = [sys.executable, "-c", KILLED, *COMMANDS[written].split()]
    ran = subprocess.run(words, capture_output=True, check=False)
    assert ran.returncode == -signal.SIGKILL
    left = contents(place)
    assert {path: left.pop(path) for path in before} == before
    assert all(path.name.startswith(".infonce-ref-") for path in left)  # the partial file
    assert left


@pytest.mark.parametrize(
    "argv",
    [
        "explain views.npy --json views.npy",
        "explain views.npy --json ./views.npy",
        "explain views.npy --json link.npy",
        "explain views.npy --labels labels.npy --out labels.npy",
        "explain views.npy --json both --out both",
        "verify --input views.npy --json views.npy",
        "verify --loss mine.py:LOSS --json mine.py",
        "check mine.py:loss --json mine.py",
        "exercise byol --out mine.py",
        "exercise byol --nbgrader there",
        "train rotation --out there",
        "train jigsaw --out there",
        "figures --only hardness_weights --format svg --out there",
        "figures --only hardness_weights --format png --out there --force",
        "ledger D1.2 --markdown there",
        "lessons softmax --out there",
        "lessons --out there",
        "lessons --embed anchor --out there",
        "vectors --loss byol --out there",
    ],
)
def test_inputs_and_files_that_may_be_somebodys_work_are_not_replaced(place, refused, argv):
    np.save("labels.npy", np.zeros(4, dtype=int))
    (place / "there/source/byol").mkdir(parents=True)
    theirs = "byol.py source/byol/byol.ipynb rotation.run jigsaw.svg D1.md softmax.html anchor.html byol.json"
    for name in (*theirs.split(), "hardness_weights.svg"):
        (place / "there" / name).write_text("work")
    # a link out of the folder is not followed, not even with --force
    (place / "there/hardness_weights.png").symlink_to(place / "mine.py")
    (place / "link.npy").symlink_to(place / "views.npy")
    before = contents(place)
    refused(*argv.split())
    assert contents(place) == before


@pytest.mark.usefixtures("place")
def test_a_file_that_was_changed_since_the_command_wrote_it_is_replaced_only_with_force(command, refused):
    """The command may be run again, also with other options, as long as its files are as it wrote them."""
    words, file = ("vectors", "--loss", "byol", "--out", "there", "--dtype"), output.Path("there/byol.json")
    assert [command(*words, dtype)[0] for dtype in ("float64", "float32", "float32")] == [0, 0, 0]
    written = file.read_text()
    file.write_text(written + "work")
    assert "there/byol.json was changed, or not written by this command" in refused(*words, "float32")
    assert file.read_text() == written + "work"
    status, out, _ = command(*words, "float32", "--force")
    assert (status, file.read_text()) == (0, written)
    assert f"{len(json.loads(written)['cases'])} points" in out


# --- one file ------------------------------------------------------------------------------------------------


@pytest.fixture
def old(tmp_path):
    path = tmp_path / "report.json"
    path.write_text("old")
    return path


class TestReplace:
    def test_a_link_stays_a_link(self, old):
        link = old.with_name("link.json")
        link.symlink_to(old)
        output.replace(link, "new")
        assert link.is_symlink()
        assert old.read_text() == "new"

    @pytest.mark.skipif(sys.platform == "win32", reason="a file has no such mode there")
    def test_the_mode_of_the_old_file_is_kept(self, old):
        old.chmod(0o640)
        output.replace(old, "new")
        assert old.stat().st_mode & 0o777 == 0o640

    def test_a_new_file_has_the_usual_mode(self, tmp_path):
        (tmp_path / "usual").write_text("")
        output.replace(tmp_path / "new", "")
        assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode

    @pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/null there")
    def test_a_device_is_written_to_and_stays(self):
        output.replace(output.Path("/dev/null"), "new")
        assert output.is_stream(output.Path("/dev/null"))


@pytest.mark.skipif(sys.platform == "win32", reason="there is no /dev/stdout there")
def test_standard_output_that_is_a_file_has_all_in_order(tmp_path):
    words = "print('first'); replace(Path('/dev/stdout'), 'second\\n'); print('third')"
    program = f"from infonce_ref.output import Path, replace; {words}"
    with (tmp_path / "out").open("w") as out:
        subprocess.run([sys.executable, "-c", program], stdout=out, check=True)
    assert (tmp_path / "out").read_text().split() == ["first", "second", "third"]


def test_a_read_only_file_is_refused(old, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everywhere
    with pytest.raises(ValueError, match=r"^--json: .* cannot be written"):
        output.check_outputs({"--json": old})


def test_control_characters_are_escaped_in_a_terminal(refused, tmp_path):
    name = "a\x1b[2J\u202eb"
    np.savez(tmp_path / "views.npz", **{name: np.ones((4, 3)), "b": np.ones(1), "c": np.ones(1)})
    err = refused("explain", tmp_path / "views.npz")
    assert r"a\x1b[2J\u202eb" in err
    assert "\x1b" not in err


def test_harmless_text_is_not_changed():
    assert output.escape_controls("τ = 0.1,\n\t‖w‖ ≥ 𝓛") == "τ = 0.1,\n\t‖w‖ ≥ 𝓛"
