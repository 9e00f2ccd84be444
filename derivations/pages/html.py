"""The blocks of a lesson as HTML, and pages of their own that need no other file."""

import ast
import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from string import Template
from typing import Any
from zlib import crc32

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from .. import papers, sources
from ..coq import accepted
from ..documents import DOCUMENTS, ID, find_card, parts
from ..evidence.spans import Piece, Span, split_formulas
from ..evidence.verdicts import Verdict
from ..record import ClaimCard
from ..symbols import Entry
from . import book, controls, course, formula
from .glossary import explain_words
from .lesson import QUOTATION, REFERENCE, Block, Directive, Exercise, Lesson, Prose, Question, change_outside
from .mathematics import break_lines, mathml

ASSETS = Path(__file__).parent / "assets"
FONT = "STIXTwoMath-subset.woff"
# What the page needs of a figure: title, text, claims, and svg(size=), which returns the drawing as text.
Figures = Callable[[str], Any]
SIZES = ("page", "column")
HEADING = re.compile(r"^(#{2,4} .+)$", re.M)
TOLD, ASIDE, WHOLE = "told", "aside", ""  # the form of a claim's card; class names of pages.css
# characters of a formula, in a terminal's notation, that fit a column: a longer one gets a line for each sign
LINE = 75


class Page:
    """Builds the blocks of one lesson.

    pages: the lessons that are built; other pages of the site are there if they are several. above: the path from
    the page's folder to that of the lessons. picture: what an <img> shows of a figure; by default, the drawing.
    translate: gives Markdown in the language of the page.
    """

    def __init__(
        self,
        lesson: Lesson,
        cards: book.Cards,
        figures: Figures,
        pages: Iterable[str],
        above: str = "",
        picture: Callable[[Any, str], str] | None = None,
        translate: Callable[[str], str] = str,
    ):
        self.lesson = lesson
        self.cards = cards
        self.where = f"lesson {lesson.name}"
        self.figures = figures
        self.pages = list(pages)
        self.above = above
        self.picture = picture or (lambda entry, size: _embed("image/svg+xml", entry.svg(size=size).encode()))
        self.translate = translate
        self.symbols: set[int] = set()  # the places of its symbols in the table
        self.named: set[str] = set()  # the claims that it shows or names
        self.explained: set[str] = set()  # the words of the glossary that it has used
        self.exercises = 0
        self.in_story = True  # until the heading of the reference part
        self.markdown = MarkdownIt("commonmark").enable("table")
        self.markdown.core.ruler.before("normalize", "translate", self._translate)
        add_rule(self.markdown, "formula", r"\$([^$]+)\$", mathml)
        add_rule(
            self.markdown, "checked", formula.WRITTEN.pattern, lambda words: sentence([formula.check(words)])
        )
        add_rule(self.markdown, "reference", rf"\[({ID.pattern}(?:, {ID.pattern})*)\]", self.references)
        add_rule(self.markdown, "quotation", QUOTATION.pattern, self.quotation)
        self.markdown.add_render_rule("table_open", lambda *_: "<div class='scroll'><table>")
        self.markdown.add_render_rule("table_close", lambda *_: "</table></div>")
        self.markdown.add_render_rule("fence", lambda _, tokens, place, *__: _code_box(tokens[place].content))

    def sections(self) -> Iterator[tuple[str, str]]:
        """Yield each heading of the lesson, in Markdown, with HTML that stands below it; "" before the first."""
        heading = ""
        for before, block in zip([None, *self.lesson.blocks], self.lesson.blocks):
            if not isinstance(block, Prose):
                yield heading, self.block(block, before)
                continue
            self.in_story = self.in_story and not REFERENCE.search(block.text)
            for part in HEADING.split(block.text):
                if HEADING.fullmatch(part):
                    heading = self.translate(part)
                    yield heading, ""
                elif part.strip():
                    yield heading, self.prose(part)

    def block(self, block: Block, before: Block | None) -> str:
        """Return a block of the lesson. before: the previous block."""
        match block:
            case Prose(text):
                return self.prose(text)
            case Question():
                return self.question(block)
            case Exercise(question, solution):
                return self.exercise(question, solution)
            case Directive("claim", (id,)):
                return self.claim(id, self.find_place(before))
            case Directive("rest", files):
                return "\n".join(self.claim(id) for id in book.list_rest(files))
            case Directive("equation", (id, *which)):
                return self.equation(id, which[0] if which else "")
            case Directive("figure", (name,)):
                return self.figure(name)
            case Directive("code", (name,)):
                return self.code(name)
        assert isinstance(block, Directive)
        return control(block.arguments, self.markdown.renderInline(block.caption))

    def _translate(self, state: StateCore) -> None:
        state.src = self.translate(state.src)

    def prose(self, text: str) -> str:
        html = explain_words(self.markdown.render(text), self.explained, self.translate)
        return papers.link_reports(self.link_citations(html))

    def question(self, question: Question) -> str:
        """Return a question with its options; the answer is folded, and can be unfolded without JavaScript. The
        browser remembers a reader's answer under a digest of the question's words, so that a changed question is
        asked anew.
        """
        inline = self.markdown.renderInline
        name, options = f"{crc32(repr(question).encode()):08x}", ""
        for option in question.options:
            because = f"<span class='because'>{inline(option.because)}</span>" if option.because else ""
            options += (
                f"<li class='{'right' if option.right else 'wrong'}'><label><input type='radio' name='q{name}'>"
                f"<span>{inline(option.words)}{because}</span></label></li>"
            )
        return (
            f"<section class='question' data-question='{name}'><p class='predict'>Predict</p>"
            f"{self.prose(question.text)}<ul class='options'>{options}</ul>"
            f"{fold('Answer', self.answer(question))}</section>"
        )

    def answer(self, question: Question) -> str:
        """Return the right option, and the explanation."""
        right = self.markdown.renderInline(question.right.words)
        return f"<p class='answered'>{right}</p>{self.prose(question.answer)}"

    # --- claims -------------------------------------------------------------------------------------------

    def find_place(self, before: Block | None) -> str:
        """Return the form of a claim's card, so that it does not interrupt the story: TOLD if the sentence before
        it ends with the claim, ASIDE if the story has told it in its own words, and WHOLE in the reference part.
        """
        if not self.in_story:
            return WHOLE
        return TOLD if isinstance(before, Prose) and before.text.rstrip().endswith(":") else ASIDE

    def claim(self, id: str, place: str = WHOLE) -> str:
        """Return a claim's card: the right statement, and folded the printed one and the proof. place: TOLD, ASIDE
        (then the statement is folded too), or WHOLE.
        """
        verdict, card = book.claim(id, self.where).verdict, self.cards[id]
        evidence = "".join(map(self.evidence, card.evidence.values()))
        for name, why in card.without:
            evidence += f"<p class='assuming'>not accepted by Coq: {escape(name)}, because {escape(why)}</p>"
        self.named.add(id)
        facts = [(name, self.link_ids(sentence(runs, tall=True))) for name, runs in card.said.items()]
        folded = self.count_folded(card)
        statement = _list(facts[folded:])
        badge, meaning = show_verdict(verdict), ""
        if place == ASIDE:
            statement = fold("statement", statement, "statement")
        else:  # the statement comes first; if its formulas show the verdict, nothing more is said
            known = verdict in book.AT_FORMULAS
            badge, meaning = "", "" if known else f"<p class='scope'>{badge} {verdict.meaning}</p>"
        return (
            f"<section class='{f'claim {slug(verdict)} {place}'.strip()}' id='{id}'>"
            f"<header><a class='id' href='#{id}'>{id}</a>{badge}{self.source(id)}</header>"
            f"{statement}{meaning}{fold('in print', _list(facts[:folded])) if folded else ''}"
            f"{fold(_kind(card), evidence, 'evidence')}</section>"
        )

    def count_folded(self, card: ClaimCard) -> int:
        """Return how many of a claim's first statements are folded: of a printed one all but the right one."""
        if "printed" not in card.said:
            return 0
        return 1 if card.verdict is Verdict.NO_THEOREM else len(card.said) - 1

    def source(self, id: str) -> str:
        """Return a link from a claim to its document's page of the ledger."""
        if len(self.pages) == 1:
            return ""
        called = escape(DOCUMENTS[parts(id)[0]].called)
        return f"<a class='document' href='{self.above}{find_card(id)}'>{called}</a>"

    def link_lesson(self, name: str, part: str = "") -> str:
        title = escape(self.translate(book.lessons()[name].title))
        return f"<a href='{self.above}{name}.html{part}'>{title}</a>"

    def link_citations(self, html: str) -> str:
        """Link citations to the page of sources."""
        if len(self.pages) == 1:
            return html
        return change_outside("<[^>]*>", html, lambda words: papers.link(words, f"{self.above}sources.html"))

    def evidence(self, piece: Piece) -> str:
        if not piece.proves:
            return self.instance(piece)
        for line in (*piece.lines, *piece.where):
            self.symbols.update(line.symbols)
        lines = ""
        for line in piece.lines:
            mark = f"<span class='rule'>{escape(line.mark)} ✓</span>" if line.mark else ""
            lines += f"<li><div class='scroll'>{mathml(line.latex, display=True)}</div>{mark}</li>"
        html = f"<ol class='derivation'>{lines}</ol>"
        if piece.where:
            items = "".join(f"<li>{mathml(name.latex)}</li>" for name in piece.where)
            html += fold("where", f"<ul class='scroll'>{items}</ul>", "where")
        if piece.assuming:
            html += f"<p class='assuming'>assuming {escape('; '.join(piece.assuming))}</p>"
        return html

    def instance(self, piece: Piece) -> str:
        """Return a definition, or words and numbers."""
        if piece.kind == "definition":
            return f"<div class='scroll'>{mathml(piece.states.latex, display=True)}</div>"
        says, table = self.link_ids(sentence(split_formulas(piece.says))), ""
        if piece.lines:
            says += f" <span class='rule'>{piece.kind} ✓</span>"
            rows = (
                f"<tr><th>{escape(line.name)}</th><td>{escape(line.text)}</td></tr>" for line in piece.lines
            )
            table = f"<div class='scroll'><table>{''.join(rows)}</table></div>"
        return f"<div class='instance'><p>{says}</p>{table}</div>"

    def equation(self, id: str, which: str) -> str:
        said = book.equation(id, which, self.cards, self.where)
        self.symbols.update(said.symbols)
        shown = f"<div class='scroll'>{show_tall(said)}</div>{self.references(id)}"
        return f"<div class='equation' data-claim='{id}'>{shown}</div>"

    def quotation(self, written: str) -> str:
        """Return a formula of a claim's evidence within a line, or on its own line if it is tall."""
        run = book.quotation(written, self.cards, self.where)
        self.symbols.update(run.symbols)
        return f"<span class='quoted' data-claim='{written.split()[0]}'>{sentence([run], tall=True)}</span>"

    def references(self, ids: str) -> str:
        """Return links to claims, marked with their verdicts."""
        return " ".join(map(self.reference, re.split(r",\s*", ids)))

    def reference(self, id: str) -> str:
        """Return a link to a claim, or its id if no page shows it."""
        self.named.add(id)
        return link_claim(id, book.claim(id, self.where).verdict, self.find_address(id))

    def find_address(self, id: str) -> str:
        """Return where a claim is shown, or ""."""
        home = book.find_homes().get(id)
        if home == self.lesson.name:
            return f"#{id}"
        return f"{self.above}{home}.html#{id}" if home in self.pages else ""

    def link_ids(self, html: str) -> str:
        """Link the ids in a claim's words; unknown ids stay plain text."""

        def link(found: re.Match[str]) -> str:
            return self.reference(found[0]) if found[0] in book.CLAIMS else found[0]

        return change_outside("<math.*?</math>", html, lambda words: papers.link_reports(ID.sub(link, words)))

    # --- figures, code, exercises -------------------------------------------------------------------------

    def figure(self, name: str) -> str:
        """Return a figure in two sizes: as wide as the page, and stacked for narrow screens."""
        entry = self.figures(name)
        wide, narrow = (self.picture(entry, size) for size in SIZES)
        title, text = (self.translate(" ".join(words.split())) for words in (entry.title, entry.text))
        return (
            f"<figure id='{name}'><picture><source media='(max-width: 52rem)' srcset='{narrow}'>"
            f"<img class='drawing' src='{wide}' alt='{escape(title)}' loading='lazy'></picture>"
            f"<figcaption><strong>{set_indices(sentence(split_formulas(title)))}</strong> "
            f"{set_indices(sentence(split_formulas(text)))} "
            f"{' '.join(map(self.reference, entry.claims))}</figcaption></figure>"
        )

    def code(self, name: str) -> str:
        """Return a function of the textbook, and where the library has it with every digit."""
        rooms = ["infonce_ref.textbook", "infonce_ref.losses"]
        if len(self.pages) > 1:
            rooms = [f"<a href='{self.above}api/{room.partition('.')[2]}.html'>{room}</a>" for room in rooms]
        return (
            f"<section class='code'><p class='path'>{escape(name)}, as on a slide, in the words of {rooms[0]};"
            f" with its gradient and every digit in {rooms[1]}</p>{_code_box(read_textbook(name))}</section>"
        )

    def exercise(self, question: str, solution: str) -> str:
        self.exercises += 1
        return (
            f"<section class='exercise'><h3 id='exercise-{self.exercises}'>Exercise {self.exercises}</h3>"
            f"{self.markdown.render(question)}{fold('Solution', self.markdown.render(solution))}</section>"
        )


