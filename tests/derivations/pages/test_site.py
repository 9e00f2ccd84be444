"""The site: its documents, the reference of the code, its links, and what is built again."""

import re
import sqlite3
from html.parser import HTMLParser
from posixpath import dirname, join, normpath
from threading import Timer
from urllib.parse import unquote

import pytest

from infonce_ref import losses, progress
from infonce_ref.cli import lessons as command
from infonce_ref.derivations.ledger import CLAIMS
from infonce_ref.derivations.pages import site


def test_formulas_of_a_document_become_mathml_and_links_that_lead_nowhere_words():
    text = "A $`1 < \\tau`$ in [a page](check.md), [a part](check.md#part), [a room](../infonce_ref), [far](https://a.b)."
    made = site.render_document(text, {"check.md"})
    assert "<math>" in made
    assert "$" not in made
    assert "[a page](check.md), [a part](check.md#part), a room, [far](https://a.b)." in made


def test_ids_in_a_document_lead_to_the_ledger():
    made = site.render_document("So it is [M36, D2.15b] (M7). In `x[M1]` and [M8](a.md) not.", {"a.md"})
    assert "[<a href='../ledger/M.html#M36'>M36</a>, <a href='../ledger/D2.html#D2.15b'>D2.15b</a>]" in made
    assert "(<a href='../ledger/M.html#M7'>M7</a>)" in made
    assert made.endswith("In `x[M1]` and [M8](a.md) not.")


class Links(HTMLParser):
    """The links of a page, and what they can lead to in it."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found["id"]} if "id" in found else set()
        self.links |= {found[name] for name in ("href", "src", "srcset") if found.get(name)}


def test_every_link_leads_to_a_page_and_a_part_of_it(built):
    root = built["index"].parent
    pages = {f"{name}.html": Links(path.read_text(encoding="utf-8")) for name, path in built.items()}
    wrong = []
    for name, page in pages.items():
        for link in page.links:
            if re.match(r"https?:|data:|mailto:", link) or name == "404.html":
                continue
            path, _, anchor = link.partition("#")
            target = normpath(join(dirname(name), path.partition("?")[0])) if path else name
            if not (root / target).exists() or (anchor and unquote(anchor) not in pages[target].anchors):
                wrong.append((name, link))
    assert wrong == []


def test_every_claim_is_on_the_page_of_its_document(built):
    ledger = "".join(
        path.read_text(encoding="utf-8") for name, path in built.items() if name.startswith("ledger/")
    )
    assert [id for id in CLAIMS if not re.search(f"<section class='claim [a-z -]+' id='{id}'>", ledger)] == []
    listed = built["ledger"].read_text(encoding="utf-8")  # each with its first sentence
    assert [id for id in CLAIMS if not re.search(rf"#{id}'[^>]*>{id}</a> .*\w+ .*<i>", listed)] == []


def test_the_reference_has_every_loss_with_its_docstring(built):
    page = built["api/losses"].read_text(encoding="utf-8")
    assert [name for name in losses.ALL if f'id="infonce_ref.losses.{name}.forward"' not in page] == []
    assert page.count("The loss in nats, a 0-d array") >= len(losses.ALL) / 2
    for framework in ("torch", "jax"):
        page = built[f"api/{framework}"].read_text(encoding="utf-8")
        assert [name for name in losses.ALL if f'id="infonce_ref.{framework}.{name}"' not in page] == []


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """A cache of the user, and what is done: figures drawn, claims proved, pages read."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    asked = []
    work, build = progress.work_through, site.build

    def through(call, items, label, parallel=False):
        asked.extend(map(label, items))
        return work(call, items, label, parallel)

    monkeypatch.setattr(progress, "work_through", through)
    monkeypatch.setattr(site, "build", lambda *of, **how: asked.append("build") or build(*of, **how))
    monkeypatch.setattr(
        "os.cpu_count", lambda: 1
    )  # this process may have JAX's threads, which no fork survives
    return command.find_cache(), asked


@pytest.mark.slow
def test_a_lesson_is_built_once(cache):
    """Again only if something changed."""
    folder, asked = cache
    pages = command.make(["softmax"], command.find_cache())
    assert pages == folder / "html"
    page = (pages / "softmax.html").read_text(encoding="utf-8")
    assert "<section class='claim" in page
    assert "build" in asked
    asked.clear()
    command.make(["softmax"], command.find_cache())
    assert asked == []
    (folder / "built.json").unlink()  # as if a lesson's text had changed
    command.make(["softmax"], command.find_cache())
    assert (pages / "softmax.html").read_text(encoding="utf-8") == page


def test_a_build_says_that_it_waits_for_another_one(cache, monkeypatch, capsys):
    folder, _ = cache
    folder.mkdir(parents=True)
    other = sqlite3.connect(folder / "lock", isolation_level=None, check_same_thread=False)
    other.execute("begin exclusive")
    Timer(0.5, other.close).start()
    monkeypatch.setattr(command, "_make", lambda only, folder: folder / "html")
    assert command.make([], folder) == folder / "html"
    assert "waits for another build" in capsys.readouterr().err
