"""The ledger: every claim with what its evidence says today, where it was proved, and where the code cites it."""

import inspect
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, NamedTuple

from . import losses, sources, theory
from .claims import CLAIMS, Claim
from .documents import DOCUMENTS, ID, order, parts
from .evidence import PROVING, Counterexample, Misprint, NotShown, verdict_of
from .sources import Line
from .verdicts import Verdict

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
    """A claim after its evidence was called for: its pieces by their names, or why it does not stand."""

    claim: Claim
    evidence: Mapping[str, Any]
    failure: str

    @property
    def stands(self) -> bool:
        return not self.failure


def settle(claim: Claim) -> Settled:
    """Makes a claim's evidence. It stands if every piece can be made, if together they carry its verdict, and if
    its sentences show nothing that is not among them."""
    try:
        evidence = claim.evidence()
        if not isinstance(evidence, dict) or not evidence:
            raise NotShown(f"the evidence is a dictionary of named pieces; got {evidence!r}")
        shown = verdict_of(evidence.values())
        if shown is not claim.verdict:
            raise NotShown(f"the evidence carries the verdict {shown}, not {claim.verdict}")
        for sentence in filter(None, (claim.says, claim.right)):
            sentence.runs(evidence)
        if claim.verdict in (Verdict.CORRECTED, Verdict.REFUTED):
            right = claim.right.names if claim.right else []
            if any(isinstance(evidence[name], Misprint | Counterexample) for name in right):
                raise NotShown("what fails is not what is right: show it in the sentence on what was checked")
            used = [name for piece in evidence.values() for name in getattr(piece, "definitions", ())]
            if not any(isinstance(evidence[name], PROVING) or evidence[name] in used for name in right):
                raise NotShown(
                    f"a claim that is {claim.verdict} says what is right, and shows its proof there"
                )
        elif not claim.says.names and claim.verdict is not Verdict.NO_THEOREM:
            raise NotShown("the sentence shows none of the evidence; name a piece in it as «name»")
    except Exception as error:
        return Settled(claim, {}, f"{type(error).__name__}: {error}")
    return Settled(claim, evidence, "")


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
