"""Rows of scores with a mask that leaves candidates out, never the positive [M36-M40]."""

from collections.abc import Mapping
from typing import Any


def define_masked_rows(score: str, negative: str, column: str = "j") -> tuple[str, str]:
    """P and ℓ[i] of each row i over its positive and all candidates for which negative is 1. score, negative: texts
    in i and the column.
    """
    own, one = f"e^{score}", f"1[{column} ≠ p(i)] {negative}"
    positive, other = own.replace(column, "p(i)"), f"{one} {own}".replace(column, "m")
    below = f"({positive} + Σ_m {other})"
    return f"P[i,{column}] := (1[{column} = p(i)] + {one}) {own}/{below}", f"ℓ[i] := -log({positive}/{below})"


def name_form(arguments: Mapping[str, Any]) -> str:
    """Return the key of a loss's statement: "" without a mask, or the key with one."""
    return "" if arguments.get("keep") is None else "masked"
