"""The checks of what comes in, by themselves: what no loss's own tests reach."""

from decimal import Decimal
from fractions import Fraction

import array_api_strict
import dask.array
import numpy as np
import pytest

from infonce_ref import losses
from infonce_ref.arrays import check, choice, positive_scalar, power_of_two, stable_sum
from infonce_ref.verify.case import of_kind
from infonce_ref.verify.identities import scale_free_losses


def test_arrays_of_two_libraries_are_refused():
    with pytest.raises(ValueError, match="all arrays must come from one library; theirs and ours do not"):
        check(ours=(np.ones(2), "n"), theirs=(array_api_strict.ones(2), "n"))


@pytest.mark.parametrize(
    "number",
    [
        *("0.5", b"0.5", bytearray(b"0.5"), np.str_("0.5"), np.array("0.5"), np.array(b"0.5"), None, [0.5]),
        *(np.array([0.5]), np.array(0.5, dtype=object), np.array(0.5, dtype=[("x", float)]), 10**400, True),
        *(
            0.5 + 0j,
            np.complex128(0.5),
            np.array(0.5 + 0j),
            np.True_,
            np.timedelta64(1, "s"),
            Decimal("sNaN"),
        ),
    ],
    ids=repr,
)
def test_only_a_number_is_a_number(number):
    with pytest.raises(ValueError, match="temperature must be a number that a float can hold"):
        positive_scalar("temperature", number)


@pytest.mark.parametrize(
    "number",
    [0.5, Fraction(1, 2), Decimal("0.5"), np.float16(0.5), np.array(0.5, dtype=">f8"), np.longdouble(0.5)],
    ids=repr,
)
def test_a_number_of_any_kind_is_one(number):
    assert positive_scalar("temperature", number) == 0.5


def test_arrays_on_two_devices_are_refused():
    elsewhere = array_api_strict.ones(2, device=array_api_strict.Device("device1"))
    with pytest.raises(
        ValueError, match=r"all arrays must lie on one device; here is on .*, there on .*: move one"
    ):
        check(here=(array_api_strict.ones(2), "n"), there=(elsewhere, "n"))


def test_an_array_of_unknown_shape_is_refused():
    x = dask.array.ones(4)
    with pytest.raises(ValueError, match=r"x must have a known shape; got \(nan,\): compute its chunk sizes"):
        check(x=(x[x > 0], "n"))


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (np.ones(2), r"ndarray of float64 and shape \(2,\)"),
        (np.array(True), "ndarray of bool"),
        ([True], "list"),
        (None, "None"),
        ("no", "'no'"),
        ("x" * 1000, r"'x+\.\.\.x+'"),
        (10**5000, "int"),
    ],
    ids=lambda x: type(x).__name__,
)
def test_what_is_no_option_is_refused_in_one_short_line(option, said):
    with pytest.raises(
        ValueError, match=f"^stop_gradient must be one of True, False; got {said}$"
    ) as refusal:
        choice("stop_gradient", option, (True, False))
    assert len(str(refusal.value)) < 100


@pytest.mark.parametrize("kind", [np.matrix, np.recarray, np.ma.masked_array])
def test_an_array_with_a_meaning_of_its_own_is_refused(kind):
    x = np.ones((2, 2)).view(kind) if kind is not np.ma.masked_array else kind(np.ones((2, 2)))
    with pytest.raises(
        ValueError, match=f"x must be a plain array; got {type(x).__name__}: pass numpy.asarray"
    ):
        check(x=(x, "n d"))


# rows of any length, or scores, may be as large
SCALE_FREE = scale_free_losses() | {
    name for name, loss in losses.ALL.items() if "score" in loss.kinds.values()
}


def is_scaled(loss, name, x):
    return getattr(x, "dtype", None) == np.float64 and name not in of_kind(loss, "distribution")


@pytest.mark.parametrize("name", losses.ALL)
def test_what_overflows_is_refused_and_what_underflows_is_0_whatever_numpy_does_about_it(name):
    loss = losses.ALL[name]
    example = {
        k: (x * (1e30 if is_scaled(loss, k, x) else 1)).astype("f4")
        if getattr(x, "dtype", None) == np.float64
        else x
        for k, x in loss.example().items()
    }
    with np.errstate(all="raise"):
        if name in SCALE_FREE:
            loss.backward(loss.forward(**example)[1])
        else:
            with pytest.raises(ValueError, match=f"{name} overflows float32"):
                loss.forward(**example)


@pytest.mark.parametrize("name", losses.ALL)
def test_under_jit_shapes_are_checked_and_values_are_not(name):
    """What JAX traces has no values yet: a loss computes with it, a temperature too, and does not ask."""
    jax = pytest.importorskip("jax")
    loss = losses.ALL[name]
    example = loss.example()
    inputs = {k: jax.numpy.asarray(x) for k, x in example.items() if isinstance(x, np.ndarray | float)}
    options = {k: x for k, x in example.items() if k not in inputs}

    def both(inputs):
        value, cache = loss.forward(**inputs, **options)
        return value, loss.backward(cache, upstream=value)

    value, gradients = jax.jit(both)(inputs)
    expected, cache = loss.forward(**{k: np.asarray(x) for k, x in inputs.items()}, **options)
    rtol = 1e3 * jax.numpy.finfo(value.dtype).eps  # float32 unless the process is in JAX's x64 mode
    np.testing.assert_allclose(value, expected, rtol=rtol)
    for x, y in zip(gradients, loss.backward(cache, upstream=expected)):
        np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol)
    first = loss.differentiable[0]
    assert np.isnan(jax.jit(both)({**inputs, first: inputs[first] * np.nan})[0])
    with pytest.raises(ValueError, match=r"must have shape|must agree in"):
        jax.jit(both)({**inputs, first: inputs[first][None]})


@pytest.mark.parametrize("n", [1, 127, 129, 5000])
def test_a_sum_errs_alike_whichever_way_its_numbers_lie(n):
    x = np.random.default_rng(0).uniform(1, 2, (n, 3)).astype("float32")
    exact = np.sum(x, axis=0, dtype="float64")
    for sums in (stable_sum(x, axis=0), stable_sum(x.T), stable_sum(np.stack([x, x]), axis=1)[1]):
        assert sums.dtype == np.float32
        # blocks of 128 and blocks of these: some roundings, where one after the other 5000 numbers err by 1e-5
        np.testing.assert_allclose(sums, exact, rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("standard", [False, True])
def test_a_power_of_two_is_one_and_near(dtype, standard):
    limits = np.finfo(dtype)
    x = np.array([limits.smallest_subnormal, limits.smallest_normal, 0.3, 1.0, 1.5, limits.max], dtype)
    if standard:
        x = array_api_strict.asarray(x)
    powers = np.asarray(power_of_two(x))
    mantissas, _ = np.frexp(powers)
    assert np.all(mantissas == 0.5)
    assert np.all((powers <= np.asarray(x)) & (np.asarray(x) / powers < 2))
