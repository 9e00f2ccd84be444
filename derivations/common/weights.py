"""Weighted losses: 𝓛 = Σ_i ω_i ℓ_i, where ω_i = 1/ν for the mean and the sum.

For reduction="none", ω is the upstream gradient: the gradient of Σ_i ω_i ℓ_i is the sum of the rows'
gradients times ω_i.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from sympy import Expr, Symbol

from ..evidence.plain import Given
from ..prover.notation import Definition, sum_over
from ..prover.zero_test import Facts
from ..symbols import N, ell, i, loss, nu, omega
from .statement import Gradient, Statement, gradient


def weigh_row(definition: Definition) -> Definition:
    """Multiply a definition by the weight of its first index."""
    return Definition(definition.head, omega[definition.indices[0]] * definition.body)


def with_weights(
    statement: Statement,
    *residuals: Definition,
    facts: Facts,
    row: Expr = ell[i],
    rows: Symbol = N,
    divisor: Symbol = nu,
) -> Statement:
    """Add the statement of the weighted loss, and prove its gradients.

    residuals: weighted definitions that replace those of the same names in the gradients; without any, each
    gradient belongs to one row and is multiplied by that row's weight. row: ℓ_i. rows: the number of rows. divisor:
    of the sum over rows; the weighted loss has none.
    """
    changed = {one.head: one for one in (Definition(loss, sum_over(omega[i] * row, (i, rows))), *residuals)}
    names = tuple(changed.get(name.head, name) for name in statement.names)
    gradients = {}
    for name, by in statement.gradients.items():
        entry = by.variable[by.indices] if by.indices else by.variable
        form = divisor * by.form if residuals else omega[by.indices[0]] * divisor * by.form
        gradients[name] = gradient(entry, form, *by.claims, loss=loss, names=names, facts=facts)
    return replace(statement, weighted=replace(statement, form=loss, names=names, gradients=gradients))


def state(
    loss_name: str,
    here: Given,
    gradients: Mapping[str, Gradient],
    *residuals: Definition,
    bind: Callable[..., Mapping[Any, Any]] = lambda **_: {},
    reduction: str = "mean",
    **rows: Any,
) -> Statement:
    """State a loss, whose definitions are given, also with a weight for each row. residuals, rows: as in
    `with_weights`.
    """
    statement = Statement(loss_name, loss, here.names, gradients, bind, reduction)
    return with_weights(statement, *residuals, facts=here.facts, **rows)


def choose(
    statement: Statement, arguments: Mapping[str, Any], printed: tuple[str, ...] = ("mean", "sum")
) -> Statement:
    """Choose the statement or its weighted form by the reduction. printed: the reductions of the
    unweighted form."""
    as_printed = arguments.get("reduction", "mean") in printed
    return statement if as_printed or not statement.weighted else statement.weighted
