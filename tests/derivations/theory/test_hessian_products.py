"""The Hessian times a direction against differences, in 50 digits, of independently written losses."""

import random
from typing import Any

import mpmath
import pytest
from mpmath import mpf

from infonce_ref.derivations.theory.hessian_products import evaluate

STEP = mpf(10) ** -12
# the error of the difference is step² times a fourth derivative, plus rounding, 10⁻⁵⁰/step²
CLOSE = mpf(10) ** -20


def cross_entropy(logits: list, positive: int) -> Any:
    return mpmath.log(mpmath.fsum(map(mpmath.exp, logits))) - logits[positive]


def infonce(z: list, temperature: Any) -> Any:
    count = len(z)
    rows = [[mpmath.fdot(u, v) / temperature for v in z] for u in z]
    return mpmath.fsum(cross_entropy(row, (i + count // 2) % count) for i, row in enumerate(rows)) / count


def ntxent(w: list, temperature: Any) -> Any:
    count = len(w)
    z = [[x / mpmath.sqrt(mpmath.fdot(row, row)) for x in row] for row in w]
    logits = [[mpmath.fdot(u, v) / temperature for j, v in enumerate(z) if j != i] for i, u in enumerate(z)]
    partners = [(i + count // 2) % count for i in range(count)]
    return (
        mpmath.fsum(
            cross_entropy(row, p - (p > i)) for i, (row, p) in enumerate(zip(logits, partners, strict=True))
        )
        / count
    )


def clip(image: list, text: list, temperature: Any) -> Any:
    rows = [[mpmath.fdot(u, v) / temperature for v in text] for u in image]
    both = (*enumerate(rows), *enumerate(map(list, zip(*rows, strict=True))))
    return mpmath.fsum(cross_entropy(row, i) for i, row in both) / (2 * len(image))


def stepped(inputs: dict[str, Any], way: dict[str, Any], step: Any) -> dict[str, Any]:
    def added(x: Any, y: Any) -> Any:
        return [added(a, b) for a, b in zip(x, y, strict=True)] if isinstance(x, list) else x + step * y

    return {name: added(x, way[name]) for name, x in inputs.items()}


def dot(left: dict[str, Any], right: dict[str, Any]) -> Any:
    def of(x: Any, y: Any) -> Any:
        return mpmath.fsum(of(a, b) for a, b in zip(x, y, strict=True)) if isinstance(x, list) else x * y

    return mpmath.fsum(of(left[name], right[name]) for name in left)


def drawn(seed: int, inputs: dict[str, tuple[int, ...]]) -> dict[str, Any]:
    """Draw multiples of 1/16 for each input; scalars are positive."""
    source = random.Random(seed)

    def array(shape: tuple[int, ...]) -> Any:
        return [array(shape[1:]) for _ in range(shape[0])] if shape else mpf(source.randint(-30, 30)) / 16

    return {
        name: array(shape) if shape else mpf(source.randint(5, 12)) / 16 for name, shape in inputs.items()
    }


CASES = {
    "infonce": (infonce, {"z": (6, 3)}, {"temperature": mpf("0.7")}),
    "ntxent": (ntxent, {"w": (6, 3)}, {"temperature": mpf("0.3")}),
    "clip": (clip, {"image": (4, 3), "text": (4, 3), "temperature": ()}, {}),
}


@pytest.fixture(autouse=True)
def fifty_digits():
    with mpmath.workdps(50):
        yield


@pytest.mark.parametrize(("loss", "name"), [(loss, name) for loss, case in CASES.items() for name in case[1]])
def test_the_product_with_another_direction_is_the_loss_differenced_along_both(loss, name):
    """The other direction moves one input, because a sum over all might hide an exchange of two."""
    raw, shapes, fixed = CASES[loss]
    inputs, way, drawn_other = (drawn(seed, shapes) for seed in (1, 2, 3))
    other = stepped(drawn_other, {key: drawn_other[key] for key in shapes}, -1) | {name: drawn_other[name]}

    def at(a: int, b: int) -> Any:
        return raw(**stepped(stepped(inputs, way, a * STEP), other, b * STEP), **fixed)

    mixed = (at(1, 1) - at(1, -1) - at(-1, 1) + at(-1, -1)) / (4 * STEP**2)
    assert abs(dot(other, evaluate(loss, way, **inputs, **fixed)) - mixed) < CLOSE


def test_the_product_of_an_unproved_statement_is_refused():
    inputs = drawn(6, {"image": (2, 2), "text": (2, 2), "temperature": ()})
    with pytest.raises(ValueError, match="a part for each of image, text, temperature"):
        evaluate("clip", {"image": inputs["image"]}, **inputs)
    with pytest.raises(ValueError, match="proved of the mean"):
        evaluate("clip", inputs, **inputs, reduction="sum")
