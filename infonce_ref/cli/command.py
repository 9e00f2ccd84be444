"""What the commands share: their help."""

import argparse
import shutil
import sys
from collections.abc import Callable, Iterable
from textwrap import fill
from typing import Any


class Command(argparse.ArgumentParser):
    """A subcommand. `names` gives the end of its help, and is called only where that help is printed: it may
    import what no other command needs."""

    def __init__(self, names: Callable[[], str] = str, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **options)
        self.names = names

    def format_help(self) -> str:
        """The help, its names up to date, as wide as the terminal."""
        self.description = filled(self.description or "")
        self.epilog = self.names()
        return super().format_help()


def filled(words: str, initial_indent: str = "", subsequent_indent: str = "") -> str:
    """Words in lines of the help's width."""
    return fill(
        words,
        min(100, shutil.get_terminal_size().columns - 2),
        initial_indent=initial_indent,
        subsequent_indent=subsequent_indent,
        break_on_hyphens=False,
        break_long_words=False,
    )


def listed(heading: str, names: Iterable[str]) -> str:
    """A line or more of names."""
    return filled(f"{heading}: {', '.join(names)}", subsequent_indent="  ")


def columns() -> int | None:
    """How wide the terminal is; None where what is printed goes elsewhere."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None