def _embed(kind: str, content: bytes) -> str:
    """Return an address that has the content in it."""
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def write_table(head: Iterable[str], rows: str) -> str:
    """Return a table that scrolls if it is wider than the page."""
    cells = "".join(f"<th>{name}</th>" for name in head)
    return f"<div class='scroll'><table><thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table></div>"


def list_symbols(entries: Iterable[tuple[Entry, str]], *more: str) -> str:
    """Return symbols with their meanings as a table. more: the headings of further columns, and with each symbol
    their cells."""
    rows = "".join(
        f"<tr><td>{mathml(entry.latex)}</td><td>{escape(entry.meaning)}</td><td>{escape(entry.shape)}</td>"
        f"<td>{f'<code>{escape(entry.word)}</code>' if entry.word else ''}</td>{cells}</tr>"
        for entry, cells in entries
    )
    return write_table(("symbol", "meaning", "shape", "in code", *more), rows)


def control(arguments: Sequence[str], caption: str = "") -> str:
    """Return a control. arguments: its name, and its initial settings as setting=value; the caption, HTML, is
    placed above it. Raises ValueError for an unknown control.
    """
    name, *preset = arguments
    if wrong := [setting for setting in preset if setting.count("=") != 1]:
        raise ValueError(f"control: write its initial settings as setting=value; got {', '.join(wrong)}")
    start = json.dumps(dict(setting.split("=") for setting in preset))
    attributes = f"data-control='{controls.require_known(name)}' data-start='{escape(start)}'"
    asked = f"<p class='ask'>{caption}</p>" if caption else ""
    without = "<noscript>Sliders, numbers and drawing need JavaScript.</noscript>"
    return f"<section class='control' {attributes}>{asked}{without}</section>"


