"""Standard output, for tables and colours."""

from rich.console import Console

PIPED = 120  # columns, where there is no terminal


class Terminal(Console):
    """As wide as the terminal; where there is none, wide enough for every table."""

    def __init__(self) -> None:
        super().__init__()
        if not self.is_terminal:
            self.width = PIPED

    def on_broken_pipe(self) -> None:
        """Whoever read has read enough: `main` says so, and not rich."""
        raise
