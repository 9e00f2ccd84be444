"""The ledger: every claim with what its evidence says today, where it was proved, and where the code cites it."""

import inspect
import json
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from . import losses, sources, theory
from .claims import CLAIMS, DOCUMENTS, ID, Claim, Verdict, order, parts
from .sources import Line

# Importing a file makes its claims register themselves: a file in one of these folders needs no entry anywhere.
for _name in (
    "softmax",
    "sphere",
    *(f"losses.{module.name}" for module in iter_modules(losses.__path__)),
    *(f"theory.{module.name}" for module in iter_modules(theory.__path__)),
):
    import_module(f".{_name}", __package__)

TALKING = {"cli.py"}  # ids as examples for a user, which implement nothing


class Settled(NamedTuple):
    """A claim after its evidence was called for: what it returned, or why it does not stand."""

    claim: Claim
    evidence: tuple[Any, ...]
    failure: str

    @property
    def stands(self) -> bool:
        return not self.failure


def settle(claim: Claim) -> Settled:
    """Runs a claim's evidence. A proof that does not go through, or no counterexample, raises."""
    try:
        evidence = claim.evidence()
    except Exception as error:
        return Settled(claim, (), f"{type(error).__name__}: {error}")
    shown = evidence if isinstance(evidence, tuple) else (evidence,)
    missing = not shown or any(part is None for part in shown)
    return Settled(claim, shown, "the evidence shows nothing" if missing else "")


def choose(ids: Sequence[str], document: str | None = None, verdict: str | None = None) -> list[Claim]:
    """The claims asked for, in the ledger's order. Raises ValueError for what is not in the ledger."""
    if document is not None and document not in DOCUMENTS:
        raise ValueError(f"--document must be one of {', '.join(DOCUMENTS)}; got {document}")
    if verdict is not None and verdict not in list(Verdict):
        raise ValueError(f"--verdict must be one of {', '.join(Verdict)}; got {verdict!r}")
    for id in ids:
        if id not in CLAIMS:
            name, _, _ = parts(id)
            raise ValueError(f"ledger: there is no {id}; of {name} there are {_listed(name)}")
    chosen = [
        CLAIMS[id]
        for id in sorted(ids or CLAIMS, key=order)
        if document in (None, parts(id)[0]) and verdict in (None, CLAIMS[id].verdict)
    ]
    if not chosen:
        raise ValueError("ledger: no claim is of that kind; leave out an id, --document or --verdict")
    return chosen


def _listed(document: str) -> str:
    ids = sorted((id for id in CLAIMS if parts(id)[0] == document), key=order)
    return f"{ids[0]} … {ids[-1]}" if len(ids) > 1 else ids[0]


def proved_at(claim: Claim) -> Line:
    """The line where the evidence of a claim begins."""
    function = inspect.unwrap(claim.evidence)
    room = function.__module__.removeprefix(f"{sources.PACKAGE}.").replace(".", "/")
    return Line(f"{room}.py", function.__code__.co_firstlineno)


@cache
def citations() -> dict[str, list[Line]]:
    """For each id that the code or a figure names, where."""
    found: dict[str, list[Line]] = {}
    for name, path in sources.code().items():
        if path.name in TALKING:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for id in ID.findall(line):
                found.setdefault(id, []).append(Line(name, number))
    return found


def record(entry: Settled) -> dict[str, Any]:
    """A settled claim in words and numbers alone."""
    claim = entry.claim

    def place(line: Line) -> dict[str, Any]:
        return {"file": line.path, "line": line.number}

    return {
        "id": claim.id,
        "document": DOCUMENTS[parts(claim.id)[0]].title,
        "printed": claim.printed,
        "statement": claim.statement,
        "verdict": claim.verdict,
        "right": claim.right,
        "scope": claim.scope,
        "stands": entry.stands,
        "failure": entry.failure,
        "evidence": [str(part) for part in entry.evidence],
        "proof": place(proved_at(claim)),
        "cited": [place(line) for line in citations().get(claim.id, [])],
    }


def write_json(path: Path, entries: Sequence[Settled]) -> None:
    """Every claim given, and whether all of them stand."""
    found = {
        sources.PACKAGE: version(sources.PACKAGE),
        "stands": all(entry.stands for entry in entries),
        "claims": [record(entry) for entry in entries],
    }
    path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
