"""Points at which a claim's evidence is computed. Each checks its conditions on construction."""

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction

from .verdicts import NotShown


def root(number: Fraction) -> Fraction:
    """√x as a fraction; x must be the square of one."""
    above, under = math.isqrt(number.numerator), math.isqrt(number.denominator)
    if Fraction(above, under) ** 2 != number:
        raise NotShown(f"not the square of a fraction: {number}")
    return Fraction(above, under)


class Rows(list):
    """Rows of numbers, all of one length."""

    word = "rows"

    def __init__(self, rows: Iterable[Iterable[int | Fraction]]):
        super().__init__([list(map(Fraction, row)) for row in rows])
        if not self or len({len(row) for row in self}) != 1:
            raise NotShown(f"rows must have one length, and there must be at least one; got {rows}")
        if not all(map(self.allows, self)):
            raise NotShown(f"these are not {self.text()}")

    def allows(self, row: list[Fraction]) -> bool:
        """Whether a row is as the word says."""
        return True

    def text(self) -> str:
        return f"{self.word} " + ", ".join(f"({', '.join(map(str, row))})" for row in self)


class Batches(list):
    """Batches of rows, all of one shape."""

    def __init__(self, batches: Iterable[Iterable[Iterable[int | Fraction]]]):
        super().__init__(map(Rows, batches))
        if len({(len(rows), len(rows[0])) for rows in self}) != 1:
            raise NotShown(f"batches have one shape, and there is at least one; got {list(self)}")

    def text(self) -> str:
        return "; ".join(rows.text() for rows in self)


class UnitRows(Rows):
    """Rows of length 1."""

    word = "unit rows"

    def allows(self, row: list[Fraction]) -> bool:
        return sum(x * x for x in row) == 1


class Positive(Rows):
    """Rows of positive numbers."""

    word = "rows of positive numbers"

    def allows(self, row: list[Fraction]) -> bool:
        return all(x > 0 for x in row)


class Base(Fraction):
    """b = e^{1/(25τ)} > 1, so that e^{s/τ} = b^{25 s} is a fraction if 25 s is whole."""

    def __new__(cls, numerator: int, denominator: int = 1) -> "Base":
        base = super().__new__(cls, numerator, denominator)
        if base <= 1:
            raise NotShown(f"a temperature is positive, and so e^(1/25τ) > 1; got {base}")
        return base

    def text(self) -> str:
        return f"e^(1/25τ) = {self}"


class Program(str):
    """The lines of a program."""

    def text(self) -> str:
        return f"{len(self.splitlines())} lines"


class Rate(Fraction):
    """A rate, 0 ≤ ζ ≤ 1."""

    def __new__(cls, numerator: int, denominator: int = 1) -> "Rate":
        rate = super().__new__(cls, numerator, denominator)
        if not 0 <= rate <= 1:
            raise NotShown(f"a rate lies between 0 and 1; got {rate}")
        return rate

    def text(self) -> str:
        return str(self)


class Integers(list):
    """A list of whole numbers."""

    def text(self) -> str:
        return ", ".join(map(str, self))


class Numbers(Integers):
    """A list of numbers."""

    def __init__(self, numbers: Iterable[int | Fraction]):
        super().__init__(map(Fraction, numbers))


class Law(dict):
    """The probabilities of a finite law, by outcome: non-negative, with sum 1. Omitted outcomes have probability
    0."""

    def __init__(self, cells: Mapping[tuple[int, ...], int | Fraction]):
        super().__init__({outcome: Fraction(p) for outcome, p in cells.items()})
        if any(p < 0 for p in self.values()) or sum(self.values()) != 1:
            raise NotShown(f"no law: its probabilities are not ≥ 0 with the sum 1: {dict(self)}")

    def text(self) -> str:
        return ", ".join(f"p({', '.join(map(str, outcome))}) = {p}" for outcome, p in self.items())


class Pairing(list):
    """p(0), …, p(N − 1): the partner of each row, with p(p(i)) = i ≠ p(i)."""

    def __init__(self, partners: Iterable[int]):
        super().__init__(partners)
        if any(not 0 <= j < len(self) or j == i or self[j] != i for i, j in enumerate(self)):
            raise NotShown(f"no pairing of rows: {list(self)}")

    def text(self) -> str:
        return f"pairs {', '.join(f'{i} ↔ {j}' for i, j in enumerate(self) if i < j)}"


KINDS = (Batches, Rows, UnitRows, Positive, Base, Program, Rate, Integers, Numbers, Law, Pairing)
