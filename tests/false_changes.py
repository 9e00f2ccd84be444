"""Make false changes in claims, in the memory of a process, and report which check refuses each.

`python tests/false_changes.py` prints which checks refuse them, by kind, and writes the table of docs/trust.md,
which also has the changes of files in `tests/false_edits.py`.
"""

import ast
import linecache
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import false_edits

from infonce_ref.derivations import review
from infonce_ref.derivations.evidence.claims import CLAIMS, Claim
from infonce_ref.derivations.kernel import theorems
from infonce_ref.derivations.ledger import settle

MANY = 12  # changes of each kind
WORDS = ("says", "right", "brief")
# kind: the arguments of @claim, or its evidence, and a pattern whose first match is changed
KINDS: Mapping[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...]]] = {
    "words turned round": (
        WORDS,
        (
            (r"\bnever\b", "always"),
            (r"\bis not\b", "is"),
            (r"\bpositive, «", "negative, «"),
            (r"\brises\b", "falls"),
            (r"\blargest\b", "smallest"),
            (r"\bbelow\b", "above"),
            (r"\bno\b", "some"),
            (r"\bonly\b", "not only"),
            (r"\bconvex\b", "concave"),
            (r"\bneither\b", "each"),
            (r"\bsame\b", "other"),
        ),
    ),
    "a quantifier": (
        WORDS,
        ((r"\bevery\b", "some"), (r"\bany\b", "one"), (r"\beach\b", "one"), (r"\ball\b", "most")),
    ),
    "a count or a range in words": (
        WORDS,
        (
            (r"\btwo\b", "three"),
            (r"\bone\b", "two"),
            (r"\bbetween -1 and 1\b", "between 0 and 1"),
            (r"\btwice\b", "thrice"),
        ),
    ),
    "another piece in a sentence": (WORDS, ((r"«([\w ]+)»(.*?)«([\w ]+)»", r"«\3»\2«\1»"),)),
    "a quotation's sign": (
        ("printed",),
        ((r"(?<=[\w}\])]) - ", " + "), (r"(?<=[\w}\])]) \+ ", " - "), (r"=", r"= -")),
    ),
    "a quotation's letter or number": (
        ("printed",),
        ((r"\\tau", r"\\beta"), (r"_i\b", "_j"), (r"=1\}", "=0}"), (r"\b2\b", "3"), (r"\b1\b", "2")),
    ),
    "a quotation's words": (
        ("printed",),
        ((r"\bnot\b", "often"), (r"\bpositive\b", "negative"), (r"\bthe\b", "no")),
    ),
    "who says it, and when": (
        ("heard", *WORDS),
        ((r"\((\w[^()]*?), (19|20)(\d)", r"(\1, \g<2>0"), (r"\(Hill", "(Hall")),
    ),
    "a citation's year": (
        ("heard", *WORDS),
        ((r"(20[01])(\d)(?=\w?\))", r"\g<1>4"), (r"\b20(\d\d)\)", r"19\1)")),
    ),
    "a verdict": (
        ("verdict",),
        (
            (r"Verdict\.PROVED$", "Verdict.CHECKED"),
            (r"Verdict\.CORRECTED$", "Verdict.PROVED"),
            (r"Verdict\.REFUTED$", "Verdict.CORRECTED"),
            (r"Verdict\.\w+$", "Verdict.PROVED"),
            (r"Verdict\.PROVED\w*$", "Verdict.NO_THEOREM"),
        ),
    ),
    "the reading of a quotation": (
        ("fails",),
        (
            (r"Relation\(([^,()]+), \"=\", ", r'Relation(2 * \1, "=", '),
            (r"fails\(\s*Relation\(", r"fails(Relation(3 + "),
        ),
    ),
    "a sign in the evidence": (
        ("evidence",),
        ((r"(?<=[\w\])]) - (?=[\w(])", " + "), (r"(?<=[\w\])]) \+ (?=[\w(])", " - ")),
    ),
    "a constant in the evidence": (
        ("evidence",),
        ((r"(?<=[(\s])1 (?=[-+])", "2 "), (r"\b2 \* ", "3 * "), (r" / 2\b", " / 3")),
    ),
    "a relation's sign": (
        ("evidence",),
        ((r'"<"', '">"'), (r'">"', '"<"'), (r'"≠"', '"="'), (r'"≤"', '"≥"'), (r'", "="', '", "≠"')),
    ),
    "a finding's name or point": (
        ("evidence",),
        (
            (r'Finding\(([^"]*)"([^"]{4,})"', r'Finding(\1"not \2"'),
            (r"names=\(\"", 'names=("no '),
            (r"Fraction\((\d+), ", r"Fraction(\g<1>1, "),
        ),
    ),
}


class Change(NamedTuple):
    """A changed claim: its id, the kind of change, the changed text of its file, and the changed words."""

    id: str
    kind: str
    path: Path
    text: str
    shown: str


@cache
def find_regions(path: Path) -> list[tuple[str, str, int, int]]:
    """Find each argument of each @claim, and its evidence: id, name, begin and end."""
    return list(_find_regions(path))


