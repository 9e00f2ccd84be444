"""The command as a user types it: exit status, one clear line for bad input, and the output."""

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from infonce_ref.cli import main

METHODS = ("proved formula", "finite differences", "laws", "50 digits")


def test_without_a_command_it_lists_the_commands(command):
    status, out, _ = command()
    assert status == 0
    assert "verify" in out
    assert "lessons" in out


class TestVerify:
    @pytest.mark.slow
    def test_it_prints_the_matrix_and_exits_with_0(self, command, tmp_path):
        status, out, _ = command("verify", "--loss", "byol", "--json", tmp_path / "checks.json")
        assert status == 0
        assert "every cell holds: 4 of 4" in out
        assert "A case is" not in out  # only a failure needs to say what a case is
        found = json.loads((tmp_path / "checks.json").read_text())
        assert found["holds"] is True
        assert {check["method"] for check in found["checks"]} == {*METHODS}
        assert all(check["error"] <= check["tolerance"] for check in found["checks"])

    @pytest.mark.slow
    def test_a_wrong_gradient_has_exit_status_1_and_the_whole_report_names_the_failed_checks(
        self, command, monkeypatch, tmp_path
    ):
        from infonce_ref.losses import ALL, query_key
        from infonce_ref.verify.case import ROUNDING_REASON

        def nudged(cache, upstream=1.0):
            gradients = query_key.backward(cache, upstream)
            wrong = gradients.query.copy()
            wrong[-1, -1] += 0.5
            return gradients._replace(query=wrong)

        monkeypatch.setitem(ALL, "query_key", query_key.LOSS._replace(backward=nudged))
        file = tmp_path / "checks.json"
        argv = "verify", "--loss", "query_key", "--dtype", "float64", "--whole", "--json", file
        status, out, _ = command(*argv)
        assert status == 1
        assert "FAILED: 12 of 16 cells hold" in out
        assert "query_key is wrong: query, " in out
        failed = re.findall(r"query_key, (\w+), (.*): (\d+) of (\d+) checks fail", out)
        assert [(name, method) for name, method, *_ in failed] == [("query", method) for method in METHODS]
        assert failed[0][2] == failed[0][3]
        whole, known = " ".join(out.split()), query_key.LOSS.ill_conditioned["temperature"].where
        assert re.search(rf"query_key temperature \S+>\S+: {re.escape(known)}", whole)
        assert ROUNDING_REASON in whole
        assert "A case is LOSS.example(seed, noise, …)" in whole
        found = json.loads(file.read_text(encoding="utf-8"))
        assert found["holds"] is False
        asked = [check for check in found["checks"] if check["input"] == "query"]
        assert len({check["compared"] for check in asked if "tile by tile" in check["compared"]}) == 4
        first = asked[0]
        right = query_key.backward(query_key.forward(**query_key.LOSS.example(1))[1]).query
        assert (first["case"], first["holds"]) == ("noise 1, seed 1", False)
        assert first["entry"] == [n - 1 for n in right.shape]
        assert (first["got"], first["expected"]) == pytest.approx((right[-1, -1] + 0.5, right[-1, -1]))
        worst = max(
            (x for x in asked if x["method"] == METHODS[0]), key=lambda x: x["error"] / x["tolerance"]
        )
        facts = (
            f"entry     {worst['entry']}\n  got       {worst['got']!r}\n  expected  {worst['expected']!r}\n"
        )
        assert facts in out


VIEWS = np.random.default_rng(0).standard_normal((2, 40, 64)) + np.random.default_rng(1).standard_normal(
    (40, 64)
)


class TestInput:
    def test_views_pass_and_their_numbers_are_printed(self, command, tmp_path):
        np.savez(tmp_path / "views.npz", *VIEWS)
        status, out, _ = command("verify", "--input", tmp_path / "views.npz", "--temperature", "0.07")
        assert status == 0
        assert out.startswith("40 pairs of 64 features, float64, at temperature 0.07; of these pairs the")
        first, _, rest = " ".join(out.split()).partition(" ntxent of all pairs: ")
        assert first.endswith("use: proved formula 3, finite differences 40, laws 40, 50 digits 3")
        assert rest
        assert "every cell holds: 8 of 8" in out

    def test_clip_takes_two_arrays(self, command, tmp_path):
        from infonce_ref.losses import clip

        image, text = VIEWS.astype("f4")
        np.savez(tmp_path / "two.npz", text=text, image=image)
        status, *_ = command(
            "verify", "--input", tmp_path / "two.npz", "--loss", "clip", "--json", tmp_path / "j"
        )
        assert status == 0
        units = [x / np.linalg.norm(x, axis=1, keepdims=True) for x in (image, text)]
        found = json.loads((tmp_path / "j").read_text())["input"]["clip"]
        value, cache = clip.forward(*units, temperature=0.1)
        # 1e-5: a hundred float32 roundings, and more because logits of 10 are exponentiated
        assert found["loss"] == pytest.approx(float(value), rel=1e-5, abs=0)
        size = float(np.linalg.norm(np.stack(clip.backward(cache)[:2])))
        assert found["gradient_norm"] == pytest.approx(size, rel=1e-5, abs=0)


