"""The vectors, and the readers of them in three languages."""

import json
import shutil
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location

import jsonschema
import mpmath
import numpy as np
import pytest

from infonce_ref.cli import main
from infonce_ref.losses import ALL
from infonce_ref.verify import judge, vectors
from infonce_ref.verify.case import Case

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


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
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
    (tmp_path / "none.json").write_text(json.dumps(whole | {"cases": []}), "utf-8")
    none = subprocess.run([*command, str(tmp_path / "none.json")], capture_output=True, text=True)
    assert none.returncode == 1
    assert (none.stdout + none.stderr).startswith("no point found: nothing was compared")
    (tmp_path / "cut.json").write_text("\n".join(lines[:9]) + "\n", "utf-8")
    assert subprocess.run([*command, str(tmp_path / "cut.json")], capture_output=True).returncode == 1


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


SMALL = {"z": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), "temperature": 1.0}
# each positive coincides with its anchor up to 2⁻³⁰, and their slopes cancel
NEAR = np.array([[0.6, 0.8], [0.8, -0.6], [0.6 + 2.0**-30, 0.8], [0.8, -0.6 - 2.0**-30]])
CLOSE = {"z": NEAR, "temperature": 0.02}


def case(arguments=SMALL, name="infonce", **more):
    return Case(ALL[name], arguments, "mine", **more)


def test_a_point_has_its_inputs_and_its_options():
    keep = np.ones((4, 4), dtype=bool)
    keep[0, 1] = False
    of = case(SMALL | {"keep": keep, "reduction": "none"})
    point = vectors.write_case(of)
    assert (point["label"], point["dtype"], point["options"]) == ("mine", "float64", {"reduction": "none"})
    assert list(point["inputs"]) == ["z", "temperature", "keep", "upstream"]
    one, zero = "0x1.0000000000000p+0", "0x0.0p+0"
    assert point["inputs"]["z"] == {"shape": [4, 2], "hex": [one, zero, zero, one] * 2}
    assert point["inputs"]["temperature"] == {"shape": [], "hex": [one]}
    assert point["inputs"]["keep"] == {"shape": [4, 4], "integers": [1, 0] + [1] * 14}
    assert point["inputs"]["upstream"] == {"shape": [4], "hex": [float(x).hex() for x in of.upstream]}


def test_without_weights_there_is_no_upstream():
    assert list(vectors.write_case(case())["inputs"]) == ["z", "temperature"]


@pytest.mark.parametrize("option", [None, "in", True, 3])
def test_an_option_is_no_input(option):
    assert vectors._is_option(option)


@pytest.mark.parametrize("x", [0.5, np.float64(0.5), np.int64(3), np.array(3), np.ones(2)])
def test_a_number_or_an_array_is_an_input(x):
    assert not vectors._is_option(x)


@pytest.mark.parametrize(
    ("temperature", "noise", "hard"),
    [
        (1 / judge.MAX_SHARPNESS, judge.MIN_NOISE, False),
        (0.99 / judge.MAX_SHARPNESS, judge.MIN_NOISE, True),
        (1 / judge.MAX_SHARPNESS, 0.99 * judge.MIN_NOISE, True),
    ],
)
def test_a_point_is_hard_beyond_the_limits_of_sharpness_or_noise(temperature, noise, hard):
    assert vectors.write_case(case(SMALL | {"temperature": temperature}, noise=noise))["hard"] is hard


def test_the_exact_numbers_have_50_digits_and_zeros_are_written_as_such():
    """ℓ = log (2e + 2) − 1 of every row. The slope by z_k is Σ_j (P_kj + P_jk) z_j − 2 z_p, with the softmax
    e/(2e + 2) at a row of the same direction and 1/(2e + 2) at another; by τ: −Σ (P_ij − t_ij) s_ij."""
    point = vectors.write_case(case())
    with mpmath.workdps(60):
        e = mpmath.e
        same = 2 * (2 * e / (2 * e + 2) - 1) / 4  # along the row itself
        other = 2 * 2 / (2 * e + 2) / 4
        slopes = [same, other, other, same] * 2
        right = {"value": [mpmath.log(2 * e + 2) - 1], "z": slopes, "temperature": [1 - 2 * e / (2 * e + 2)]}
        for name, numbers in right.items():
            written = (point["value"] if name == "value" else point["gradients"][name])["exact"]
            for text, number in zip(written, numbers, strict=True):
                assert len(text.replace(".", "").lstrip("-0")) == 50
                assert abs(mpmath.mpf(text) / number - 1) < mpmath.mpf(10) ** -49
    equal = vectors.write_case(case(SMALL | {"z": np.tile([0.6, 0.8], (4, 1))}))
    assert equal["gradients"]["z"]["exact"] == ["0"] * 8
    assert equal["gradients"]["temperature"]["exact"] == ["0"]
    assert min(equal["gradients"]["z"]["within"]) > 0


def test_a_number_is_within_the_tolerance_of_its_terms():
    """64 eps times their size, rounded to three digits: the value is a sum of terms up to e, of size at most 10."""
    point = vectors.write_case(case())
    (within,) = point["value"]["within"]
    assert within == float(f"{within:.3g}")
    size = within / (64 * 2.0**-52)
    assert 0.995 * float(point["value"]["exact"][0]) <= size < 10
    # the sum over four rows instead of the mean, both rounded
    (four,) = vectors.write_case(case(SMALL | {"reduction": "sum"}))["value"]["within"]
    assert four == pytest.approx(4 * within, rel=0.01, abs=0)


def test_too_few_digits_are_doubled_until_all_numbers_have_50(monkeypatch):
    expected = vectors.write_case(case(CLOSE))
    # with 55 the terms have 50 digits, but not their difference
    for digits in (10, 55):
        monkeypatch.setattr(vectors.precision, "digits", lambda case, digits=digits: digits)
        assert vectors.write_case(case(CLOSE)) == expected


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_further_points_are_of_unusual_sizes_at_a_temperature_of_a_tenth(dtype):
    points = list(vectors.cases(ALL["infonce"], dtype))[-9:]
    assert [point.arguments["z"].shape for point in points] == [(6, 3)] * 6 + [(4, 1), (10, 4), (10, 2)]
    assert {str(point.dtype) for point in points} == {dtype}
    assert [point.length for point in points] == [1] * 4 + [1e6, 1e-6] + [1] * 3
    tenth = [point.arguments["temperature"] / point.length**2 for point in points]
    # rounded to float32
    assert tenth == pytest.approx([0.1] * 9, rel=1e-7 if dtype == "float32" else 1e-15, abs=0)
    assert all(
        float(np.dtype(dtype).type(x)) == x for x in (point.arguments["temperature"] for point in points)
    )
