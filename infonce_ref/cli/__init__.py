"""The command infonce-ref, one file for each of its own. Knows no mathematics; what one needs is imported when it
runs."""

import argparse
import io
import sys
from collections.abc import Sequence

from . import check, exercise, explain, figures, ledger, lessons, prove, train, verify
from .command import Command

COMMANDS = (verify, check, explain, ledger, prove, figures, train, exercise, lessons)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command: 0 if what was asked holds, 1 if not, 2 if it could not be asked."""
    for stream in (sys.stdout, sys.stderr):
        # where τ cannot be written, write \\u03c4 rather than nothing
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = parser().parse_args(argv)
    try:
        return arguments.run(arguments) or 0
    except ModuleNotFoundError as error:
        absent, _, _ = str(error.name).partition(".")
        if absent == "infonce_ref":
            raise
        print(
            f"infonce-ref {arguments.command}: {absent} is not installed; it comes with "
            f'pip install "infonce_ref[{arguments.extra}]"',
            file=sys.stderr,
        )
        return 2
    except FileExistsError as error:
        print(f"infonce-ref: {error.filename} is a file; name a folder", file=sys.stderr)
        return 2
    except (ValueError, OSError) as error:
        print(f"infonce-ref: {error}", file=sys.stderr)
        return 2
    except MemoryError:
        print("infonce-ref: not enough memory for that many rows; give fewer", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("infonce-ref: interrupted", file=sys.stderr)
        return 130


def parser() -> argparse.ArgumentParser:
    """The grammar of the command."""
    from .. import __version__

    top = argparse.ArgumentParser(
        prog="infonce-ref",
        description="The InfoNCE family of contrastive losses in NumPy, with every equation checked.",
    )
    top.add_argument("--version", action="version", version=__version__)
    top.set_defaults(run=lambda _: print(top.format_help(), end=""))
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Command)

    for each in COMMANDS:
        each.add(commands)
    return top
