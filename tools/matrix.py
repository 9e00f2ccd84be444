"""Run `verify` and write its matrix into docs/matrix.md.

python tools/matrix.py             every loss
python tools/matrix.py myloss      these, and losses without rows; the other rows stay
"""

import os
import re
import sys
from collections.abc import Sequence

from repository import DOCS

from infonce_ref.figures.measurements import describe_conditions
from infonce_ref.progress import work_through
from infonce_ref.verify import judge, matrix

ALL = judge.list_registered()

MATRIX = DOCS / "matrix.md"
MADE = re.compile(r"(?<=float64, NumPy\.).*")  # to the end of the line
ROWS = re.compile(r"(?<=\n)(?:\| `.*\n)+")  # the rows of the first table whose cells begin with code


def read_rows() -> list[str]:
    """Return the rows of the matrix on the page."""
    return ROWS.search(MATRIX.read_text(encoding="utf-8"))[0].splitlines()


def loss_of(row: str) -> str:
    return row.split("`")[1]


def measure(losses: Sequence[str]) -> list[str]:
    """Check these losses and return their rows."""
    parts = judge.list_parts(losses, ["float64"], "numpy", processes=os.cpu_count() or 1)
    answered = list(work_through(judge.answer_part, parts, lambda part: part.loss, len(losses) > 1))
    found = judge.cells(check for checks in answered for check in checks)
    return [
        " | ".join([f"| `{loss}`", f"`{name}`", *(matrix.cell(row.get(w)).plain for w in judge.METHODS)])
        + " |"
        for (loss, name), row in found.items()
    ]


def write(new: Sequence[str], whole: bool) -> None:
    """Replace the rows, and the versions if all losses were checked."""
    text = MATRIX.read_text(encoding="utf-8")
    if whole:
        text = MADE.sub(f" All losses last: {describe_conditions('numpy', 'python-flint')}.", text, count=1)
    MATRIX.write_text(ROWS.sub("".join(f"{row}\n" for row in new), text, count=1), encoding="utf-8")


def main(named: Sequence[str]) -> None:
    kept = [row for row in read_rows() if loss_of(row) in ALL and named and loss_of(row) not in named]
    asked = [name for name in ALL if name not in map(loss_of, kept)]
    both = kept + measure(asked)
    write([row for name in ALL for row in both if loss_of(row) == name], whole=not kept)


if __name__ == "__main__":
    main(sys.argv[1:])
