"""What was proved, and from what: proved.json has the card of each claim, so that the ledger answers at once.

A card is recorded with a digest of itself and of what it rests on: the file of the claim, all that this imports
of the proofs, what settles and renders a claim, and what Coq accepted. A card whose digest differs is proved anew.
"""

import json
import re
from collections.abc import Callable, Container, Iterable, Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

from .evidence.spans import Piece, Span
from .evidence.verdicts import Verdict
from .sources import Line, citations

FOLDER = Path(__file__).parent
RECORD = FOLDER / "proved.json"
# what settles and renders every claim, besides what its file imports
MAKERS = (
    *("ledger.py", "papers.py", "documents.py", "pages/claim_card.py"),
    *("coq/theorems.py", "coq/export.py", "coq/spelling.py", "coq/vocabulary.v", "coq/accepted.json"),
)
LIVE = ("stated", "cited")  # fields of a card that are not recorded
_IMPORT = re.compile(r"^\s*from (\.+)([\w.]*) import (\([^)]*\)|.+)$", re.M)


class ClaimCard(NamedTuple):
    """said: its statements, by heading · evidence: its pieces, by name · coq: whether Coq accepted
    every piece that can be stated in it · failure: why it does not hold, or "" · stated: its theorems in Coq ·
    without: pieces without a theorem, with the reason · proof and cited: lines of the sources · brief: a summary
    for its first screen, or [] · symbols: letters that the words there do not name, with their meanings.
    """

    id: str
    verdict: Verdict
    said: dict[str, list[Span]]
    evidence: dict[str, Piece]
    coq: bool
    failure: str
    stated: list[Any]
    without: list[tuple[str, str]]
    proof: Line
    cited: list[Line]
    brief: list[Span]
    symbols: list[tuple[str, str]]

    @property
    def stands(self) -> bool:
        return not self.failure

    @property
    def first(self) -> list[list[Span]]:
        """The sentences of its first screen, in one or two parts."""
        return (
            [self.brief] if self.brief else [self.said[x] for x in ("statement", "right") if x in self.said]
        )


@cache
def find_imports(file: Path) -> frozenset[Path]:
    """The files of the proofs that this one imports."""
    found: set[Path] = set()
    for dots, module, names in _IMPORT.findall(file.read_text(encoding="utf-8")):
        place = file.parents[len(dots) - 1].joinpath(*filter(None, module.split(".")))
        for name in re.findall(r"\w+", re.sub(r" as \w+|#.*", "", names)):
            inside = [(place / name).with_suffix(".py"), place / name / "__init__.py"]
            files = [
                path for path in (*inside, place.with_suffix(".py"), place / "__init__.py") if path.exists()
            ]
            found |= {path for path in files[:1] if path.is_relative_to(FOLDER)}
    return frozenset(found)


def find_sources(file: Path) -> set[Path]:
    """The files of the proofs on which the cards of this file's claims rest."""
    waiting, found = [file], {FOLDER / name for name in MAKERS}
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += find_imports(one)
    return found


@cache
def digest(file: Path) -> str:
    """The digest of what the claims of a file rest on."""
    texts = [
        f"{one.relative_to(FOLDER)}\n{one.read_text(encoding='utf-8')}" for one in sorted(find_sources(file))
    ]
    return hash_text("\n".join(texts))


def hash_text(text: str) -> str:
    """The digest of a text."""
    return blake2b(text.encode(), digest_size=8).hexdigest()


def seal(card: Mapping[str, Any]) -> str:
    """The digest of a card as it is recorded, and of what its claim rests on."""
    path, _ = card["proof"]
    return hash_text(f"{digest(FOLDER.parent / path)}\n{json.dumps(card, sort_keys=True)}")


def read(ids: Container[str] | None = None) -> dict[str, ClaimCard]:
    """The recorded cards that are not stale, by id, without their theorems; of these claims, or of all. The claims
    themselves are not imported, because SymPy would take seconds."""
    found = _parse(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}
    return {
        id: _decode(card)
        for id, (known, card) in found.items()
        if (ids is None or id in ids) and (FOLDER.parent / card["proof"][0]).is_file() and known == seal(card)
    }


_parse = lru_cache(maxsize=1)(json.loads)


def settle(
    ids: Iterable[str], work: Callable[..., Iterable[ClaimCard]] = map, anew: bool = False
) -> dict[str, ClaimCard]:
    """The cards of these claims by id: from the record, or checked now if it has none, all of them if anew. work:
    calls a function of each id, like map."""
    ids = list(ids)
    known = {} if anew else read(ids)
    # the last claims have the longest proofs: begin with these, so that several processes end together
    if missing := [id for id in reversed(ids) if id not in known]:
        from .pages.claim_card import check_card  # imports every claim, which takes seconds

        known |= {card.id: card for card in work(check_card, missing)}
    return {id: known[id] for id in ids}


def _decode(card: Mapping[str, Any]) -> ClaimCard:
    """A card from JSON, with the lines that cite it now."""
    found: Any = ClaimCard(**card, stated=[], cited=citations().get(card["id"], []))
    return found._replace(
        verdict=Verdict(found.verdict),
        said={heading: [*map(_span, runs)] for heading, runs in found.said.items()},
        evidence={name: _piece(*parts) for name, parts in found.evidence.items()},
        brief=[*map(_span, found.brief)],
        without=[(piece, why) for piece, why in found.without],
        proof=Line(*found.proof),
        symbols=[(letter, meaning) for letter, meaning in found.symbols],
    )


def _piece(kind: str, says: str, states: Any, lines: Any, where: Any, assuming: list[str]) -> Piece:
    return Piece(kind, says, _span(states), (*map(_span, lines),), (*map(_span, where),), (*assuming,))


def _span(run: Any) -> Span:
    return Span(*run)._replace(symbols=tuple(run[-1]))


def write(cards: Iterable[ClaimCard]) -> str:
    """The record of cards that stand, a line each."""
    lines = []
    for card in cards:
        if card.stands:
            kept = {name: x for name, x in card._asdict().items() if name not in LIVE}
            lines.append(f"{json.dumps(card.id)}: {json.dumps([seal(kept), kept], ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def compare(cards: Iterable[ClaimCard]) -> list[str]:
    """What the record says otherwise than cards that were proved just now."""
    known = read()
    return [
        f"proved.json has another text of {card.id}: run python tools/record.py"
        for card in cards
        if card.id in known and known[card.id] != card._replace(stated=[])
    ]
