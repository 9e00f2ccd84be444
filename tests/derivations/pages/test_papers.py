"""Every citation in lessons, claims and the cheat sheet is a paper on the page of sources."""

import re

import pytest
from verify.public_bugs import BUGS

from infonce_ref.catalogue import MISTAKES
from infonce_ref.derivations import ledger
from infonce_ref.derivations.pages.lesson import lessons, texts
from infonce_ref.derivations.pages.loss_cards import CARDS
from infonce_ref.derivations.papers import PAPERS, REPOSITORIES, find_citations, link_reports

WORDS = {lesson.name: " ".join(texts(lesson)) for lesson in lessons().values()}
WORDS |= {f"card {name}": card.paper for name, card in CARDS.items()}
WORDS |= {
    id: " ".join(
        [claim.said_by, *(sentence.words for sentence in (claim.checked, claim.correction) if sentence)]
    )
    for id, claim in ledger.CLAIMS.items()
}


def test_every_citation_is_a_listed_paper():
    """If this fails, add the paper to derivations/papers.py."""
    unknown = [
        (where, found.words)
        for where, text in WORDS.items()
        for found in find_citations(text)
        if not found.paper
    ]
    assert unknown == []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("(Chen et al., 2020)", "A simple framework"),
        ("(Chen, Fan, Girshick and He, 2020)", "Improved baselines"),
        ("inside InfoNCE, Radenovic et al. (2023)", "Filtering, distillation"),
        ("(van den Oord, Li and Vinyals, 2018)", "Representation learning"),
        ("Hill, 1973", "Diversity and evenness"),
        ("(Song and Ermon, 2020a)", "Understanding the limitations"),
    ],
)
def test_reads_a_citation(text, title):
    (found,) = find_citations(text)
    assert found.paper.title.startswith(title)


def test_an_unknown_citation_is_found_and_every_paper_is_linked():
    for text in ("(Chen and He, 2020)", "Nobody et al. (2020)", "Song and Ermon (2020)"):
        (found,) = find_citations(text)
        assert found.paper is None
    assert all(paper.address.startswith("https://") for paper in PAPERS)
    (oord,) = [paper for paper in PAPERS if "predictive coding" in paper.title and paper.year == 2018]
    assert oord.address == "https://arxiv.org/abs/1807.03748"


def test_a_report_is_linked_to_a_repository_of_the_public_bugs():
    address = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+)/")
    known = set(address.findall(" ".join(link for each in (*MISTAKES, *BUGS) for link in each.links)))
    assert set(REPOSITORIES) <= known
    said = link_reports("It is issue 616 of open_clip.")
    assert (
        "<a href='https://github.com/mlfoundations/open_clip/issues/616'>issue 616</a> of open_clip" in said
    )
    linked = set(address.findall(" ".join(WORDS.values())))
    assert linked
    assert linked <= known


def test_the_ledger_counts_each_claim_once_and_the_page_of_papers_has_every_citation(built):
    pages = [path.read_text(encoding="utf-8") for name, path in built.items() if name.startswith("ledger/")]
    counts = [
        int(part.split(" claims")[0])
        for page in pages
        for part in page.split("<li>")
        if " claims</li>" in part
    ]
    assert sum(counts) == len(ledger.CLAIMS)
    page = built["sources"].read_text(encoding="utf-8")
    assert all(
        f"id='{found.paper.anchor}'" in page for text in WORDS.values() for found in find_citations(text)
    )