FOUR = np.ones((4, 3))


@pytest.mark.parametrize(
    ("rows", "options", "line"),
    [
        (np.ones((2, 3)), "", "at least two pairs"),
        (FOUR * 1e-300, "", "rows 0, 1, 2, 3 hold a largest entry outside 1e-12 … 1e+12"),
        (FOUR * 1e200, "", "a largest entry outside 1e-12 … 1e+12"),
        (FOUR, "--loss clip", "clip takes two arrays"),
        (FOUR, "--loss triplet", "infonce, ntxent, dcl, clip; got triplet"),
        *((FOUR, f"--temperature={tau}", "temperature") for tau in ("0", "-1", "nan", "inf")),
    ],
)
def test_embeddings_that_cannot_be_checked_give_one_line(refused, tmp_path, rows, options, line):
    """Files that cannot be read are refused as by `explain`: tests/explanation/test_files.py."""
    np.save(tmp_path / "x.npy", rows)
    assert line in refused("verify", "--input", tmp_path / "x.npy", *options.split())


class TestLedger:
    @pytest.mark.parametrize("written", ["M6", "m6"])
    def test_the_first_screen_leads_to_the_whole_claim(self, command, written):
        _, first, _ = command("ledger", written)
        assert "infonce-ref ledger M6 --whole" in first.splitlines()[-2]
        _, whole, _ = command("ledger", written, "--whole")
        assert " ✓]" not in first
        assert " ✓]" in whole

    def test_json_holds_every_requested_claim_and_its_evidence(self, command, tmp_path):
        status, *_ = command("ledger", "M5", "D1.13", "--json", tmp_path / "claims.json")
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
        assert proof[first["proof"]["line"] - 1].startswith('claim("D1.13"')
        for place in first["cited"]:
            assert (
                "D1.13" in (root / place["file"]).read_text(encoding="utf-8").splitlines()[place["line"] - 1]
            )

    def test_a_failed_claim_is_written_with_the_reason(self, command, tmp_path, monkeypatch):
        from infonce_ref.derivations import ledger
        from infonce_ref.derivations.evidence.verdicts import Verdict

        broken = replace(ledger.CLAIMS["M5"], verdict=Verdict.CHECKED)
        monkeypatch.setitem(ledger.CLAIMS, "M5", broken)
        status, *_ = command("ledger", "M5", "--prove", "--json", tmp_path / "claims.json")
        assert status == 1
        found = json.loads((tmp_path / "claims.json").read_text(encoding="utf-8"))
        assert found["stands"] is found["claims"][0]["stands"] is False
        assert "supports the verdict proved, but the claim is checked" in found["claims"][0]["failure"]


@pytest.mark.parametrize(
    ("argv", "line"),
    [
        ("exercise --check x.py", "--check goes with the NAME of an exercise"),
        ("exercise ntxent --json", "--json needs --check"),
        ("check os:getcwd --with temperature=-1", "temperature must be a positive, finite number"),
        ("check os:getcwd --seconds 0", "--seconds must be positive and finite; got 0.0"),
        ("verify --loss :LOSS", "the module's name is missing"),
        ("verify --loss infonse", "unknown 'infonse'; known are infonce, ntxent"),
        ("verify --loss infonse", "; did you mean infonce?"),
        ("vectors --out there --loss ntxnet", "did you mean ntxent?"),
        ("ledger D3.99", "no D3.99; similar ids are D3."),
        ("verify --backend cupy", "--backend cupy: that library is not installed here"),
        ("verify --temperature 0.1", "--temperature needs --input"),
        ("prove none.py", "no such file"),
    ],
)
def test_impossible_requests_give_one_line(refused, argv, line):
    if "cupy" in argv and find_spec("cupy"):
        pytest.skip("cupy is installed here")
    assert line in refused(*argv.split())


