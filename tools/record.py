"""Prove each claim whose source changed since it was last proved, and write derivations/proved.json, from which the
ledger answers at once."""

from infonce_ref.derivations import record
from infonce_ref.derivations.documents import order
from infonce_ref.derivations.evidence.claims import CLAIMS
from infonce_ref.derivations.pages import claim_card
from infonce_ref.progress import work_through

if __name__ == "__main__":
    # the last claims have the longest proofs: start with these, so that the processes end together
    known = record.read()
    changed = sorted(set(CLAIMS) - set(known), key=order, reverse=True)
    known |= {one.id: one for one in work_through(claim_card.check_card, changed, str, parallel=True)}
    cards = [known[id] for id in sorted(CLAIMS, key=order)]
    record.RECORD.write_text(record.write(cards), encoding="utf-8")
    for one in cards:
        if not one.stands:
            print(f"{one.id}: {one.failure}")