def _find_regions(path: Path) -> Iterator[tuple[str, str, int, int]]:
    source = path.read_text(encoding="utf-8")
    begins = [0]
    for line in source.splitlines(keepends=True):
        begins.append(begins[-1] + len(line.encode()))

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        ends = [begins[node.lineno - 1] + node.col_offset, begins[node.end_lineno - 1] + node.end_col_offset]
        return tuple(len(source.encode()[:end].decode()) for end in ends)

    for function in ast.walk(ast.parse(source)):
        for call in getattr(function, "decorator_list", ()):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "claim":
                id = ast.literal_eval(call.args[0])
                for argument in call.keywords:
                    yield id, argument.arg, *span(argument.value)
                yield id, "evidence", span(function.body[0])[0], span(function)[1]
                for node in ast.walk(function):
                    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "fails":
                        yield id, "fails", *span(node)


def changes(kind: str) -> Iterator[Change]:
    """Yield every change of a kind, in a fixed random order."""
    names, edits = KINDS[kind]
    folder = Path(sys.modules[review.__name__].__file__).parent
    files = [path for room in ("common", "losses", "theory") for path in sorted((folder / room).glob("*.py"))]
    found = []
    for path in files:
        source = path.read_text(encoding="utf-8")
        for id, name, begin, end in find_regions(path) if "@claim" in source else ():
            for pattern, new in edits if name in names else ():
                region = source[begin:end]
                changed = re.sub(pattern, new, region, count=1)
                if changed != region:
                    text = source[:begin] + changed + source[end:]
                    place = max(
                        next((i for i, (a, b) in enumerate(zip(region, changed)) if a != b), 0) - 20, 0
                    )
                    shown = f"{region[place : place + 45]!r} → {changed[place : place + 45]!r}"
                    found.append(Change(id, kind, path, text, shown))
    random.Random(kind).shuffle(found)
    yield from found


def plant(change: Change) -> Claim | None:
    """Run the changed file and return its claim; None if it defines none."""
    module = CLAIMS[change.id].evidence.__module__
    room = ModuleType(module)
    room.__package__, room.__file__ = module.rpartition(".")[0], str(change.path)
    known = dict(CLAIMS)
    try:
        for id, claim in known.items():
            if claim.evidence.__module__ == module:
                del CLAIMS[id]
        name = (
            # and into Python's cache of lines, where the review looks for the code
            f"planted in {change.path}"
        )
        linecache.cache[name] = len(change.text), None, change.text.splitlines(keepends=True), name
        exec(compile(change.text, name, "exec"), room.__dict__)
        return CLAIMS.get(change.id)
    finally:
        CLAIMS.clear()
        CLAIMS.update(known)


def refuse(change: Change) -> str:
    """Return what refuses a change: Python, the ledger, the list of theorems, or the review; "" if nothing
    does.
    """
    try:
        claim = plant(change)
    except Exception:
        return "reading the file"
    entry = settle(claim) if claim else None
    if entry is None or not entry.stands:
        return "the ledger"
    if review.find_review(entry):
        return ""
    return "the theorems" if theorems.find_missing(claim.id, entry.evidence) else "the review"


def count_refusals(kind: str) -> Counter[str]:
    """Count which checks refuse the first MANY changes of a kind."""
    counts = Counter[str]()
    for change, _ in zip(changes(kind), range(MANY), strict=False):
        who = refuse(change)
        counts[who or NOBODY] += 1
        if not who:
            print(f"SURVIVED {kind}: {change.id} {change.shown}", flush=True)
    return counts


NOBODY = "nobody"
PAGE = Path(__file__).parent.parent / "docs" / "trust.md"
HEAD = """\
| changed | kind | changes | refused by |
|---|---|---|---|
"""


def write_row(changed: str, kind: str, counts: Counter[str]) -> str:
    """Return a line of the table of docs/trust.md."""
    who = ", ".join(f"{name} {many}" for name, many in sorted(counts.items()))
    return f"| {changed} | {kind} | {counts.total()} | {who} |\n"


def write_rows_of_files() -> str:
    """Return the lines for changes of files; each is refused by its guard, as a nightly test shows."""
    counts: dict[str, Counter[str]] = {}
    for edit in false_edits.EDITS:
        counts.setdefault(edit.kind, Counter())[f"`{edit.guard.partition('::')[0]}`"] += 1
    return "".join(write_row("a file", kind, counts[kind]) for kind in sorted(counts))


def replace_table(page: str, table: str) -> str:
    """Return the page with another table."""
    before, _, rest = page.partition(HEAD)
    return before + HEAD + table + rest[re.match(r"(\|.*\n)*", rest).end() :]


if __name__ == "__main__":
    rows = ""
    for kind in KINDS:
        rows += write_row("a claim", kind, count_refusals(kind))
        print(rows.splitlines()[-1], flush=True)
    page = replace_table(PAGE.read_text(encoding="utf-8"), rows + write_rows_of_files())
    PAGE.write_text(page, encoding="utf-8")