@pytest.mark.parametrize(
    ("argv", "place", "line"),
    [
        ("verify --json", "", "is a folder; name a file in it"),
        ("ledger --json", "none/x.json", "there is no folder"),
        ("ledger M5 --json", "file/x.json", "there is no folder"),
        ("explain x.npy --json", "none/x.json", "there is no folder"),
        ("explain x.npy --out", "", "is a folder; name a file in it"),
        ("explain x.npy --out", "x.txt", "name an .html"),
        ("figures --out", "file", "file is a file; name a folder"),
        ("lessons --out", "file", "file is a file; name a folder"),
        ("train simclr --out", "file", "file is a file; name a folder"),
        ("ledger --markdown", "file", "file is a file; name a folder"),
        ("vectors --out", "file", "file is a file; name a folder"),
    ],
)
def test_an_unwritable_output_is_refused_before_the_work(refused, tmp_path, monkeypatch, argv, place, line):
    from infonce_ref import progress

    monkeypatch.setattr(progress, "work_through", lambda *_: pytest.fail("the work was begun"))
    (tmp_path / "file").touch()
    assert line in refused(*argv.split(), tmp_path / place)


@pytest.mark.parametrize(
    ("argv", "usage", "meant"),
    [("verfy", "[-h] [--version]", "verify"), ("check x.py --isnt clip", "check [-h]", "--is")],
)
def test_a_mistyped_word_gets_a_suggestion_under_its_own_usage(command, argv, usage, meant):
    status, _, err = command(*argv.split())
    assert status == 2
    assert err.startswith(f"usage: infonce-ref {usage}")
    assert err.endswith(f"; did you mean {meant}?\n")


@pytest.mark.parametrize(
    ("line", "offered"), [("infonce-ref ver", "verify"), ("infonce-ref check --ran", "--ranks")]
)
def test_a_shell_gets_completions(tmp_path, line, offered):
    answer = tmp_path / "answer"
    asked = {"_ARGCOMPLETE": "1", "COMP_LINE": line, "COMP_POINT": str(len(line))}
    asked["_ARGCOMPLETE_STDOUT_FILENAME"] = str(answer)
    subprocess.run([sys.executable, "-m", "infonce_ref"], env=os.environ | asked, check=True)
    assert answer.read_text(encoding="utf-8").split() == [offered]


def test_help_lists_the_names_that_can_be_given(command):
    from infonce_ref.algorithms import ALL as ALGORITHMS
    from infonce_ref.derivations.documents import DOCUMENTS
    from infonce_ref.derivations.pages.lesson import lessons
    from infonce_ref.figures import NAMES
    from infonce_ref.losses import ALL

    known = {
        "verify": set(ALL),
        "lessons": set(lessons()),
        "figures": set(NAMES),
        "train": {algorithm.name for algorithm in ALGORITHMS.values()},
    }
    known["train"] |= {
        f"{k}={x}" for each in ALGORITHMS.values() for k, x in each.options()._asdict().items()
    }
    helps = {name: " ".join(command(name, "--help")[1].split()) for name in (*known, "ledger")}
    for name, names in known.items():
        assert names <= set(helps[name].replace(",", " ").split())
    for name, document in DOCUMENTS.items():
        assert " ".join(f" {name} {document.title}: {document.about} ".split()) in helps["ledger"]


@pytest.mark.usefixtures("default_signals")
class TestInterrupt:
    def test_measurements_are_printed_and_written(self, command, monkeypatch, tmp_path):
        from infonce_ref.verify import judge

        answer, left = judge.answer, iter(range(2))

        def interrupted(question):
            if next(left, None) is None:
                raise KeyboardInterrupt
            return answer(question)

        monkeypatch.setattr(judge, "answer", interrupted)
        file = tmp_path / "checks.json"
        status, out, err = command("verify", "--loss", "ntxent", "--dtype", "float64", "--json", file)
        assert status == 130
        assert not file.exists()  # a partial report must never replace a complete one
        found = json.loads((tmp_path / "checks.partial.json").read_text())
        assert (found["interrupted"], found["holds"], bool(found["checks"])) == (True, False, True)
        assert re.search(r"ntxent +w +\d\S+ ≤\d\S+ +not asked", out)
        assert re.search(r"interrupted after \d+ checks, none failed", out)
        said, ended = err.splitlines()
        assert said.endswith("checks.partial.json")
        assert ended == "infonce-ref: interrupted"

    @pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="this system has no SIGHUP")
    @pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
    def test_other_signals_end_a_command_as_ctrl_c_does(self, command, monkeypatch, name):
        from infonce_ref import exercises

        number = signal.Signals[name]
        before = signal.getsignal(number)
        monkeypatch.setattr(exercises, "find", lambda _: os.kill(os.getpid(), number))
        status, _, err = command("exercise", "ntxent", "--solution")
        assert (status, err) == (128 + number, f"infonce-ref: ended by {name}\n")
        assert signal.getsignal(number) is before

    @pytest.mark.skipif(sys.platform == "win32", reason="there are no groups of processes there")
    def test_no_process_is_left(self):
        """Ctrl-C reaches the command and its workers, which would sleep for an hour."""
        code = (
            "import signal, time\nfrom multiprocessing import active_children\n"
            "from infonce_ref.progress import work_through\n"
            # a shell's background processes ignore Ctrl-C
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            "if __name__ == '__main__':\n"
            "    for _ in work_through(time.sleep, [0, 3600, 3600], str, parallel=True):\n"
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
        assert "Process" not in err  # workers must print nothing
        for pid in workers:
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)


