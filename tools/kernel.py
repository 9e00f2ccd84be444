"""Rewrite the statements in derivations/kernel/*.v and, if Coq is installed, accepted.json.

    python tools/kernel.py [FILE …]     only these files' statements; without FILE also the record, and Coq checks
                                        the files that changed
    python tools/kernel.py --since RECORD
                                        write nothing: Coq checks the files that differ from RECORD, an earlier
                                        accepted.json

To state a theorem, put `(*! D1.7: derivative *)` and `(*! *)` into a file, the id of the claim and the name of the
piece of its evidence, or `(*! query_key: by query *)`, a loss and a gradient; run this, and write the proof below.
"""

import sys
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

from infonce_ref.derivations.kernel import coq, theorems
from infonce_ref.derivations.ledger import CLAIMS, settle


@cache
def evidence(id):
    return settle(CLAIMS[id]).evidence


def state(theorem):
    return theorems.export(theorem, evidence)


def judge(stated, record):
    """Have Coq check the theorems of the files that differ from a record; return their number, and the axioms
    of all.
    """
    # an unchanged file, with its statements, was accepted by this Coq already
    same_coq = theorems.read_record(record)["coq"] == coq.version()
    kept = theorems.find_unchanged(record) if same_coq else set()
    asked = [theorem for theorem in stated if theorem.file not in kept]
    axioms = set(theorems.read_record(record)["axioms"]) if kept else set()
    if asked:
        axioms |= set(coq.judge(asked, {theorem.name: state(theorem) for theorem in asked}, print).axioms)
    return len(asked), axioms


def rewrite(files):
    for file in files:
        path = theorems.FOLDER / f"{file}.v"
        path.write_text(
            theorems.rewrite_statements(path.read_text(encoding="utf-8"), state), encoding="utf-8"
        )


if __name__ == "__main__":
    since = Path(sys.argv[2]) if sys.argv[1:2] == ["--since"] else None
    if not since:
        rewrite(sys.argv[1:] or theorems.files())
    if since or len(sys.argv) == 1:
        stated = theorems.theorems()
        count, axioms = judge(stated, since or theorems.RECORD)
        if not since:
            date = str(datetime.now(UTC).date()) if count else theorems.read_record()["date"]
            accepted = theorems.record((one.file for one in stated), coq.version(), date, axioms)
            theorems.RECORD.write_text(accepted, encoding="utf-8")
        print(f"{len(stated)} theorems accepted by Coq, of which {count} now, on {', '.join(sorted(axioms))}")
