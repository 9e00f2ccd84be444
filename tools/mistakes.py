"""Print the catalogue of mistakes as a page of the website, each with the smallest batch that shows it.

python tools/mistakes.py
"""

from collections.abc import Iterator

import numpy as np
from public_bugs import name_of

from infonce_ref.conformance.factors import FACTORS
from infonce_ref.derivations.pages.book import find_homes
from infonce_ref.exercises import ALL as EXERCISES
from infonce_ref.exercises import smallest
from infonce_ref.exercises.diagnosis import UNNAMED
from infonce_ref.exercises.runner import KINDS
from infonce_ref.mistakes import ALL, Entry, Mistake
from infonce_ref.mistakes.entry import convert_to_arrays, edit, order, run_text

ABOUT = """\
# Mistakes, by name

The catalogue of `infonce_ref/mistakes/`: {count} mistakes in {losses} losses, each an edit of the loss's reference
text. `infonce-ref exercise NAME --check FILE` ([how](exercise.md)) and `infonce-ref check` ([how](check.md)) ask
one engine for them. It measures first (the last column: what it says of a mistake without having seen the edit),
and compares with the edited texts last. The batch is the smallest of those tried at which the loss or the gradient
differs, both computed when this page was built.
"""


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def show_batch(entry: Entry, mistake: Mistake) -> str:
    """Return the batch, the result of the text with the mistake, and the right one; "" if no batch shows it."""
    text = edit(entry.text, mistake.edits)
    assert text is not None
    right = run_text(entry.text, entry.functions)
    for which, wrong in enumerate(run_text(text, entry.functions)):

        def ask(arguments, wrong=wrong, which=which):
            with np.errstate(all="ignore"):
                return convert_to_arrays(wrong(*order(right[which], arguments)))

        seen = smallest.find_smallest(entry, which, ask)
        if seen is not None:
            yours, wanted = smallest.digits(seen.yours, seen.right)
            what = f"{entry.functions[which]}{' by ' + seen.entry if which and seen.entry else seen.entry}"
            at = ", ".join(smallest.format_batch(seen.arguments))
            return f"{at}: {what} {yours}, right is {wanted}"
    return ""


def read(mistake: Mistake) -> str:
    """Return links to the claim in its lesson, and to reports of the mistake."""
    id = mistake.claim.partition(" ")[0]
    reports = [f"[{name_of(link)}]({link})" for link in mistake.links]
    return ", ".join([f"[{id}]({find_homes()[id]}.html#{id})", *reports])


def section(name: str, entry: Entry) -> Iterator[str]:
    title = next((e.title for e in EXERCISES.values() if e.entry is entry and not e.given), "no exercise")
    yield f"## {name}: {title}\n"
    yield "| name | what is wrong | the smallest batch that shows it | read, reported | measured |"
    yield "|---|---|---|---|---|"
    for mistake in entry.mistakes:
        cells = (mistake.sentence, show_batch(entry, mistake), read(mistake), "; ".join(mistake.marks))
        yield f"| `{mistake.name}` | {' | '.join(map(cell, cells))} |"
    yield ""


def lines() -> Iterator[str]:
    yield ABOUT.format(count=sum(len(e.mistakes) for e in ALL.values()), losses=len(ALL))
    for name, entry in ALL.items():
        yield from section(name, entry)
    yield "## In every loss\n"
    yield "These names are mistakes of the loss; with `gradient` before the name, of the gradient.\n"
    yield "| name | what is wrong |\n|---|---|"
    yield from (f"| `{factor.name}` | {factor.sentence} |" for factor in FACTORS)
    yield from (f"| `{name}` | {sentence} |" for name, sentence in UNNAMED.items())
    yield "\n## What a file does instead of answering\n"
    yield "| name | what it does |\n|---|---|"
    yield from (f"| `{name}` | {sentence} |" for name, sentence in KINDS.items())
    yield ""


def page() -> str:
    return "\n".join(lines())


if __name__ == "__main__":
    print(page())
