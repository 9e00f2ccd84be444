"""The page of sources: the documents whose claims were checked, and the papers that lessons and claims cite."""

from collections import Counter
from html import escape

from ..documents import DOCUMENTS, parts
from ..evidence.claims import Claim
from ..evidence.verdicts import Verdict
from ..ledger import Settled
from ..papers import PAPERS, Paper, find_citations
from . import book
from .cards import cards
from .html import document, slug
from .lesson import lessons, texts

TITLE = "Where the formulas come from"


def page(entries: book.Entries) -> str:
    """Return the page: each document with the verdicts on its claims, and the papers."""
    sources = "".join(_source(name, entries) for name in DOCUMENTS)
    papers = "".join(_entry(paper) for paper in PAPERS if _cites(paper))
    return document(
        title=TITLE,
        header=f"<h1>{TITLE}</h1><p class='summary'>Four documents were read line by line, and each line was "
        "checked. You need none of them: what a claim is about, its card quotes. The papers that the lessons "
        "cite stand below.</p>",
        body="<p>An id such as D3.4 names a line of a source, here the fourth of D3. A verdict is what its "
        f"evidence carries, today.</p>{sources}<h2 id='papers'>Papers</h2><ul class='papers'>{papers}</ul>",
        links=[],
    )


def _source(name: str, entries: book.Entries) -> str:
    of_it = [entry for id, entry in entries.items() if parts(id)[0] == name]
    source = DOCUMENTS[name]
    return (
        f"<section class='source' id='{name}'><h2>{name}: <cite>{escape(source.called)}</cite></h2>"
        f"<p>{escape(source.described or source.about)}</p><ul class='counts'>{_counts(of_it)}</ul>"
        f"<p class='shown'>Its claims are shown in {_count_by_lesson(of_it)}.</p></section>"
    )


def _counts(entries: list[Settled]) -> str:
    """Count the claims by verdict, and in total."""
    counts = Counter(entry.claim.verdict for entry in entries)
    badges = "".join(
        f"<li><span class='badge {slug(verdict)}'>{verdict}</span> {counts[verdict]}</li>"
        for verdict in Verdict
        if counts[verdict]
    )
    return f"{badges}<li>{len(entries)} claims</li>"


def _count_by_lesson(entries: list[Settled]) -> str:
    counts = Counter(book.find_homes()[entry.claim.id] for entry in entries)
    return ", ".join(f"{_lesson(name)} ({counts[name]})" for name in lessons() if counts[name])


def _lesson(name: str) -> str:
    return f"<a href='{name}.html'>{escape(lessons()[name].title)}</a>"


def _entry(paper: Paper) -> str:
    *_, authors = sorted(paper.names, key=len)  # in full
    return (
        f"<li id='{paper.anchor}'>{escape(authors)} ({paper.dated}). <a href='{escape(paper.address)}'>"
        f"<cite>{escape(paper.title)}</cite></a>. {escape(paper.where)}. "
        f"<span class='shown'>Cited in {', '.join(_cites(paper))}.</span></li>"
    )


def _cites(paper: Paper) -> list[str]:
    """Return links to the lessons, the cheat sheet and the claims that cite the paper."""
    found = [_lesson(name) for name in lessons() if paper in papers_of_lesson(name)]
    found += ["<a href='cheat_sheet.html'>the cheat sheet</a>"] * (paper in papers_of_cheat_sheet())
    return found + [_claim(claim) for claim in book.CLAIMS.values() if paper in papers_of_claim(claim)]


def _claim(claim: Claim) -> str:
    home = book.find_homes()[claim.id]
    return f"<a class='reference {slug(claim.verdict)}' href='{home}.html#{claim.id}'>{claim.id}</a>"


def papers_of_lesson(name: str) -> set[Paper]:
    """Return the papers that a lesson's own words cite."""
    return {c.paper for text in texts(lessons()[name]) for c in find_citations(text) if c.paper}


def papers_of_cheat_sheet() -> set[Paper]:
    """Return the papers that the cards cite."""
    return {c.paper for card in cards().values() for c in find_citations(card.paper) if c.paper}


def papers_of_claim(claim: Claim) -> set[Paper]:
    """Return the papers that a claim's sentences cite."""
    sentences = [
        claim.said_by,
        *(sentence.words for sentence in (claim.checked, claim.correction) if sentence),
    ]
    return {c.paper for words in sentences for c in find_citations(words) if c.paper}
