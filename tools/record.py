"""Prove each claim whose source changed since it was last proved, and write derivations/proved.json, from which the
ledger answers at once."""

from functools import partial

from infonce_ref.derivations import record
from infonce_ref.derivations.documents import order
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.progress import work_through

if __name__ == "__main__":
    work = partial(work_through, label=str, parallel=True)
    cards = record.settle(sorted(CLAIMS, key=order), work).values()
    record.RECORD.write_text(record.write(cards), encoding="utf-8")
    for one in cards:
        if not one.stands:
            print(f"{one.id}: {one.failure}")
