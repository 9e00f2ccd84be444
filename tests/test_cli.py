"""The command, as a user types it: exit status, one clear line for bad input, and what is printed."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from infonce_ref.cli import main


def run(capsys, *argv):
    """Exit status, standard output, standard error."""
    try:
        status = main([str(argument) for argument in argv])
    except SystemExit as exit:  # argparse
        status = exit.code
    return status, *capsys.readouterr()


@pytest.fixture(scope="module")
def digits():
    """Two augmented views of handwritten digits: each image moved by one pixel and made noisy, twice."""
    from sklearn.datasets import load_digits

    images = load_digits().images[:40]
    rng = np.random.default_rng(0)

    def view():
        moved = np.stack([np.roll(image, rng.integers(-1, 2, size=2), axis=(0, 1)) for image in images])
        return (moved + rng.normal(scale=1.0, size=moved.shape)).reshape(len(images), -1)

    return view(), view()


def test_without_a_command_it_says_what_there_is(capsys):
    status, out, _ = run(capsys)
    assert status == 0
    assert "verify" in out
    assert "lessons" in out


class TestVerify:
    def test_the_matrix_and_exit_status_0(self, capsys, tmp_path):
        status, out, _ = run(capsys, "verify", "--loss", "infonce", "--json", tmp_path / "checks.json")
        assert status == 0
        assert "every cell holds: 8 of 8" in out
        found = json.loads((tmp_path / "checks.json").read_text())
        assert found["holds"] is True
        assert {check["witness"] for check in found["checks"]} == {
            "symbolic",
            "finite differences",
            "identities",
            "precision",
        }
        assert all(check["error"] <= check["tolerance"] for check in found["checks"])

    def test_a_wrong_gradient_is_exit_status_1_and_names_the_witness(self, capsys, monkeypatch):
        from infonce_ref.losses import ALL, infonce

        def halved(cache, upstream=1.0):
            return infonce.backward(cache, upstream / 2)

        monkeypatch.setitem(ALL, "infonce", infonce.LOSS._replace(backward=halved))
        status, out, _ = run(capsys, "verify", "--loss", "infonce")
        assert status == 1
        assert "FAILED: 0 of 8 cells hold, " in out
        assert re.search(r"infonce, z, symbolic: \d+ of \d+ checks fail", out)
        assert "infonce is wrong" in out

    @pytest.mark.parametrize(
        ("argv", "line"),
        [
            (["--loss", "infonse"], "unknown infonse; known are infonce, ntxent"),
            (["--backend", "cupy"], "--backend cupy: that library is not installed here"),
            (["--temperature", "0.1"], "--temperature goes with --input"),
        ],
    )
    def test_what_cannot_be_asked_is_one_line_and_exit_status_2(self, capsys, argv, line):
        if "cupy" in argv and __import__("importlib.util").util.find_spec("cupy"):
            pytest.skip("cupy is installed here")
        status, out, err = run(capsys, "verify", *argv)
        assert status == 2
        assert out == ""
        assert line in err
        assert err.count("\n") == 1


class TestInput:
    def test_real_digits_pass_and_their_figures_are_printed(self, capsys, tmp_path, digits):
        np.savez(tmp_path / "views.npz", *digits)
        status, out, _ = run(capsys, "verify", "--input", tmp_path / "views.npz", "--temperature", "0.07")
        assert status == 0
        assert out.startswith(
            "40 pairs of 64 features, float64, at temperature 0.07; of these pairs the witnesses"
        )
        first, _, rest = " ".join(out.split()).partition(" ntxent of all pairs: ")
        assert first.endswith("see: symbolic 3, finite differences 40, identities 40, precision 3")
        assert rest
        assert "every cell holds: 8 of 8" in out

    def test_one_array_of_both_views_is_the_same(self, capsys, tmp_path, digits):
        np.savez(tmp_path / "two.npz", *digits)
        np.save(tmp_path / "one.npy", np.concatenate(digits))
        reports = []
        for file in ("two.npz", "one.npy"):
            status, *_ = run(
                capsys, "verify", "--input", tmp_path / file, "--loss", "infonce", "--json", tmp_path / "j"
            )
            assert status == 0
            reports.append(json.loads((tmp_path / "j").read_text())["input"])
        assert reports[0] == reports[1]

    def test_the_figures_are_those_of_the_rows(self, tmp_path, digits):
        from infonce_ref.embeddings.rows import Loaded
        from infonce_ref.embeddings.rows import views as of
        from infonce_ref.losses import ntxent
        from infonce_ref.verify import embeddings

        rows = np.concatenate(digits)
        views = of(Loaded(*digits, None, ("a", "b")))
        found = embeddings.summary(ntxent.LOSS, views, 0.1, np.asarray, lambda *_: None)
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        s = unit @ unit.T
        n, b = len(rows), len(rows) // 2
        positive = (np.arange(n)[:, None] + b) % n == np.arange(n)
        # 1e-12: sums of n² similarities of order 1 in two orders
        assert found.positive_similarity == pytest.approx(s[positive].mean(), rel=1e-12, abs=0)
        assert found.negative_similarity == pytest.approx(
            s[~positive & ~np.eye(n, dtype=bool)].mean(), rel=1e-12, abs=0
        )
        assert found.loss == pytest.approx(ntxent.forward(rows, temperature=0.1)[0], rel=1e-12, abs=0)

    def test_no_matrix_of_all_rows_is_made(self):
        import tracemalloc

        from infonce_ref.embeddings.rows import Loaded
        from infonce_ref.embeddings.rows import views as of
        from infonce_ref.losses import ntxent
        from infonce_ref.verify import embeddings

        a, b = np.random.default_rng(0).standard_normal((2, 2000, 2), dtype="f4")
        tracemalloc.start()
        embeddings.summary(ntxent.LOSS, of(Loaded(a, b, None, ("a", "b"))), 0.1, np.asarray, lambda *_: None)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < (2 * len(a)) ** 2 * a.itemsize

    def test_clip_takes_two_arrays(self, capsys, tmp_path, digits):
        from infonce_ref.losses import clip

        image, text = (view.astype("f4") for view in digits)
        np.savez(tmp_path / "two.npz", text=text, image=image)
        status, *_ = run(
            capsys, "verify", "--input", tmp_path / "two.npz", "--loss", "clip", "--json", tmp_path / "j"
        )
        assert status == 0
        units = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (image, text)]
        found = json.loads((tmp_path / "j").read_text())["input"]["clip"]
        value, cache = clip.forward(*units, temperature=0.1)
        # 1e-5: a hundred float32 roundings, and more where logits of 10 are exponentiated
        assert found["loss"] == pytest.approx(float(value), rel=1e-5, abs=0)
        by_rows = clip.backward(cache)[:2]
        assert found["gradient_norm"] == pytest.approx(
            float(np.linalg.norm(np.stack(by_rows))), rel=1e-5, abs=0
        )
        cosines = units[0] @ units[1].T
        others = cosines[~np.eye(40, dtype=bool)]
        assert found["negative_similarity"] == pytest.approx(float(others.mean()), rel=1e-5, abs=0)


class TestBadInput:
    """Each ends with one clear line on standard error and exit status 2, never a traceback."""

    def bad(self, capsys, path, *more):
        status, out, err = run(capsys, "verify", "--input", path, *more)
        assert status == 2
        assert out == ""
        assert err.count("\n") == 1
        return err

    def test_missing_file(self, capsys, tmp_path):
        assert "no such file" in self.bad(capsys, tmp_path / "nothing.npy")

    def test_folder(self, capsys, tmp_path):
        assert "is a folder" in self.bad(capsys, tmp_path)

    def test_pickled_objects_are_never_read(self, capsys, tmp_path):
        np.save(tmp_path / "x.npy", np.array([{}], dtype=object), allow_pickle=True)
        np.savez(tmp_path / "x.npz", np.array([{}], dtype=object))
        assert "pickled objects are never read" in self.bad(capsys, tmp_path / "x.npy")
        assert "pickled objects are never read" in self.bad(capsys, tmp_path / "x.npz")

    @pytest.mark.parametrize("content", [b"", b"hello", b"PK\x03\x04 broken", b"\x93NUMPY\x01\x00"])
    def test_unreadable_file(self, capsys, tmp_path, content):
        (tmp_path / "x.npz").write_bytes(content)
        self.bad(capsys, tmp_path / "x.npz")

    def test_truncated_archive(self, capsys, tmp_path, digits):
        np.savez_compressed(tmp_path / "x.npz", *digits)
        whole = (tmp_path / "x.npz").read_bytes()
        (tmp_path / "x.npz").write_bytes(whole[: len(whole) // 2])
        assert "cannot be read" in self.bad(capsys, tmp_path / "x.npz")

    def test_damaged_archive(self, capsys, tmp_path, digits):
        np.savez_compressed(tmp_path / "x.npz", *digits)
        whole = bytearray((tmp_path / "x.npz").read_bytes())
        whole[300:400] = bytes(100)
        (tmp_path / "x.npz").write_bytes(whole)
        assert "cannot be read" in self.bad(capsys, tmp_path / "x.npz")

    @pytest.mark.parametrize(
        ("rows", "line"),
        [
            (np.ones((4, 2, 2)), "one array (2B, features) or two (B, features)"),
            (np.ones(4), "one array (2B, features) or two (B, features)"),
            (np.array(1.0), "one array (2B, features) or two (B, features)"),
            (np.ones((0, 3)), "neither of them 0"),
            (np.ones((5, 3)), "even number of rows"),
            (np.ones((2, 3)), "at least two pairs"),
            (
                np.where(np.arange(4) % 2, np.nan, np.ones((3, 4))).T,
                "row 1, 3: such rows hold NaN or infinity",
            ),
            (np.arange(12.0).reshape(4, 3) // 3 % 3, "row 0, 3: such rows hold only zeros"),
            (
                np.ones((4, 3)) * 1e-300,
                "row 0, 1, 2, 3: such rows hold a largest entry outside 1e-12 … 1e+12",
            ),
            (np.ones((4, 3)) * 1e200, "a largest entry outside 1e-12 … 1e+12"),
            (np.ones((4, 3), dtype=int), "float32 or float64"),
            (np.ones((4, 3), dtype=complex), "float32 or float64"),
            (np.full((4, 3), "a"), "float32 or float64"),
        ],
    )
    def test_wrong_rows(self, capsys, tmp_path, rows, line):
        np.save(tmp_path / "x.npy", rows)
        assert line in self.bad(capsys, tmp_path / "x.npy")

    def test_views_of_two_shapes(self, capsys, tmp_path):
        np.savez(tmp_path / "x.npz", np.ones((4, 3)), np.ones((5, 3)))
        assert "(4, 3) and (5, 3): make them one" in self.bad(capsys, tmp_path / "x.npz")

    def test_a_format_that_is_not_read_says_how_to_convert_it(self, capsys, tmp_path):
        for name, todo in (("x.pt", "torch.load"), ("x.csv", "numpy.loadtxt")):
            (tmp_path / name).touch()
            assert todo in self.bad(capsys, tmp_path / name)

    def test_clip_of_one_array(self, capsys, tmp_path, digits):
        np.save(tmp_path / "x.npy", np.concatenate(digits))
        assert "clip takes two arrays" in self.bad(capsys, tmp_path / "x.npy", "--loss", "clip")

    def test_three_arrays(self, capsys, tmp_path):
        np.savez(tmp_path / "x.npz", *np.ones((3, 4, 3)))
        assert "wanted are one array (2B, features) or two" in self.bad(capsys, tmp_path / "x.npz")

    @pytest.mark.parametrize("temperature", ["0", "-1", "nan", "inf"])
    def test_temperature(self, capsys, tmp_path, digits, temperature):
        np.savez(tmp_path / "x.npz", *digits)
        assert "temperature" in self.bad(capsys, tmp_path / "x.npz", f"--temperature={temperature}")

    def test_a_loss_that_has_no_pairs(self, capsys, tmp_path, digits):
        np.savez(tmp_path / "x.npz", *digits)
        assert "infonce, ntxent, dcl, clip; got triplet" in self.bad(
            capsys, tmp_path / "x.npz", "--loss", "triplet"
        )


class TestLedger:
    def test_json_holds_every_claim_asked_for_and_its_evidence(self, capsys, tmp_path):
        status, *_ = run(capsys, "ledger", "M5", "D1.13", "--json", tmp_path / "claims.json")
        assert status == 0
        found = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
        assert found["stands"] is True
        first, second = found["claims"]
        assert (first["id"], second["id"]) == ("D1.13", "M5")
        assert first["document"] == "InfoNCE Loss Derivation"
        assert first["verdict"] == "proved"
        assert all(first[key] for key in ("printed", "checked", "stands", "cited"))
        assert any("∂𝓛/∂z[k, f]" in piece for piece in first["evidence"].values())
        root = Path(__file__).parent.parent
        proof = (root / first["proof"]["file"]).read_text(encoding="utf-8").splitlines()
        assert proof[first["proof"]["line"] - 1] == "@claim("
        for place in first["cited"]:
            assert (
                "D1.13" in (root / place["file"]).read_text(encoding="utf-8").splitlines()[place["line"] - 1]
            )

    def test_what_does_not_stand_is_written_with_the_reason(self, capsys, tmp_path, monkeypatch):
        from infonce_ref.derivations import ledger

        broken = replace(ledger.CLAIMS["M5"], evidence=lambda: None)
        monkeypatch.setitem(ledger.CLAIMS, "M5", broken)
        status, *_ = run(capsys, "ledger", "M5", "--json", tmp_path / "claims.json")
        assert status == 1
        found = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
        assert found["stands"] is found["claims"][0]["stands"] is False
        assert "a dictionary of named pieces; got None" in found["claims"][0]["failure"]

    def test_help_says_what_the_ids_mean(self, capsys):
        from infonce_ref.derivations.documents import DOCUMENTS

        _, out, _ = run(capsys, "ledger", "--help")
        said = " ".join(out.split())
        for name, document in DOCUMENTS.items():
            assert " ".join(f" {name} {document.title}: {document.about} ".split()) in said


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        (["exercise", "--check", "x.py"], "--check goes with the NAME of an exercise"),
        (["exercise", "ntxent", "--json"], "--json goes with --check"),
        (["train", "simclr", "--option", "rate=nan"], "option rate must be finite; got nan"),
        (["train", "simclr", "--option", "rate=-1"], "option rate must be positive"),
        (["train", "moco", "--option", "momentum=7"], "option momentum must lie in 0 … 1"),
        (["check", "os:getcwd", "--with", "temperature=-1"], "temperature must be a positive, finite number"),
        (["verify", "--loss", ":LOSS"], "no module is named"),
    ],
)
def test_what_makes_no_sense_is_one_line(capsys, argv, line):
    status, out, err = run(capsys, *argv)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert line in err


@pytest.mark.parametrize("command", [["verify"], ["ledger"], ["ledger", "M5"]])
def test_a_file_that_cannot_be_written_is_refused_before_the_work(capsys, tmp_path, monkeypatch, command):
    from infonce_ref import progress

    monkeypatch.setattr(progress, "each", lambda *_: pytest.fail("the work was begun"))
    (tmp_path / "file").touch()
    for path, line in (
        (tmp_path, "is a folder; name a file in it"),
        (tmp_path / "none" / "x.json", "there is no folder"),
        (tmp_path / "file" / "x.json", "there is no folder"),
    ):
        status, out, err = run(capsys, *command, "--json", path)
        assert status == 2
        assert out == ""
        assert line in err
        assert err.count("\n") == 1


@pytest.mark.parametrize(
    "command", ["figures --out", "lessons --out", "train simclr --out", "ledger --markdown"]
)
def test_a_file_in_place_of_a_folder_is_refused(capsys, tmp_path, monkeypatch, command):
    from infonce_ref import progress

    monkeypatch.setattr(progress, "each", lambda *_: pytest.fail("the work was begun"))
    (tmp_path / "file").touch()
    status, out, err = run(capsys, *command.split(), tmp_path / "file")
    assert (status, out) == (2, "")
    assert err == f"infonce-ref: {command.split()[-1]}: {tmp_path / 'file'} is a file; name a folder\n"


class TestHelp:
    """It names what can be named."""

    def test_the_losses(self, capsys):
        from infonce_ref.losses import ALL

        assert set(ALL) <= words(run(capsys, "verify", "--help"))

    def test_the_lessons(self, capsys):
        from infonce_ref.derivations.pages.lesson import lessons

        assert set(lessons()) <= words(run(capsys, "lessons", "--help"))

    def test_the_figures(self, capsys):
        from infonce_ref.figures import NAMES

        assert set(NAMES) <= words(run(capsys, "figures", "--help"))

    def test_the_algorithms_and_their_options(self, capsys):
        from infonce_ref.algorithms import ALL

        found = words(run(capsys, "train", "--help"))
        for algorithm in ALL.values():
            assert algorithm.name in found
            assert {f"{k}={x}" for k, x in algorithm.options()._asdict().items()} <= found


class TestTables:
    """They fit their terminal, and no number is broken."""

    @pytest.mark.parametrize("width", [60, 80, 120])
    def test_the_matrix(self, width):
        from rich.console import Console

        from infonce_ref.verify import information, judge, matrix

        none = judge.Measurement(1e-12, (), 0.0, 0.0)
        checks = [
            judge.Check(loss.name, name, witness, "", "", none, 2e-11, "")
            for loss in judge.registered().values()
            for name in loss.differentiable
            for witness in judge.WITNESSES
        ]
        checks += [
            judge.Check(information.NAME, name, witness, "", "", none, 2e-11, "")
            for name in information.FUNCTIONS
            for witness in information.WITNESSES
        ]
        console = Console(width=width, file=io.StringIO(), force_terminal=True, color_system=None)
        matrix.show(console, checks, True, {})
        text = console.file.getvalue()
        assert max(map(len, text.splitlines())) <= width
        assert text.count("1e-12") == text.count("≤2e-11") == len(checks)

    def test_a_line_of_the_ledger_is_whole_where_it_is_piped(self):
        from rich.console import Console

        from infonce_ref.derivations.pages import card, terminal

        lines = {}
        for there in (True, False):
            console = Console(width=60, file=io.StringIO(), force_terminal=there, color_system=None)
            terminal.show_table([card.settled("P2")], console)
            lines[there] = console.file.getvalue().splitlines()[1]
        assert len(lines[True]) == 60
        assert lines[True].endswith("…")
        assert lines[False].startswith(lines[True][:-1])
        assert lines[False].endswith(".")

    def test_an_explanation(self):
        from infonce_ref import explain
        from infonce_ref.explanation.text import WIDTH, render

        rows = np.random.default_rng(0).standard_normal((8, 3))
        found = explain(rows)
        whole, narrow = (render(found, width) for width in (WIDTH, 60))
        assert max(map(len, narrow.splitlines())) <= 60
        numbers = re.findall(r"\d\S*", whole)
        assert not set(numbers) - set(re.findall(r"\d\S*", narrow))

    def test_a_report_on_a_loss(self):
        from infonce_ref.conformance.numerics import Cell
        from infonce_ref.conformance.verdicts import Report, Verdict

        cells = [
            Cell(dtype, tau, alignment, 1e-9, "", 1e-7)
            for dtype in ("float64", "float32", "float16")
            for tau in (1.0, 0.003)
            for alignment in ("apart", "near", "aligned")
        ]
        verdicts = {"numerics": Verdict("right", True, "many words, " * 20 + "1e-05")}
        report = Report("mine.py:loss", "a function", None, None, {}, None, (), verdicts, (), cells=cells)
        assert max(map(len, report.text(60).splitlines())) <= 60
        assert set(report.text(60).split()) == set(str(report).split())


class TestInterrupt:
    def test_what_was_measured_is_printed_and_written(self, capsys, monkeypatch, tmp_path):
        from infonce_ref.verify import judge

        hear, left = judge.hear_numbered, iter(range(2))

        def interrupted(question):
            if next(left, None) is None:
                raise KeyboardInterrupt
            return hear(question)

        monkeypatch.setattr(judge, "hear_numbered", interrupted)
        file = tmp_path / "checks.json"
        status, out, err = run(capsys, "verify", "--loss", "ntxent", "--dtype", "float64", "--json", file)
        assert status == 130
        assert not file.exists()  # so that a part never replaces a whole report
        found = json.loads((tmp_path / "checks.partial.json").read_text())
        assert (found["interrupted"], found["holds"], bool(found["checks"])) == (True, False, True)
        assert re.search(r"ntxent +w +\d\S+≤\d\S+ +not asked", out)
        assert re.search(r"interrupted after \d checks, of which none failed", out)
        said, ended = err.splitlines()
        assert said.endswith("checks.partial.json")
        assert ended == "infonce-ref: interrupted"

    @pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
    @pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
    def test_other_signals_end_a_command_as_ctrl_c_does(self, capsys, monkeypatch, name):
        from infonce_ref import exercises

        number = signal.Signals[name]
        before = signal.getsignal(number)
        monkeypatch.setattr(exercises, "chosen", lambda _: os.kill(os.getpid(), number))
        status, _, err = run(capsys, "exercise", "ntxent", "--solution")
        assert (status, err) == (128 + number, f"infonce-ref: ended by {name}\n")
        assert signal.getsignal(number) is before

    def test_no_process_is_left(self):
        """Ctrl-C reaches the command and its workers, which sleep for an hour."""
        code = (
            "import signal, time\nfrom multiprocessing import active_children\n"
            "from infonce_ref.progress import each\n"
            # a shell has what it starts in the background ignore it
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "if __name__ == '__main__':\n"
            "    for _ in each(time.sleep, [0, 3600, 3600], str, parallel=True):\n"
            "        print(*(child.pid for child in active_children()), flush=True)\n"
        )
        command = subprocess.Popen(
            [sys.executable, "-c", code],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        workers = [int(pid) for pid in command.stdout.readline().split()]
        os.killpg(command.pid, signal.SIGINT)
        _, err = command.communicate(timeout=60)
        assert "KeyboardInterrupt" in err
        assert "Process" not in err  # no worker says anything
        for pid in workers:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


def test_a_process_of_the_pool_that_was_ended_is_no_verdict(monkeypatch, capsys):
    from concurrent.futures.process import BrokenProcessPool

    from infonce_ref import progress

    def broken(*_, **__):
        raise BrokenProcessPool

    monkeypatch.setattr(progress, "each", broken)
    assert main(["ledger", "D1.2"]) == 2
    assert "the system ended one of the command's processes" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="a closed stream is another thing there")
class TestAVerdictThatCannotBeReported:
    """What the status says holds only if somebody could read why."""

    def run(self, argv, *, closed=(), stdout=subprocess.PIPE):
        """closed: the streams that the command does not have, as a shell's >&- takes them away."""
        environment = {name: x for name, x in os.environ.items() if name != "PYTHONUNBUFFERED"}
        command = [sys.executable, "-m", "infonce_ref", *argv.split()]
        without = f"import os, sys; [os.close(k) for k in {closed}]; os.execv(sys.executable, {command})"
        ran = subprocess.run(
            [sys.executable, "-c", without],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=environment,
        )
        return ran.returncode, ran.stderr

    @pytest.mark.parametrize("argv", ["--help", "exercise", "ledger D1.2"])
    def test_standard_output_is_closed(self, argv):
        words = "infonce-ref: standard output is closed, so nothing can be reported\n"
        assert self.run(argv, closed=(1,)) == (2, words)
        assert self.run(argv, closed=(1, 2)) == (2, "")

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
    @pytest.mark.parametrize("argv", ["--help", "exercise", "ledger D1.2"])
    def test_the_disk_is_full(self, argv):
        with open("/dev/full", "w") as full:
            found = self.run(argv, stdout=full)
        assert found == (2, "infonce-ref: standard output: No space left on device\n")

    def test_nobody_reads(self):
        read, write = os.pipe()
        os.close(read)
        command = [sys.executable, "-m", "infonce_ref", "ledger", "D1.2"]
        ran = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, check=False)
        os.close(write)
        assert (ran.returncode, ran.stderr) == (2, b"")

    def test_messages_do_not_go_to_a_closed_standard_error(self):
        assert self.run("ledger nothing", closed=(2,)) == (2, "")


