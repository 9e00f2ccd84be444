"""The vectors, and the readers of them in three languages."""

import json
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location

import jsonschema
import numpy as np
import pytest
from few import few

from infonce_ref.cli import main
from infonce_ref.losses import ALL
from infonce_ref.verify import vectors

LANGUAGES = ("python", "node", "gcc")


@pytest.fixture(scope="module")
def reader():
    spec = spec_from_file_location("reader", vectors.READERS / "infonce.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder that the command writes for infonce."""
    folder = tmp_path_factory.mktemp("vectors")
    assert main(["vectors", "--out", str(folder), "--loss", "infonce"]) == 0
    return folder


def compute(reader, case, loss):
    """Compute the value and the gradients, flat, with the registry's loss, from what the reader reads."""

    def array(name, x):
        kind = case["dtype"] if "hex" in x else "bool" if name == "keep" else "int64"
        return np.asarray(reader.numbers(x), dtype=kind).reshape(x["shape"])

    given = case["inputs"].items()
    inputs = {name: array(name, x) if x["shape"] else reader.numbers(x)[0] for name, x in given}
    upstream = inputs.pop("upstream", None)
    value, cache = loss.forward(**inputs, **case["options"])
    gradients = loss.backward(cache, 1.0 if upstream is None else upstream)
    total = float(np.sum(np.asarray(value, dtype=float) * (1.0 if upstream is None else upstream)))
    return total, {name: np.ravel(getattr(gradients, name)).tolist() for name in loss.differentiable}


BRIEF = ("nce", "byol")
OFTEN = (*BRIEF, "query_key", "siglip")


@pytest.mark.parametrize("name", few(ALL, BRIEF.__contains__, rare=lambda name: name not in OFTEN))
def test_the_loss_agrees_and_the_schema_holds(reader, name):
    found = json.loads(vectors.write_loss((name, ("float64", "float32")))[0])
    jsonschema.validate(found, json.loads((vectors.READERS / "vectors.schema.json").read_text("utf-8")))
    for case in found["cases"]:
        assert reader.disagreements(case, *compute(reader, case, ALL[name])) == [], case["label"]
    assert {case["dtype"] for case in found["cases"]} == {"float64", "float32"}
    assert {tuple(case["gradients"]) for case in found["cases"]} == {ALL[name].differentiable}


def test_there_are_easy_and_hard_points():
    text, points = vectors.write_loss(("query_key", ("float64",)))
    cases = json.loads(text)["cases"]
    assert len(cases) == points
    assert {case["hard"] for case in cases} == {True, False}
    labels = " ".join(case["label"] for case in cases)
    for kind in ("ties positives", "ties twins", "ties all", "some 0", "length 1e+06", "of one size"):
        assert kind in labels
    opposite = np.reshape([float.fromhex(x) for x in cases[-1]["inputs"]["positive"]["hex"]], (5, 2))
    assert np.min(opposite @ opposite.T) == pytest.approx(-1.0)


def test_fifty_digits_are_those_of_mpmath(reader):
    """The value is compared with the definition, typed in mpmath."""
    import mpmath

    case = json.loads(vectors.write_loss(("infonce", ("float64",)))[0])["cases"][0]
    (n, d), flat = case["inputs"]["z"]["shape"], reader.numbers(case["inputs"]["z"])
    with mpmath.workdps(60):
        z, tau = mpmath.matrix(n, d), mpmath.mpf(reader.numbers(case["inputs"]["temperature"])[0])
        for i, x in enumerate(flat):
            z[i // d, i % d] = x
        s = z * z.T / tau
        losses = [
            mpmath.log(mpmath.fsum(mpmath.exp(s[i, j]) for j in range(n))) - s[i, (i + n // 2) % n]
            for i in range(n)
        ]
        exact = mpmath.fsum(losses) / n
        assert abs(mpmath.mpf(case["value"]["exact"][0]) / exact - 1) < mpmath.mpf(10) ** -49


def reading(language, folder):
    """Return the command of a reader; skip the test if its language is not installed."""
    if language == "python":
        return [sys.executable, str(folder / "infonce.py")]
    if not shutil.which(language):
        pytest.skip(f"{language} is not installed")
    if language == "node":
        return ["node", str(folder / "infonce.mjs")]
    program = folder / "infonce"
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *flags, str(folder / "infonce.c"), "-o", str(program), "-lm"], check=True)
    return [str(program)]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reader_agrees_and_notices_a_changed_digit(folder, tmp_path, language):
    command = reading(language, folder)
    whole = json.loads((folder / "infonce.json").read_text("utf-8"))
    points = len(whole["cases"])
    good = subprocess.run([*command, str(folder / "infonce.json")], capture_output=True, text=True)
    assert (good.returncode, good.stdout) == (0, f"{points} of {points} points agree\n")
    lines = (folder / "infonce.json").read_text("utf-8").splitlines()
    for name in ("value", "z", "temperature"):
        case = whole["cases"][3]
        output = case["value"] if name == "value" else case["gradients"][name]
        digits = output["exact"][-1]
        place = digits.index(".") + 3
        changed = digits[:place] + str((int(digits[place]) + 5) % 10) + digits[place + 1 :]
        assert lines[4].count(digits) == 1
        file = tmp_path / f"{name}.json"
        file.write_text(
            "\n".join([*lines[:4], lines[4].replace(digits, changed), *lines[5:]]) + "\n", "utf-8"
        )
        bad = subprocess.run([*command, str(file)], capture_output=True, text=True)
        assert bad.returncode == 1
        assert bad.stdout.splitlines()[-1] == f"{points - 1} of {points} points agree"


class TestCommand:
    def test_vectors_prints_sizes_and_keeps_a_changed_reader(self, folder, capsys):
        again = ["vectors", "--out", str(folder), "--loss", "infonce", "--dtype", "float32"]
        mine = folder / "infonce.mjs"
        before = mine.read_text("utf-8")
        text = (folder / "infonce.json").read_text("utf-8")
        mine.write_text("// mine\n", "utf-8")
        try:
            assert main(again) == 2
            assert "infonce.mjs was changed" in capsys.readouterr().err
            assert mine.read_text("utf-8") == "// mine\n"
            assert main([*again, "--force"]) == 0
            count = len(json.loads((folder / "infonce.json").read_text("utf-8"))["cases"])
            assert f"{count} points" in capsys.readouterr().out
            assert mine.read_text("utf-8") == before
        finally:
            mine.write_text(before, "utf-8")
            (folder / "infonce.json").write_text(text, "utf-8")

    def test_an_unknown_loss_is_refused_with_a_suggestion(self, tmp_path, capsys):
        assert main(["vectors", "--out", str(tmp_path / "new"), "--loss", "ntxnet"]) == 2
        assert capsys.readouterr().err.rstrip().endswith("did you mean ntxent?")
        assert not (tmp_path / "new").exists()

    def test_a_file_in_place_of_the_folder_is_refused(self, tmp_path, capsys):
        (tmp_path / "file").write_text("")
        assert main(["vectors", "--out", str(tmp_path / "file")]) == 2
        assert "is a file; name a folder" in capsys.readouterr().err
