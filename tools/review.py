"""Show the claims whose words, quotation or relations changed since somebody read them, and sign them.

    python tools/review.py [ID …]                    show what changed, old and new; all claims that are unreviewed
    python tools/review.py --sign NAME ID …          sign these claims with the date of today: you have read them
    python tools/review.py --sign NAME --all         sign all that are unreviewed
    python tools/review.py --texts [--sign NAME]     captions of figures, words of the cheat sheet's cards, symbols,
                                                     documents, papers, the catalogue of mistakes, words and
                                                     formulas of the losses, advice of `explain`: show those that
                                                     changed, or sign them
    python tools/review.py --documents FOLDER        look for the quotations in the documents, write quoted.toml

The text that was signed is read from git, at the commit that wrote the line of derivations/reviewed.toml. The
digests of other texts are in tools/reviewed.toml; `git log -p` shows how they changed.
"""

import argparse
import ast
import inspect
import os
import re
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path

from repository import ROOT

from infonce_ref import figures, streaming
from infonce_ref.derivations import quotations, review, symbols
from infonce_ref.derivations.documents import DOCUMENTS, order
from infonce_ref.derivations.ledger import CLAIMS, settle
from infonce_ref.derivations.pages.cards import cards
from infonce_ref.derivations.pages.terminal import words
from infonce_ref.derivations.papers import PAPERS
from infonce_ref.explanation import advice
from infonce_ref.information import ESTIMATORS
from infonce_ref.losses import ALL

TEXTS = Path(__file__).parent / "reviewed.toml"
LINES = "import sys; from infonce_ref.derivations import ledger as l, review; "
LINES += "print(*review.lines(l.settle(l.CLAIMS[sys.argv[1]])), sep=chr(10))"


