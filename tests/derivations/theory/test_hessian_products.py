"""The Hessian times a direction against differences of the gradients that the losses compute."""

import mpmath
import numpy as np
import pytest

from infonce_ref.derivations.theory.hessian_products import PRODUCTS, evaluate
from infonce_ref.losses import ALL

STEP = 1e-5  # the error of the difference is step² times a fourth derivative, plus rounding, 1e-16/step


def numbers(x):
    """In 50 digits, as nested lists."""
    return [*map(numbers, x)] if np.ndim(x) else mpmath.mpf(float(x))


def product(loss, way, **arguments):
    with mpmath.workdps(50):
        given = {name: x if isinstance(x, str) else numbers(x) for name, x in arguments.items()}
        found = evaluate(loss, {name: numbers(x) for name, x in way.items()}, **given)
    return {name: np.array(x, float) for name, x in found.items()}


@pytest.mark.parametrize("loss", PRODUCTS)
def test_the_product_with_a_direction_is_the_difference_of_gradients_along_it(loss):
    """The direction moves one input at a time, because a sum over all might hide an exchange of two."""
    example, rng = ALL[loss].example(rows=4, features=3, temperature=0.5), np.random.default_rng(0)
    inputs = PRODUCTS[loss].inputs
    for moved in inputs:
        way = {name: (name == moved) * rng.standard_normal(np.shape(example[name])) for name in inputs}
        ends = []
        for side in (STEP, -STEP):
            stepped = example | {moved: example[moved] + side * way[moved]}
            ends.append(ALL[loss].backward(ALL[loss].forward(**stepped)[1]))
        for name, found in product(loss, way, **example).items():
            difference = (getattr(ends[0], name) - getattr(ends[1], name)) / (2 * STEP)
            np.testing.assert_allclose(found, difference, rtol=0, atol=1e-7, err_msg=f"{moved}, {name}")


def test_the_product_of_an_unproved_statement_is_refused():
    example = ALL["clip"].example(rows=2, features=2)
    way = {name: np.ones(np.shape(example[name])) for name in ("image", "text", "temperature")}
    with pytest.raises(ValueError, match="a part for each of image, text, temperature"):
        product("clip", {"image": way["image"]}, **example)
    with pytest.raises(ValueError, match="proved of the mean"):
        product("clip", way, **example, reduction="sum")
