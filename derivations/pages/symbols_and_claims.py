"""The index: each symbol with its meaning and first lesson, each claim with its verdict and lessons."""

from collections.abc import Sequence
from html import escape
from itertools import groupby

from ..documents import DOCUMENTS, order, parts
from ..ledger import find_proof
from ..symbols import TABLE, Entry
from . import book
from .html import Page, document, slug
from .lesson import lessons
from .mathematics import mathml


def index(entries: book.Entries, pages: Sequence[Page]) -> str:
    """Return the page, given all lesson pages in reading order."""
    rows = "".join(_symbol(entry, pages) for entry in TABLE)
    documents = groupby(sorted(entries, key=order), lambda id: parts(id)[0])
    ledgers = "".join(
        f"<details class='ledger'><summary><h3 id='{name}'>{name}: {escape(DOCUMENTS[name].called)}</h3></summary>"
        "<div class='scroll'><table><thead><tr><td>claim</td><td>verdict</td><td>lessons</td>"
        "<td>proved in</td></tr>"
        f"</thead><tbody>{''.join(_claim(id, entries, pages) for id in ids)}</tbody></table></div></details>"
        for name, ids in documents
    )
    return document(
        title="Symbols and claims",
        header="<h1>Symbols and claims</h1><p class='summary'>Every letter with the lesson in which it comes first;"
        " every claim with its verdict, the lesson that shows it whole, and those that name it.</p>",
        body="<h2 id='symbols'>Symbols</h2><div class='scroll'><table class='symbols'><thead><tr><td>symbol</td>"
        f"<td>meaning</td><td>shape</td><td>in code</td><td>first in</td></tr></thead><tbody>{rows}</tbody></table>"
        f"</div><h2 id='claims'>Claims</h2>{ledgers}",
        links=[],
    )


def _symbol(entry: Entry, pages: Sequence[Page]) -> str:
    first = next((page.lesson for page in pages if entry.symbol in page.symbols), None)
    where = f"<a href='{first.name}.html#symbols'>{escape(first.title)}</a>" if first else ""
    word = f"<code>{escape(entry.word)}</code>" if entry.word else ""
    return (
        f"<tr class='symbol'><td>{mathml(entry.latex)}</td><td>{escape(entry.meaning)}</td>"
        f"<td>{escape(entry.shape)}</td><td>{word}</td><td>{where}</td></tr>"
    )


def _claim(id: str, entries: book.Entries, pages: Sequence[Page]) -> str:
    claim = entries[id].claim
    home = book.find_homes()[id]
    others = [page.lesson.name for page in pages if id in page.named and page.lesson.name != home]
    links = [f"<a href='{home}.html#{id}'><strong>{escape(lessons()[home].title)}</strong></a>"]
    links += [f"<a href='{name}.html'>{escape(lessons()[name].title)}</a>" for name in others]
    return (
        f"<tr><th>{id}</th><td><span class='badge {slug(claim.verdict)}'>{claim.verdict}</span></td>"
        f"<td>{', '.join(links)}</td><td><code>{find_proof(claim).path}</code></td></tr>"
    )
