"""The cheat sheet: every loss on one page, with its proved formula and gradients."""

import re
from collections.abc import Iterable
from functools import cache
from html import escape

from sympy import Expr

from .. import losses, papers, sources
from ..common.statement import Gradient, Statement
from ..coq import accepted, theorems
from ..evidence.kinds import Relation, relation, write
from ..evidence.spans import Span
from ..losses import dcl, ntxent
from ..prover.notation import Definition, Partial, base_of, quantities_of, sides_of
from ..prover.proof import find_used_names
from ..prover.show import latex, text
from ..symbols import LENGTHS, TABLE, UNITS, A, B, K, N, a, j, loss, take
from . import book
from .html import Page
from .lesson import Lesson
from .loss_cards import CARDS, GROUPS, LossCard
from .mathematics import mathml

# Formulas at the top of the sheet that are not repeated for each loss, and the evidence for them.
COMMON = (ntxent.NORM, ntxent.UNIT, ntxent.COSINE, ntxent.LOGITS)
SAID = (
    ("D3.3 unit", "D3.3 cosine", "D3.2 scores", "D3.4 mean", "D1.11 error"),
    ("F2 temperature",),
)


# Definitions that are short enough for the table of symbols: lengths, unit rows, columns with mean 0 or
# variance 1.
IN_WORDS = {*LENGTHS.values(), *UNITS.values(), *take("Z̄₁ Z̄₂ Z̃₁ Z̃₂ σ₁ σ₂ Ẑ₁ Ẑ₂")}
LONG = 120  # number of LaTeX characters that fit into one column of the sheet


class Sheet:
    """Builds the sheet."""

    def __init__(self, cards: book.Cards, pages: Iterable[str]):
        self.cards = cards
        page = Page(Lesson("cheat_sheet", 0, "Cheat sheet", "", ()), cards, lambda _: None, pages)
        self.words = page.markdown.renderInline
        self.statements = {name: losses.statements(name)[card.option] for name, card in CARDS.items()}

    def html(self) -> str:
        groups = "".join(
            f"<h2 id='{group.lower().replace(' ', '-')}'>{group}</h2>"
            + "".join(self.card(name, card) for name, card in found.items())
            for group, found in GROUPS.items()
        )
        return f"<div class='sheet'>{_head()}<div class='cards'>{self.common()}{groups}</div></div>"

    def common(self) -> str:
        """Return the definitions that all losses share."""
        here, temperature = (" ".join(map(self.quote, pieces)) for pieces in SAID)
        form = self.quotation(*SAID[1]).text.partition(" = ")[2]
        alike = [
            f"<code>{name}</code>"
            for name, statement in self.statements.items()
            if "temperature" in statement.gradients
            and text(_replace_ranges(statement.gradients["temperature"].form)) == form
        ]
        return (
            "<section class='loss common'><h2 id='everywhere'>Where nothing else is said</h2>"
            f"<p>{here}</p><p>{self.letters(_find_quantities(ntxent.STATEMENT))}</p>"
            f"<p>By the temperature, of {', '.join(alike)}: {temperature}</p>"
            "<p>A range is of one row, a floor of the mean over a batch: no batch of this size has a smaller"
            " loss.</p></section>"
        )

    def card(self, name: str, card: LossCard) -> str:
        statement = self.statements[name]
        row = next((d for d in statement.names if base_of(d.head) == base_of(card.of)), None)
        row = row or next(d for d in statement.names if d.head == statement.form)
        proved = [self.prove(statement, statement.gradients[by]) for by in card.inputs]
        gradients = [said for said, _ in proved]
        whole = [d for d in statement.names if d.head == statement.form and d != row and not _is_usual(d)]
        defined_above = {self.quotation(piece).text.partition("[")[0] for piece in card.where}
        settled = defined_above | set(map(str, IN_WORDS))
        names = [
            d
            for d in find_used_names(statement.names, [row.body, *(each.right for each in gradients)])
            if d not in (row, *whole) and str(base_of(d.head)) not in settled and not _is_usual(d)
        ]
        rows = [
            ("loss", [self.shown(relation(d), name) for d in (row, *whole)]),
            ("gradient", [self.shown(said, name) + mark for said, mark in proved]),
            ("where", [*map(self.quote, card.where), *(self.shown(relation(d), name) for d in names)]),
            ("range", [self.range(card)] if card.least is not None else []),
            ("floor", [self.floor(card)] if card.floor is not None else []),
            ("bound", [self.words(card.bound)] if card.bound else []),
            ("libraries", [f"<code>{escape(call)}</code>" for call in find_calls(name)]),
        ]
        facts = "".join(f"<dt>{term}</dt><dd>{' '.join(said)}</dd>" for term, said in rows if said)
        seen = set().union(
            *map(quantities_of, [*sides_of((row, *names)), *(each.right for each in gradients)])
        )
        defined = {base_of(d.head) for d in (row, *whole, *names)} | _find_quantities(ntxent.STATEMENT)
        return (
            f"<section class='loss' id='{name}'><h3>{escape(card.title)} <code>{name}</code></h3>"
            f"<p class='paper'>{papers.link(escape(card.paper), 'sources.html')}</p>"
            f"<p>{self.words(card.when)}</p>"
            f"<dl>{facts}</dl><p class='letters'>{self.letters(seen - defined)}</p></section>"
        )

    def prove(self, statement: Statement, by: Gradient) -> tuple[Relation, str]:
        """Return a gradient, with a mark if Coq accepted it; it is proved here if no claim's evidence has it."""
        entry = by.variable[by.indices] if by.indices else by.variable
        said = Relation(Partial(statement.form, entry), "=", by.form)
        pieces = [piece for id in by.claims for piece in self.cards[id].evidence.values() if piece.proves]
        marks = [piece.states.mark for piece in pieces if piece.states.text == write(*said).text]
        coq = "Coq" in marks[0] if marks else theorems.is_accepted(by.prove())
        return said, f" {_TICK}" if coq else ""

    def range(self, card: LossCard) -> str:
        """Return least ≤ ℓ ≤ most; if it is long, as least ≤ ℓ and ℓ ≤ most."""
        least, middle = latex(card.least), latex(card.of)
        most = "" if card.most is None else latex(card.most)
        sides = [rf"{least} \le {middle}", rf"{middle} \le {most}"] if most else [rf"{least} \le {middle}"]
        if most and len(least + most) < LONG:
            sides = [rf"{least} \le {middle} \le {most}"]
        return "".join(f"<span class='quoted'>{mathml(side)}</span>" for side in sides) + card.rows

    def floor(self, card: LossCard) -> str:
        """Return mean ≥ floor, and which batches reach it."""
        formula = mathml(rf"{latex(loss)} \ge {latex(card.floor)}")
        return f"<span class='quoted'>{formula}</span>{self.words(card.reached)}"

    def shown(self, said: Relation, name: str) -> str:
        """Return a relation, split before the terms of a long sum, since browsers do not break formulas."""
        pieces = [write(*said).latex]
        if len(pieces[0]) > LONG and said.right.is_Add:
            first, *rest = map(latex, said.right.as_ordered_terms())
            pieces = [write(said.left, said.sign).latex + " " + first]
            pieces += [term if term.startswith("-") else f"+ {term}" for term in rest]
        return "".join(
            f"<span class='quoted' data-loss='{name}'>{mathml(piece, display=True)}</span>"
            for piece in pieces
        )

    def quotation(self, piece: str) -> Span:
        return book.quotation(piece, self.cards, "cheat sheet")

    def quote(self, piece: str) -> str:
        formula = self.quotation(piece).latex
        return f"<span class='quoted' data-claim='{piece.split()[0]}'>{mathml(formula, display=True)}</span>"

    def letters(self, symbols: set[Expr]) -> str:
        """Return the meanings of the symbols, in the order of the symbol table."""
        return " · ".join(
            f"{mathml(entry.latex)} {escape(entry.meaning)}" for entry in TABLE if entry.symbol in symbols
        )


