"""Rewrite the statements in derivations/kernel/*.v and, if Coq is installed, accepted.json.

    python tools/kernel.py [FILE …]     only these files' statements; without, the record, and Coq is asked
                                        about the files that changed

To state a theorem, put `(*! D1.7: derivative *)` and `(*! *)` into a file, the id of the claim and the name of the
piece of its evidence, or `(*! query_key: by query *)`, a loss and a gradient; run this, and write the proof below.
"""

import sys
from functools import cache

from infonce_ref.derivations.kernel import coq, theorems
from infonce_ref.derivations.ledger import CLAIMS, settle


@cache
def evidence(id):
    return settle(CLAIMS[id]).evidence


def state(theorem):
    return theorems.export(theorem, evidence)


if __name__ == "__main__":
    for file in sys.argv[1:] or theorems.files():
        path = theorems.FOLDER / f"{file}.v"
        path.write_text(
            theorems.rewrite_statements(path.read_text(encoding="utf-8"), state), encoding="utf-8"
        )
    if len(sys.argv) == 1:
        stated = theorems.theorems()
        names = {theorem.name: state(theorem) for theorem in stated}
        # a file is what it was, statements and all: nothing would be judged otherwise
        kept = theorems.find_unchanged() if theorems.read_record()["coq"] == coq.version() else set()
        asked = [theorem for theorem in stated if theorem.file not in kept]
        axioms = set(theorems.read_record()["axioms"]) if kept else set()
        axioms |= set(coq.judge(asked, names, print).axioms) if asked else set()
        accepted = theorems.record((one.file for one in stated), coq.version(), axioms)
        theorems.RECORD.write_text(accepted, encoding="utf-8")
        print(
            f"{len(stated)} theorems accepted by Coq, of which {len(asked)} now, on {', '.join(sorted(axioms))}"
        )
