"""How many digits are right, measured plainly: on ordinary rows, against the exact number and nothing else.

    python tests/digits.py [--seed 0] [--cases 600] [--table docs/digits.md]

A case is a loss at a drawn point: positives at random, aligned to 0.1 or to 10⁻³, 2 to 8 features, a temperature
between 10⁻³ and 10, an option, a dtype; three pairs at least where columns are correlated, for of two the gradient
is 0. Of each its value and every gradient is measured, and those of the streaming form where there is one:

    error = max |got − exact| / max |exact| ≤ 64·eps·max(1, 1/τ)

`exact` has 50 digits, from the definition, by the judge's witness of precision. What is outside must be said to
cancel by nature in the loss's docstring, and must be within that tolerance times its condition number,
Σ|terms|/|Σ terms|, which is computed from the proved formula. Exit status 1 if anything else is outside.
"""

import argparse
import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from flint import ctx

from infonce_ref import information, losses, streaming
from infonce_ref.verify import balls, drawn, precision, symbolic
from infonce_ref.verify import information as laws
from infonce_ref.verify.case import ROUNDING, Case, relative

SYMBOLS = {"value": "𝓛", "temperature": "∂𝓛/∂τ", "bias": "∂𝓛/∂b"}  # of another input ∂𝓛/∂ its name
NOISES = (1.0, 0.1, 1e-3)


class Measured(NamedTuple):
    """One number or gradient at one point.

    error: plainly, over the tolerance. condition: of its sum, 1 where it was not needed. said: whether the
    docstring says that it cancels by nature.
    """

    loss: str
    what: str
    point: str
    error: float
    condition: float = 1.0
    said: bool = False

    @property
    def outside(self) -> bool:
        return not self.error <= 1

    @property
    def explained(self) -> bool:
        return self.said and self.error <= self.condition


def points(seed: int, count: int) -> Iterator[Case]:
    """That many cases, the losses by turns."""
    rng = np.random.default_rng(seed)
    entries = list(losses.ALL.values())
    for number in range(count):
        loss = entries[number % len(entries)]
        options = dict(drawn.variants(loss)[rng.integers(len(drawn.variants(loss)))])
        temperature = float(10 ** rng.uniform(-3, 1))
        if "temperature" in loss.example():
            options["temperature"] = temperature
        fewest = 3 if loss.varying else 2
        size = {"rows": int(rng.integers(fewest, 8)), "features": int(rng.integers(2, 9))}
        noise, dtype = float(rng.choice(NOISES)), str(rng.choice(["float32", "float64"]))
        draw = int(rng.integers(2**31))
        words = ", ".join(f"{k} {v}" for k, v in {"noise": noise, "seed": draw, **size, **options}.items())
        yield Case.of(loss, loss.example(draw, noise, **size, **options), f"{words}, {dtype}", dtype)


def measured(case: Case) -> Iterator[Measured]:
    """Its value and gradients, and those of the streaming form."""
    name = case.loss.name
    forms = {name: case}
    if name in streaming.ALL:
        forms[f"streaming.{name}"] = replace(case, loss=streaming.ALL[name]).at(tile=2)
    got = {form: {"value": here.value(), **here.gradients()} for form, here in forms.items()}
    exact: dict[str, tuple[Any, Any, Any]] = {}
    for field in case.loss.differentiable:
        indices = symbolic.sample(np.shape(case.arguments[field]))
        with ctx.workdps(precision.digits(case)):
            value, size, slopes = precision.oracle(case, field, indices)
        exact["value"], exact[field] = ([()], [value], [size]), (indices, slopes, None)
    for form, numbers in got.items():
        for what, (indices, expected, sizes) in exact.items():
            here = [np.asarray(numbers[what])[index] for index in indices]
            worst = relative(here, expected, np.ones(len(here)), case.dtype, indices, exact=True)
            assert worst.plain is not None
            found = Measured(form, what, case.label, worst.plain / case.tolerance)
            yield (
                found
                if not found.outside
                else explained(found, case, expected, sizes or terms(case, what, indices))
            )


