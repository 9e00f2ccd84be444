"""The command infonce-ref, one file for each subcommand. Each imports what it needs when it runs."""

import argparse
import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..output import escape_controls
from . import check, exercise, explain, figures, ledger, lessons, prove, train, vectors, verify
from .command import Command, Parser
from .ending import explain_error, signals_as_interrupts

COMMANDS = (verify, check, explain, ledger, prove, figures, train, exercise, lessons, vectors)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command. Exit status: 0 if everything holds, 1 if not, 2 if it could not be checked or reported."""
    if sys.stderr is None:  # closed, as by 2>&-; print would write to standard output instead
        sys.stderr = io.StringIO()
    if sys.stdout is None:
        print("infonce-ref: standard output is closed, so nothing can be reported", file=sys.stderr)
        return 2
    for stream in (sys.stdout, sys.stderr):
        # write \\u03c4 if the stream cannot encode τ
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = argparse.Namespace(extra="", decides=False)  # decides: the exit status is a verdict
    try:
        return _run(arguments, argv)
    except BrokenPipeError:  # a reader closed the pipe, as `| head` does: no error unless a verdict was lost
        _drop_output()
        return 2 if arguments.decides else 0
    except (Exception, KeyboardInterrupt) as error:
        status, line = explain_error(error, arguments.extra)
        print(escape_controls(f"infonce-ref: {line}"), file=sys.stderr)
        return status


def _run(arguments: argparse.Namespace, argv: Sequence[str] | None) -> int:
    """Run the subcommand and write all of its output."""
    with signals_as_interrupts():
        try:
            with _json_on_output(sys.argv[1:] if argv is None else list(argv)) as arguments.argv:
                top = parser()
                if "_ARGCOMPLETE" in os.environ:  # a shell asks for completions
                    import argcomplete

                    argcomplete.autocomplete(top)
                top.parse_args(arguments.argv, arguments)
                return arguments.run(arguments) or 0
        finally:
            try:
                sys.stdout.flush()
            except BrokenPipeError:
                raise
            except OSError as error:  # a full disk
                _drop_output()
                raise OSError(error.errno, error.strerror, "standard output") from None


@contextlib.contextmanager
def _json_on_output(argv: list[str]) -> Iterator[list[str]]:
    """For `--json -`, redirect the report to standard error, have the command write the JSON into a file, and
    print this at the end.
    """
    place = next((k for k in range(1, len(argv)) if argv[k - 1 : k + 1] == ["--json", "-"]), None)
    if place is None:
        yield argv
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report.json")
        with contextlib.redirect_stdout(sys.stderr):
            yield [*argv[:place], str(file), *argv[place + 1 :]]
        if file.exists():
            print(file.read_text(encoding="utf-8"), end="")


def _drop_output() -> None:
    """Discard buffered output, which Python would write at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def parser() -> argparse.ArgumentParser:
    """The parser of the command line."""
    from .. import __version__

    top = Parser(
        prog="infonce-ref",
        description="The InfoNCE family of contrastive losses in NumPy, with every equation checked.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="completion, after pip install argcomplete:\n"
        '  bash, zsh  eval "$(register-python-argcomplete infonce-ref)"\n'
        "  fish       register-python-argcomplete --shell fish infonce-ref | source",
    )
    top.add_argument("--version", action="version", version=__version__)
    top.set_defaults(run=lambda _: print(top.format_help(), end=""))
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Command)

    for each in COMMANDS:
        each.add(commands)
    return top