def embed(arguments: Sequence[str]) -> str:
    """Return a page of one control alone, for a frame."""
    return alone(" ".join(arguments), control(arguments), kind="embedded")


def alone(title: str, body: str, *, kind: str = "", own: str = "") -> str:
    """Return a page that needs no other file. kind: the class of its body · own: the name of a style and a script
    of this page alone.
    """
    texts = [*map(read_script, name_scripts(body)), *([read_asset(f"{own}.js")] if own else [])]
    style = "".join(read_asset(f"{name}.css") for name in filter(None, ("pages", "alone", own)))
    return Template(read_asset("alone.html")).substitute(
        title=escape(title, quote=False),
        kind=kind,
        body=hold(body),
        style=style.replace(FONT, _embed("font/woff", (ASSETS / FONT).read_bytes())),
        scripts="".join(f"<script>{text}</script>" for text in texts),
    )


def explain_marks() -> str:
    """Return what the marks beside formulas mean."""
    return (
        "<p class='scope'>The claims are shown as infonce_ref has recorded them: a ✓ beside a line of a proof was"
        " set by its check, and “Coq” beside a formula says that Coq accepted it,"
        f" {escape(accepted.describe_record())}."
        " <code>infonce-ref ledger ID --prove</code> checks a claim again.</p>"
    )


