"""A lesson as one self-contained HTML page."""

import ast
import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from html import escape
from itertools import pairwise
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
from ..coq import theorems
from ..documents import DOCUMENTS, ID, parts
from ..evidence.claims import Run, split_formulas
from ..evidence.pieces import SIGNS, Instance, relation
from ..evidence.words import find_relation
from ..ledger import Settled
from ..prover import notation
from ..prover.inequality import LEMMA
from ..prover.notation import Definition
from ..prover.show import latex
from ..symbols import TABLE, find_symbols
from . import book, controls, course, drawing, formula
from .cards import points
from .lesson import (
    QUOTATION,
    REFERENCE,
    Block,
    Directive,
    Exercise,
    Lesson,
    Prose,
    Question,
    count_words,
    first_control,
    lessons,
)
from .mathematics import break_lines, mathml

ASSETS = Path(__file__).parent / "assets"
SEARCH = (ASSETS / "search.html").read_text(encoding="utf-8").strip()

# What the page needs of a figure: title, text, claims, and svg(size=), which returns the drawing as text.
Figures = Callable[[str], Any]
SIZES = ("page", "column")
TOLD, ASIDE, WHOLE = "told", "aside", ""  # the form of a claim's card; class names of page.css
# characters of a formula, in a terminal's notation, that fit a column: a longer one gets a line for each sign
LINE = 75
WORDS_A_MINUTE = 180  # reading speed for text with formulas


