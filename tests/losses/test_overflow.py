"""An overflow is an error in every loss, never a NaN."""

import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.verify.case import squared_lengths
from infonce_ref.verify.laws import is_scale_free

COLD = {
    **{name: loss for name, loss in losses.ALL.items() if "temperature" in loss.example()},
    **{f"streaming.{name}": loss for name, loss in streaming.ALL.items()},
}


@pytest.mark.parametrize("loss", COLD.values(), ids=COLD)
def test_a_temperature_at_which_the_logits_overflow_is_refused(loss):
    example = loss.example() | {"temperature": 1e-310}  # 1/τ is above the largest float64
    with pytest.raises(ValueError, match=f"{loss.name} overflows float64"):
        loss.forward(**example)


@pytest.mark.parametrize("name", [x for x, loss in losses.ALL.items() if "score" in loss.kinds.values()])
def test_scores_whose_difference_overflows_are_refused(name):
    loss = losses.ALL[name]
    largest = np.finfo(float).max
    example = {
        key: np.where(np.arange(x.size).reshape(x.shape) % 2, largest, -largest)
        if key.endswith("scores")
        else x
        for key, x in loss.example().items()
    }
    with pytest.raises(ValueError, match=f"{name} overflows float64"):
        loss.forward(**example)


LARGE = {
    name: loss
    for name, loss in {**losses.ALL, **{f"streaming.{x}": loss for x, loss in streaming.ALL.items()}}.items()
    if "score" not in loss.kinds.values()  # the gradient by scores is never larger than its upstream
}


@pytest.mark.parametrize("loss", LARGE.values(), ids=LARGE)
def test_a_gradient_that_overflows_is_refused(loss):
    """A gradient by rows is inverse to their length, or proportional to it; in the latter case the loss has
    no temperature.
    """
    example = loss.example()
    length = 1e-6 if is_scale_free(loss.name) or "temperature" in example else 1e6
    longer = {name: length * x for name, x in example.items() if getattr(x, "dtype", None) == np.float64}
    if not is_scale_free(loss.name):
        longer |= {name: length**2 * example[name] for name in squared_lengths(loss, example)}
    _, cache = loss.forward(**example | longer)
    with pytest.raises(ValueError, match=f"the gradient of {loss.name} by .* overflows float64"):
        loss.backward(cache, 1e-3 * np.finfo(float).max)


NORMALISED = {
    name: loss
    for name, loss in {**losses.ALL, **{f"streaming.{x}": loss for x, loss in streaming.ALL.items()}}.items()
    if "temperature" in loss.differentiable and is_scale_free(loss.name)
}
NTXENT = {"ntxent": losses.ntxent, "streaming.ntxent": streaming.ntxent}


@pytest.mark.parametrize("ntxent", NTXENT.values(), ids=NTXENT)
@pytest.mark.parametrize("length", [1e-44, 1e-39, 1e38])
def test_rows_at_the_ends_of_the_dtype_keep_their_digits(ntxent, length):
    """Compared with float64 for the same rows, that is after rounding them to float32."""
    short = (length * np.random.default_rng(0).uniform(0.5, 3, (6, 3))).astype("float32")
    upstream = min(1.0, 1e36 * length)  # with this upstream the gradient is in float32's range
    value, cache = ntxent.forward(short, temperature=0.5)
    exact, exact_cache = ntxent.forward(short.astype("float64"), temperature=0.5)
    np.testing.assert_allclose(value, exact, rtol=64 * np.finfo("float32").eps)
    slopes, expected = (ntxent.backward(c, upstream).w for c in (cache, exact_cache))
    size = np.max(np.abs(expected))
    np.testing.assert_allclose(slopes, expected, atol=64 * np.finfo("float32").eps * size, rtol=0)


BY_W = {
    f"{room.__name__.rpartition('.')[2]}.{name}": loss
    for room in (losses, streaming)
    for name, loss in room.ALL.items()
    if loss.differentiable[0] == "w"
}


@pytest.mark.parametrize("loss", BY_W.values(), ids=BY_W)
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


@pytest.mark.parametrize("loss", BY_W.values(), ids=BY_W)
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


@pytest.mark.parametrize("loss", NORMALISED.values(), ids=NORMALISED)
def test_a_gradient_that_overflows_by_the_temperature_alone_is_refused(loss):
    # 1/τ² in the gradient by τ, against 1/(τ‖w‖) in that by the rows
    _, cache = loss.forward(**loss.example() | {"temperature": 0.01})
    with pytest.raises(ValueError, match=f"of {loss.name} by temperature overflows"):
        loss.backward(cache, 0.01 * np.finfo(float).max)
