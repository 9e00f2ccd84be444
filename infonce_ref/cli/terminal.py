"""Standard output, for tables and colours."""

import sys
from typing import TextIO

from rich.console import Console

PIPED = 120  # columns, where there is no terminal


class Terminal(Console):
    """As wide as the terminal; where there is none, wide enough for every table.

    out: what to write to instead, as wide and as coloured.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        super().__init__(file=out, force_terminal=sys.stdout.isatty() or None)
        if not self.is_terminal:
            self.width = PIPED

    def on_broken_pipe(self) -> None:
        """Whoever read has read enough: `main` says so, and not rich."""
        raise
