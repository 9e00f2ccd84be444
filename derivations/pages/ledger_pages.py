"""The ledger as pages, one for each document, and the papers that lessons and claims cite."""

from collections import Counter
from collections.abc import Iterable, Iterator
from html import escape

from ..documents import DOCUMENTS, find_card, order, parts
from ..evidence.verdicts import Verdict
from ..papers import PAPERS, Paper, find_citations
from ..record import ClaimCard
from . import book
from .html import Page, link_claim, sentence, show_verdict, write_table
from .lesson import Lesson, lessons, texts
from .loss_cards import CARDS
from .summary import SHORT, take_first_sentence


class Document(Page):
    """The claims of one document, each with its evidence, and the lessons that show or name it."""

    def __init__(self, name: str, cards: book.Cards, named: dict[str, set[str]]):
        """named: the claims that each lesson shows or names."""
        super().__init__(Lesson(name, 0, name, "", ()), cards, lambda _: None, lessons(), above="../")
        self.by_lesson = named

    def count_folded(self, card: ClaimCard) -> int:
        return 0  # here a reader looks up what is printed

    def claims(self) -> Iterable[tuple[str, str]]:
        """Yield the id of each claim, and its card."""
        own = (id for id in self.cards if parts(id)[0] == self.lesson.name)
        return ((id, self.claim(id)) for id in sorted(own, key=order))

    def find_address(self, id: str) -> str:
        return f"{parts(id)[0]}.html#{id}"

    def source(self, id: str) -> str:
        """Return the lessons of a claim, first the one that shows it whole, if any, and the file of its proof."""
        home = book.find_homes().get(id)
        links = [self.link_lesson(home, f"#{id}")] if home else []
        links += [
            self.link_lesson(name) for name, ids in self.by_lesson.items() if id in ids and name != home
        ]
        shown = filter(None, [", ".join(links), f"<code>{self.cards[id].proof.path}</code>"])
        return f"<span class='document'>{' · '.join(shown)}</span>"

    def about(self) -> str:
        """Return what the document is, and how many of its claims have each verdict."""
        source = DOCUMENTS[self.lesson.name]
        own = [card for id, card in self.cards.items() if parts(id)[0] == self.lesson.name]
        counts = Counter(book.find_homes().get(card.id) for card in own)
        shown = ", ".join(f"{self.link_lesson(name)} ({counts[name]})" for name in lessons() if counts[name])
        return (
            f"<p>{escape(source.described or source.about)}</p><ul class='counts'>{count_verdicts(own)}"
            f"<li>{len(own)} claims</li></ul><p>They are shown in {shown}.</p>"
        )


def list_claims(cards: book.Cards) -> dict[str, str]:
    """Return what the verdicts mean, and a section for each document: the first sentence of each of its claims."""
    counts = Counter(card.verdict for card in cards.values())
    rows = (
        f"<tr><td>{show_verdict(verdict)}</td><td>{counts[verdict]}</td><td>{verdict.meaning}</td></tr>"
        for verdict in Verdict
    )
    sections = {"": write_table(("verdict", "claims", "meaning"), "".join(rows))}
    for id in sorted(cards, key=order):
        name, card = parts(id)[0], cards[id]
        head = f"## [{name}: {DOCUMENTS[name].called}](ledger/{name}.md)"
        said = "".join(
            f"<span class='quoted' data-claim='{id}'>{sentence([run], tall=True)}</span>"
            if run.latex and len(run.text) > SHORT
            else sentence([run])
            for run in take_first_sentence(card)
        )
        row = f"<li>{link_claim(id, card.verdict, find_card(id))} {said} <i>{card.verdict}</i></li>"
        sections[head] = sections.get(head, "") + row
    return {head: f"<ul class='claims'>{items}</ul>" if head else items for head, items in sections.items()}


def count_verdicts(cards: Iterable[ClaimCard]) -> str:
    """Return the number of claims of each verdict, as items of a list."""
    counts = Counter(card.verdict for card in cards)
    return "".join(
        f"<li>{show_verdict(verdict)} {counts[verdict]}</li>" for verdict in Verdict if counts[verdict]
    )


def list_papers(page: Page) -> str:
    """Return the papers, each with links to the lessons, the cheat sheet and the claims that cite it."""
    cited: dict[Paper, list[str]] = {}
    for link, words in _list_citing(page):
        for paper in {found.paper for found in find_citations(words) if found.paper}:
            cited.setdefault(paper, []).append(link)
    items = "".join(_entry(paper, cited[paper]) for paper in PAPERS if paper in cited)
    return f"<ul class='papers'>{items}</ul>"


def _entry(paper: Paper, cited: list[str]) -> str:
    *_, authors = sorted(paper.names, key=len)  # in full
    return (
        f"<li id='{paper.anchor}'>{escape(authors)} ({paper.dated}). <a href='{escape(paper.address)}'>"
        f"<cite>{escape(paper.title)}</cite></a>. {escape(paper.where)}. "
        f"<span class='shown'>Cited in {', '.join(cited)}.</span></li>"
    )


def _list_citing(page: Page) -> Iterator[tuple[str, str]]:
    """Yield links to what may cite papers, with its words."""
    for name, lesson in lessons().items():
        yield page.link_lesson(name), "\n".join(texts(lesson))
    yield "<a href='cheat_sheet.html'>the cheat sheet</a>", "\n".join(card.paper for card in CARDS.values())
    for claim in book.CLAIMS.values():
        sentences = [sentence.words for sentence in (claim.checked, claim.correction) if sentence]
        link = link_claim(claim.id, claim.verdict, find_card(claim.id))
        yield link, "\n".join([claim.said_by, *sentences])