def terms(case: Case, field: str, indices: list) -> list:
    """The size of the summed terms of a gradient, by its proved formula."""
    with ctx.workdps(balls.DIGITS):
        return symbolic.closed_form(case, field, indices)[1]


def explained(found: Measured, case: Case, exact: list, sizes: list) -> Measured:
    """With the condition number, and whether the loss's docstring says so."""
    docstring = inspect.getdoc(inspect.getmodule(inspect.unwrap(case.loss.forward))) or ""
    what = SYMBOLS.get(found.what, f"∂𝓛/∂{found.what}")
    said = f"by nature {what} cancels" in " ".join(docstring.split()).replace("By nature", "by nature")
    largest = max(map(abs, exact))
    condition = float(max(map(abs, sizes)) / largest) if largest > 0 else float("inf")
    return found._replace(condition=condition, said=said)


def of_information(seed: int, count: int) -> Iterator[Measured]:
    """Mutual information of laws from independent ones on, tilted by 10⁻¹² … 1."""
    rng = np.random.default_rng([seed, 1])
    for _ in range(count):
        x, y = (rng.dirichlet(np.ones(n)) for n in rng.integers(2, 9, 2))
        tilt, dtype = float(10 ** rng.uniform(-12, 0)), str(rng.choice(["float32", "float64"]))
        joint = np.outer(x, y) * (1 + tilt * rng.uniform(-1, 1, (len(x), len(y))))
        joint = (joint / joint.sum()).astype(dtype)
        with ctx.workdps(laws.DIGITS):
            exact = laws.of_definition(joint)["mutual_information"]
        plain = relative(information.mutual_information(joint), exact, 1, joint.dtype, exact=True).plain
        tolerance = ROUNDING * float(np.finfo(dtype).eps)
        label = f"law {joint.shape}, tilt {tilt:.1g}, {dtype}"
        yield Measured("information", "mutual_information", label, float(plain or 0) / tolerance)


def table(found: list[Measured], seed: int, cases: int) -> str:
    """What was measured, for each loss, and each that is outside."""
    outside = [m for m in found if m.outside]
    count, beyond, known = (
        Counter(m.loss for m in some) for some in (found, outside, [m for m in outside if m.explained])
    )
    worst = {m.loss: max(x.error for x in found if x.loss == m.loss and not x.outside) for m in found}
    lines = [
        "# Digits",
        "",
        *(inspect.getdoc(sys.modules[__name__]) or "")
        .split("\n\n", 1)[1]
        .replace("\n    ", "\n    ")
        .splitlines(),
        "",
        f"Seed {seed}: {cases} cases, {len(found)} values and gradients, {len(outside)} outside the tolerance, "
        f"{len(outside) - sum(known.values())} of these not by nature. Errors are in units of the tolerance.",
        "",
        "| loss | measured | worst within | outside | of these by nature |",
        "|---|---|---|---|---|",
        *(f"| `{x}` | {count[x]} | {worst[x]:.2f} | {beyond[x]} | {known[x]} |" for x in sorted(count)),
    ]
    if outside:
        lines += ["", "| loss | outside | at | error / tolerance | condition |", "|---|---|---|---|---|"]
        lines += [
            f"| `{m.loss}` | {m.what} | {m.point} | {m.error:.3g} | {m.condition:.3g} |" for m in outside
        ]
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--cases", type=int, default=600, help="drawn points; nightly 10,000")
    parser.add_argument("--table", type=Path, help="where to write the table")
    options = parser.parse_args(arguments)
    found = [m for case in points(options.seed, options.cases) for m in measured(case)]
    found += of_information(options.seed, options.cases // len(losses.ALL))
    words = table(found, options.seed, options.cases + options.cases // len(losses.ALL))
    if options.table:
        options.table.write_text(words, encoding="utf-8")
    print(words)
    return int(any(m.outside and not m.explained for m in found))


if __name__ == "__main__":
    sys.exit(main())