SLOW_LEDGER = pytest.param("ledger D1.2", marks=pytest.mark.slow)


@pytest.mark.skipif(sys.platform == "win32", reason="a closed stream is another thing there")
class TestAVerdictThatCannotBeReported:
    """An exit status is a verdict only if its reason could be printed."""

    def run(self, argv, *, closed=(), stdout=subprocess.PIPE):
        """Run a command. closed: the streams that it lacks, as after a shell's >&-."""
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

    @pytest.mark.parametrize("argv", ["--help", "exercise", SLOW_LEDGER])
    def test_standard_output_is_closed(self, argv):
        words = "infonce-ref: standard output is closed, so nothing can be reported\n"
        assert self.run(argv, closed=(1,)) == (2, words)

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")
    @pytest.mark.parametrize("argv", ["--help", "exercise", SLOW_LEDGER])
    def test_the_disk_is_full(self, argv):
        with open("/dev/full", "w") as full:
            found = self.run(argv, stdout=full)
        assert found == (2, "infonce-ref: standard output: No space left on device\n")

    @pytest.mark.parametrize(
        ("argv", "status"),
        [("--help", 0), ("exercise", 0), pytest.param("ledger D1.2", 2, marks=pytest.mark.slow)],
    )
    def test_the_reader_has_closed_the_pipe(self, argv, status):
        """As by `| head`: no error, unless the status is a verdict."""
        read, write = os.pipe()
        os.close(read)
        assert self.run(argv, stdout=write) == (status, "")
        os.close(write)


def bare(absent, *commands):
    """Return exit status, output and errors of each command, in a Python without some modules."""
    code = (
        "import contextlib, io, json, sys\n"
        "class Absent:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name.partition('.')[0] in {absent}:\n"
        "            raise ModuleNotFoundError(name=name)\n"
        "sys.meta_path.insert(0, Absent())\n"
        "from infonce_ref.cli import main\n"
        "outcomes = []\n"
        f"for command in {commands}:\n"
        "    out, err = io.StringIO(), io.StringIO()\n"
        "    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):\n"
        "        try:\n"
        "            status = main(command.split())\n"
        "        except SystemExit as exit:\n"
        "            status = exit.code or 0\n"
        "    outcomes.append((status, out.getvalue(), err.getvalue()))\n"
        "print(json.dumps(outcomes))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return json.loads(ran.stdout)


EXTRAS = [
    *("flint", "furo", "markdown_it", "math_core", "matplotlib", "mpmath", "myst_parser", "pygments"),
    *("rich", "scipy", "sklearn", "sphinx", "sympy"),
]
OF_PAGES = dict.fromkeys(("lessons --out", "figures --out", "explain x.npy --out"), "lessons")
OF_TRAINING = {"train simclr --out": "lab"}
OF_ALL = {"verify": "verify", "ledger": "verify", "exercise byol --out": "verify"} | OF_PAGES | OF_TRAINING
OF_TORCH = {"train simclr --framework torch --out": "lab,torch"}


class TestExtras:
    @pytest.mark.parametrize(
        ("absent", "extras"),
        [
            pytest.param(EXTRAS, OF_ALL, id="all"),
            pytest.param(["matplotlib"], OF_PAGES, id="matplotlib", marks=pytest.mark.slow),
            pytest.param(["sklearn"], OF_TRAINING, id="sklearn", marks=pytest.mark.slow),
            pytest.param(["torch"], OF_TORCH, id="PyTorch", marks=pytest.mark.slow),
        ],
    )
    def test_a_missing_package_gives_one_line_that_says_what_to_install(self, tmp_path, absent, extras):
        place = tmp_path / "x.html"
        commands = [f"{command} {place}" if "--out" in command else command for command in extras]
        for extra, (status, out, err) in zip(extras.values(), bare(absent, *commands)):
            assert (status, out, err.count("\n")) == (2, "", 1)
            assert f'pip install "infonce_ref[{extra}]"' in err
        assert not place.exists()

    def test_help_needs_no_package(self):
        commands = ("", "verify ", "ledger ", "lessons ", "figures ", "train ", "exercise ")
        for status, out, _ in bare(EXTRAS, *(f"{command}--help" for command in commands)):
            assert status == 0
            assert out.startswith("usage: infonce-ref")

    def test_an_error_of_ours_is_not_reported_as_the_users(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "infonce_ref.verify.judge", None)
        monkeypatch.delattr("infonce_ref.verify.judge", raising=False)
        with pytest.raises(ModuleNotFoundError):
            main(["verify"])
