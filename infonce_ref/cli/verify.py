"""infonce-ref verify"""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from .. import output
from . import watched
from .command import find_losses, list_names


def add(commands: Any) -> None:
    """Add this command to the parser."""
    own = commands.add_parser(
        "verify",
        help="check each gradient in four independent ways, also on your own embeddings",
        description="Compares each gradient with the proved formula, with finite differences of the forward pass, "
        "with laws that must hold, and with 50-digit arithmetic. Exit status 0 only if everything agrees.",
        names=names,
    )
    own.option("--loss NAME…", "only these losses; your own as module:LOSS or file.py:LOSS")
    own.option("--statement TARGET", "the statement of your own loss; default: STATEMENT in its module")
    own.option("--dtype", "default: both, or the input's own", choices=("float32", "float64"))
    own.option("--seed S", "seed of the random cases, which are checked beside the fixed ones; default 0")
    own.option(
        "--backend",
        "the library of the arrays; cupy and torch:cuda use a GPU",
        choices=("numpy", "cupy", "torch", "torch:cuda", "jax"),
        default="numpy",
    )
    own.option("--whole", "show each input of each loss, with its tolerances and their reasons")
    own.option("--json FILE", "write every check to FILE")
    own.option("--input FILE…", ".npy or .npz: 2B rows, or two arrays of B rows, in one file or two")
    own.option("--temperature τ", "for --input; default 0.1")
    watched.add_seconds(own)
    own.set_defaults(run=run, judge=judge_losses, decides=True, extra="verify")


def names() -> str:
    """The names that verify --loss takes."""
    from ..information import ESTIMATORS
    from ..losses import ALL

    return list_names("losses", [*ALL, *(entry.name for entry in ESTIMATORS.values())])


def run(arguments: argparse.Namespace) -> int:
    """Run the command and return the exit status."""
    from ..arrays import converter
    from ..verify import judge, own_loss

    own = [name for name in arguments.loss if ":" in name or name in own_loss.list_offered()]
    arguments.loss = find_losses(arguments.loss, [*judge.list_registered(), *own])
    if arguments.statement and len(own) != 1:
        raise ValueError("--statement needs one --loss of your own, as module:LOSS or file.py:LOSS")
    if own and arguments.input:
        raise ValueError("--input needs losses of the registry; your own loss is checked on its own example")
    files = [Path(name.rpartition(":")[0]) for name in (*own, arguments.statement or "")]
    output.check_outputs({"--json": arguments.json}, [*files, *(arguments.input or [])])
    try:
        converter(arguments.backend)
    except (ImportError, ValueError) as error:
        why = "that library is not installed here" if isinstance(error, ImportError) else error
        raise ValueError(f"--backend {arguments.backend}: {why}") from None
    return watched.run(arguments) if own else watched.show(judge_losses(arguments, sys.stdout))


def judge_losses(arguments: argparse.Namespace, out: TextIO) -> watched.Outcome:
    """Run the checks and print what they measured."""
    from ..verify import cancellations, information, judge, matrix
    from .terminal import Terminal

    console = Terminal(out)
    path = arguments.json and arguments.json.absolute()
    losses, answers, facts = (check_input if arguments.input else check_registry)(arguments, console)
    checks: list[Any] = []
    try:
        for some in answers:
            checks += some
    except KeyboardInterrupt:
        matrix.show_part(console, checks)
        if path:
            beside = path.with_name(f"{path.stem}.partial{path.suffix}")  # never over a complete report
            output.replace(beside, matrix.json_text(checks, False, {}, **facts, interrupted=True))
            print(f"infonce-ref: what was measured so far is in {beside}", file=sys.stderr)
        raise
    surprises: list[str] = []
    if not arguments.input:
        registered = [check for check in checks if check.loss in judge.list_registered()]
        surprises = cancellations.find_surprises(registered, losses, arguments.backend)
    holds = judge.holds(checks, losses) and not surprises
    if not (arguments.loss or arguments.input):
        holds = holds and information.holds(checks)
    grades = {loss.name: judge.grade(checks, loss) for loss in losses}
    matrix.show(console, checks, holds, grades, surprises, arguments.whole)
    files = {str(path): matrix.json_text(checks, holds, grades, **facts)} if path else {}
    return watched.Outcome(0 if holds else 1, files, surprises)


