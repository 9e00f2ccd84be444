"""The ledger: every claim with its evidence, where it is proved, and where the code cites it."""

import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from pkgutil import iter_modules
from traceback import walk_tb
from typing import Any, NamedTuple

from . import common, losses, sources, theory
from .documents import DOCUMENTS, order, parts, spell
from .evidence.claims import CLAIMS, Claim, Sentence
from .evidence.kinds import PROVING, Counterexample, Misprint, check_again, display, verdict_of
from .evidence.verdicts import NotShown, Verdict
from .papers import find_citations
from .prover.notation import Definition, base_of
from .prover.show import text
from .sources import Line

# Importing a file registers its claims, so that a new file in one of these folders is found without a list.
for _room in (common, losses, theory):
    for _file in iter_modules(_room.__path__):
        import_module(f"{_room.__name__}.{_file.name}")

_PUBLIC = re.compile(r"\b(?:issue|pull request) \d+ of \w|\w+\.(?:py|md) of \w")
NEAR = 3  # the number of ids that are suggested for an unknown one


class CheckedClaim(NamedTuple):
    """A claim with its evidence by name, or the reason why it does not hold."""

    claim: Claim
    evidence: Mapping[str, Any]
    failure: str

    @property
    def stands(self) -> bool:
        return not self.failure


def check_claim(claim: Claim) -> CheckedClaim:
    """Construct a claim's evidence. The claim holds if every piece can be constructed, twice, and if the
    pieces support what the claim says (`_refuse`)."""
    try:
        evidence = claim.evidence()
        if not isinstance(evidence, dict) or not evidence:
            raise NotShown(f"the evidence is a dictionary of named pieces; got {evidence!r}")
        evidence = {name: check_again(piece) for name, piece in evidence.items()}
        _refuse(claim, evidence)
    except Exception as error:
        return CheckedClaim(claim, {}, _reason(claim, error))
    return CheckedClaim(claim, evidence, "")


def _refuse(claim: Claim, evidence: Mapping[str, Any]) -> None:
    """Raise NotShown unless the evidence supports the claim.

    The evidence must support the claim's verdict, and so must the pieces that the sentence shows whole. A
    definition must be used by a proof; a name with two meanings must be shown with both. A corrected
    statement must be proved, and an empirical claim must not contain a proof.
    """
    sentences = [sentence for sentence in (claim.checked, claim.correction) if sentence]
    shown = {name: display(piece) for name, piece in evidence.items()}
    for sentence in (*sentences, claim.brief):
        if sentence:
            sentence.runs(shown)
    checked, correction = (  # the pieces that a sentence shows whole
        [evidence[quote.name] for quote in sentence.quotes if quote.whole] if sentence else []
        for sentence in (claim.checked, claim.correction)
    )
    for pieces, which in ((evidence.values(), "the evidence"), (checked, "what the sentence shows whole")):
        carried = verdict_of(pieces)
        if carried is Verdict.REFUTED and claim.said_by:
            carried = Verdict.FOLKLORE
        if carried is not claim.verdict:
            raise NotShown(f"{which} supports the verdict {carried}, but the claim is {claim.verdict}")
    _refuse_names(sentences, evidence)
    if any(isinstance(piece, Misprint | Counterexample) for piece in correction):
        raise NotShown("a counterexample is not the right statement; show it in `checked`")
    says_proved, right_proved = (
        any(isinstance(x, (*PROVING, Definition)) for x in pieces) for pieces in (checked, correction)
    )
    match claim.verdict:
        case Verdict.CORRECTED | Verdict.REFUTED | Verdict.FOLKLORE if not right_proved:
            raise NotShown(
                f"a claim that is {claim.verdict} needs a right statement; show its proof whole in `correction`"
            )
        case Verdict.NO_THEOREM if says_proved:
            raise NotShown("a claim that is no theorem cannot show a proof; show it in `correction`")
        case Verdict.REFUTED if not claim.printed:
            raise NotShown("no document prints this: call it folklore, and cite in `said_by` who says it")
        case Verdict.FOLKLORE if claim.printed or not _cites(claim.said_by):
            raise NotShown(
                "folklore is printed by no document, and `said_by` cites a paper, an issue or code"
            )
        case Verdict.CORRECTED | Verdict.REFUTED | Verdict.FOLKLORE | Verdict.NO_THEOREM:
            return
    if claim.correction:
        raise NotShown(f"a claim that is {claim.verdict} has no other right statement; say it in `checked`")


