"""A loss whose rows each have a weight: 𝓛 = Σ_i ω_i ℓ_i, which is ω_i = 1/ν in the mean or the sum.

So ω is also what comes from upstream where each row's loss is handed out by itself: the gradient of Σ_i ω_i ℓ_i is
the sum of the rows' own gradients times ω_i.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, Symbol

from ..prover.notation import Definition, total
from ..prover.sums import Facts
from ..symbols import N, ell, i, loss, nu, omega
from .statement import Statement, gradient


def of_row(definition: Definition) -> Definition:
    """What has the row for its first index, times that row's weight."""
    return Definition(definition.head, omega[definition.indices[0]] * definition.body)


def with_weights(
    statement: Statement,
    *residuals: Definition,
    facts: Facts,
    row: Expr = ell[i],
    rows: Symbol = N,
    divisor: Symbol = nu,
) -> Statement:
    """The statement, and beside it that of the weighted loss, whose gradients are proved anew.

    residuals: the definitions that the gradients are written in, with the weights: for those of the same names.
    Where there are none, each gradient is a row's own and takes that row's weight. row: ℓ_i. rows: how many there
    are. divisor: what the sum of the rows is divided by, which no weighted loss is.
    """
    changed = {one.head: one for one in (Definition(loss, total(omega[i] * row, (i, rows))), *residuals)}
    names = tuple(changed.get(name.head, name) for name in statement.names)
    gradients = {}
    for name, by in statement.gradients.items():
        entry = by.variable[by.indices] if by.indices else by.variable
        form = divisor * by.form if residuals else omega[by.indices[0]] * divisor * by.form
        gradients[name] = gradient(entry, form, *by.claims, loss=loss, names=names, facts=facts)

    def bind(*, reduction: str, upstream: Any = None, **arguments: Any) -> dict:
        bound = statement.bind(**arguments)
        return bound | {omega: upstream if reduction == "none" else [1] * bound[rows]}

    return replace(statement, weighted=Statement(statement.loss, loss, names, gradients, bind))


def chosen(
    statement: Statement, arguments: Mapping[str, Any], printed: tuple[str, ...] = ("mean", "sum")
) -> Statement:
    """The one of the two that speaks of these arguments. printed: the reductions that ν, or none, stands for."""
    as_printed = arguments.get("reduction", "mean") in printed
    return statement if as_printed or not statement.weighted else statement.weighted
