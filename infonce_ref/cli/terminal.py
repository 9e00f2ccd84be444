"""Standard output, for tables and colours."""

import sys
from typing import TextIO

from rich.console import Console

PIPED = 120  # columns without a terminal


class Terminal(Console):
    """A console as wide as the terminal, or 120 columns, enough for every table.

    out: the stream to write to instead of standard output, with the same width and colours.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        super().__init__(file=out, force_terminal=sys.stdout.isatty() or None)
        if not self.is_terminal:
            self.width = PIPED

    def on_broken_pipe(self) -> None:
        """Raise the error, so that `main` decides; rich would end the program."""
        raise