def test_a_pipe_that_is_closed_is_no_error(monkeypatch):
    """As `| head` closes it."""
    for argv in (["--help"], ["exercise"]):
        read, write = os.pipe()
        os.close(read)
        ran = subprocess.run(
            [sys.executable, "-m", "infonce_ref", *argv], stdout=write, stderr=subprocess.PIPE, check=False
        )
        os.close(write)
        assert (ran.returncode, ran.stderr) == (0, b"")

    class Closed(io.StringIO):
        def write(self, _):
            raise BrokenPipeError

    from infonce_ref.cli.terminal import Terminal

    monkeypatch.setattr(sys, "stdout", Closed())
    with pytest.raises(BrokenPipeError):  # rich would end the program
        Terminal().print("a line")


def test_without_a_terminal_a_line_now_and_then_says_how_far_it_is(capsys, monkeypatch):
    from infonce_ref import progress

    monkeypatch.setattr(progress, "EVERY", 0.01)
    said = ""
    with progress.bar() as told:
        told("things", 3, 10)
        while not said:
            said = capsys.readouterr().err
    assert re.match(r"things: 3 of 10, \d+ s\n", said)


def test_open_without_a_browser_says_where_the_pages_are(capsys, tmp_path, monkeypatch):
    import webbrowser

    from infonce_ref.derivations import pages

    monkeypatch.setattr(webbrowser, "open", lambda _: False)
    monkeypatch.setattr(pages.book, "needed", lambda _: [])
    monkeypatch.setattr(pages, "texts", lambda *_: {})
    monkeypatch.setattr(pages, "files", lambda _: {"index.html": ""})
    status, _, err = run(capsys, "lessons", "--open", "--out", tmp_path)
    assert status == 0
    assert (tmp_path / "index.html").as_uri() in err


