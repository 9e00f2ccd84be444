"""The results of a loss share no memory with its arguments."""

import numpy as np
import pytest

from infonce_ref.isolation import isolate, unshare
from infonce_ref.losses import ntxent


def test_a_gradient_that_is_an_array_of_the_cache_is_a_copy():
    x = np.ones(3)
    cache = (x,)
    (gradient,) = unshare((x,), (cache,))
    assert not np.shares_memory(gradient, x)


def test_the_result_keeps_its_type():
    assert type(ntxent.forward(np.eye(4), temperature=0.5)) is tuple


def test_autograd_records_no_gradient_of_a_cache():
    """A user's own loss may put a module's parameter into its cache."""
    torch = pytest.importorskip("torch", reason="torch is not installed (an extra)")
    weight = torch.ones(2, requires_grad=True)

    @isolate
    def forward(x):
        return (x * weight).sum(), None

    value, _ = forward(torch.ones(2))
    assert not value.requires_grad