def _refuse_names(sentences: Sequence[Sentence], evidence: Mapping[str, Any]) -> None:
    """Raise NotShown if no proof uses a definition, or if a name has two meanings and one is not shown."""
    used = {name for piece in evidence.values() if isinstance(piece, PROVING) for name in piece.definitions}
    for name in {piece for piece in evidence.values() if isinstance(piece, Definition)} - used:
        raise NotShown(f"{text(name.head)} is defined, and no proof of the claim uses it; show one that does")
    shown = {name for sentence in sentences for name in sentence.definitions(evidence)}
    for name in used - shown:
        quantity = base_of(name.head)
        if any(base_of(other.head) == quantity for other in used - {name}):
            raise NotShown(
                f"{quantity} means two things in this claim, one of them {text(name.body)}; show each in a"
                f" sentence, as «name.where {quantity}»"
            )


def _cites(said_by: str) -> bool:
    """Whether the text names a paper, or a public issue, pull request or file."""
    return any(each.paper for each in find_citations(said_by)) or bool(_PUBLIC.search(said_by))


def _reason(claim: Claim, error: Exception) -> str:
    """The error's message, with the line that raised it: of a function of the claim's file, or of the claim."""
    raised = "" if isinstance(error, ValueError) else f"its evidence raised {type(error).__name__}: "
    said = f"{raised}{error}"
    trace = walk_tb(error.__traceback__)
    lines = [line for frame, line in trace if frame.f_globals["__name__"] == claim.module]
    return f"{said} ({find_proof(claim)._replace(number=lines[-1])})" if lines else said


def choose(ids: Sequence[str], document: str | None = None, verdict: str | None = None) -> list[Claim]:
    """Choose claims, in the ledger's order. Raises ValueError for ids, documents or verdicts that do not exist."""
    if document is not None and document not in DOCUMENTS:
        raise ValueError(f"--document must be one of {', '.join(DOCUMENTS)}; got {document}")
    if verdict is not None and verdict not in list(Verdict):
        raise ValueError(f"--verdict must be one of {', '.join(Verdict)}; got {verdict!r}")
    found = {find_id(written) for written in ids}
    chosen = [
        CLAIMS[id]
        for id in sorted(found or CLAIMS, key=order)
        if document in (None, parts(id)[0]) and verdict in (None, CLAIMS[id].verdict)
    ]
    if not chosen:
        raise ValueError("ledger: no claim matches; leave out an id, --document or --verdict")
    return chosen


def find_id(written: str) -> str:
    """The id of a claim, written in any case: d3.4 is D3.4. Raises ValueError with near ones if there is none."""
    id = spell(written)
    if id in CLAIMS:
        return id
    name, number, _ = parts(id)
    own = sorted((other for other in CLAIMS if parts(other)[0] == name), key=order)
    near = sorted(own, key=lambda other: abs(parts(other)[1] - number))[:NEAR]
    raise ValueError(
        f"ledger: there is no {id}; similar ids are {', '.join(sorted(near, key=order))}; of {name} there are"
        f" {own[0]} … {own[-1]}"
    )


def find_proof(claim: Claim) -> Line:
    """The line where a claim is written."""
    room = claim.module.removeprefix(f"{sources.PACKAGE}.").replace(".", "/")
    return Line(f"{room}.py", claim.line)
