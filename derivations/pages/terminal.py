"""Claims as text for the terminal: words, verdicts, each step of each proof."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from ..coq import theorems
from ..documents import DOCUMENTS, parts
from ..evidence.claims import Run
from ..evidence.verdicts import Verdict
from .card import Card
from .plain import plain
from .summary import summarize

_COLOURS = {
    Verdict.PROVED: "green",
    Verdict.DEFINITION: "blue",
    Verdict.PROVED_FROM_LEMMA: "green",
    Verdict.CHECKED: "cyan",
    Verdict.CORRECTED: "yellow",
    Verdict.REFUTED: "red",
    Verdict.FOLKLORE: "red",
    Verdict.NO_THEOREM: "magenta",
}


def words(runs: Iterable[Run], *, marks: bool = False) -> str:
    """Return a sentence as one line, with LaTeX formulas as Unicode. marks: say after each formula whether it
    is proved.
    """
    shown = (
        (plain(x.text) if x.text == x.latex else x.text) + (f" [{x.mark}]" if marks and x.mark else "")
        for x in runs
    )
    return " ".join("".join(shown).split())


def show_table(cards: Sequence[Card], console: Console) -> None:
    """The ledger: id, verdict and statement of each claim, wrapped in a terminal, on one line if piped."""
    width = max(map(len, Verdict))

    def line(id: str, verdict: Text, coq: str, said: str, style: str = "") -> None:
        verdict.pad_right(width - len(verdict))
        text = Text.assemble(f"{id:<6}  ", verdict, f"  {coq:<3}  ", style=style)
        if console.is_terminal:
            room = console.width - len(text)
            text.append(f"\n{'':{len(text)}}".join(wrap(said, room)))
        else:
            text.append(said)
        console.print(text, soft_wrap=True)

    line("id", Text("verdict"), "Coq", "what was checked", "bold")
    for claim in cards:
        line(claim.id, _badge(claim), "✓" if claim.coq else "", words(claim.said["checked"]))
    console.print()
    verdicts = [claim.verdict for claim in cards]
    counts = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    console.print(", ".join(counts), highlight=False)
    console.print(f"✓: accepted by Coq, {theorems.describe_record()}", highlight=False)
    for claim in cards:
        if not claim.stands:
            console.print(Text(f"{claim.id}: {claim.failure}", style="red"))


def show_summary(claim: Card, console: Console, width: int) -> None:
    """Print the first screen of a claim: its verdict, its first sentences and one formula."""
    console.print(_heading(claim))
    for line in summarize(claim, width):
        console.print(Text(line), soft_wrap=True)
    console.print()


def show_claim(claim: Card, console: Console) -> None:
    """Print one claim in full: source, printed statement, checked statement, evidence, code."""
    _claim(claim, console)
    name, _, _ = parts(claim.id)
    console.print(_line("source", f"{name}, {DOCUMENTS[name].called}"))
    console.print(_line("proof", str(claim.proof)))
    if claim.coq:
        console.print(_line("Coq", theorems.describe_record()))
    if claim.cited:
        console.print(_line("code", ", ".join(map(str, claim.cited))))
    console.print()


def _claim(claim: Card, console: Console) -> None:
    console.print(_heading(claim))
    for heading, runs in claim.said.items():
        console.print(_line(heading, words(runs, marks=True)))
    for _, written in claim.evidence.values():
        console.print(Text(written))
    for name, why in claim.without:
        console.print(_line("not accepted by Coq", f"{name}, because {why}"))
    if not claim.stands:
        console.print(Text(claim.failure, style="red"))


def _heading(claim: Card) -> Text:
    """Return the id and the verdict; what it means, unless the formulas show it."""
    means = "" if claim.verdict is Verdict.PROVED or not claim.stands else f": {claim.verdict.meaning}"
    return Text.assemble((claim.id, "bold"), "  ", _badge(claim), (means, "dim"))


def _line(heading: str, words: str) -> Text:
    return Text.assemble((f"  {heading}: ", "dim"), words)


def _badge(claim: Card) -> Text:
    if not claim.stands:
        return Text(f"{claim.verdict}: DOES NOT STAND", style="bold white on red")
    return Text(claim.verdict, style=_COLOURS[claim.verdict])
