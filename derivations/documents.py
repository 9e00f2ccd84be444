"""The documents, and the ids of the claims that are made of them.

An id names a document and a row of it, with a letter where one row states several things: D1.13, M5, D2.15b.
`DOCUMENTS` says what the names mean; a new document is one line there.
"""

import re
from typing import NamedTuple


class Document(NamedTuple):
    """Where claims come from."""

    title: str
    about: str


DOCUMENTS = {
    "D1": Document("InfoNCE Loss Derivation", "a report, in Italian and English: the gradient over a batch"),
    "D2": Document(
        "对比学习损失函数InfoNCE",
        "a blog post, in Chinese: from NCE to InfoNCE, normalised features, hard negatives",
    ),
    "D3": Document(
        "Sesión 5.0 Self-supervised learning",
        "lecture slides, in Spanish: from pretext tasks and triplets to CLIP",
    ),
    "D4": Document("DHN-NCE Loss", "notes: how a loss with weighed hard negatives is vectorised"),
    "P": Document("The bound log N − 𝓛 on mutual information", "where it holds, setting by setting"),
    "M": Document("What the documents leave out", "results that their reader needs"),
    "S": Document("Numerically right forms", "what to compute so that no digit is lost"),
    "R": Document(
        "Results on the whole family",
        "worked out for this project; where a claim says so, somebody stated it before",
    ),
    "F": Document("The rest of the family", "the losses of other papers, each as its own prints it"),
}

# The name of a document that ends in a figure is set apart by a full stop: D1.13, but M5.
PATTERN = rf"(?:{'|'.join(name + (r'[.]' if name[-1].isdigit() else '') for name in DOCUMENTS)})\d+[a-z]?"
ID = re.compile(rf"(?<![\w.\\{{]){PATTERN}(?![\w^(])")


def parts(id: str) -> tuple[str, int, str]:
    """The document, the number and the letter of an id: ("D2", 15, "b"). Raises ValueError for what is none."""
    if not re.fullmatch(PATTERN, id):
        names = ", ".join(f"{name}.1" if name[-1].isdigit() else f"{name}1" for name in DOCUMENTS)
        raise ValueError(f"{id!r} is no id of a claim; ids look like {names}")
    name = next(name for name in DOCUMENTS if id.startswith(name))
    row = id.removeprefix(name).removeprefix(".")
    number = row.rstrip("abcdefghijklmnopqrstuvwxyz")
    return name, int(number), row.removeprefix(number)


def order(id: str) -> tuple[int, int, str]:
    """Sorts in the order of the documents, D1.2 before D1.10."""
    name, number, letter = parts(id)
    return list(DOCUMENTS).index(name), number, letter
