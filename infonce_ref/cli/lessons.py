"""infonce-ref lessons"""

import argparse
import hashlib
import json
import os
import pickle
import shutil
import sqlite3
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import partial
from operator import call
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from .. import output
from .command import find_cache, list_names
from .ledger import FEW, settle

# what pages are made of
READ = (".py", ".pyi", ".txt", ".md", ".po", ".js", ".css", ".html", ".json", ".svg", ".png")


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "lessons",
        help="build the site: lessons, ledger, documents and the reference of the code",
        description="Builds the site as pages that need no network: about a minute the first time, then only what "
        "changed; with a NAME only this lesson, in seconds.",
        names=names,
    )
    own.add_argument("name", metavar="NAME", nargs="?", help="only this lesson, for example infonce")
    own.option("--out DIR", "copy the pages into DIR; by default they stay in the user's cache")
    own.option(
        "--embed CONTROL", 'write one explorable as a file for an iframe: anchor, "geometry preset=sphere", …'
    )
    own.option(
        "--languages", "also the first page, four lessons and the glossary in Italian, Spanish and Chinese"
    )
    own.option("--force", "replace files in DIR that were changed")
    own.option("--open", "open the built pages in the browser")
    own.set_defaults(run=run, extra="lessons")


def names() -> str:
    """The lessons, in the order of their files."""
    from .. import derivations

    files = sorted((Path(derivations.__path__[0]) / "pages" / "lessons").glob("[0-9]*.md"))
    return list_names("lessons", (file.stem.partition("_")[2] for file in files))


def embed(arguments: argparse.Namespace) -> int:
    """Write the page of one explorable, and return the exit status."""
    from ..derivations.pages import html

    if arguments.name:
        raise ValueError("--embed writes one explorable; leave the name out")
    folder = arguments.out or Path("lessons-out")
    output.check_folder("--out", folder)
    control = arguments.embed.split()
    files = {f"{'_'.join(control)}.html": html.embed(control)}
    print(*output.hand_out(folder, files, arguments.force))
    return 0


def digest(folders: Iterable[Path], left_out: Sequence[Path] = ()) -> str:
    """A digest of the files from which pages are made, by path and content."""
    made = hashlib.sha256()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix in READ and not any(path.is_relative_to(other) for other in left_out):
                made.update(f"{path.relative_to(folder)}\0".encode())
                made.update(path.read_bytes())
    return made.hexdigest()


def draw(name: str, sizes: Sequence[str]) -> dict[str, str]:
    """Draw a figure in these sizes, in a process of its own."""
    from ..figures import load

    return {size: load(name).svg(size=size) for size in sizes}


def read_kept(path: Path, of: str) -> dict[Any, Any]:
    """What the last build kept in a file, if the files that it is made of are the same."""
    try:
        kept = pickle.loads(path.read_bytes())
        return kept["made"] if kept["of"] == of else {}
    except Exception:  # there is none, or it is incomplete: it is made again
        return {}


