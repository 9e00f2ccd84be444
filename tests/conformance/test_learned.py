"""The gradients by the numbers that a module of PyTorch learns, against derivatives known by hand."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from infonce_ref.conformance import inputs, learned  # noqa: E402
from infonce_ref.conformance.asking import Way, example  # noqa: E402
from infonce_ref.conformance.identification import Nearest  # noqa: E402
from infonce_ref.conformance.session import Session  # noqa: E402
from infonce_ref.conformance.target import target  # noqa: E402

PLACE = example("views", 4)
MEAN = float(np.sum(PLACE["x"] * PLACE["y"]))


def product(x, y):
    return torch.sum(x * y)


class Module(torch.nn.Module):
    """f(w, Σxy) of one learned number w."""

    def __init__(self, f, w=0.0, learns=True):
        super().__init__()
        self.f, self.w = f, torch.nn.Parameter(torch.tensor(w), requires_grad=learns)

    def forward(self, x, y):
        return self.f(self.w, product(x, y))


def nearest(loss, precision="float64", **fields):
    session = Session(target(loss, {})._replace(**fields), "torch")
    return Nearest(Way("two", session), None, None, None, precision)


def measure(loss, precision="float64", **fields):
    return list(learned.measure_learned(nearest(loss, precision, **fields)))


def power(w, s):
    return w**5 * s


@pytest.mark.parametrize(
    ("precision", "near", "far"),
    [
        ("float64", 1e-3, 3e-3),
        ("float32", 1e-3, 3e-3),
        ("float16", 0.03, 0.09),
        ("bfloat16", 0.1, 0.3),
    ],
)
def test_the_slopes_at_two_steps_that_fit_the_dtype(precision, near, far):
    """The five-point formula has the error −h⁴ f⁽⁵⁾/30, and f⁽⁵⁾ = 120 s for f = w⁵ s: at w = 0, where f′ = 0, the
    error is all of it."""
    (found,) = measure(Module(power), precision)
    assert found.name == "w"
    assert found.own == 0.0
    right = [-4 * h**4 * MEAN for h in (near, far)]
    assert found.slopes == pytest.approx(right, rel=1e-9, abs=0)  # the rounding of the differences
    assert found.effective


def test_the_slopes_and_the_gradient_are_the_derivative():
    """f = e^w s at w = ½; the error is h⁴/30 e^w s, which is 2.7e-12 at h = 3e-3, and rounding over h."""
    (found,) = measure(Module(lambda w, s: torch.exp(w) * s, 0.5))
    right = np.exp(0.5) * MEAN
    assert found.own == pytest.approx(right, rel=1e-14, abs=0)
    assert found.slopes == pytest.approx((right, right), rel=1e-11, abs=0)


def test_a_number_cut_off_from_the_gradient_is_still_effective():
    (found,) = measure(Module(lambda w, s: w.detach() * s, 0.5))
    assert found.own is None
    assert found.slopes == pytest.approx((MEAN, MEAN), rel=1e-11, abs=0)
    assert found.effective


def test_a_number_that_the_loss_does_not_use_has_no_effect():
    class Both(Module):
        def __init__(self):
            super().__init__(power, 0.5)
            self.unused = torch.nn.Parameter(torch.tensor(2.0))

    used, unused = measure(Both())
    assert (used.name, used.effective) == ("w", True)
    assert unused == learned.Learned("unused", None, (0.0, 0.0), False)


def test_only_single_numbers_that_are_learned_are_measured():
    class More(Module):
        def __init__(self):
            super().__init__(power, 0.5, learns=False)
            self.several = torch.nn.Parameter(torch.ones(2))
            self.one = torch.nn.Parameter(torch.ones(1, 1))

        def forward(self, x, y):
            return self.one.sum() * self.several.sum() * product(x, y)

    (found,) = measure(More())
    assert (found.name, found.own) == ("one", pytest.approx(2 * MEAN, rel=1e-14, abs=0))


def test_the_module_keeps_its_number_and_dtype():
    module = Module(power, 0.5)
    kept = module.w.data
    for _ in learned.measure_learned(nearest(module)):
        assert module.w.dtype == torch.float64
        assert module.w.item() == 0.5
    assert module.w.data.data_ptr() == kept.data_ptr()
    assert module.w.dtype == torch.float32


@pytest.mark.parametrize("fields", [{"restored": True}, {"backward": power}])
def test_a_loss_with_a_state_or_a_backward_of_its_own_is_not_measured(fields):
    assert measure(Module(power), **fields) == []


def test_a_function_learns_nothing():
    assert measure(lambda x, y: product(x, y)) == []


def test_a_loss_of_numpy_learns_nothing():
    session = Session(target(lambda x, y: np.sum(x * y), {}), "numpy")
    session.function = Module(power)
    assert list(learned.measure_learned(Nearest(Way("two", session), None, None, None, "float64"))) == []


@pytest.mark.parametrize("side", [1, -1])
def test_an_effect_on_one_side_is_an_effect(side):
    (found,) = measure(Module(lambda w, s: s + torch.relu(side * w)))
    assert found.effective


def test_an_effect_at_one_point_is_an_effect():
    largest = max(float(np.sum(p["x"] * p["y"])) for p in inputs.points("views", 4, each=1))
    (found,) = measure(Module(lambda w, s: torch.where(s >= largest * (1 - 1e-12), s + w, s)))
    assert found.effective


@pytest.mark.parametrize(
    ("precision", "weight", "effective"),
    [
        # a step of 3e-3 changes the value by this weight times 3e-3, and of the coarse dtypes 30 and 100 times it
        ("float64", 1e-6, True),  # 3e-9 > 1e-9
        ("float64", 1e-7, False),  # 3e-10 < 1e-9
        ("float32", 1e-3, True),  # 3e-6 > 1e-6
        ("float32", 1e-4, False),  # 3e-7 < 1e-6
        ("float16", 1e-11, True),  # 9e-13 > 0
        ("bfloat16", 1e-11, True),
    ],
)
def test_a_change_below_the_rounding_is_no_effect(precision, weight, effective):
    (found,) = measure(Module(lambda w, s: s * (1 + weight * w)), precision)
    assert found.effective is effective


def test_a_difference_is_taken_with_the_step_that_is_asked_for():
    asked = nearest(Module(power))
    number = asked.way.session.function.w
    number.data = number.data.double()
    here = number.data
    slope = learned.differentiate(asked.way, number, PLACE, 0.5)
    assert slope == pytest.approx(-4 * 0.5**4 * MEAN, rel=1e-12, abs=0)
    assert number.data is here or torch.equal(number.data, here)
