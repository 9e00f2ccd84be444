"""The quoted formulas, held to the texts of the documents by digests.

The documents are not in the repository. `python tools/review.py --documents FOLDER` looks for each formula of a
quotation in their texts, and writes the digests of those that it finds into quoted.toml. If a claim's quotation has
another digest, the claim fails. Blanks, fonts and the size of brackets are ignored. For a translation, the digest
of the original lines is stored too, so that anybody with the documents can check that they are the same lines.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from .documents import order, parts
from .evidence.claims import CLAIMS, Claim, split_formulas

FILE = Path(__file__).parent / "quoted.toml"
_FONTS = "left|right|[Bb]igg?[lr]?|quad|text|mathbf|boldsymbol|mathrm|mathbb|mathop|operatorname"
_SPELLING = re.compile(rf"\s+|\\(?:{_FONTS})(?![A-Za-z])|\\tag\{{[^}}]*\}}|\\[,;:!]|[{{}}$&]|~~|\*\*|\\\\")
_ALIKE = (("\\|", "||"), (r"\overline", r"\bar"), (r"\triangleq", ":="))  # two commands for one sign
_STRUCK = re.compile(r"\(struck out: (.*?)\)")
_CASES = re.compile(r"\\begin\{cases\}(.*?)\\end\{cases\}")
# commands whose backslash was lost when D3 was scanned
_LOST = ((r"(?<!\\b)oldsymbol", ""), ("\top", r"\\top"))
# The lines of a document that a quotation translates.
TRANSLATED: Mapping[str, tuple[int, ...]] = {
    "D2.1": (3,), "D2.4": (13,), "D2.5": (13,), "D2.15a": (41,), "D2.15b": (41,), "D2.16": (41,), "D2.18": (47,),
    "D3.7": (106, 108, 109), "D3.25": (297, 348), "D3.27": (350,), "D3.37": (410, 412), "D3.39": (416, 420),
    "D3.42": (465, 467, 469, 471),
}  # fmt: skip


def spell(formula: str) -> str:
    """Remove from a formula what does not change its meaning: blanks, braces, fonts, the size of brackets,
    strike-out marks.
    """
    formula = _CASES.sub(
        lambda found: f"[{found[1].replace('&', ':').strip(' .')}]", _STRUCK.sub(r"\1", formula)
    )
    spelled = _SPELLING.sub("", formula).strip(".,;:")
    for other, sign in _ALIKE:
        spelled = spelled.replace(other, sign)
    return spelled


def formulas(claim: Claim) -> Iterator[str]:
    """Return the formulas of a quotation, each side of a chain separately, split at …; or its words if it has
    no formula.
    """
    shown = [run.text for run in split_formulas(claim.printed) if run.latex]
    parts = shown or re.split("[…;:]", _STRUCK.sub(r"\1", claim.printed))
    for part in map(spell, parts):
        yield from (side for side in re.split(r"(?<!\\)=|…", part) if side)


def digest(claim: Claim) -> str:
    """Return the digest of a quotation's formulas, in the documents' spelling."""
    return _hash("\n".join(formulas(claim)))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_documents(folder: Path) -> dict[str, str]:
    """The texts of the documents by their names, spelled as formulas are. Raises ValueError if there are none."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("D*.txt")):
        name = path.stem.partition("-")[0]
        text = path.read_text(encoding="utf-8")
        for lost, whole in _LOST:
            text = re.sub(lost, whole, text)
        found[name] = found.get(name, "") + spell(text)
    if not found:
        raise ValueError(f"{folder} has no texts D1-en.txt, D2.txt, …")
    return found


def find_passages(documents: Mapping[str, str], lines: Mapping[str, Sequence[str]] = {}) -> dict[str, str]:
    """Find the quotations in the documents. Return by claim id the digests of those whose every formula
    occurs there; for a translation, also the digest of the original lines.
    """
    found = {}
    for id, claim in sorted(CLAIMS.items(), key=lambda item: order(item[0])):
        name = parts(id)[0]
        if id in TRANSLATED and name in lines:
            original = "\n".join(lines[name][number - 1].strip() for number in TRANSLATED[id])
            found[id] = f"{digest(claim)} {_hash(original)} {name}:{','.join(map(str, TRANSLATED[id]))}"
        elif claim.printed and all(each in documents.get(name, "") for each in formulas(claim)):
            found[id] = digest(claim)
    return found


def read_lines(folder: Path) -> dict[str, list[str]]:
    """The lines of the documents that are translated, by the documents' names."""
    names = sorted({parts(id)[0] for id in TRANSLATED})
    return {name: (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines() for name in names}


def write(passages: Mapping[str, str]) -> str:
    """The text of quoted.toml."""
    return "".join(f'"{id}" = "{known}"\n' for id, known in passages.items())


@cache
def read() -> Mapping[str, str]:
    """The digests that were found in the documents, by the claims' ids."""
    return tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def find_change(claim: Claim) -> str:
    """Return a sentence if a quotation differs from its document, else ""."""
    known = read().get(claim.id, "").partition(" ")[0]
    return "" if known in ("", digest(claim)) else "its quotation is not what stands in the document"
