"""A call of a loss: its results share no memory with its arguments, and nothing around it changes them."""

import contextlib
from typing import NamedTuple

import numpy as np
import pytest

from infonce_ref import isolation
from infonce_ref.isolation import ignore_float_errors, isolate, lend_inputs, unshare
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


class Gradients(NamedTuple):
    first: object
    second: object


def test_arrays_of_different_parts_of_a_result_share_no_memory():
    x = np.ones(3)
    found = unshare(Gradients(x, x[1:]), ())
    assert type(found) is Gradients
    assert found.first is x
    assert not np.shares_memory(found.second, x)
    assert found.second.tolist() == [1, 1]


def test_arrays_of_one_cache_may_share_memory():
    x = np.ones(3)
    cache = (x, (x[1:], x))
    assert unshare((1.0, cache), ())[1] is cache


def test_an_array_that_a_cache_holds_twice_is_copied_once():
    x = np.ones(3)
    ((one, (two, other)),) = unshare(((x, (x, "option")),), (x,))
    assert one is two
    assert one is not x
    assert other == "option"


def test_a_part_that_shares_nothing_is_left_beside_one_that_is_copied():
    x, cache = np.ones(3), (np.zeros(2),)
    found = unshare((x, cache), (x,))
    assert type(found) is tuple
    assert found[0] is not x
    assert found[1] is cache


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


def test_nothing_is_lent_after_an_error():
    with contextlib.suppress(KeyError), lend_inputs():
        raise KeyError
    x = np.ones(3)
    assert isolate(lambda x: (x, None))(x)[0] is not x


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


def test_an_isolated_function_keeps_its_name_and_its_documentation():
    def forward(x):
        """A loss."""

    found = isolate(forward)
    assert (found.__name__, found.__doc__, found.__wrapped__.__name__) == ("forward", "A loss.", "forward")


def test_a_call_goes_through_nan_if_broken(monkeypatch):
    """Which makes a result NaN if a rule is broken while JAX traces."""
    monkeypatch.setattr(isolation, "nan_if_broken", lambda call: lambda *given: (np.nan, call))
    value, _ = isolate(lambda x: (x, None))(np.ones(1))
    assert np.isnan(value)


@pytest.mark.parametrize(("rows", "threads"), [(4, 1), (4096, None)])
def test_few_rows_are_computed_on_one_thread(monkeypatch, rows, threads):
    """Also those of a cache."""
    used = []

    @contextlib.contextmanager
    def one_thread():
        used.append(1)
        yield
        used.append(None)

    monkeypatch.setattr(isolation.threads, "one_thread", one_thread)
    isolate(lambda cache, upstream: (used[-1:],))(((np.ones((rows, rows // 4)),), None), 1.0)
    assert used == ([1, None] if threads else [])


def torch():
    return pytest.importorskip("torch", reason="torch is not installed (an extra)")


@pytest.mark.parametrize("named", [False, True])
def test_a_tensor_that_requires_a_gradient_is_refused_with_the_bridge(named):
    def forward(w, temperature):
        return w, None

    forward.__module__ = "infonce_ref.losses.ntxent"
    w = torch().ones(2, requires_grad=True)
    with pytest.raises(
        ValueError, match=r"^w requires a gradient, .* infonce_ref\.torch\.ntxent, or pass w\.det"
    ):
        isolate(forward)(w=w, temperature=1) if named else isolate(forward)(w, 1)


def test_autocast_does_not_lower_the_precision_of_a_pass():
    """Also if only the cache, nested, holds tensors."""
    library = torch()

    @isolate
    def backward(cache):
        return (cache[0][0] @ cache[0][0],)

    with library.autocast("cpu", dtype=library.bfloat16):
        (product,) = backward(((library.ones(2, 2),), None))
        assert (library.ones(2, 2) @ library.ones(2, 2)).dtype == library.bfloat16
    assert product.dtype == library.float32
