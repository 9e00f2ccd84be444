"""The documents, and the ids of their claims.

An id names a document and a row of it, with a letter if one row states several things: D1.13, M5, D2.15b.
`DOCUMENTS` says what the names mean; a new document is one line there.
"""

import re
from typing import NamedTuple


class Document(NamedTuple):
    """A source of claims: its title, one line about it, and a longer description.

    translated: the title in English, for readers or fonts without its letters.
    """

    title: str
    about: str
    described: str = ""
    translated: str = ""

    @property
    def called(self) -> str:
        """Return its name as shown on pages."""
        return self.translated or self.title


DOCUMENTS = {
    "D1": Document(
        "InfoNCE Loss Derivation",
        "a report, in Italian and English: the gradient over a batch",
        "A short report, once in Italian and once in English. It defines InfoNCE over a batch of unit rows, two"
        " views of each image, with every row among its own candidates; it differentiates the loss by the logits"
        " and then by the rows, and ends with the gradient as a product of matrices.",
    ),
    "D2": Document(
        "对比学习损失函数InfoNCE",
        "a blog post, in Chinese: from NCE to InfoNCE, normalised features, hard negatives",
        "A blog post in Chinese, 对比学习损失函数InfoNCE. It makes InfoNCE of NCE, by a softmax in the place of a"
        " question with two answers, differentiates it by the unit row and through the normalisation, and"
        " concludes from the gradient what normalised features do to hard and to easy samples, and what a larger"
        " set of negatives does.",
        "The loss of contrastive learning, InfoNCE",
    ),
    "D3": Document(
        "Sesión 5.0 Self-supervised learning",
        "lecture slides, in Spanish: from pretext tasks and triplets to CLIP",
        "The slides of a lecture, in Spanish: pretext tasks, the triplet loss, SimCLR and NT-Xent, instance"
        " discrimination by NCE, mutual information and the bound of contrastive predictive coding, MoCo, BYOL,"
        " SimSiam, CLIP. Their formulas and algorithms come from the papers that they present. The text was read"
        " by a machine, and some formulas were damaged by that; where this is the mistake, the claim says so.",
    ),
    "D4": Document(
        "DHN-NCE Loss",
        "notes: how a loss with weighed hard negatives is vectorised",
        "Handwritten notes in English, read by a machine, lines that are struck out included. They begin with"
        " DHN-NCE as sums over a batch and look for a form in matrices, for a graphics card to run.",
    ),
    "P": Document(
        "The bound log N − 𝓛 on mutual information",
        "where it holds, setting by setting",
        "Worked out for this project: how the candidates of each loss are drawn, and what follows from that for the"
        " information that the two views share.",
    ),
    "M": Document(
        "What the documents leave out",
        "results that their reader needs",
        "Worked out for this project: gradients, ranges, limits and special cases that somebody who reads the"
        " documents would ask for next.",
    ),
    "S": Document(
        "Numerically right forms",
        "what to compute so that no digit is lost",
        "Worked out for this project: the forms of the softmax that the code uses, equal to the printed ones and"
        " safe in floating point.",
    ),
    "R": Document(
        "Results on the whole family",
        "worked out for this project; where a claim says so, somebody stated it before",
        "Worked out for this project. Where somebody stated a result before, or a part of it, the claim cites the"
        " paper.",
    ),
    "F": Document(
        "The rest of the family",
        "the losses of other papers, each as its own prints it",
        "The definitions and gradients of the losses that the four documents leave out, from the papers below.",
    ),
}

# A dot follows a document's name if it ends in a digit: D1.13, but M5.
PATTERN = rf"(?:{'|'.join(name + (r'[.]' if name[-1].isdigit() else '') for name in DOCUMENTS)})\d+[a-z]?"
ID = re.compile(rf"(?<![\w.\\{{]){PATTERN}(?![\w^(])")


def spell(written: str) -> str:
    """An id, written in any case: d3.4 is D3.4; other words as they are."""
    id = written.strip().capitalize()
    return id if id in DOCUMENTS or re.fullmatch(PATTERN, id) else written


def parts(id: str) -> tuple[str, int, str]:
    """The document, the number and the letter of an id: ("D2", 15, "b"). Raises ValueError for other words."""
    if not re.fullmatch(PATTERN, id):
        names = ", ".join(f"{name}.1" if name[-1].isdigit() else f"{name}1" for name in DOCUMENTS)
        whole = f"; --document {id} shows all of its claims" if id in DOCUMENTS else ""
        raise ValueError(
            f"{id!r} is no id of a claim; ids look like {names}; `infonce-ref ledger` lists all{whole}"
        )
    name = next(name for name in DOCUMENTS if id.startswith(name))
    number, letter = re.findall(r"(\d+)(\D?)$", id)[0]
    return name, int(number), letter


def order(id: str) -> tuple[int, int, str]:
    """The sort key of ids, in the order of the documents: D1.2 before D1.10."""
    name, number, letter = parts(id)
    return list(DOCUMENTS).index(name), number, letter


def find_card(id: str) -> str:
    """Return the address of a claim's card, from the folder of the lessons."""
    return f"ledger/{parts(id)[0]}.html#{id}"
