"""The reader of vectors in Python: its own loss and gradients, and what it reports."""

import json
from importlib.util import module_from_spec, spec_from_file_location

import mpmath
import pytest

from infonce_ref.verify.vectors import READERS

Z = [[0.6, 0.8], [1.0, 0.0], [0.0, 1.0], [0.8, 0.6]]
WEIGHTS = [0.25, 1.0, 2.0, 0.5]
KEPT = [1] * 16
# row 0 loses candidate 1; itself and its positive cannot be left out
LEFT_OUT = [0, 0, 0, 1] + [1] * 12


@pytest.fixture(scope="module")
def reader():
    spec = spec_from_file_location("reader", READERS / "infonce.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def definition(z, tau, keep):
    """Σ_i weight_i (log Σ_j e^(z_i·z_j/τ) − z_i·z_p/τ) over the candidates; row i + 2 is the positive."""
    total = mpmath.mpf(0)
    for i, row in enumerate(z):
        p = (i + 2) % 4
        s = [mpmath.fdot(row, other) / tau for other in z]
        candidates = [s[j] for j in range(4) if j in (i, p) or keep[4 * i + j]]
        total += WEIGHTS[i] * (mpmath.log(mpmath.fsum(map(mpmath.exp, candidates))) - s[p])
    return total


@pytest.mark.parametrize("tau", [0.5, 0.05, 0.001])
@pytest.mark.parametrize("keep", [KEPT, LEFT_OUT])
def test_its_value_and_gradients_are_those_of_the_definition(reader, keep, tau):
    value, gradients = reader.infonce(Z, tau, WEIGHTS, keep)
    with mpmath.workdps(40 + int(1 / tau)):  # of 1 − P, at least e^(−2/τ)
        z = [[mpmath.mpf(x) for x in row] for row in Z]

        def by(place):
            def at(x):
                changed = [list(row) for row in z]
                changed[place // 2][place % 2] = x
                return definition(changed, mpmath.mpf(tau), keep)

            return float(mpmath.diff(at, z[place // 2][place % 2]))

        right = [by(place) for place in range(8)]
        slope = float(mpmath.diff(lambda t: definition(z, t, keep), mpmath.mpf(tau)))
        exact = float(definition(z, mpmath.mpf(tau), keep))
    # logits up to 1/τ are rounded to eps/τ; gradients are 1/τ or 1/τ² times as large
    eps = 2.0**-50
    assert value == pytest.approx(exact, rel=eps / tau, abs=0)
    assert gradients["z"] == pytest.approx(right, rel=0, abs=eps / tau * max(map(abs, right)))
    assert gradients["temperature"] == [pytest.approx(slope, rel=eps / tau, abs=0)]


@pytest.mark.parametrize("gap", [650.0, 699.5, 701.5, 708.0])
def test_a_probability_near_the_smallest_number_is_kept(reader, gap):
    """Of rows 1 and l the positive's logit is l, the anchor's own 1: ℓ = log(1 + e^(1 − l))."""
    length = gap + 1
    value, gradients = reader.infonce([[1.0], [length]], 1.0, [1.0, 0.0], [1] * 4)
    tiny = float(mpmath.exp(-gap))
    # the exponential of a number of this size: 700 roundings of the exponent
    assert value == pytest.approx(tiny, rel=700 * 2.0**-52, abs=0)
    # ∂/∂z₁ of log(1 + e^(z₁² − z₁ l)) is (2 − l) e^−gap, ∂/∂l is −e^−gap
    assert gradients["z"] == pytest.approx([(2 - length) * tiny, -tiny], rel=700 * 2.0**-52, abs=0)
    assert gradients["temperature"] == [pytest.approx(gap * tiny, rel=700 * 2.0**-52, abs=0)]


def test_numbers_are_read_exactly(reader):
    assert reader.numbers({"hex": [(0.1).hex(), "-0x1p-1074"]}) == [0.1, -5e-324]
    assert reader.numbers({"integers": [3, 0]}) == [3, 0]


CASE = {
    "value": {"exact": ["1.0"], "within": [0.25]},
    "gradients": {
        "z": {"exact": ["1.0", "2.0"], "within": [0.25, 0.5]},
        "temperature": {"exact": ["0"], "within": [0]},
    },
}


@pytest.mark.parametrize(
    ("value", "z", "named"),
    [
        (1.0, [1.0, 2.0], []),
        (1.25, [0.75, 2.5], []),  # the tolerance itself is allowed
        (1.26, [1.0, 2.0], ["value"]),
        (0.74, [1.0, 2.51], ["value", "z"]),
        (1.0, [1.3, 2.0], ["z"]),
        (1.0, [1.0], ["z"]),
        (1.0, [1.0, 2.0, 0.0], ["z"]),
        (float("nan"), [1.0, float("nan")], ["value", "z"]),
    ],
)
def test_what_exceeds_its_tolerance_is_named(reader, value, z, named):
    assert reader.disagreements(CASE, value, {"z": z, "temperature": [0.0]}) == named


def case(label, options, value, keep=None, upstream=None, rows=Z):
    """A point as it is written, with the value that the reader must find; gradients are not compared."""
    inputs = {
        "z": {"shape": [len(rows), 2], "hex": [x.hex() for row in rows for x in row]},
        "temperature": {"shape": [], "hex": [(0.5).hex()]},
    }
    inputs |= {"keep": {"shape": [4, 4], "integers": keep}} if keep else {}
    inputs |= {"upstream": {"shape": [4], "hex": [x.hex() for x in upstream]}} if upstream else {}
    return {
        "label": label,
        "dtype": "float64",
        "options": options,
        "inputs": inputs,
        "value": {"exact": [str(value)], "within": [1e-12]},
        "gradients": {},
    }


@pytest.fixture
def points(reader):
    """Points of every reduction, with and without candidates left out; their values by the definition."""
    each = reader.infonce(Z, 0.5, [1.0] * 4, KEPT)[0]
    weighted = reader.infonce(Z, 0.5, WEIGHTS, KEPT)[0]
    without = reader.infonce(Z, 0.5, [0.25] * 4, LEFT_OUT)[0]
    return [
        case("by default", {}, each / 4),
        case("mean", {"reduction": "mean"}, each / 4),
        case("sum", {"reduction": "sum"}, each),
        case("none", {"reduction": "none"}, weighted, upstream=WEIGHTS),
        case("left out", {}, without, keep=LEFT_OUT),
    ]


def test_a_file_whose_points_agree_has_the_exit_status_zero(reader, points, tmp_path, capsys):
    (tmp_path / "points.json").write_text(json.dumps({"cases": points}))
    assert reader.main(tmp_path / "points.json") == 0
    assert capsys.readouterr().out == "5 of 5 points agree\n"


def test_points_that_differ_are_named_and_counted(reader, points, tmp_path, capsys):
    for point in points[1:3]:
        point["value"]["exact"] = ["7.0"]
    (tmp_path / "points.json").write_text(json.dumps({"cases": points}))
    assert reader.main(tmp_path / "points.json") == 1
    assert capsys.readouterr().out == (
        "value differs: mean, float64\nvalue differs: sum, float64\n3 of 5 points agree\n"
    )
