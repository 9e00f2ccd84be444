"""An overflow is an error in every loss, never a NaN; an underflow is a 0."""

import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.verify.laws import is_scale_free

EVERY = {**losses.ALL, **{f"streaming.{name}": loss for name, loss in streaming.ALL.items()}}


def every(condition):
    """Run a test with each loss that meets the condition, plain and streaming."""
    chosen = {name: loss for name, loss in EVERY.items() if condition(loss)}
    return pytest.mark.parametrize("loss", chosen.values(), ids=chosen)


def is_of_scores(loss):
    return "score" in loss.kinds.values()


@every(lambda loss: "temperature" in loss.example())
def test_a_temperature_at_which_the_logits_overflow_is_refused(loss):
    example = loss.example() | {"temperature": 1e-310}  # 1/τ is above the largest float64
    with pytest.raises(ValueError, match=f"{loss.name} overflows float64"):
        loss.forward(**example)


@every(is_of_scores)
def test_scores_whose_difference_overflows_are_refused(loss):
    largest, example = np.finfo(float).max, loss.example()
    for name in (name for name in example if name.endswith("scores")):
        every_other = np.arange(example[name].size).reshape(example[name].shape) % 2
        example[name] = np.where(every_other, largest, -largest)
    with pytest.raises(ValueError, match=f"{loss.name} overflows float64"):
        loss.forward(**example)


@every(lambda loss: True)
def test_overflow_is_refused_and_underflow_is_0_for_any_error_setting_of_numpy(loss, two_workers):
    """In every worker of a streaming loss too. Rows of any length, and scores, may be large."""
    few = {"rows": 40, "tile": 4} if loss in streaming.ALL.values() else {}
    example = loss.example(**few)
    for name, x in example.items():
        if getattr(x, "dtype", None) == np.float64:
            example[name] = (1e30 * x if name in loss.differentiable else x).astype("f4")
    with np.errstate(all="raise"):
        if is_scale_free(loss.name) or is_of_scores(loss):
            loss.backward(loss.forward(**example)[1])
        else:
            with pytest.raises(ValueError, match=f"{loss.name} overflows float32"):
                loss.forward(**example)


@every(lambda loss: not is_of_scores(loss))  # the gradient by scores is never larger than its upstream
def test_a_gradient_that_overflows_is_refused(loss):
    """A gradient by rows is inverse to their length, or proportional to it; in the latter case the loss has
    no temperature.
    """
    example = loss.example()
    length = 1e-6 if is_scale_free(loss.name) or "temperature" in example else 1e6
    longer = {name: length * x for name, x in example.items() if getattr(x, "dtype", None) == np.float64}
    if not is_scale_free(loss.name):
        squares = [x for x in example if x == "temperature" or loss.kinds.get(x) == "squared length"]
        longer |= {name: length**2 * example[name] for name in squares}
    _, cache = loss.forward(**example | longer)
    with pytest.raises(ValueError, match=f"the gradient of {loss.name} by .* overflows float64"):
        loss.backward(cache, 1e-3 * np.finfo(float).max)


@every(lambda loss: "temperature" in loss.differentiable and is_scale_free(loss.name))
def test_a_gradient_that_overflows_by_the_temperature_alone_is_refused(loss):
    # 1/τ² in the gradient by τ, against 1/(τ‖w‖) in that by the rows
    _, cache = loss.forward(**loss.example() | {"temperature": 0.01})
    with pytest.raises(ValueError, match=f"of {loss.name} by temperature overflows"):
        loss.backward(cache, 0.01 * np.finfo(float).max)


@every(lambda loss: loss.differentiable[0] == "w")
def test_a_gradient_within_the_dtype_does_not_overflow(loss):
    """The rows' norms are 5.7 · 2⁻¹⁰; dividing by that power of 2 first would overflow."""
    example = loss.example(0, 1.0, features=9)
    signs = np.random.default_rng(0).choice([-1, 1], example["w"].shape)
    _, cache = loss.forward(**example | {"w": 1.9 * 2.0**-10 * signs, "temperature": 0.5})
    slopes = loss.backward(cache).w
    largest = np.max(np.abs(slopes))
    upstream = 0.5 * np.finfo(float).max / largest
    # 64 · eps: a few roundings of each
    np.testing.assert_allclose(
        loss.backward(cache, upstream).w / upstream, slopes, rtol=0, atol=64 * 2.0**-52 * largest
    )


@every(lambda loss: loss.differentiable[0] == "w")
def test_huge_and_tiny_rows_are_directions_like_any_other(loss):
    example = loss.example(rows=4)
    w = example["w"]
    scales = np.resize([1e-300, 1e-160, 1e-5, 1, 1e5, 1e160, 1e300, 2], len(w))[:, None]
    value, cache = loss.forward(**example)
    scaled, scaled_cache = loss.forward(**example | {"w": w * scales})
    # a few roundings of each entry, and of logits of 1/τ
    np.testing.assert_allclose(scaled, value, rtol=1e-13)
    slopes = loss.backward(scaled_cache).w * scales
    np.testing.assert_allclose(slopes, loss.backward(cache).w, rtol=1e-12, atol=1e-15)
