"""The quoted formulas, held to the texts of the documents by digests.

The documents are not in the repository. `python tools/review.py --documents FOLDER` looks for each formula of a
quotation in their texts, and writes the digests of those that it finds into quoted.toml: a claim whose quotation is
another does not stand. Blanks, fonts and the size of brackets do not count.
"""

import hashlib
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from .documents import order, parts
from .evidence.claims import CLAIMS, Claim, split_formulas

FILE = Path(__file__).parent / "quoted.toml"
_FONTS = "left|right|[Bb]igg?[lr]?|quad|mathbf|boldsymbol|mathrm|mathbb|mathop|operatorname"
_SPELLING = re.compile(rf"\s+|\\(?:{_FONTS})(?![A-Za-z])|\\tag\{{[^}}]*\}}|\\[,;:!]|[{{}}$&]|~~")
_ALIKE = (("\\|", "||"), (r"\overline", r"\bar"))  # two commands for one sign


def spell(formula: str) -> str:
    """A formula without what does not change its meaning: blanks, braces, fonts, the size of brackets, the marks
    of words that are struck out."""
    spelled = _SPELLING.sub("", formula).strip(".,;:")
    for other, sign in _ALIKE:
        spelled = spelled.replace(other, sign)
    return spelled


def formulas(claim: Claim) -> Iterator[str]:
    """The formulas of a quotation, each side of a chain by itself, or its words if it has none; parts at …."""
    shown = [run.text for run in split_formulas(claim.printed) if run.latex]
    for formula in shown or [claim.printed] * bool(claim.printed):
        yield from (side for side in re.split(r"(?<!\\)=|…", spell(formula)) if side)


def digest(claim: Claim) -> str:
    """A digest of the formulas of a quotation, as they are spelled in a document."""
    return hashlib.sha256("\n".join(formulas(claim)).encode()).hexdigest()[:16]


def read_documents(folder: Path) -> dict[str, str]:
    """The texts of the documents by their names, spelled as formulas are. Raises ValueError if there are none."""
    found: dict[str, str] = {}
    for path in sorted(folder.glob("D*.txt")):
        name = path.stem.partition("-")[0]
        found[name] = found.get(name, "") + spell(path.read_text(encoding="utf-8"))
    if not found:
        raise ValueError(f"{folder} has no texts D1-en.txt, D2.txt, …")
    return found


def find_passages(documents: Mapping[str, str]) -> dict[str, str]:
    """Return, by claim id, the digests of the quotations whose every formula is found in the document."""
    return {
        id: digest(claim)
        for id, claim in sorted(CLAIMS.items(), key=lambda item: order(item[0]))
        if claim.printed and all(each in documents.get(parts(id)[0], "") for each in formulas(claim))
    }


def write(passages: Mapping[str, str]) -> str:
    """The text of quoted.toml."""
    return "".join(f'"{id}" = "{known}"\n' for id, known in passages.items())


@cache
def read() -> Mapping[str, str]:
    """The digests that were found in the documents, by the claims' ids."""
    return tomllib.loads(FILE.read_text(encoding="utf-8")) if FILE.is_file() else {}


def find_change(claim: Claim) -> str:
    """Say that a quotation is not what stood in its document, or ""."""
    known = read().get(claim.id)
    return "" if known in (None, digest(claim)) else "its quotation is not what stands in the document"
