"""Asks the judge, and writes what it found into docs/matrix.md, its first rows into the README.

python tools/matrix.py             every loss
python tools/matrix.py myloss      these, and any that has no rows yet; the other rows stay as they are
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from repository import DOCS, ROOT

from infonce_ref.progress import each
from infonce_ref.verify import judge, matrix

ALL = judge.registered()

MATRIX, README = DOCS / "matrix.md", ROOT / "README.md"
ROWS = re.compile(r"(?<=\n)(?:\| `.*\n)+")  # the rows of the first table whose cells begin with code


def rows(path: Path) -> list[str]:
    """The rows of the matrix in a file."""
    return ROWS.search(path.read_text(encoding="utf-8"))[0].splitlines()


def loss_of(row: str) -> str:
    return row.split("`")[1]


def measured(losses: Sequence[str]) -> list[str]:
    """The rows of these losses, asked now."""
    questions = [question for name in losses for question in judge.numbered(name, "float64", "numpy")]
    heard = list(each(judge.hear_numbered, questions, lambda question: question.loss, len(losses) > 1))
    found = judge.cells(check for checks in heard for check in checks)
    return [
        " | ".join([f"| `{loss}`", f"`{name}`", *(matrix.cell(row.get(w)).plain for w in judge.WITNESSES)])
        + " |"
        for (loss, name), row in found.items()
    ]


def write(path: Path, new: Sequence[str]) -> None:
    text = path.read_text(encoding="utf-8")
    path.write_text(ROWS.sub("".join(f"{row}\n" for row in new), text, count=1), encoding="utf-8")


def main(named: Sequence[str]) -> None:
    kept = [row for row in rows(MATRIX) if loss_of(row) in ALL and named and loss_of(row) not in named]
    asked = [name for name in ALL if name not in map(loss_of, kept)]
    both = kept + measured(asked)
    write(MATRIX, [row for name in ALL for row in both if loss_of(row) == name])
    write(README, rows(MATRIX)[: len(rows(README))])


if __name__ == "__main__":
    main(sys.argv[1:])