# the losses to judge · their checks, some at a time · facts for the JSON file
Run = tuple[list[Any], Iterator[list[Any]], dict[str, Any]]


def check_registry(arguments: argparse.Namespace, console: Any) -> Run:
    """Check the losses named by --loss, or all of the registry."""
    from ..arrays import converter
    from ..progress import work_through
    from ..verify import information, judge, own_loss, proofs

    if arguments.temperature is not None:
        raise ValueError("--temperature needs --input; without it, many temperatures are tried")
    seed = judge.SEED if arguments.seed is None else arguments.seed
    if seed < 0:
        raise ValueError(f"--seed must be at least 0; got {seed}")
    known, convert = judge.list_registered(), converter(arguments.backend)
    losses = [known.get(name) or own_loss.load(name, arguments.statement) for name in arguments.loss or known]
    own = [loss for loss in losses if loss.name not in known]
    for loss in own:
        for name, proof in proofs.prove(loss.name, loss.example()).items():
            print(f"{loss.name}: the gradient by {name}\n{proof}\n", file=console.file)
    dtypes = [arguments.dtype] if arguments.dtype else list(judge.DTYPES)

    def answers() -> Iterator[list[Any]]:
        # JAX reserves most of a GPU's memory for one process
        parallel = arguments.backend != "jax" and len(losses) > 1
        apart = [loss for loss in losses if parallel and loss not in own]
        parts = [(loss.name, dtype, arguments.backend, seed) for loss in apart for dtype in dtypes]
        yield from work_through(judge.answer_part, parts, lambda part: part[0], parallel)
        here = [loss for loss in losses if loss not in apart]
        questions = [
            h for loss in here for dtype in dtypes for h in judge.ask_all(loss, dtype, convert, seed)
        ]
        yield from work_through(judge.answer, questions, lambda question: question.case.loss.name)
        if not arguments.loss:
            yield from work_through(lambda dtype: information.check_all(dtype, seed, convert), dtypes, str)

    return losses, answers(), {"backend": arguments.backend, "dtypes": dtypes, "seed": seed}


def check_input(arguments: argparse.Namespace, console: Any) -> Run:
    """Print a summary of the user's embeddings, then check the losses on them."""
    from ..arrays import converter
    from ..checks import check_positive
    from ..embeddings import files
    from ..embeddings.rows import views
    from ..progress import show_bar, work_through
    from ..verify import embeddings, judge, matrix

    if arguments.dtype:
        raise ValueError("--dtype and --input exclude each other; the embeddings keep their own dtype")
    if arguments.seed is not None:
        raise ValueError("--seed and --input exclude each other: with your own rows nothing is random")
    tau = check_positive("--temperature", 0.1 if arguments.temperature is None else arguments.temperature)
    losses = [embeddings.find_loss(name) for name in arguments.loss or ["ntxent"]]
    rows, convert = views(files.load(arguments.input)), converter(arguments.backend)
    for loss in losses:
        embeddings.refuse_rows(loss, rows)
    matrix.show_rows(console, rows, tau)
    summaries: dict[str, dict[str, float]] = {}
    for loss in losses:
        with show_bar(loss.name) as progress:
            summaries[loss.name] = embeddings.summarise(loss, rows, tau, convert, progress)
        matrix.show_summary(console, loss.name, summaries[loss.name])
    console.print()
    questions = [question for loss in losses for question in embeddings.ask_all(loss, rows, tau, convert)]
    facts = {"rows": 2 * rows.pairs, "features": rows.first.shape[1], "temperature": tau, **summaries}
    answers = work_through(judge.answer, questions, lambda one: f"{one.case.loss.name}: {one.method}")
    return losses, answers, {"backend": arguments.backend, "dtypes": [str(rows.dtype)], "input": facts}