class Page:
    """Builds the page of one lesson."""

    def __init__(self, lesson: Lesson, entries: book.Entries, figures: Figures, pages: Iterable[str]):
        self.lesson = lesson
        self.entries = entries
        self.where = f"lesson {lesson.name}"
        self.figures = figures
        self.pages = list(pages)  # the lessons that are built, in reading order, so that links to them work
        self.symbols: set[Any] = set()
        self.named: set[str] = set()  # the claims that it shows or names
        self.anchors: dict[str, Any] = {}
        self.exercises = 0
        self.in_story = True  # until the heading of the reference part
        self.markdown = _markdown()
        self.markdown.inline.ruler.before("link", "reference", _parse_reference)
        self.markdown.add_render_rule(
            "reference", lambda _, tokens, place, *__: self.references(tokens[place].content)
        )
        self.markdown.inline.ruler.before("link", "quotation", _quotation)
        self.markdown.add_render_rule(
            "quotation", lambda _, tokens, place, *__: self.quotation(tokens[place].content)
        )

    def html(self) -> str:
        body = "\n".join(self.block(block, before) for before, block in _pair_blocks(self.lesson.blocks))
        needed = sorted({*book.list_arguments(self.lesson, "control")})
        return document(
            title=self.lesson.title,
            header=self.header(),
            body=body + self.where_list(),
            links=self.links() if len(self.pages) > 1 else None,
            controls=needed,
            kind="lesson",
        )

    def header(self) -> str:
        minutes = _count_minutes(self.lesson)
        return (
            f"<p class='number'>Lesson {self.lesson.number} · {minutes} minutes</p>"
            f"<h1>{escape(self.lesson.title)}</h1>"
            f"<p class='summary'>{self.markdown.renderInline(self.lesson.summary)}</p>"
        )

    def block(self, block: Block, before: Block | None) -> str:
        """Return a block of the lesson. before: the previous block."""
        match block:
            case Prose(text):
                self.in_story = self.in_story and not REFERENCE.search(text)
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
            case Directive("code", (path,)):
                return self.code(path)
        assert isinstance(block, Directive)
        return control(block.arguments, self.markdown.renderInline(block.caption))

    def prose(self, text: str) -> str:
        return papers.link_reports(self.link_citations(self.markdown.render(text, self.anchors)))

    def question(self, question: Question) -> str:
        """Return a question with its options; the answer is folded, and can be unfolded without JavaScript. The
        browser remembers a reader's answer under a digest of the question's words, so that a changed question is
        asked anew.
        """
        inline = self.markdown.renderInline
        name = f"{crc32(repr(question).encode()):08x}"
        options = "".join(
            f"<li class='{'right' if option.right else 'wrong'}'><label><input type='radio' name='q{name}'>"
            f"<span>{inline(option.words)}"
            + (f"<span class='because'>{inline(option.because)}</span>" if option.because else "")
            + "</span></label></li>"
            for option in question.options
        )
        (right,) = (option for option in question.options if option.right)
        return (
            f"<section class='question' data-question='{name}'><p class='predict'>Predict</p>"
            f"{self.prose(question.text)}<ul class='options'>{options}</ul>"
            f"<details><summary>Answer</summary><p class='answered'>{inline(right.words)}</p>"
            f"{self.prose(question.answer)}</details></section>"
        )

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
        claim = book.claim(id, self.where)
        self.named.add(id)
        settled = self.entries[id]
        facts = [(name, self.link_ids(sentence(runs, tall=True))) for name, runs in book.describe(settled)]
        printed = ""
        if claim.printed:
            printed = f"<details><summary>in print</summary>{_list(facts[:-1])}</details>"
            facts = facts[-1:]
        evidence = "".join(map(self.evidence, settled.evidence.values()))
        for name, why in theorems.explain_missing(id):
            evidence += f"<p class='assuming'>not accepted by Coq: {escape(name)}, because {escape(why)}</p>"
        statement = _list(facts)
        if place == ASIDE:
            statement = f"<details class='statement'><summary>statement</summary>{statement}</details>"
        classes = f"claim {slug(claim.verdict)} {place}".strip()
        badge = _badge(settled, always=place == ASIDE)
        return (
            f"<section class='{classes}' id='{id}'>"
            f"<header><a class='id' href='#{id}'>{id}</a>{badge}{self.source(id)}</header>"
            f"{statement}{printed}"
            f"<details class='evidence'><summary>{_kind(settled)}</summary>{evidence}</details></section>"
        )

    def source(self, id: str) -> str:
        """Return a link from a claim to its document."""
        if len(self.pages) == 1:
            return ""
        name, _, _ = parts(id)
        return f"<a class='document' href='sources.html#{name}'>{escape(DOCUMENTS[name].called)}</a>"

    def link_citations(self, html: str) -> str:
        """Link citations to the page of sources."""
        if len(self.pages) == 1:
            return html
        pieces = re.split(r"(<[^>]*>)", html)
        return "".join(p if p.startswith("<") else papers.link(p, "sources.html") for p in pieces)

    def evidence(self, part) -> str:
        if isinstance(part, Instance):
            numbers = "".join(
                f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in part.rows()
            )
            return (
                f"<div class='instance'><p>{self.link_ids(sentence(split_formulas(part.shows)))}"
                f" <span class='rule'>{slug(type(part).__name__)} ✓</span></p>"
                f"<div class='scroll'><table>{numbers}</table></div></div>"
            )
        if isinstance(part, notation.Definition):
            return f"<div class='scroll'>{mathml(relation(part).latex(), display=True)}</div>"
        if not hasattr(part, "latex"):
            return f"<pre class='scroll'>{escape(str(part))}</pre>"
        lines = "".join(_line(*line, first=place == 0) for place, line in enumerate(part.latex()))
        return f"<ol class='derivation'>{lines}</ol>{self.premises(part)}"

    def premises(self, proof) -> str:
        """Return the definitions and assumptions of a proof."""
        for expression in _expressions(proof):
            self.note(expression)
        defined = [mathml(f"{latex(name.head)} = {latex(name.body)}") for name in proof.definitions]
        html = ""
        if defined:
            items = "".join(f"<li>{formula}</li>" for formula in defined)
            html += (
                f"<details class='where'><summary>where</summary><ul class='scroll'>{items}</ul></details>"
            )
        if proof.assumptions:
            html += f"<p class='assuming'>assuming {escape('; '.join(proof.assumptions))}</p>"
        return html

    def note(self, expression) -> None:
        """Record the symbols of an expression for the list of symbols."""
        self.symbols |= find_symbols(expression)

    def where_list(self) -> str:
        """Return the symbols of the page in the order of the symbol table."""
        rows = "".join(
            f"<tr><td>{mathml(entry.latex)}</td><td>{escape(entry.meaning)}</td><td>{escape(entry.shape)}</td>"
            f"<td>{f'<code>{escape(entry.word)}</code>' if entry.word else ''}</td></tr>"
            for entry in TABLE
            if entry.symbol in self.symbols
        )
        return (
            "<h2 id='symbols'>Symbols</h2><div class='scroll paired'><table class='symbols'><thead>"
            "<tr><th>symbol</th><th>meaning</th><th>shape</th><th>in code</th></tr></thead>"
            f"<tbody>{rows}</tbody></table></div>"
            if rows
            else ""
        )

    def equation(self, id: str, which: str) -> str:
        said = book.equation(id, which, self.entries, self.where)
        self.note(said.left)
        self.note(said.right)
        formula = mathml(said.latex(), display=True)
        shown = f"<div class='scroll'>{formula}</div>{self.references(id)}"
        return f"<div class='equation' data-claim='{id}'>{shown}</div>"

    def quotation(self, written: str) -> str:
        """Return a formula of a claim's evidence within a line, or on its own line if it is tall."""
        run = book.quotation(written, self.entries, self.where)
        for expression in book.quoted_expressions(written, self.entries):
            self.note(expression)
        return f"<span class='quoted' data-claim='{written.split()[0]}'>{sentence([run], tall=True)}</span>"

    def references(self, ids: str) -> str:
        """Return links to claims, marked with their verdicts."""
        return " ".join(map(self.reference, re.split(r",\s*", ids)))

    def reference(self, id: str) -> str:
        claim = book.claim(id, self.where)
        self.named.add(id)
        home = book.find_homes().get(id)
        classes, title = f"reference {slug(claim.verdict)}", escape(claim.verdict)
        if home == self.lesson.name:
            return f"<a class='{classes}' href='#{id}' title='{title}'>{id}</a>"
        if home in self.pages:
            return f"<a class='{classes}' href='{home}.html#{id}' title='{title}'>{id}</a>"
        return f"<span class='{classes}' title='{title}'>{id}</span>"

    def link_ids(self, html: str) -> str:
        """Link the ids in a claim's words; unknown ids stay plain text."""

        def link(found: re.Match[str]) -> str:
            return self.reference(found[0]) if found[0] in book.CLAIMS else found[0]

        pieces = re.split(r"(<math.*?</math>)", html)
        return "".join(p if p.startswith("<math") else papers.link_reports(ID.sub(link, p)) for p in pieces)

    # --- figures, code, exercises -------------------------------------------------------------------------

    def figure(self, name: str) -> str:
        """Return a figure in two sizes: as wide as the page, and stacked for narrow screens."""
        entry = self.figures(name)
        drawings = "".join(
            f"<div class='drawing {size}'>"
            f"{drawing.inline(entry.svg(size=size), f'{name} {size}', entry.title)}</div>"
            for size in SIZES
        )
        return (
            f"<figure id='{name}'>{drawings}"
            f"<figcaption><strong>{set_indices(sentence(split_formulas(entry.title)))}</strong> "
            f"{set_indices(sentence(split_formulas(entry.text)))} "
            f"{' '.join(map(self.reference, entry.claims))}</figcaption></figure>"
        )

    def code(self, path: str) -> str:
        """Return the code in steps, each beside the claims that its comment cites."""
        source = sources.read(path)
        steps = []
        for lines, ids in _steps(source):
            beside = "".join(f"<div>{self.reference(id)}{_formulas_of(self.entries[id])}</div>" for id in ids)
            steps.append(f"<div class='step'>{_code_box(lines)}<div class='beside'>{beside}</div></div>")
        return (
            f"<section class='code'><p class='path'>infonce_ref/{escape(path)}</p>{''.join(steps)}</section>"
        )

    def exercise(self, question: str, solution: str) -> str:
        self.exercises += 1
        return (
            f"<section class='exercise'><h3 id='exercise-{self.exercises}'>Exercise {self.exercises}</h3>"
            f"{self.markdown.render(question)}"
            f"<details><summary>Solution</summary>{self.markdown.render(solution)}</details></section>"
        )

    def links(self) -> list[str]:
        """Return links to the previous and the next lesson."""
        before, after = self._neighbours()
        links = [f"<a href='{name}.html'>← {lessons()[name].title}</a>" for name in before]
        return links + [f"<a href='{name}.html'>{lessons()[name].title} →</a>" for name in after]

    def _neighbours(self) -> tuple[list[str], list[str]]:
        place = self.pages.index(self.lesson.name)
        return self.pages[max(place - 1, 0) : place], self.pages[place + 1 : place + 2]


