"""Claims whose sentence is still typed beside its evidence: to be written anew with `says`, then this file goes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Counterexample:
    """Numbers that settle a claim: what they show, and each under its name."""

    shows: str
    numbers: Mapping[str, Any]

    def __str__(self) -> str:
        return "\n".join(
            [f"  {self.shows}", *(f"    {name} = {value}" for name, value in self.numbers.items())]
        )


def counterexample(shows: str, holds: bool, numbers: Mapping[str, Any]) -> Counterexample:
    """The counterexample, if what it is to show holds of its numbers; raises if it does not."""
    if not holds:
        raise ValueError(f"no counterexample: it is not so that {shows}: {dict(numbers)}")
    return Counterexample(shows, numbers)


@dataclass(frozen=True)
class Typed:
    """A sentence of words and LaTeX that nothing binds to its evidence."""

    words: str
