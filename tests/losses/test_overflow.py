"""A loss whose numbers overflow is an error in every loss, and no NaN."""

import numpy as np
import pytest

from infonce_ref import losses, streaming
from infonce_ref.verify.case import squared_lengths
from infonce_ref.verify.identities import scale_free_losses

COLD = {
    **{name: loss for name, loss in losses.ALL.items() if "temperature" in loss.example()},
    **{f"streaming.{name}": loss for name, loss in streaming.ALL.items()},
}


@pytest.mark.parametrize("loss", COLD.values(), ids=COLD)
def test_a_temperature_at_which_the_logits_overflow_is_refused(loss):
    example = loss.example() | {"temperature": 1e-310}  # 1/τ is above the largest float64
    with pytest.raises(ValueError, match=f"{loss.name} overflows float64"):
        loss.forward(**example)


@pytest.mark.parametrize("name", ["cpc", "nce"])
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
    if "score" not in loss.kinds.values()  # by a score no gradient is larger than its upstream
}


@pytest.mark.parametrize("loss", LARGE.values(), ids=LARGE)
def test_a_gradient_that_overflows_is_refused(loss):
    """By rows it is inverse to their length, but where it is proportional to them; there is no temperature then."""
    example = loss.example()
    length = 1e-6 if loss.name in scale_free_losses() or "temperature" in example else 1e6
    longer = {name: length * x for name, x in example.items() if getattr(x, "dtype", None) == np.float64}
    if loss.name not in scale_free_losses():
        longer |= {name: length**2 * example[name] for name in squared_lengths(loss, example)}
    _, cache = loss.forward(**example | longer)
    with pytest.raises(ValueError, match=f"the gradient of {loss.name} by .* overflows float64"):
        loss.backward(cache, 1e-3 * np.finfo(float).max)


NTXENT = {"ntxent": losses.ntxent, "streaming.ntxent": streaming.ntxent}


@pytest.mark.parametrize("ntxent", NTXENT.values(), ids=NTXENT)
@pytest.mark.parametrize("length", [1e-44, 1e-39, 1e38])
def test_rows_at_the_ends_of_the_dtype_keep_their_digits(ntxent, length):
    """The same rows in float64: what float32 rounds of so short a row is part of the row."""
    short = (length * np.random.default_rng(0).uniform(0.5, 3, (6, 3))).astype("float32")
    upstream = min(1.0, 1e36 * length)  # at which the gradient is a float32
    value, cache = ntxent.forward(short, temperature=0.5)
    exact, exact_cache = ntxent.forward(short.astype("float64"), temperature=0.5)
    np.testing.assert_allclose(value, exact, rtol=64 * np.finfo("float32").eps)
    slopes, expected = (ntxent.backward(c, upstream).w for c in (cache, exact_cache))
    size = np.max(np.abs(expected))
    np.testing.assert_allclose(slopes, expected, atol=64 * np.finfo("float32").eps * size, rtol=0)


@pytest.mark.parametrize("ntxent", [losses.ntxent, streaming.ntxent], ids=["plain", "streaming"])
def test_a_gradient_that_overflows_by_the_temperature_alone_is_refused(ntxent):
    # 1/τ² against the rows' 1/τ‖w‖
    _, cache = ntxent.forward(losses.ALL["ntxent"].example()["w"], temperature=0.01)
    with np.errstate(all="ignore"), pytest.raises(ValueError, match="of ntxent by temperature overflows"):
        ntxent.backward(cache, 1e306)