def _pair_blocks(blocks: Sequence[Block]) -> Iterator[tuple[Block | None, Block]]:
    """Yield each block after the one before it, which is None for the first."""
    return zip([None, *blocks], blocks)


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
    return f"<section class='control' {attributes}>{asked}{controls.draw_start(arguments)}</section>"


def embed(arguments: Sequence[str]) -> str:
    """Return a page of one control alone, for a frame."""
    return document(
        title=" ".join(arguments), header="", body=control(arguments), controls=arguments[:1], kind="embedded"
    )


def index(entries: book.Entries) -> str:
    """Return the page that lists the lessons, counts the verdicts and names the sources."""
    verdicts = [str(entry.claim.verdict) for entry in entries.values()]
    counts = "".join(
        f"<li><span class='badge {slug(verdict)}'>{verdict}</span> {verdicts.count(verdict)}</li>"
        for verdict in dict.fromkeys(sorted(verdicts, key=verdicts.count, reverse=True))
    )
    items = "".join(
        f"<li>{_picture(lesson)}<a href='{lesson.name}.html'>{escape(lesson.title)}</a>"
        f"{' <strong>start here</strong>' if lesson.number == 1 else ''}"
        f"<small>{_count_minutes(lesson)} minutes</small>"
        f"<p>{_markdown().renderInline(lesson.summary)}</p></li>"
        for lesson in lessons().values()
    )
    documents = "".join(
        f"<dt><a href='sources.html#{name}'>{name}</a></dt>"
        f"<dd><cite>{escape(document.title)}</cite>: {escape(document.about)}</dd>"
        for name, document in DOCUMENTS.items()
    )
    return document(
        title="InfoNCE, checked",
        header="<h1>InfoNCE, checked</h1><p class='summary'>The InfoNCE family of contrastive losses, line by "
        "line. Every displayed equation comes from a proof that went through when the pages were built.</p>",
        body=f"{control(('course',), course.QUESTION)}<p class='large'><a href='explore.html'>The same alone, and "
        "what there is to try</a></p><h2 id='lessons'>Lessons</h2>"
        f"<ol class='contents'>{items}</ol><h2 id='ledger'>The ledger</h2><ul class='counts'>{counts}</ul>"
        "<h2 id='sources'>The sources</h2><p>An id such as D3.4 names an equation or claim of a source. "
        "<a href='sources.html'>What each is, and the papers that the lessons cite.</a></p>"
        f"<dl>{documents}</dl>",
        links=[],
        controls=["course"],
    )


