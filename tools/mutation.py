"""Mutation testing: change one thing in a file at a time; `verify` or the tests of that file must fail.

python tools/mutation.py                                   every file
python tools/mutation.py infonce_ref/losses/ntxent.py      these
python tools/mutation.py --table [FILE …]                  also write the scores into docs/mutation.md
python tools/mutation.py --table --stale                   those whose row is missing or of other code
python tools/mutation.py --stale --minutes 90              of these as many as fit, different ones each day

A mutant is one rewritten file in a copy of the tree. Each is tried in its own process, forked from one that has
SymPy and other large packages loaded. The tests of a shared file come first, then `verify` at its fixed points, the
tests of the losses, and `verify` with its random cases and 50 digits, until one fails; survivors are tried against
the losses' tests in PyTorch, JAX and Dask. A mutant of a file that checks other code is tried against the quick
tests that run the changed line, the quickest first, then some that run its file, then the slow tests that do;
coverage learns once which test runs which line. The exit status is 1 if a mutant survives that
tools/equivalent_mutants.toml does not explain, or if an explained mutant is killed or no longer exists. Existing
mutation testers start Python anew for each mutant and cannot run `verify` first.
"""

import argparse
import datetime
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import measure
from mutant_trials import KILLERS, LIMIT, copy_tree, find_killer, try_mutant
from mutants import Mutant, generate_mutants, print_code, print_plainly
from mutated_files import find_judge, list_files, name_source
from repository import DOCS, ROOT
from watched_tests import try_judge

EQUIVALENT = Path(__file__).parent / "equivalent_mutants.toml"
SAMPLE = 10  # number of mutants tried in each file that checks other code


def read_reasons() -> dict[tuple[str, str, str], str]:
    """Read for each equivalent mutant the reason why it is equivalent."""
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    return {(x["file"], x["function"], x["change"]): x["reason"] for x in table}


class Score(NamedTuple):
    """The results for the mutants of one file: how many each kind of check killed, the remarks, the time."""

    file: str
    found: Counter
    wrongs: list[str]
    seconds: float
    mutants: int = 0  # all of the file's; perhaps only a sample was tried

    @property
    def killed(self) -> int:
        return sum(self.found[name] for name in KILLERS[1:])

    @property
    def judged(self) -> int:
        """Return the number of mutants that are not equivalent."""
        return self.killed + self.found["survived"]

    def __str__(self) -> str:
        by = ", ".join(f"{self.found[name]} by {name}" for name in KILLERS[1:] if self.found[name])
        killed = f"{self.killed} of {self.judged} killed ({by}); {self.found['equivalent']} equivalent"
        return f"{self.file}: {killed}; {self.seconds:.0f} s"


def draw(mutants: Sequence[Mutant], file: str) -> Sequence[Mutant]:
    """Return all mutants of a file, or for a file that checks other code a sample, the same in every run."""
    if not find_judge(file) or len(mutants) <= SAMPLE:
        return mutants
    chosen = random.Random(file).sample(range(len(mutants)), SAMPLE)
    return [mutants[place] for place in sorted(chosen)]


def try_file(tree: Path, file: str) -> Score:
    """Try every mutant of a file; print the survivors and the score."""
    source, reasons, judge = (tree / file).read_text(encoding="utf-8"), read_reasons(), find_judge(file)
    plain = print_plainly(source)
    start, spent = time.monotonic(), os.times()
    mutants = [mutant for mutant in generate_mutants(plain) if mutant.source != plain]
    tried = draw(mutants, file)
    if not judge and try_mutant(tree, file, plain) != "survived":
        refused = [f"{file}: the judge or the tests refuse it as it is"]
        return Score(file, Counter(), refused, 0.0, len(mutants))
    own = sum(os.times()[2:4]) - sum(spent[2:4])  # of the children
    limit = max(30.0, LIMIT * own)
    score, survivors = Score(file, Counter(), [], 0.0, len(mutants)), []
    for mutant in tried:
        by = try_judge(tree, file, mutant) if judge else try_mutant(tree, file, mutant.source, limit=limit)
        if by == "survived":
            survivors.append(mutant)
            print(f"  {file}, {mutant.function}: {mutant.change} is not killed", flush=True)
        else:
            score.found[by] += 1
    unexplained = [x for x in survivors if (file, x.function, x.change) not in reasons]
    score.found["equivalent"] = len(survivors) - len(unexplained)
    in_frameworks = partial(find_killer, by_frameworks=True)
    if unexplained and not judge and try_mutant(tree, file, plain, in_frameworks) != "survived":
        score.wrongs.append(f"{file}: the tests in the frameworks refuse it as it is")
    for mutant in unexplained:
        by = "survived" if judge else try_mutant(tree, file, mutant.source, in_frameworks)
        score.found[by] += 1
        if by == "survived":
            score.wrongs.append(f"{file}, {mutant.function}: {mutant.change}")
    (tree / file).write_text(source, encoding="utf-8")
    seen = {(file, x.function, x.change) for x in survivors}
    asked = {(file, x.function, x.change) for x in tried} if judge else set(reasons)
    for key in reasons:
        if key[0] == file and key in asked - seen:
            score.wrongs.append(f"{file}, {key[1]}: {key[2]}: explained and not there")
    score = score._replace(seconds=time.monotonic() - start)
    print(score, flush=True)
    return score