def hold(body: str) -> str:
    """Keep the punctuation after a formula on the formula's line."""
    body = re.sub(
        r"</math>((?: <span class='rule'>[^<]*</span>)?(?:</span>)+)([.,;:，。；：、])", r"</math>\2\1", body
    )
    return re.sub(
        r"(<math[^>]*>[^<]*(?:<(?!/math>)[^<]*)*</math>)([.,;:!?)，。；：、？！）]+)",
        r"<span class='held'>\1\2</span>",
        body,
    )


def read_asset(file: str) -> str:
    """Return the text of a file of the pages."""
    return (ASSETS / file).read_text(encoding="utf-8")


def name_scripts(html: str) -> list[str]:
    """Name the scripts of a page, in their order: scrolling, questions, and for its controls their reference
    values, the kernel and the drawing."""
    names = sorted({*re.findall(r"data-control='(\w+)'", html)})
    points = ["forces.js", "geometry.js"] if {"geometry", "course"} & {*names} else []
    drawn = [*(f"numbers_{name}.js" for name in names), "kernel.js", *points, "controls.js"]
    return ["scroll.js", "questions.js", *(drawn if names else [])]


def read_script(file: str) -> str:
    """Return the text of a script of the pages."""
    if not file.startswith("numbers_"):
        return read_asset(file)
    name = file.removeprefix("numbers_").removesuffix(".js")
    values = f"(globalThis.REFERENCES ??= []).push(...{_write(controls.references(name))});"
    experiments = f"const EXPERIMENTS = {_write([one._asdict() for one in course.EXPERIMENTS])};"
    return values + (experiments if name == "course" else "")


