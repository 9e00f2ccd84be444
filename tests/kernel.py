"""Writes the statements in derivations/kernel/*.v anew, and, where Coq is installed, accepted.json.

    python tests/kernel.py [FILE …]     only these files' statements; the record is of all

To state a theorem, put `(*! D1.7: derivative *)` and `(*! *)` into a file, the id of the claim and the name of the
piece of its evidence; run this, and write the proof beneath.
"""

import sys
from functools import cache

from infonce_ref.derivations.kernel import coq, theorems
from infonce_ref.derivations.kernel.export import proposition
from infonce_ref.derivations.ledger import CLAIMS, settle


@cache
def evidence(id):
    return settle(CLAIMS[id]).evidence


def said(id, piece):
    """The proposition of a piece of a claim's evidence."""
    return proposition(evidence(id)[piece])


def propositions(of):
    return {theorem.name: said(theorem.id, theorem.piece) for theorem in of}


if __name__ == "__main__":
    for file in sys.argv[1:] or theorems.files():
        path = theorems.FOLDER / f"{file}.v"
        path.write_text(theorems.written(path.read_text(encoding="utf-8"), said), encoding="utf-8")
    if len(sys.argv) == 1:
        stated = theorems.theorems()
        names = propositions(stated)
        accepted = coq.judge(stated, names, print)
        kept = theorems.record(((one, names[one.name]) for one in stated), *accepted)
        theorems.RECORD.write_text(kept, encoding="utf-8")
        print(f"{len(stated)} theorems accepted by Coq {accepted.coq}, on {', '.join(accepted.axioms)}")
