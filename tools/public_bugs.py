"""Write docs/public-bugs.md from the catalogue and from the bugs in tests/verify/public_bugs.py.

python tools/public_bugs.py
"""

from collections import Counter
from collections.abc import Iterator

import findings
from repository import DOCS
from verify.public_bugs import BUGS, ORDER, Bug

from infonce_ref.catalogue import LOSSES, MISTAKES, name_publicly, rewrite
from infonce_ref.exercises.mistakes_page import name_of

PAGE = DOCS / "public-bugs.md"
ABOUT = """\
# Mistakes that public libraries made

## Found in code as it stands

`infonce-ref check` was run on the unchanged lines of public losses, each at one commit (`python tools/findings.py`
runs it again). Each finding is a fact about that commit, and may be intended. Two lines of NumPy show it: `check`
gives their `loss` the same names. `x`, `y`: the two views · `s`: their cosines divided by τ · `partner`: the
positions of the positives among the logits of all 2B rows.

{found}## Reported, and in the catalogue

Each was reported in a public issue tracker, for one of the named losses or a related one. It is a mistake of the
catalogue, `infonce_ref/mistakes.txt`: a rewrite of a line that all these losses have. `verify` refuses it and
`check` names it (`tests/verify/test_mistakes.py`, `tests/check/test_mistakes.py`).

{catalogue}
## Reported, and planted apart

These are in no entry of the catalogue, so that an error in the catalogue cannot hide them. Each is a wrong value of
this library's loss, with the gradient of that value by a complex step or, if the library cut the graph, the
gradient that it used. `infonce-ref verify` grades {wrong} of {planted} wrong and {inexact} inexact. No check may
fail for the control {controls}. `tests/verify/public_bugs.py` has the code, and
`tests/verify/test_public_bugs.py` plants all of it.

*check* is the name that `infonce-ref check` gives the planted loss, or "–" if none. The last column names the first
check by which the loss is graded *wrong*, because it fails by more than a textbook form may, or *inexact* if there
is no such check. The textbook form, planted in the same way, passes that check. The order of the checks is:
{order}. A report is a fact about one version of a library. Some were fixed long
ago, and some are defended by their authors, as another loss than this.
"""


def cell(links: tuple[str, ...]) -> str:
    return "<br>".join(f"[{name_of(link)}]({link})" for link in links)


def catalogue() -> str:
    """The mistakes of the catalogue that were reported, a row each."""
    head = "| mistake | what it is | losses | reported |\n|---|---|---|---|\n"
    rows = []
    for each in (mistake for mistake in MISTAKES if mistake.links):
        losses = dict.fromkeys(name_publicly(loss) for loss in LOSSES if rewrite(loss, (each,)))
        names, text = each.name.replace("_", " "), each.say().replace("|", "\\|")
        rows.append(f"| {names} | {text} | {', '.join(losses)} | {cell(each.links)} |\n")
    return head + "".join(rows)


def row(bug: Bug) -> str:
    cells = (
        f"`{bug.name}`",
        bug.mistake.replace("|", "\\|"),
        cell(bug.links),
        "<br>".join(bug.named) or "–",
        f"{bug.method}: {bug.grade}" if bug.method else "none",
    )
    return f"| {' | '.join(cells)} |"


def lines() -> Iterator[str]:
    grades = Counter(bug.grade for bug in BUGS if bug.grade)
    controls = ", ".join(f"`{bug.name}`" for bug in BUGS if not bug.grade)
    counts = {"wrong": grades["wrong"], "inexact": grades["inexact"], "planted": grades.total()}
    found = "".join(findings.section())
    yield ABOUT.format(
        **counts, controls=controls, order=", ".join(ORDER), found=found, catalogue=catalogue()
    )
    for loss in dict.fromkeys(bug.loss for bug in BUGS):
        yield f"### {loss}\n"
        yield "| mistake | what it is | reported | check | first check to object |\n|---|---|---|---|---|"
        yield from (row(bug) for bug in BUGS if bug.loss == loss)
        yield ""


def page() -> str:
    return "\n".join(lines())


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
