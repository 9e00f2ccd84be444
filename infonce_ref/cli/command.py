"""What the commands share: their help, and files that are to be written."""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
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


def writable(option: str, path: Path | None) -> None:
    """Raises ValueError for a file that cannot be written, before the work that would fill it."""
    if path is None:
        return
    if path.is_dir():
        raise ValueError(f"{option}: {path} is a folder; name a file in it")
    if not path.absolute().parent.is_dir():
        raise ValueError(f"{option}: there is no folder {path.parent}; make it first")
    new = not path.exists()
    try:
        path.open("a").close()
    except OSError as error:
        raise ValueError(
            f"{option}: {path} cannot be written ({error.strerror}); name another file"
        ) from None
    if new:
        path.unlink()


def folder(option: str, path: Path | None) -> None:
    """Raises ValueError for a folder that cannot be made or written into, before the work that would fill it."""
    if path is None:
        return
    above = next(place for place in (path.absolute(), *path.absolute().parents) if place.exists())
    if not above.is_dir():
        raise ValueError(f"{option}: {above} is a file; name a folder")
    try:
        tempfile.TemporaryFile(dir=above).close()
    except OSError as error:
        raise ValueError(
            f"{option}: {above} cannot be written into ({error.strerror}); name another folder"
        ) from None