def explore() -> str:
    """Return the page of the explorable, with its experiments and the lessons that explain them."""
    items = "".join(
        f"<li><strong>{escape(one.title)}.</strong> {escape(one.words)} "
        f"<a href='{one.lesson}.html'>{escape(lessons()[one.lesson].title)}</a></li>"
        for one in course.EXPERIMENTS
    )
    return document(
        title="Explore",
        header="<h1>Explore</h1>",
        body=f"{control(('course',), course.QUESTION)}<h2 id='experiments'>Six experiments</h2><ol>{items}</ol>"
        "<h2 id='switches'>What the switches do</h2>"
        "<p>Each is computed from the proved statement of the loss, and compared with 50 digits when this page "
        "opens. <em>Mask</em>: each anchor is a query with negatives of its own, none of its class. "
        "<em>Two ranks</em>: the statement of each rank's own rows, the mean of both. "
        "<em>Queue</em>: the gradient by the keys is left out. "
        "A loss whose statement cannot say it does not have the switch.</p>",
        links=[],
        controls=["course"],
    )


def _count_minutes(lesson: Lesson) -> int:
    return max(1, round(count_words(lesson) / WORDS_A_MINUTE))


def _picture(lesson: Lesson) -> str:
    """Return the drawing of a lesson's first control, without the numbers that it shows."""
    first = first_control(lesson)
    drawn = re.search(r"<svg.*?</svg>", controls.draw_start(first.arguments), re.DOTALL) if first else None
    return f"<div class='picture control' aria-hidden='true'>{drawn[0]}</div>" if drawn else ""


