"""Standard output, for tables and colours."""

import re
import sys
from typing import Any, TextIO

from rich.console import Console

PIPED = 120  # columns without a terminal


class Terminal(Console):
    """A console as wide as the terminal, or 120 columns, enough for every table.

    out: the stream to write to instead of standard output, with the same width and colours.
    """

    def __init__(self, out: TextIO | None = None) -> None:
        is_terminal = sys.stdout.isatty()
        stream: Any = out if is_terminal else Unpadded(out or sys.stdout)
        super().__init__(file=stream, force_terminal=is_terminal or None, highlight=False)
        if not self.is_terminal:
            self.width = PIPED

    def on_broken_pipe(self) -> None:
        """Raise the error for `main` to handle; rich would end the program."""
        raise


class Unpadded:
    """A stream that removes the blanks with which rich pads the lines of its tables."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(re.sub(r" +(?=\n)", "", text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)