def _write(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# --- pieces -----------------------------------------------------------------------------------------------


def slug(verdict: str) -> str:
    """Return a verdict or the name of a kind as a CSS class."""
    return verdict.lower().replace(" ", "-")


def show_verdict(verdict: Verdict) -> str:
    return f"<span class='badge {slug(verdict)}'>{verdict}</span>"


def link_claim(id: str, verdict: Verdict, address: str) -> str:
    """Return a link to a claim, marked with its verdict; without an address the id alone."""
    tag, target = ("a", f" href='{address}'") if address else ("span", "")
    return f"<{tag} class='reference {slug(verdict)}'{target} title='{escape(verdict)}'>{id}</{tag}>"


def fold(summary: str, html: str, kind: str = "") -> str:
    """Return HTML that its summary unfolds. kind: its class."""
    named = f" class='{kind}'" if kind else ""
    return f"<details{named}><summary>{summary}</summary>{html}</details>"


def _list(facts: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{html}</dd>" for name, html in facts) + "</dl>"


def _kind(card: ClaimCard) -> str:
    proofs = sum(piece.proves for piece in card.evidence.values())
    counted = [(proofs, "derivation"), (len(card.evidence) - proofs, "instance")]
    return " and ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counted if n)


_TALL = re.compile(r"\\(frac|sum|sqrt|binom)(?![A-Za-z])")


def set_indices(html: str) -> str:
    """Turn e^{s/τ} and s_p, in formulas written as words, into superscripts and subscripts."""
    raised = re.sub(r"\^\{([^{}]*)\}", r"<sup>\1</sup>", html)
    return re.sub(r"\b([^\W\d_])_(\w{1,2})\b", r"\1<sub>\2</sub>", raised)


def sentence(runs: Iterable[Span], *, tall: bool = False) -> str:
    """Return the HTML of words and formulas. tall: put sums and fractions on lines of their own."""
    html = ""
    for run in runs:
        mark = f" <span class='rule'>{run.mark}</span>" if run.mark else ""
        if run.latex and tall and _TALL.search(run.latex):
            html += f"<span class='scroll tall'>{show_tall(run)}{mark}</span>"
        else:
            html += (mathml(run.latex) if run.latex else escape(run.text, quote=False)) + mark
    return html


def show_tall(run: Span) -> str:
    """Return a formula for a line of its own, or for several if it is long."""
    return mathml(break_lines(run.latex) if len(run.text) > LINE else run.latex, display=True)


def read_textbook(name: str) -> str:
    """Return the source of a function of the textbook. Raises ValueError if there is none of that name."""
    source = sources.read("textbook.py")
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return ast.get_source_segment(source, node) or ""
    raise ValueError(f"code: the textbook has no function {name}")


def _code_box(code: str) -> str:
    return highlight(code, PythonLexer(stripnl=False), HtmlFormatter(cssclass="scroll code-box"))


def add_rule(markdown: MarkdownIt, kind: str, pattern: str, show: Callable[[str], str]) -> None:
    """Show what the pattern finds within a line by its first group: $…$, {= e^2 ≈ 7.39}, [M1, M2], {R1 slope}."""

    def parse(state: StateInline, silent: bool) -> bool:
        found = re.compile(pattern).match(state.src, state.pos)
        if found:
            state.pos = found.end()
        if found and not silent:
            state.push(kind, "", 0).content = found[1]
        return bool(found)

    markdown.inline.ruler.before("escape", kind, parse)
    markdown.add_render_rule(kind, lambda _, tokens, place, *__: show(tokens[place].content))