# Pages that are not lessons: file names and titles.
BESIDE = {
    "explore": "Explore",
    "index": "Lessons",
    "cheat_sheet": "Cheat sheet",
    "symbols_and_claims": "Symbols",
    "sources": "Sources",
}


def document(
    *,
    title: str,
    header: str,
    body: str,
    links: Sequence[str] | None = None,
    controls: Sequence[str] = (),
    kind: str = "",
) -> str:
    """Return a whole page. links: further links of its navigation; None for a page that is built alone and has no
    navigation. controls: the names of its controls. kind: the class of its body.
    """
    template = Template((ASSETS / "page.html").read_text(encoding="utf-8"))
    # punctuation stays with a formula that has its own line
    body = re.sub(r"</math></span></span>([.,;:])", r"</math>\1</span></span>", body)
    body = re.sub(
        r"(<math>[^<]*(?:<(?!/math>)[^<]*)*</math>)([.,;:!?)]+)", r"<span class='held'>\1\2</span>", body
    )
    above = below = ""
    if links is not None:
        beside = " ".join(f"<a href='{name}.html'>{called}</a>" for name, called in BESIDE.items())
        around = f"<span class='around'>{' '.join(links)}</span>" if links else ""
        above = f"<nav aria-label='pages'>{beside} {around}{SEARCH}</nav>"
        below = f"<nav aria-label='other lessons'>{' '.join(links)}</nav>" if links else ""
    return template.substitute(
        title=escape(title, quote=False),
        kind=kind,
        navigation=above,
        header=header,
        body=body,
        below=below,
        style=asset("page.css"),
        recorded=escape(theorems.describe_record()),
        script=_script(controls, asks="class='question'" in body),
    )


@cache
def asset(file: str) -> str:
    """Return the text of a file of the pages; fonts are embedded in the style sheet."""
    text = (ASSETS / file).read_text(encoding="utf-8")
    if file != "page.css":
        return text
    return re.sub(r"url\((\S+)\.(woff2?)\)", _write_font, text)


def _write_font(found: re.Match[str]) -> str:
    """Return a font file as a data URL."""
    name, kind = found.groups()
    font = base64.b64encode((ASSETS / f"{name}.{kind}").read_bytes()).decode()
    return f"url(data:font/{kind};base64,{font})"


