"""Rows of scores with a mask that leaves candidates out, never the positive [M36-M40]."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sympy import Expr, Symbol, exp, log

from .. import symbols
from ..prover.notation import Definition, Differ, one_if, total
from ..prover.sums import Facts
from ..symbols import P, ell, i, kept, loss, m, p
from .statement import Statement, gradient
from .weights import with_weights

Entries = Callable[[Expr, Expr], Expr]


def define_masked_rows(
    score: Entries, negative: Entries, column: Symbol, size: Symbol
) -> tuple[Definition, Definition]:
    """P and ℓ_i of each row over its positive and all candidates with negative(i, j) = 1; the mask is 0
    elsewhere.
    """
    own, one = exp(score(i, p[i])), Differ(column, p[i]) * negative(i, column)
    below = own + total(Differ(m, p[i]) * negative(i, m) * exp(score(i, m)), (m, size))
    stands = one_if(column, p[i]) + one
    return (
        Definition(P[i, column], stands * exp(score(i, column)) / below),
        Definition(ell[i], -log(own / below)),
    )


def bind_mask(keep: Sequence[Sequence[Any]] | None) -> dict:
    """Bind the mask as numbers 0 and 1; return nothing if there is no mask."""
    return {} if keep is None else {symbols.kept: [[int(entry) for entry in row] for row in keep]}


def name_form(arguments: Mapping[str, Any]) -> str:
    """Return the key of a loss's statement: "" without a mask, or the key with one."""
    return "" if arguments.get("keep") is None else "masked"


def is_kept(row: Expr, column: Expr) -> Expr:
    """1 if a candidate is kept."""
    return kept[row, column]


def state_masked(
    name: str,
    claim: str,
    names: tuple[Definition, ...],
    entries: Mapping[str, tuple[Expr, Expr]],
    bind: Callable[..., dict],
    weighted: Definition,
    *,
    facts: Facts,
    **rows: Any,
) -> Statement:
    """State a loss with a mask. entries: input → (its entry, the form of its gradient). weighted, rows: as in
    `with_weights`.
    """
    facts = replace(facts, masks=(kept,))
    by = {
        input: gradient(entry, form, claim, loss=loss, names=names, facts=facts)
        for input, (entry, form) in entries.items()
    }
    return with_weights(Statement(name, loss, names, by, bind), weighted, facts=facts, **rows)
