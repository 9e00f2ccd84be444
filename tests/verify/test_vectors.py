"""The vectors, and the programs in three languages that read them."""

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
@pytest.mark.parametrize("language", ["python", "node", "gcc"])
def test_a_reader_agrees_and_notices_a_changed_digit(folder, tmp_path, language):
    command = reading(language, folder)
    text = (folder / "infonce.json").read_text("utf-8")
    whole, lines = json.loads(text), text.splitlines()
    points = len(whole["cases"])

    def read(text):
        (tmp_path / "points.json").write_text(text, "utf-8")
        return subprocess.run([*command, str(tmp_path / "points.json")], capture_output=True, text=True)

    good = read(text)
    assert (good.returncode, good.stdout) == (0, f"{points} of {points} points agree\n")
    for name in ("value", "z", "temperature"):
        case = whole["cases"][3]
        output = case["value"] if name == "value" else case["gradients"][name]
        digits = output["exact"][-1]
        place = digits.index(".") + 3
        changed = digits[:place] + str((int(digits[place]) + 5) % 10) + digits[place + 1 :]
        assert lines[4].count(digits) == 1
        bad = read("\n".join([*lines[:4], lines[4].replace(digits, changed), *lines[5:]]) + "\n")
        assert bad.returncode == 1
        assert bad.stdout.splitlines()[-1] == f"{points - 1} of {points} points agree"
    none = read(json.dumps(whole | {"cases": []}))
    assert none.returncode == 1
    assert (none.stdout + none.stderr).startswith("no point found: nothing was compared")
    assert read("\n".join(lines[:9]) + "\n").returncode == 1


POINT = {
    "value": {"exact": ["1.0"], "within": [0.25]},
    "gradients": {
        "z": {"exact": ["1.0", "2.0"], "within": [0.25, 0.5]},
        "temperature": {"exact": ["0"], "within": [0]},
    },
}


@pytest.mark.parametrize(
    ("value", "z", "named"),
    [
        (1.25, [0.75, 2.5], []),  # the tolerance itself is allowed
        (1.26, [1.0, 2.0], ["value"]),
        (0.74, [1.0, 2.51], ["value", "z"]),
        (1.0, [1.0], ["z"]),
        (1.0, [1.0, 2.0, 0.0], ["z"]),
        (float("nan"), [1.0, float("nan")], ["value", "z"]),
    ],
)
def test_what_exceeds_its_tolerance_is_named(reader, value, z, named):
    assert reader.disagreements(POINT, value, {"z": z, "temperature": [0.0]}) == named


SMALL = {"z": np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), "temperature": 1.0}
# each positive coincides with its anchor up to 2⁻³⁰, and their slopes cancel
NEAR = np.array([[0.6, 0.8], [0.8, -0.6], [0.6 + 2.0**-30, 0.8], [0.8, -0.6 - 2.0**-30]])
CLOSE = {"z": NEAR, "temperature": 0.02}


def case(arguments=SMALL, name="infonce", **more):
    return Case(ALL[name], arguments, "mine", **more)


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


def differ(texts, numbers):
    """The largest relative error of numbers that are written as text; 0 must be written as such."""
    pairs = zip(texts, numbers, strict=True)
    return max(abs(mpmath.mpf(text) / x - 1) if x else mpmath.mpf(text != "0") for text, x in pairs)


def test_the_exact_numbers_are_those_of_the_definition_to_50_digits():
    """The sum of weight_i (log Σ_j e^(z_i·z_j/τ) − z_i·z_p(i)/τ), in mpmath; row i + 2 is the positive."""
    rows = np.array([[0.6, 0.8], [1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])
    of = case({"z": rows, "temperature": 0.5, "reduction": "none"})
    point = vectors.write_case(of)

    def value(*numbers):
        *z, tau = numbers
        s = [[(z[2 * i] * z[2 * j] + z[2 * i + 1] * z[2 * j + 1]) / tau for j in range(4)] for i in range(4)]
        each = [mpmath.log(mpmath.fsum(map(mpmath.exp, s[i]))) - s[i][(i + 2) % 4] for i in range(4)]
        return mpmath.fdot(map(float, of.upstream), each)

    with mpmath.workdps(80):
        numbers = tuple(map(mpmath.mpf, (*rows.flatten().tolist(), 0.5)))
        slopes = [mpmath.diff(value, numbers, [int(i == k) for i in range(9)]) for k in range(9)]
        assert differ(point["value"]["exact"], [value(*numbers)]) < 1e-49
        assert differ(point["gradients"]["z"]["exact"], slopes[:8]) < 1e-49
        assert differ(point["gradients"]["temperature"]["exact"], slopes[8:]) < 1e-49


def test_numbers_have_50_digits_and_zeros_are_written_as_such():
    point = vectors.write_case(case())
    texts = [x for part in (point["value"], *point["gradients"].values()) for x in part["exact"]]
    assert {len(text.replace(".", "").lstrip("-0")) for text in texts} == {50}
    equal = vectors.write_case(case(SMALL | {"z": np.tile([0.6, 0.8], (4, 1))}))
    assert equal["gradients"]["z"]["exact"] == ["0"] * 8
    assert equal["gradients"]["temperature"]["exact"] == ["0"]
    assert min(equal["gradients"]["z"]["within"]) > 0


@pytest.mark.parametrize(
    ("positive", "negative", "margin", "value"),
    [
        # d⁺ − d⁻ + m, exactly: (1 + 2⁻⁴⁰)² − (1 + 2·2⁻⁴⁰) = 2⁻⁸⁰, which is 0 with 15 digits
        ([1 + 2.0**-40, 0.0, 0.0], [1.0, 2.0**-20, 2.0**-20], 0.0, 2.0**-80),
        # 1 − (1 + 2⁻⁴⁰)² + 2⁻³⁹ + 2⁻⁹⁰ = 2⁻⁹⁰ − 2⁻⁸⁰, which is 2⁻⁹⁰ with 15 digits
        ([1.0, 0.0, 0.0], [1 + 2.0**-40, 0.0, 0.0], 2.0**-39 + 2.0**-90, 0.0),
    ],
)
def test_whether_a_hinge_is_active_is_decided_with_all_digits(positive, negative, margin, value):
    rows = {"anchor": [0.0] * 3, "positive": positive, "negative": negative}
    arguments = {name: np.array([row]) for name, row in rows.items()} | {"margin": margin}
    point = vectors.write_case(case(arguments, "triplet"))
    assert differ(point["value"]["exact"], [value]) < 1e-15
    assert (point["gradients"]["positive"]["exact"][0] != "0") == (value > 0)


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


def test_a_point_without_a_gradient_is_refused():
    with pytest.raises(ValueError, match="no value or no gradient at mine"):
        vectors.write_case(case(ALL["ntxent"].example() | {"w": np.zeros((4, 2))}, "ntxent"))
