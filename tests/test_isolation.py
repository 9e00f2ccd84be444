"""A call of a loss: its results share no memory with its arguments, and nothing around it changes them."""

import numpy as np
import pytest

from infonce_ref.isolation import ignore_float_errors, isolate, lend_inputs
from infonce_ref.losses import ntxent


def test_the_result_keeps_its_type():
    assert type(ntxent.forward(np.eye(4), temperature=0.5)) is tuple


@pytest.mark.torch
def test_autograd_records_no_gradient_of_a_cache():
    """A user's own loss may put a module's parameter into its cache."""
    torch = pytest.importorskip("torch", reason="torch is not installed (an extra)")
    weight = torch.ones(2, requires_grad=True)

    @isolate
    def forward(x):
        return (x * weight).sum(), None

    value, _ = forward(torch.ones(2))
    assert not value.requires_grad


def test_an_array_may_be_lent_to_a_cache_inside_a_block_only():
    @isolate
    def forward(x):
        return 0.0, (x,)

    def is_shared():
        return forward(x)[1][0] is x

    x = np.ones(3)
    assert not is_shared()
    with lend_inputs():
        assert is_shared()
        with lend_inputs():
            assert is_shared()
        assert is_shared()
    assert not is_shared()


def test_numpy_neither_warns_nor_raises_inside_a_call():
    @isolate
    def forward(x):
        return np.exp(x) / (0 * x) * 0, None

    with np.errstate(all="raise"):
        assert np.isnan(forward(np.array([1000.0]))[0])
        with pytest.raises(FloatingPointError, match="overflow"):
            np.exp(np.array([1000.0]))
        with ignore_float_errors():
            assert np.exp(np.array([1000.0])) == np.inf
