"""Claims as text for the terminal: words, verdicts, each step of each proof."""

from collections.abc import Sequence
from textwrap import wrap

from rich.console import Console
from rich.text import Text

from ..coq import accepted
from ..evidence.verdicts import Verdict
from ..record import ClaimCard
from .export import write_evidence, write_statements
from .summary import say_briefly, summarize
from .unicode_math import write_run

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


def show_table(cards: Sequence[ClaimCard], console: Console) -> None:
    """The ledger: id, verdict and first sentence of each claim, wrapped in a terminal, on one line if piped."""
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

    line("id", Text("verdict"), "Coq", "what it says", "bold")
    for claim in cards:
        line(claim.id, _badge(claim), "✓" if claim.coq else "", say_briefly(claim))
    console.print()
    verdicts = [claim.verdict for claim in cards]
    counts = [f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict if verdict in verdicts]
    console.print(", ".join(counts))
    console.print(f"✓: accepted by Coq, {accepted.describe_record()}")
    for claim in cards:
        if not claim.stands:
            console.print(Text(f"{claim.id}: {claim.failure}", style="red"))


def show_summary(claim: ClaimCard, console: Console, width: int) -> None:
    """Print the first screen of a claim: its first sentences with one formula, and its verdict."""
    console.print(Text(claim.id, "bold"))
    *said, proof = summarize(claim, width)
    for line in said:
        console.print(Text(line), soft_wrap=True)
    console.print(Text("  ").append(_explain(claim)), soft_wrap=True)
    console.print(Text(proof), soft_wrap=True)
    console.print()


def show_claim(claim: ClaimCard, console: Console) -> None:
    """Print one claim in full, as Markdown: its statements, its evidence, the code that uses it."""
    console.print(Text.assemble((claim.id, "bold"), "  ", _explain(claim)))
    for text in (write_statements(claim, write_run), write_evidence(claim)):
        console.print(Text(f"{text}\n"))


def _explain(claim: ClaimCard) -> Text:
    """Return the verdict and, unless the formulas show it, what it means."""
    means = "" if claim.verdict is Verdict.PROVED or not claim.stands else f": {claim.verdict.meaning}"
    return Text.assemble(_badge(claim), (means, "dim"))


def _badge(claim: ClaimCard) -> Text:
    if not claim.stands:
        return Text(f"{claim.verdict}: DOES NOT STAND", style="bold white on red")
    return Text(claim.verdict, style=_COLOURS[claim.verdict])
