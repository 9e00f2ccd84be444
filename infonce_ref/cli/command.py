"""What the commands share: their help, and files that are to be written."""

import argparse
import os
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
        """The help, its names up to date."""
        self.epilog = self.names()
        return super().format_help()


def listed(heading: str, names: Iterable[str]) -> str:
    """A line or more of names."""
    return fill(f"{heading}: {', '.join(names)}", width=100, subsequent_indent="  ")


def writable(option: str, path: Path | None) -> None:
    """Raises ValueError for a file that cannot be written, before the work that would fill it."""
    if path is None:
        return
    folder = path.absolute().parent
    if path.is_dir():
        raise ValueError(f"{option}: {path} is a folder; name a file in it")
    if not folder.is_dir():
        raise ValueError(f"{option}: there is no folder {path.parent}; make it first")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise ValueError(f"{option}: {path} may not be written; name another file")


def folder(option: str, path: Path | None) -> None:
    """Raises ValueError for a folder that cannot be made or written into, before the work that would fill it."""
    if path is None:
        return
    above = next(place for place in (path.absolute(), *path.absolute().parents) if place.exists())
    if not above.is_dir():
        raise ValueError(f"{option}: {above} is a file; name a folder")
    if not os.access(above, os.W_OK | os.X_OK):
        raise ValueError(f"{option}: {above} may not be written into; name another folder")
