"""Have Coq check the theorems whose statement or proof changed, and write derivations/coq/accepted.json.

python tools/coq.py                 what differs from accepted.json
python tools/coq.py --since RECORD  what differs from an earlier accepted.json; what the one here has beyond that
                                    and beyond what Coq accepts now is an error
python tools/coq.py FILE …          run no Coq: write these files into build/coq, statements and proofs, for an
                                    editor
"""

import sys
from datetime import UTC, datetime
from pathlib import Path

from repository import ROOT

from infonce_ref.derivations.coq import accepted, checker, theorems
from infonce_ref.derivations.evidence.claims import CLAIMS
from infonce_ref.progress import work_through

BUILD = ROOT / "build" / "coq"


def find_all():
    """The theorems that Coq must accept."""
    ids = [
        *CLAIMS,
        *theorems.ALL_GRADIENTS,
    ]  # in this order, by which a theorem of several claims has its name
    found = list(work_through(theorems.find_theorems, ids, str, parallel=True))
    return theorems.choose(one for part in found for one in part)


def check(every, base):
    """Have Coq check what differs from a record; return the number of theorems, and the axioms of all."""
    same_coq = base["coq"] == checker.version()
    changed = theorems.find_changed(every, base) if same_coq else every
    axioms = set(base["axioms"]) if len(changed) < len(every) else set()
    if changed:
        axioms |= set(checker.judge(changed, print).axioms)
    return len(changed), axioms


def write_build(files):
    """Write the library and these files for an editor."""
    BUILD.mkdir(parents=True, exist_ok=True)
    chosen = [one for one in find_all() if one.file in files]
    for file, text in checker.write_files(chosen).items():
        (BUILD / f"{file}.v").write_text(text, encoding="utf-8")
        print(BUILD / f"{file}.v")


def main(words):
    if words and words[0] != "--since":
        return write_build(words)
    base, before = accepted.read_record(Path(words[1]) if words else None), accepted.read_record()
    every = find_all()
    count, axioms = check(every, base)
    date = str(datetime.now(UTC).date()) if count else base["date"]
    written = theorems.write_record(every, checker.version(), date, axioms)
    accepted.RECORD.write_text(written, encoding="utf-8")
    print(f"{len(every)} theorems accepted by Coq, of which {count} now, on {', '.join(sorted(axioms))}")
    allowed = {*base["theorems"].values(), *accepted.read_record()["theorems"].values()}
    forged = [mark for mark, key in before["theorems"].items() if key not in allowed]
    return f"accepted.json had {', '.join(forged)}, which Coq has not accepted" if forged else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
