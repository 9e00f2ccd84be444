"""The command, as a user types it: exit status, one clear line for bad input, and what is printed."""

import json
import subprocess
import sys

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
        assert "NOT every cell holds: 0 of 8" in out
        assert "infonce, z, symbolic: 4 of 4 checks fail" in out

    @pytest.mark.parametrize(
        ("argv", "line"),
        [
            (["--loss", "infonse"], "unknown infonse; known are infonce, ntxent"),
            (["--backend", "cupy"], "--backend cupy: that library is not installed here"),
            (["--temperature", "0.1"], "--temperature goes with --input"),
            (["--json", "no/such/folder/x.json"], "there is no folder"),
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
        assert "40 pairs of 64 features, float64" in out
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
        from infonce_ref.losses import ntxent
        from infonce_ref.verify import embeddings

        rows = np.concatenate(digits)
        found = embeddings.summary(embeddings.case(ntxent.LOSS, rows, 0.1, np.asarray))
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        s = unit @ unit.T
        n, b = len(rows), len(rows) // 2
        positive = (np.arange(n)[:, None] + b) % n == np.arange(n)
        # 1e-12: sums of n² similarities of order 1 in two orders
        assert found.positive_similarity == pytest.approx(s[positive].mean(), rel=1e-12)
        assert found.negative_similarity == pytest.approx(
            s[~positive & ~np.eye(n, dtype=bool)].mean(), rel=1e-12
        )
        assert found.loss == ntxent.forward(rows, temperature=0.1)[0]


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
            (np.ones((4, 2, 2)), "(rows, features)"),
            (np.ones(4), "(rows, features)"),
            (np.array(1.0), "(rows, features)"),
            (np.ones((0, 3)), "must not be empty"),
            (np.ones((5, 3)), "even number of rows"),
            (np.ones((2, 3)), "at least two pairs"),
            (np.full((4, 3), np.nan), "must be finite"),
            (np.zeros((4, 3)), "no zero row"),
            (np.ones((4, 3)) * 1e-300, "between 1e-12 and 1e12"),
            (np.ones((4, 3)) * 1e200, "between 1e-12 and 1e12"),
            (np.ones((4, 3), dtype=int), "float32 or float64"),
            (np.ones((4, 3), dtype="f2"), "float32 or float64"),
            (np.ones((4, 3), dtype=complex), "float32 or float64"),
            (np.full((4, 3), "a"), "float32 or float64"),
        ],
    )
    def test_wrong_rows(self, capsys, tmp_path, rows, line):
        np.save(tmp_path / "x.npy", rows)
        assert line in self.bad(capsys, tmp_path / "x.npy")

    def test_views_of_two_shapes(self, capsys, tmp_path):
        np.savez(tmp_path / "x.npz", np.ones((4, 3)), np.ones((5, 3)))
        assert "one shape" in self.bad(capsys, tmp_path / "x.npz")

    def test_three_arrays(self, capsys, tmp_path):
        np.savez(tmp_path / "x.npz", *np.ones((3, 4, 3)))
        assert "it holds 3 arrays" in self.bad(capsys, tmp_path / "x.npz")

    @pytest.mark.parametrize("temperature", ["0", "-1", "nan", "inf"])
    def test_temperature(self, capsys, tmp_path, digits, temperature):
        np.savez(tmp_path / "x.npz", *digits)
        assert "temperature" in self.bad(capsys, tmp_path / "x.npz", f"--temperature={temperature}")

    def test_a_loss_that_has_no_pairs(self, capsys, tmp_path, digits):
        np.savez(tmp_path / "x.npz", *digits)
        assert "infonce, ntxent" in self.bad(capsys, tmp_path / "x.npz", "--loss", "triplet")


def test_version_and_help_need_no_library_but_the_losses():
    code = (
        "import sys, infonce_ref.cli as c\n"
        "try: c.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('sympy', 'matplotlib', 'rich') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.endswith("[]\n")
