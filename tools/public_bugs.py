"""Write docs/public-bugs.md from the bugs in tests/verify/public_bugs/.

python tools/public_bugs.py
"""

from collections import Counter
from collections.abc import Iterator

import findings
from repository import DOCS
from verify.public_bugs import BUGS
from verify.public_bugs.bug import ORDER, Bug

PAGE = DOCS / "public-bugs.md"
ABOUT = """\
# Mistakes that public libraries made

## Found in code as it stands

`infonce-ref check` was given the lines of a public loss at one commit, as they are (`python tools/findings.py` asks
again). Each finding is a fact about that commit, and may be meant. Its two lines of NumPy show it: `check` gives
their `loss` the same names. `x`, `y`: the two views · `s`: their cosines over τ · `partner`: the places of the
positives among the logits of all 2B rows.

{found}## Reported, and planted here

Each was reported in a public issue tracker, for the loss named or for a sibling of it, and is planted here as
a wrong value of this library's loss, with the gradient that reverse-mode differentiation gives of that value
or, where the library cut the graph, the gradient that it followed. Of {planted} the judge grades {wrong}
wrong and {inexact} inexact. No witness may object to the control {controls}. `tests/verify/public_bugs/` has the
code, `tests/verify/test_public_bugs.py` plants all of it.

*check* is the name that `infonce-ref check` gives the planted loss; "–" where it gives none. The last column names
the first witness by which the judge grades the loss *wrong*: it fails by more than a
textbook's form may; or *inexact* if there is none. That form, planted in the same way, passes there. The
witnesses are asked in this order: {order}. A report is a fact about one version of a library. Some were
mended long ago, and some are defended by their authors, as another loss than this.
"""


def library(link: str) -> str:
    return "/".join(link.split("/")[3:5])


def name_of(link: str) -> str:
    """Return repository#number, or the repository if the link leads to code."""
    *_, kind, number = link.split("/")
    return f"{library(link)}#{number}" if kind in ("issues", "pull") else library(link)


def row(bug: Bug) -> str:
    links = "<br>".join(f"[{name_of(link)}]({link})" for link in bug.links)
    cells = (
        f"`{bug.name}`",
        bug.mistake.replace("|", "\\|"),
        links,
        "<br>".join(bug.named) or "–",
        f"{bug.witness}: {bug.grade}" if bug.witness else "none",
    )
    return f"| {' | '.join(cells)} |"


def lines() -> Iterator[str]:
    grades = Counter(bug.grade for bug in BUGS if bug.grade)
    controls = ", ".join(f"`{bug.name}`" for bug in BUGS if not bug.grade)
    counts = {"wrong": grades["wrong"], "inexact": grades["inexact"], "planted": grades.total()}
    yield ABOUT.format(**counts, controls=controls, order=", ".join(ORDER), found="".join(findings.section()))
    for loss in dict.fromkeys(bug.loss for bug in BUGS):
        yield f"### {loss}\n"
        yield "| mistake | what it is | reported | check | first witness to object |\n|---|---|---|---|---|"
        yield from (row(bug) for bug in BUGS if bug.loss == loss)
        yield ""


def page() -> str:
    return "\n".join(lines())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