PAGE = DOCS / "mutation.md"
HEAD = """\
# Mutation testing

`python tools/mutation.py --table` changes one thing in a file at a time: an operator, a comparison, a number, a
sign, an axis, the order of arguments, an option's string, or it deletes a statement. Since 2026-11-25 it also
deletes assignments, keyword arguments (such as the fields of a `LOSS` entry), decorators, one side of *and* and
*or* or of a chained comparison, halves constants, and changes those of modules and classes; earlier rows are
without these. Each mutant is tried against the file's own tests, `verify` ("the judge") at its fixed points, the
tests of the losses, `verify` at its random cases and with 50 digits, and the tests in PyTorch, JAX and Dask, until
one of them fails.

Files that check other code (prover, evidence, export to Coq, ledger, review, `verify`, `conformance`, the names of
mistakes) have many mutants. Of each such file a fixed random sample of 10 is tried (25 in some rows before
2026-11-25), and the second column also gives their total number. These mutants are tried against the quick tests
that run the changed line, then some others that run the file; a part of `verify` then judges its loss, or two,
which it must not refuse; then (since 2026-11-26) the slow tests that run the line are tried; if no quick test does,
all slow tests of the folder. What runs only at import is tried against every test of the folder.

An endless loop and a file that cannot be imported count as killed. Each row belongs to the given day and source,
the first digits of `git hash-object FILE`; comments, docstrings and imports may have changed since. After a change
of the code `python tools/mutation.py --stale` tries the file again. `tools/equivalent_mutants.toml` says why each
equivalent mutant computes the same. If tests were added after a run, at least its survivors were tried again. A
file without a row has not been run to the end.

| file | mutants | by the judge | by the tests | otherwise | equivalent | survived | day | source |
|---|---|---|---|---|---|---|---|---|
"""


def write_row(score: Score, source: bytes) -> str:
    """Write a line of the page."""
    found = score.found
    otherwise = found["the time limit"] + found["the import"]
    counts = [found["the judge"], found["the tests"], otherwise, found["equivalent"], found["survived"]]
    day = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
    tried = f"{found.total()} of {score.mutants}" if score.mutants > found.total() else found.total()
    cells = [f"`{score.file}`", *map(str, (tried, *counts)), day, f"`{name_source(source)}`"]
    return f"| {' | '.join(cells)} |"


def read_rows() -> dict[str, str]:
    """Read the rows of the existing page, by file."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    return {line.split("`")[1]: line for line in text.splitlines() if line.startswith("| `")}


def is_stale(file: str) -> bool:
    """Return whether the page lacks a row for the present code of a file: comments, docstrings and imports
    may differ from those of the row's source, if Git has it.
    """
    row, source = read_rows().get(file, ""), (ROOT / file).read_bytes()
    same = f"`{name_source(source)}`" in row
    if same or not row or not shutil.which("git"):
        return not same
    asked = ["git", "cat-file", "blob", row.split("`")[-2]]
    found = subprocess.run(asked, cwd=ROOT, capture_output=True, check=False)
    return found.returncode != 0 or print_code(found.stdout.decode()) != print_code(source.decode())


def shuffle_by_day(files: Sequence[str], day: datetime.date) -> list[str]:
    """Return the files in an order that changes every day, so that a time limit leaves out different ones."""
    return random.Random(day.isoformat()).sample(files, len(files))


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python tools/mutation.py")
    parser.add_argument("file", nargs="*", help=f"such as {list_files()[0]}; all, if none is named")
    parser.add_argument(
        "--table", action="store_true", help=f"write the scores into {PAGE.relative_to(ROOT)}"
    )
    parser.add_argument("--stale", action="store_true", help="only files whose present code has no score")
    parser.add_argument(
        "--minutes", type=float, help="begin no file after this many minutes; the order changes every day"
    )
    options = parser.parse_args(arguments)
    unknown = [file for file in options.file if not (ROOT / file).exists()]
    if unknown:
        parser.error(f"no such file: {', '.join(unknown)}; name files as {list_files()[0]}")
    wrongs, start = [], time.monotonic()
    files = [file for file in options.file or list_files() if not options.stale or is_stale(file)]
    if options.minutes is not None:
        files = shuffle_by_day(files, datetime.datetime.now(datetime.UTC).date())
    with tempfile.TemporaryDirectory() as folder:
        tree = copy_tree(folder, files)
        for place, file in enumerate(files):
            if options.minutes is not None and time.monotonic() - start > 60 * options.minutes:
                print(f"{options.minutes:g} minutes are over: {place} of {len(files)} files were tried")
                break
            score = try_file(tree, file)
            wrongs += score.wrongs
            if options.table and (score.found or not score.mutants):
                lines = read_rows() | {file: write_row(score, (tree / file).read_bytes())}
                kept = [lines[file] for file in list_files() if file in lines]
                PAGE.write_text(HEAD + "\n".join(kept) + "\n", encoding="utf-8")
                measure.write_page()  # it lists the days of these rows
    for words in wrongs:
        print(words, file=sys.stderr)
    return bool(wrongs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
