"""No loss of the registry is called wrong; each gets its name, temperature and digits."""

from inspect import signature

import numpy as np
import pytest
from check.plain import clip, cpc, ntxent

from infonce_ref.check import check
from infonce_ref.check.finding import find_usual
from infonce_ref.check.programs import Program
from infonce_ref.losses import ALL

TAU = 0.15


def of_example(name):
    """A loss, the usual way to pass its arrays, and the numbers of its example as its settings."""
    example = ALL[name].example()
    numbers = {key: x for key, x in example.items() if isinstance(x, float)}
    way = find_usual(Program(name), sum(isinstance(x, np.ndarray) for x in example.values()))
    return name, way, numbers | ({"temperature": TAU} if "temperature" in numbers else {})


REGISTRY = [
    *map(of_example, ALL),
    ("ntxent", "interleaved", {"temperature": TAU, "layout": "interleaved", "reduction": "sum"}),
    ("query_key", "own negatives", {"temperature": TAU}),
    ("triplet", "triplets", {"margin": 0.3}),
    ("alignment", "two", {"exponent": 0.7}),
    ("siglip", "two", {"temperature": TAU, "bias": -3.0}),
    ("hard_negative", "concatenated", {"temperature": TAU, "beta": 0.5, "prior": 0.1}),
    ("dhn_nce", "two", {"temperature": TAU, "beta1": 0.5, "beta2": 0.5}),
    ("dhn_nce", "two", {"temperature": TAU, "beta1": 0.0, "beta2": 0.0}),
]


def called(loss, options):
    """The loss of the registry as a function of its arrays alone, and its backward pass."""
    own = signature(loss.forward).parameters.values()
    names = [p.name for p in own if p.default is p.empty and p.name not in options]

    def function(*arrays):
        return loss.forward(**dict(zip(names, arrays, strict=True)), **options)

    return function, loss.backward


@pytest.mark.slow
@pytest.mark.parametrize(("name", "way", "options"), REGISTRY, ids=lambda x: x if isinstance(x, str) else "")
def test_a_loss_of_the_registry_is_recognised_as_itself(name, way, options):
    function, backward = called(ALL[name], options)
    report = check(function, is_=name, inputs=way, backward=backward, **options)
    assert report.holds, report
    assert report.loss == name
    assert not report.mistakes
    assert report.claims == ALL[name].claims
    assert report.verdicts["gradient"].word == "right"
    assert report.verdicts["numerics"].word == "exact", report
    if "temperature" in options:
        assert report.temperature == pytest.approx(options["temperature"], rel=1e-6, abs=0)


@pytest.mark.slow
def test_a_textbook_form_is_reported_to_lose_digits():
    report = check(cpc)
    assert report.verdicts["numerics"].word == "right, and loses digits"
    assert "float32: digits of the value go from τ = " in report.verdicts["numerics"].sentence
    report = check(ntxent)
    assert report.verdicts["numerics"].word == "right, and overflows at small temperatures"
    assert "NaN from τ = 0.01" in report.verdicts["numerics"].sentence
    assert check(ntxent, temperature=0.01).verdicts["numerics"].word == "breaks"


@pytest.mark.parametrize("temperature", [10.0, 1.0, 0.07, 0.01, 0.001])
def test_the_temperature_is_measured_to_six_digits(temperature):
    report = check(clip, temperature=temperature, tiers=("formula",))
    assert report.temperature == pytest.approx(temperature, rel=1e-6, abs=0)
    assert report.loss == "clip"


@pytest.mark.parametrize("temperature", [0.015, 0.01, 0.003, 0.001])
def test_a_cold_temperature_in_the_code_is_measured(temperature):
    report = check(lambda x, y: cpc(x, y, temperature), inputs="two", tiers=("formula",))
    assert (report.loss, report.temperature) == ("cpc", pytest.approx(temperature, rel=1e-6, abs=0))


@pytest.mark.parametrize("temperature", [0.07, 0.05, 0.01])
def test_a_temperature_in_float32_is_the_one_that_is_meant(temperature):
    """Its error, up to 6e-8, changes the value and the gradient by more than their rounding."""

    def loss(image, text):
        return clip(image, text, np.float32(temperature))

    report = check(loss, is_="clip", tiers=("formula",), inputs="two")
    assert report.verdicts["formula"].word == "right", report.verdicts["formula"].sentence


@pytest.mark.torch
@pytest.mark.slow
@pytest.mark.parametrize(
    ("temperature", "power", "words"),
    [
        *((tau, "exp", "it is clip") for tau in (0.07, 0.02, 0.01)),
        (0.07, "abs", "log 1/τ multiplies the similarities as it is, not exponentiated: τ = 0.376044"),
    ],
)
def test_a_logarithm_of_the_scale_in_float32_is_the_one_that_is_meant(temperature, power, words):
    torch = pytest.importorskip("torch")

    class Clip(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.logit_scale = torch.nn.Parameter(torch.ones([]) * np.log(1 / temperature))

        def forward(self, image, text):
            scores = getattr(self.logit_scale, power)().clamp(max=100) * image @ text.T
            labels = torch.arange(len(scores))
            cross_entropy = torch.nn.functional.cross_entropy
            return (cross_entropy(scores, labels) + cross_entropy(scores.T, labels)) / 2

    report = check(Clip(), is_="clip", tiers=("formula", "gradient"))
    assert words in report.verdicts["formula"].sentence
    assert report.verdicts["formula"].word == ("right" if power == "exp" else "wrong")
    assert report.verdicts["gradient"].word == "right"


def only_in_float64(x, y, temperature=0.1):
    if x.dtype != np.float64:
        raise TypeError("float64 is needed")
    return cpc(x, y, temperature)


def only_when_warm(x, y, temperature=0.1):
    if temperature < 0.015:
        raise ValueError("too cold")
    return cpc(x, y, temperature)


@pytest.mark.parametrize(
    ("loss", "ending"),
    [
        (only_in_float64, "it takes no float32: the loss raises TypeError: float64 is needed (FILE"),
        (
            only_when_warm,
            "it takes no float64 and no float32 at τ = 0.01, 0.003: the loss raises ValueError: too cold (FILE",
        ),
    ],
)
def test_the_temperature_at_which_it_raises_is_named(loss, ending):
    assert ending.replace("FILE", __file__) in check(loss).verdicts["numerics"].sentence


def multiplies(x, y, temperature=0.2):
    return cpc(x, y, 1 / temperature)


@pytest.mark.slow
def test_the_grid_is_at_the_temperatures_at_which_a_loss_computes():
    """Also if it multiplies by its parameter called temperature."""
    cells = [
        [(c.dtype, c.temperature, c.alignment, c.shown) for c in check(loss).cells]
        for loss in (multiplies, cpc)
    ]
    assert cells[0] == cells[1]
