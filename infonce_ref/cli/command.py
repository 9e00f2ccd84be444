"""What the subcommands share: how their help is printed, and their folder in the user's cache."""

import argparse
import hashlib
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from textwrap import fill
from typing import Any, NoReturn

from ..names import find_name, simplify, suggest

# of the values of options, by the names that the help shows
TYPES: dict[str, Callable[[str], Any]] = {"FILE": Path, "DIR": Path, "N": int, "K": int, "B": int, "S": int}
TYPES["τ"] = float


def find_losses(words: Sequence[str], known: Iterable[str]) -> list[str]:
    """The names here of the losses that --loss asks for; what others call InfoNCE is said to be a part of clip."""
    try:
        found = [find_name(word, known) for word in words]
    except ValueError as error:
        raise ValueError(f"--loss: {error}") from None
    if any(name == "clip" and simplify(word) == "infonce" for name, word in zip(found, words)):
        note = "what others call InfoNCE is one direction of clip, symmetric=False"
        print(f"infonce-ref: {note}", file=sys.stderr)
    return found


class Parser(argparse.ArgumentParser):
    """A parser whose errors propose what was probably meant."""

    def error(self, message: str) -> NoReturn:
        found = re.search(r"invalid choice: '(.*?)' \(choose from (.*)\)", message)
        super().error(message + (suggest(found[1], re.findall(r"[\w-]+", found[2])) if found else ""))


class Command(Parser):
    """The parser of a subcommand.

    names: returns the end of its help; called only if that help is printed, because it may import much.
    """

    def __init__(self, names: Callable[[], str] = str, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **options)
        self.names = names

    def option(self, flag: str, words: str, **more: Any) -> None:
        """Add an option: "--whole" is a switch, "--json FILE" has a value, whose name tells its type, and
        "--loss NAME…" has several, and may be repeated.
        """
        name, _, value = flag.partition(" ")
        if value:
            more = {"metavar": value.rstrip("…"), "type": TYPES.get(value.rstrip("…"), str)} | more
        elif "choices" not in more:
            more |= {"action": "store_true"}
        if value.endswith("…"):
            more |= {"nargs": "+", "action": "extend", "default": []}
        self.add_argument(name, help=words, **more)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Refuse unknown options here, so that the usage shown is that of the subcommand."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            close = suggest(unknown[0], list(self._option_string_actions))
            self.error(f"unrecognized arguments: {' '.join(unknown)}{close}")
        return found, unknown

    def format_help(self) -> str:
        """The help, wrapped to the terminal, with today's names."""
        self.description = wrap_text(self.description or "")
        self.epilog = self.names()
        return super().format_help()


def wrap_text(words: str, indent: str = "") -> str:
    """Wrap a text to the width of the help; indent: of all lines but the first."""
    width = min(100, shutil.get_terminal_size().columns - 2)
    return fill(words, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False)


def list_columns(heading: str, words: Mapping[str, str]) -> str:
    """Return a heading and each name with its words, in two columns."""
    width = max(map(len, words)) + 4
    lines = [wrap_text(f"  {name:<{width - 2}}{text}", " " * width) for name, text in words.items()]
    return "\n".join([heading, *lines])


def list_names(heading: str, names: Iterable[str]) -> str:
    """Return a heading and the names, wrapped."""
    return wrap_text(f"{heading}: {', '.join(names)}", "  ")


def find_cache() -> Path:
    """The folder of this installation in the user's cache."""
    home = Path.home()
    usual = {"win32": os.environ.get("LOCALAPPDATA") or home, "darwin": home / "Library/Caches"}
    place = Path(os.environ.get("XDG_CACHE_HOME") or usual.get(sys.platform, home / ".cache"))
    return place / "infonce_ref" / hashlib.sha256(__file__.encode()).hexdigest()[:8]