@cache
def _read_peers() -> list[tuple[str, str, str]]:
    """Return what docs/peers.md says: a call of a public library, the loss that it computes, and but for what."""
    text = (sources.folder("docs") / "peers.md").read_text(encoding="utf-8")
    return re.findall(r"^\| [^|]+ \| [^|]*?`([\w.]+)\([^|]* \| `(\w+)`([^|]*) \|", text, re.M)


def find_calls(name: str) -> list[str]:
    """Return the functions of public libraries that compute exactly this loss, and no variant of it."""
    own = [(call, but) for call, loss, but in _read_peers() if loss == name and CARDS[name].option in but]
    return sorted({call for call, but in own if not but.startswith(", but") and "sigma" not in but})


def _find_quantities(statement: Statement) -> set[Expr]:
    """Return all quantities in a statement."""
    forms = [by.form for by in statement.gradients.values()]
    return set().union(*map(quantities_of, [*sides_of(statement.names), *forms]))


_TICK = "<span class='coq' title='accepted by Coq'>✓</span>"


def _head() -> str:
    """Return a sentence about the evidence for its formulas."""
    return (
        "<p class='summary'>Each formula is the one that was differentiated, each"
        f" gradient the one that was proved for every size, {_TICK} where Coq accepted it,"
        f" {accepted.describe_record()}; each range was compared with the library, each name in a library asked"
        " what it computes. In nats. Printed, two sides of one sheet.</p>"
    )


def _is_usual(definition: Definition) -> bool:
    """Return whether the top of the sheet already has this definition, for any rows and candidates."""
    said = [(d.head, d.body) for d in (ntxent.LOSS, ntxent.ERROR, dcl.ERROR)]
    return (
        definition in COMMON or (_replace_ranges(definition.head), _replace_ranges(definition.body)) in said
    )


def _replace_ranges(expression: Expr) -> Expr:
    """Replace other ranges (a bank, candidates, pairs) by N rows."""
    return expression.xreplace({a: j, **dict.fromkeys((A, B, K), N)})
