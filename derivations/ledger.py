"""The ledger: every claim with what its evidence says today, and where the code cites it."""

import re
from pathlib import Path
from typing import Any, NamedTuple

from derivations.prover.claim import Claim

ROOT = Path(__file__).parent.parent
CITING = ("infonce_ref", "figures")  # read as text, never imported
TALKING = {"cli.py", "ledger.py"}  # ids as examples for a user, which implement nothing
ID = re.compile(r"\bD[1-4]\.\d+[a-z]?\b|(?<=[\[ (\"'–])[PMS]\d+(?=[\]),:.;\"'–])")


class Settled(NamedTuple):
    """A claim after its evidence was called for: what it returned, or why it does not stand."""

    claim: Claim
    evidence: tuple[Any, ...]
    failure: str

    @property
    def stands(self) -> bool:
        return not self.failure


class Citation(NamedTuple):
    """A line of the project that names a claim."""

    path: str
    line: int


def settle(claim: Claim) -> Settled:
    """Runs a claim's evidence. A proof that does not go through, or a witness that does not witness, raises."""
    try:
        evidence = claim.evidence()
    except Exception as error:
        return Settled(claim, (), f"{type(error).__name__}: {error}")
    parts = evidence if isinstance(evidence, tuple) else (evidence,)
    missing = not parts or any(part is None for part in parts)
    return Settled(claim, parts, "the evidence shows nothing" if missing else "")


def order(id: str) -> tuple[str, int, str]:
    """Sorts D1.2 before D1.10."""
    ((prefix, number, letter),) = re.findall(r"^(D\d\.|[A-Z])(\d+)([a-z]?)$", id)
    return prefix, int(number), letter


def citations() -> dict[str, list[Citation]]:
    """For each id that the code or a figure names, where."""
    found: dict[str, list[Citation]] = {}
    for folder in CITING:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path.name in TALKING:
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                for id in ID.findall(line):
                    found.setdefault(id, []).append(Citation(str(path.relative_to(ROOT)), number))
    return found