def _script(names: Sequence[str], *, asks: bool) -> str:
    """Return the scripts of a page: scrolling, questions, and for controls the kernel, its reference values and the
    drawing."""
    scripts = [asset("scroll.js")]
    if asks:
        scripts.append(asset("questions.js"))
    if names:
        scripts += ["const REFERENCES = [];", *map(write_references, names)]
        drawn = ["kernel.js", "controls.js"]
        if {"geometry", "course"} & set(names):
            losses = {name: declared.describe_for_browser() for name, declared in points().items()}
            experiments = _write(course.list_for_browser())
            scripts.append(f"const LOSSES = {_write(losses)};\nconst EXPERIMENTS = {experiments};")
            drawn[1:1] = ["forces.js", "geometry.js"]
        scripts += map(asset, drawn)
    return "".join(f"<script>{script}</script>" for script in scripts)


def write_references(name: str) -> str:
    """Return the script that gives a page the reference values of a control."""
    return f"REFERENCES.push(...{_write(controls.references(name))});"


def _write(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


# --- pieces -----------------------------------------------------------------------------------------------


def slug(verdict: str) -> str:
    """Return a verdict or the name of a kind as a CSS class."""
    return verdict.lower().replace(" ", "-")


def _badge(settled: Settled, *, always: bool) -> str:
    """Return the verdict as a badge; if formulas show the verdict already, only with `always`."""
    claim = settled.claim
    if claim.verdict in book.AT_FORMULAS and not always:
        return ""
    return f"<span class='badge {slug(claim.verdict)}'>{claim.verdict}</span>"


def _list(facts: Iterable[tuple[str, str]]) -> str:
    return "<dl>" + "".join(f"<dt>{name}</dt><dd>{html}</dd>" for name, html in facts) + "</dl>"


def _kind(settled: Settled) -> str:
    proofs = sum(hasattr(part, "latex") for part in settled.evidence.values())
    shown = len(settled.evidence) - proofs
    counted = [(proofs, "derivation"), (shown, "instance")]
    return " and ".join(f"{n} {word}{'s' if n > 1 else ''}" for n, word in counted if n)


def _line(formula: str, rule: str, *, first: bool) -> str:
    sign = "" if first else r"\le " if rule in (LEMMA, SIGNS) else "= "
    mark = f"<span class='rule'>{escape(rule)} ✓</span>" if rule else ""
    return f"<li><div class='scroll'>{mathml(sign + formula, display=True)}</div>{mark}</li>"


def _expressions(proof) -> Iterator[Any]:
    yield from (line.expression for line in proof.lines)
    for definition in proof.definitions:
        assert isinstance(definition, Definition)
        yield from (definition.head, definition.body)


_TALL = re.compile(r"\\(frac|sum|sqrt|binom)(?![A-Za-z])")


def set_indices(html: str) -> str:
    """Turn e^{s/τ} and s_p, in formulas written as words, into superscripts and subscripts."""
    raised = re.sub(r"\^\{([^{}]*)\}", r"<sup>\1</sup>", html)
    return re.sub(r"\b([^\W\d_])_(\w{1,2})\b", r"\1<sub>\2</sub>", raised)


def sentence(runs: Iterable[Run], *, tall: bool = False) -> str:
    """Return the HTML of words and formulas. tall: put sums and fractions on lines of their own."""
    html, owed = "", ""  # owed: a line break to be written after the punctuation that follows the formula
    for run in runs:
        words = "" if run.latex else run.text
        stop = words[:1] if owed and words[:1] in ".,;:" else ""
        html += f"{stop}{owed}"
        owed = ""
        mark = f" <span class='rule'>{run.mark}</span>" if run.mark else ""
        if run.latex and tall and _TALL.search(run.latex):
            shown = break_lines(run.latex) if len(run.text) > LINE else run.latex
            html += f"<span class='scroll tall'>{mathml(shown, display=True)}"
            owed = f"{mark}</span>"
        else:
            html += (mathml(run.latex) if run.latex else escape(words[len(stop) :], quote=False)) + mark
    return html + owed


def _formulas_of(entry: Settled) -> str:
    """Return the formulas of a claim without its sentence, folded if there are several."""
    said = dict(book.describe(entry))
    shown = [run.latex for run in said.get("right", said["checked"]) if run.latex and find_relation(run.text)]
    formulas = "".join(f"<div class='scroll'>{mathml(formula)}</div>" for formula in shown)
    if len(shown) < 2:
        return formulas
    return f"<details><summary>{len(shown)} formulas</summary>{formulas}</details>"


def _steps(source: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the functions of a loss without docstrings, split before each comment that cites claims."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if not isinstance(node, ast.FunctionDef) or node.name in ("example", "held"):
            continue
        skipped: set[int] = set()
        if ast.get_docstring(node):
            skipped = set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
        step: list[str] = []
        ids: list[str] = []
        for number in range(node.lineno, (node.end_lineno or 0) + 1):
            line = lines[number - 1]
            if number in skipped:
                continue
            named = ID.findall(line) if _is_comment(line) else []
            if named:
                # the comment may begin on an earlier line
                begun = next(
                    (n for n, above in enumerate(reversed(step)) if not _is_comment(above)), len(step)
                )
                step, comment = step[: len(step) - begun], step[len(step) - begun :]
                if step:
                    yield "\n".join(step), ids
                    step, ids = [], []
                step += comment
            # the ids are shown beside the formula
            kept = re.sub(r"\s+\[[^\]]*\]$", "", line) if named else line
            step += [kept] if kept.strip() != "#" else []
            ids += [id for id in named if id not in ids]
        yield "\n".join(step), ids


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _code_box(code: str) -> str:
    return highlight(code, PythonLexer(stripnl=False), HtmlFormatter(cssclass="scroll code-box"))


def _markdown() -> MarkdownIt:
    """Return a Markdown parser with $…$, checked formulas and highlighted code."""
    markdown = MarkdownIt("commonmark").enable("table")
    markdown.core.ruler.push("anchors", _anchors)
    markdown.inline.ruler.before("escape", "formula", _formula)
    markdown.inline.ruler.before("escape", "checked", _parse_equation)
    markdown.add_render_rule("table_open", lambda *_: "<div class='scroll'><table>")
    markdown.add_render_rule("table_close", lambda *_: "</table></div>")
    markdown.add_render_rule("formula", lambda _, tokens, place, *__: mathml(tokens[place].content))
    markdown.add_render_rule(
        "checked", lambda _, tokens, place, *__: sentence([formula.check(tokens[place].content)])
    )
    markdown.add_render_rule("fence", lambda _, tokens, place, *__: _code_box(tokens[place].content))
    return markdown


def _anchors(state: StateCore) -> None:
    """Give each heading an id made of its words, unique on the page."""
    for opening, heading in pairwise(state.tokens):
        if opening.type == "heading_open":
            words = re.sub(r"\W+", "-", heading.content.lower()).strip("-")
            count = state.env[words] = state.env.get(words, 0) + 1
            opening.attrSet("id", f"{words}-{count}" if count > 1 else words)


def _formula(state: StateInline, silent: bool) -> bool:
    """The Markdown rule for $…$."""
    return _inline(state, silent, r"\$([^$]+)\$", "formula")


def _parse_equation(state: StateInline, silent: bool) -> bool:
    """The Markdown rule for {= e^2 ≈ 7.39}."""
    return _inline(state, silent, formula.WRITTEN.pattern, "checked")


def _parse_reference(state: StateInline, silent: bool) -> bool:
    """The Markdown rule for [D1.13] and [M1, M2]."""
    id = ID.pattern
    return _inline(state, silent, rf"\[({id}(?:, {id})*)\]", "reference")


def _quotation(state: StateInline, silent: bool) -> bool:
    """The Markdown rule for {R1 slope}."""
    return _inline(state, silent, QUOTATION.pattern, "quotation")


def _inline(state: StateInline, silent: bool, pattern: str, kind: str) -> bool:
    found = re.compile(pattern).match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.push(kind, "", 0).content = found[1]
    state.pos = found.end()
    return True