def words(ran):
    _, out, _ = ran
    return set(out.replace(",", " ").split())


def bare(absent, *argv):
    """The command in a Python of its own, where some modules are not installed."""
    code = f"import sys; sys.modules.update(dict.fromkeys({absent})); from infonce_ref.cli import main; "
    code += f"sys.exit(main({argv}))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


EXTRAS = [
    "flint",
    "markdown_it",
    "math_core",
    "matplotlib",
    "mpmath",
    "pygments",
    "pypdf",
    "rich",
    "scipy",
    "sklearn",
    "sympy",
]


class TestExtras:
    @pytest.mark.parametrize(
        ("argv", "absent", "extra"),
        [
            ("verify", EXTRAS, "verify"),
            ("ledger", EXTRAS, "verify"),
            ("lessons", EXTRAS, "lessons"),
            ("figures", EXTRAS, "lessons"),
            ("train simclr", EXTRAS, "lab"),
            ("exercise byol", EXTRAS, "verify"),
            ("lessons", ["matplotlib"], "lessons"),
            ("figures", ["matplotlib"], "lessons"),
            ("train simclr", ["sklearn"], "lab"),
        ],
    )
    def test_what_is_not_installed_is_one_line_that_says_how(self, tmp_path, argv, absent, extra):
        out = [] if argv in ("verify", "ledger") else ["--out", str(tmp_path / "out")]
        ran = bare(absent, *argv.split(), *out)
        assert ran.returncode == 2
        assert ran.stdout == ""
        assert ran.stderr.count("\n") == 1
        assert f'pip install "infonce_ref[{extra}]"' in ran.stderr
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize("command", ["", "verify", "ledger", "lessons", "figures", "train", "exercise"])
    def test_help_needs_none(self, command):
        ran = bare(EXTRAS, *command.split(), "--help")
        assert ran.returncode == 0
        assert ran.stdout.startswith("usage: infonce-ref")

    def test_a_fault_of_ours_is_not_taken_for_one(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "infonce_ref.verify.judge", None)
        monkeypatch.delattr("infonce_ref.verify.judge", raising=False)
        with pytest.raises(ModuleNotFoundError):
            main(["verify"])


def test_python_m_is_the_same_command():
    ran = subprocess.run(
        [sys.executable, "-m", "infonce_ref", "verify", "--loss", "infonse"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stderr.startswith("infonce-ref: --loss: unknown infonse")