def read_signed(id):
    """Return the lines of a claim as they were signed; none without git, or if that commit has others."""
    known = review.read().get(id)
    if not known:
        return []
    file = review.FILE.relative_to(ROOT)
    found = run("git", "log", "-1", "--format=%H", f"-S{known.digest}", "--", str(file), cwd=ROOT).split()
    if not found:
        return []
    with tempfile.TemporaryDirectory() as folder:
        tree = subprocess.run(
            ["git", "archive", found[0], "infonce_ref", "derivations"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        subprocess.run(["tar", "-x", "-C", folder], input=tree, check=True)
        (Path(folder) / "derivations").rename(Path(folder) / "infonce_ref" / "derivations")
        lines = run(sys.executable, "-c", LINES, id, cwd=folder, PYTHONPATH=folder).splitlines()
    return lines if review.digest_lines(lines) == known.digest else []


def run(*command, cwd, **environment):
    done = subprocess.run(
        command, cwd=cwd, env=os.environ | environment, capture_output=True, text=True, check=False
    )
    return done.stdout


def show(entry):
    """Print a claim as a reader reads it: the changes, and the rendered sentences."""
    id, claim = entry.claim.id, entry.claim
    print(f"=== {id}")
    new = review.lines(entry)
    print(*unified_diff(read_signed(id), new, "signed", "now", lineterm="", n=len(new)), sep="\n")
    for sentence in filter(None, (claim.says, claim.right, claim.brief)):
        print(f"rendered: {words(sentence.runs(entry.evidence))}")
    if review.has_code(entry):
        print("code that computes a finding:", *review.code(claim), sep="\n")


def list_texts():
    """List the texts, besides the claims, that no test compares with their subject, as lines, by name."""
    found = {
        f"caption {name}": [entry.title, *entry.text.split("\n"), *entry.claims]
        for name, entry in ((name, figures.load(name)) for name in figures.NAMES)
    }
    for name, card in cards().items():
        said = (
            card.title,
            card.paper,
            str(card.year),
            card.group,
            card.when,
            card.rows,
            card.reached,
            card.bound,
        )
        found[f"card {name}"] = [line for line in (*said, *card.where, card.option) if line]
    found["symbols"] = [f"{x.symbol} {x.latex}: {x.meaning} {x.shape}" for x in symbols.TABLE]
    found["documents"] = [f"{name}: {' | '.join(document)}" for name, document in DOCUMENTS.items()]
    found["papers"] = [" | ".join((", ".join(x.authors), x.dated, x.title, x.where)) for x in PAPERS]
    for part in (ROOT / "infonce_ref" / "mistakes.txt").read_text(encoding="utf-8").split("\n# --- ")[1:]:
        title, *lines = part.splitlines()
        found[f"mistakes: {title.strip(' -')}"] = lines
    for name, loss in ALL.items():
        where = (f"{of}: {one.where} | {one.number}" for of, one in loss.ill_conditioned.items())
        found[f"loss {name}"] = [loss.title, " ".join(loss.claims), *where]
    for loss in (*ALL.values(), *ESTIMATORS.values(), *streaming.ALL.values()):
        module = inspect.getmodule(inspect.unwrap(loss.forward))
        found[f"formulas {module.__name__.removeprefix('infonce_ref.')}"] = list_formulas(module)
    found["advice"] = list_advice()
    return found


def list_formulas(module):
    """List the lines of a module's docstring, and its comments that cite a claim."""
    source = inspect.getsource(module)
    comments = re.findall(r"(?:^ *#.*\n)+|#.*\n", source, re.M)
    cited = (line.strip() for one in comments if re.search(r"\[[A-Z]+\d", one) for line in one.splitlines())
    return [*inspect.getdoc(module).splitlines(), *cited]


def list_advice():
    """List the sentences of each advice of `infonce-ref explain` with the claims that it cites, as code."""
    tree = ast.parse(inspect.getsource(advice))
    named = [ast.unparse(line) for line in tree.body if isinstance(line, ast.Assign)]
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return named + [ast.unparse(call) for call in calls if ast.unparse(call.func) == "Advice"]


def find_unread():
    """List the texts that changed after they were signed, and the signed texts that no longer exist."""
    known, found = review.read(TEXTS), list_texts()
    changed = [
        name for name in found if name not in known or known[name].digest != review.digest_lines(found[name])
    ]
    return changed + [name for name in known if name not in found]


def sign_texts(reader):
    """Sign all texts that changed."""
    known, found, date = review.read(TEXTS), list_texts(), str(datetime.now(UTC).date())
    new = {
        name: review.Review(review.digest_lines(found[name]), date, reader)
        for name in find_unread()
        if name in found
    }
    kept = {name: one for name, one in (known | new).items() if name in found}
    TEXTS.write_text(
        "".join(f'"{name}" = "{" ".join(one)}"\n' for name, one in sorted(kept.items())), encoding="utf-8"
    )


def write(path, reviews):
    lines = (f'"{id}" = "{" ".join(reviews[id])}"\n' for id in sorted(reviews, key=order))
    path.write_text("".join(lines), encoding="utf-8")


def sign(path, digests, reader):
    """Sign the claims whose digest changed, and drop those that no longer exist."""
    date = str(datetime.now(UTC).date())
    known = {id: one for id, one in review.read(path).items() if id in CLAIMS}
    new = {id: one for id, one in digests.items() if id not in known or known[id].digest != one}
    write(path, known | {id: review.Review(one, date, reader) for id, one in new.items()})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("ids", nargs="*")
    parser.add_argument("--sign", metavar="NAME")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--texts", action="store_true")
    parser.add_argument("--documents", metavar="FOLDER", type=Path)
    given = parser.parse_args()
    if given.texts:
        unread = find_unread()
        if given.sign:
            sign_texts(given.sign)
        else:
            for name in unread:
                print(f"=== {name}", *list_texts().get(name, ["is gone"]), sep="\n")
        print(f"{len(unread)} texts {'signed' if given.sign else 'shown'}")
        sys.exit()
    if given.sign and not (given.ids or given.all):
        parser.error("--sign takes the ids of the claims that were read, or --all")
    if given.documents:
        texts, lines = quotations.read_documents(given.documents), quotations.read_lines(given.documents)
        found = quotations.find_passages(texts, lines)
        quotations.FILE.write_text(quotations.write(found), encoding="utf-8")
        print(f"{len(found)} quoted formulas stand in the documents")
        sys.exit()
    entries = {id: settle(CLAIMS[id]) for id in given.ids or CLAIMS}
    if failed := [id for id, entry in entries.items() if not entry.stands]:
        sys.exit(f"these claims do not hold, so that nothing is reviewed: {', '.join(failed)}")
    unreviewed = {id: entry for id, entry in entries.items() if given.ids or not review.find_review(entry)}
    if given.sign:
        sign(review.FILE, {id: review.digest(entry) for id, entry in unreviewed.items()}, given.sign)
        programs = {id: review.digest_code(CLAIMS[id]) for id, x in unreviewed.items() if review.has_code(x)}
        sign(review.OF_CODE, programs, given.sign)
    else:
        for entry in unreviewed.values():
            show(entry)
    print(f"{len(unreviewed)} claims {'signed' if given.sign else 'shown'}")