def update(folder: Path, files: Mapping[str, str | bytes], pages: Path) -> None:
    """Write the sources that changed into the folder, and remove those that are gone, with their pages."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        name = path.relative_to(folder)
        if name.as_posix() not in files:
            path.unlink()
            made = Path("_static", name.name) if name.parts[0] == "static" else name.with_suffix(".html")
            (pages / made).unlink(missing_ok=True)
    for file, content in files.items():
        path, wanted = folder / file, content.encode() if isinstance(content, str) else content
        if not path.is_file() or path.read_bytes() != wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            output.replace(path, content)


def make(only: Sequence[str], cache: Path, *, languages: bool = False) -> Path:
    """Make the pages of these lessons, or of the whole site, in the cache; return their folder. languages: also
    those that are translated."""
    cache.mkdir(parents=True, exist_ok=True)
    # a lock on every system, which ends with the process: another one may build here
    with closing(sqlite3.connect(cache / "lock", timeout=0, isolation_level=None)) as lock:
        try:
            lock.execute("begin exclusive")
        except sqlite3.OperationalError:
            print("infonce-ref lessons: waits for another build of the lessons to end", file=sys.stderr)
            lock.execute("pragma busy_timeout = 3600000")
            lock.execute("begin exclusive")
        pages = _make(only, cache)
        if languages:
            _translate(pages, cache)
        return pages


def _make(only: Sequence[str], cache: Path) -> Path:
    from .. import derivations
    from ..derivations import sources
    from ..derivations.documents import find_card
    from ..derivations.pages import book, lesson, site, translation
    from ..derivations.pages.html import SIZES
    from ..exercises import mistakes_page
    from ..figures import load
    from ..progress import work_through

    record, pages = cache / "built.json", cache / "html"
    proofs, rooms = Path(derivations.__path__[0]), [sources.folder(), sources.folder("figures")]
    now = digest([*rooms, proofs, sources.folder("docs")])
    built = json.loads(record.read_text(encoding="utf-8")) if record.is_file() else {}
    had = built.get("lessons", []) if built.get("of") == now else []
    if had == "all" or (only and {*only} <= {*had}):
        return pages
    if only:
        only = [name for name in lesson.lessons() if name in (*had, *only)]
    wait = "takes some seconds" if only else "takes up to a minute; `infonce-ref lessons infonce` is quicker"
    print(f"infonce-ref lessons: a build {wait}", file=sys.stderr)
    record.unlink(missing_ok=True)
    of = digest(rooms, [proofs])
    drawn = read_kept(cache / "drawn", of)
    ids = book.list_needed(only)
    known = settle(ids)
    tasks: dict[str, partial] = {name: partial(draw, name, SIZES) for name in book.list_figures(only)}
    if not only:
        tasks |= {
            name: partial(mistakes_page.write_section, name, find_card) for name in mistakes_page.find_all()
        }
    missing = [key for key in tasks if key not in drawn]
    todo = [tasks[key] for key in missing]
    made = zip(missing, work_through(call, todo, lambda task: task.args[0], len(todo) > FEW), strict=True)

    def fetch(key: str) -> Any:
        """Return what a task made; the sources are written while other tasks still run."""
        while key not in drawn:
            drawn.update([next(made)])
        return drawn[key]

    def figures(name: str) -> Any:
        return SimpleNamespace(**load(name)._asdict(), svg=lambda size: fetch(name)[size])

    beside = {} if only else {"mistakes": lambda: "\n".join(mistakes_page.lines(fetch))}
    files = site.sources(only, known.values(), figures, beside)
    drawn.update(made)
    output.replace(cache / "drawn", pickle.dumps({"of": of, "made": drawn}))
    update(cache / "source", files, pages)
    for code in translation.LANGUAGES:
        shutil.rmtree(pages / code[:2], ignore_errors=True)
    for warning in site.build(cache / "source", pages, cache / "read", processes=os.cpu_count() or 1):
        print(warning, file=sys.stderr)
    output.replace(record, json.dumps({"of": now, "lessons": list(only) or "all"}))
    return pages


def _translate(pages: Path, cache: Path) -> None:
    """Add the pages in other languages to those of the whole site, unless they are there."""
    from ..derivations.pages import book, site, translation
    from ..figures import load

    record = cache / "built.json"
    built = json.loads(record.read_text(encoding="utf-8"))
    if "languages" in built:
        return
    cards = settle(book.list_needed([]))
    for language in map(translation.Language, translation.LANGUAGES):
        source, out = cache / f"source_{language.code}", pages / language.folder
        update(source, site.translate(language, cards.values(), load), out)
        for warning in site.build(source, out, cache / f"read_{language.code}", language):
            print(warning, file=sys.stderr)
    output.replace_all(pages, translation.link_languages(pages))
    output.replace(record, json.dumps(built | {"languages": True}))


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    if arguments.embed:
        return embed(arguments)
    from ..derivations.pages import book, site  # noqa: F401  fails before the work if Sphinx is missing
    from ..figures import style  # noqa: F401

    if arguments.languages and arguments.name:
        raise ValueError("--languages translates pages of the whole site; leave the name out")
    only = [] if arguments.name is None else [arguments.name]
    chosen = book.choose(only)
    output.check_folder("--out", arguments.out, [f"{each.name}.html" for each in chosen], arguments.force)
    pages = make(only, find_cache(), languages=arguments.languages)
    if arguments.out:
        files = {
            path.relative_to(pages).as_posix(): path.read_bytes()
            for path in pages.rglob("*")
            if path.is_file()
        }
        output.hand_out(arguments.out, files, arguments.force)
        pages = arguments.out
    first = pages / f"{arguments.name or 'index'}.html"
    print(first)
    if arguments.open:
        import webbrowser

        address = first.absolute().as_uri()
        if not webbrowser.open(address):
            print(f"infonce-ref: there is no browser here; the pages begin at {address}", file=sys.stderr)
    return 0
