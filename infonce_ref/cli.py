"""The command infonce-ref. Knows no mathematics; imports what a subcommand needs when it runs."""

import argparse
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from textwrap import fill, indent
from typing import Any


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


def parser() -> argparse.ArgumentParser:
    """The grammar of the command."""
    from . import __version__

    top = argparse.ArgumentParser(
        prog="infonce-ref",
        description="The InfoNCE family of contrastive losses in NumPy, with every equation checked.",
    )
    top.add_argument("--version", action="version", version=__version__)
    top.set_defaults(run=lambda _: print(top.format_help(), end=""))
    commands = top.add_subparsers(dest="command", metavar="COMMAND", parser_class=Command)

    judge = commands.add_parser(
        "verify",
        help="check each gradient in four ways, or the gradients on your own embeddings",
        description="Compares each gradient with the proved formula, with finite differences of the forward pass,\n"
        "with identities that must hold of it, and with 50 digits. Exit status 0 only if all of it agrees.",
        names=loss_names,
    )
    judge.add_argument(
        "--loss",
        metavar="NAME",
        nargs="+",
        default=[],
        help="only these losses; your own as module:LOSS or file.py:LOSS",
    )
    judge.add_argument(
        "--statement", metavar="TARGET", help="the statement of your own, if not STATEMENT beside it"
    )
    judge.add_argument("--dtype", choices=("float32", "float64"), help="default: both, or the input's own")
    judge.add_argument(
        "--seed", metavar="S", type=int, help="draw other cases, beside the fixed ones; default 0"
    )
    judge.add_argument("--backend", choices=("numpy", "cupy", "torch", "jax"), default="numpy")
    judge.add_argument("--json", metavar="FILE", type=Path, help="write every check to FILE")
    judge.add_argument(
        "--input", metavar="FILE", type=Path, help=".npy or .npz: 2B rows, or two arrays of B rows"
    )
    judge.add_argument("--temperature", metavar="τ", type=float, help="for --input; default 0.1")
    judge.set_defaults(run=verify, extra="verify")

    own = commands.add_parser(
        "check",
        help="which formula your own loss computes, whether its gradient is right, where it loses its digits",
        description="Asks a loss of your own: a function, a class or a torch.nn.Module, in PyTorch, JAX or NumPy.\n"
        "It is imported and runs in this process, with all that this process may do. Exit status: 0, or the sum\n"
        "of 1 (formula), 4 (gradient) and 8 (numerics), of those that do not hold; 2 if it cannot be asked.",
        names=check_names,
    )
    own.add_argument("target", metavar="TARGET", help="module:attribute or file.py:attribute")
    own.add_argument("--is", dest="is_", metavar="LOSS", help="which loss it is meant to be")
    own.add_argument(
        "--with",
        dest="settings",
        metavar="NAME=VALUE",
        nargs="+",
        default=[],
        help="what it is built and called with, for example temperature=0.1",
    )
    own.add_argument("--inputs", metavar="INPUTS", help="how it takes its arrays; default: found by trying")
    own.add_argument("--backward", metavar="TARGET", help="its gradient, where no library gives one")
    own.add_argument("--device", metavar="DEVICE", default="cpu", help="where PyTorch puts its tensors")
    own.add_argument(
        "--dtype",
        choices=("float64", "float32", "float16", "bfloat16"),
        default="float64",
        help="in which it is asked, where it takes no other; default: float64",
    )
    own.add_argument("--json", metavar="FILE", type=Path, help="write the report to FILE")
    own.set_defaults(run=check, extra="verify")

    seen = commands.add_parser(
        "explain",
        help="what the loss does to your own embeddings: effective negatives, whom it pushes, which temperature",
        description="Looks at every pair of rows of two views of the same things, and says what NT-Xent does\n"
        "to them at each temperature, with the claims behind each number. docs/explain.md reads an example.",
    )
    seen.add_argument(
        "files", metavar="FILE", type=Path, nargs="+", help=".npy or .npz: 2B rows, or two arrays of B rows"
    )
    seen.add_argument("--temperature", metavar="τ", type=float, default=0.1, help="default 0.1")
    seen.add_argument(
        "--labels", metavar="FILE", type=Path, help=".npy of B or 2B labels, if FILE does not hold them"
    )
    seen.add_argument(
        "--layout",
        choices=("concatenated", "interleaved"),
        default="concatenated",
        help="of one array of 2B rows: view after view, or pair after pair; default: concatenated",
    )
    seen.add_argument(
        "--batch", metavar="B", type=int, help="draw batches of B pairs; default: all pairs at once"
    )
    seen.add_argument("--draws", metavar="K", type=int, default=16, help="how many batches; default 16")
    seen.add_argument("--top", metavar="K", type=int, default=5, help="how many rows to name; default 5")
    seen.add_argument("--seed", metavar="S", type=int, default=0, help="of what is drawn; default 0")
    seen.add_argument("--json", metavar="FILE", type=Path, help="write every number to FILE")
    seen.add_argument("--out", metavar="FILE", type=Path, help="write a page with figures to FILE, an .html")
    seen.set_defaults(run=explain, extra="verify")

    book = commands.add_parser(
        "ledger",
        help="the verdict on every equation and claim of the documents",
        description="Runs the evidence of each claim: a proof, a counterexample or a computation. Exit status 0\n"
        "only if all of it stands.",
        names=document_names,
    )
    book.add_argument("ids", metavar="ID", nargs="*", help="show these claims whole, for example D1.13")
    book.add_argument("--document", metavar="D", help="only the claims of this document, for example D1")
    book.add_argument("--verdict", metavar="V", help="only this verdict, for example refuted")
    book.add_argument(
        "--kernel",
        action="store_true",
        help="have Coq check the theorems of these claims, where it is installed",
    )
    book.add_argument("--json", metavar="FILE", type=Path, help="write every claim and its evidence to FILE")
    book.add_argument("--markdown", metavar="DIR", type=Path, help="write a page of each document into DIR")
    book.set_defaults(run=ledger, extra="verify")

    own = commands.add_parser(
        "prove",
        help="prove the lines of your own file, or derive the gradient of its loss",
        description="Runs FILE, in which every proof is checked as it is made. Of the LOSS in it, written with\n"
        "NAMES and FACTS, the gradient by each entry in BY is derived, proved for every size, and printed as\n"
        "text, LaTeX and NumPy. Exit status 1 where something does not follow. FILE runs as your own code does.",
    )
    own.add_argument("file", metavar="FILE", type=Path, help="a Python file; docs/own-loss.md has one")
    own.set_defaults(run=prove, extra="verify")

    draw = commands.add_parser("figures", help="draw the figures, as SVG and PNG", names=figure_names)
    draw.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("figures-out"), help="default: figures-out"
    )
    draw.add_argument("--only", metavar="NAME", nargs="+", default=[], help="only these figures")
    draw.set_defaults(run=figures, extra="lessons")

    learn = commands.add_parser(
        "train",
        help="run one of the documents' algorithms on real images",
        description="Trains an encoder and measures it on held-out images beside the untrained one and raw\n"
        "pixels. Writes DIR/ALGORITHM.run, .svg and .png. Ctrl-C saves what was trained so far.",
        names=algorithm_names,
    )
    learn.add_argument("algorithm", metavar="ALGORITHM", help="for example simclr")
    learn.add_argument("--steps", metavar="N", type=int, default=600, help="in all; default 600")
    learn.add_argument("--seed", metavar="S", type=int, help="default 0")
    learn.add_argument(
        "--out", metavar="DIR", type=Path, default=Path("train-out"), help="default: train-out"
    )
    learn.add_argument(
        "--option", metavar="NAME=VALUE", nargs="+", default=[], help="for example batch=64 temperature=0.2"
    )
    learn.add_argument("--resume", metavar="FILE", type=Path, help="carry on the run of that .run")
    learn.set_defaults(run=train, extra="lab")

    practise = commands.add_parser(
        "exercise",
        help="write a loss and its gradient yourself, and hear what is wrong with them by name",
        description="Without a NAME, lists the exercises. With one, writes NAME.py: the equations and two\n"
        "functions to fill in. FILE runs in a process of its own, with a time and a memory limit. Exit status 0\n"
        "if all is right, 1 if not.",
        names=exercise_names,
    )
    practise.add_argument("name", metavar="NAME", nargs="?", help="for example ntxent")
    practise.add_argument(
        "--check", metavar="FILE", type=Path, help="say what is right in FILE, and what is wrong"
    )
    practise.add_argument(
        "--hint", metavar="N", type=int, nargs="?", const=1, help="print the N-th step; default 1"
    )
    practise.add_argument("--solution", action="store_true", help="print a solution")
    practise.add_argument("--json", action="store_true", help="with --check: score and comments as JSON")
    practise.add_argument("--out", metavar="FILE", type=Path, help="write the file there; default: NAME.py")
    practise.add_argument(
        "--otter", metavar="DIR", type=Path, help="write it as an assignment of otter-grader"
    )
    practise.add_argument("--notebooks", metavar="DIR", type=Path, help="write a notebook of each lesson")
    practise.set_defaults(run=exercise, extra="verify")

    teach = commands.add_parser(
        "lessons",
        help="build the lessons as pages, or read one here",
        description="Without a NAME, all lessons as HTML pages that need no network; with one, it as text.",
    )
    teach.add_argument(
        "name",
        metavar="NAME",
        nargs="?",
        help="print this lesson, for example infonce; a wrong one lists all",
    )
    teach.add_argument("--out", metavar="DIR", type=Path, help="build pages into DIR; default: lessons-out")
    teach.add_argument("--open", action="store_true", help="open what was built in the browser")
    teach.set_defaults(run=lessons, extra="lessons")
    return top


def listed(heading: str, names: Iterable[str]) -> str:
    """A line or more of names."""
    return fill(f"{heading}: {', '.join(names)}", width=100, subsequent_indent="  ")


def loss_names() -> str:
    """The names that verify --loss takes."""
    from .information import ESTIMATORS
    from .losses import ALL

    return listed("losses", [*ALL, *(entry.name for entry in ESTIMATORS.values())])


def check_names() -> str:
    """The names that check --is and --inputs take."""
    from .conformance.inputs import WAYS
    from .conformance.names import NAMES

    ways = [f"  {name:<28}{way.words}" for name, way in WAYS.items()]
    losses = dict.fromkeys(named.name for named in NAMES)
    return "\n".join([listed("losses", losses), "inputs:", *ways])


def document_names() -> str:
    """What the ids of the ledger mean, and the verdicts."""
    from .derivations.documents import DOCUMENTS
    from .derivations.verdicts import Verdict

    lines = (f"  {name:<3} {document.title}: {document.about}" for name, document in DOCUMENTS.items())
    head = "An id names a document and a row of it, such as D1.13 or M5. The documents:"
    return "\n".join([head, *lines, listed("verdicts", Verdict)])


def figure_names() -> str:
    """The names that figures --only takes."""
    from .figures import NAMES

    return listed("figures", NAMES)


def algorithm_names() -> str:
    """The algorithms, each with its options and their defaults."""
    from .algorithms import ALL

    def options(algorithm: Any) -> str:
        return " ".join(f"{name}={value}" for name, value in algorithm.options()._asdict().items())

    lines = [
        fill(f"{name:<24}{options(entry)}", width=100, initial_indent="  ", subsequent_indent=" " * 26)
        for name, entry in ALL.items()
    ]
    return "\n".join(["algorithms, and their options with defaults:", *lines])


def exercise_names() -> str:
    """The exercises, in the order of the lessons."""
    from .exercises import ALL

    return "\n".join(["exercises:", *(f"  {name:<18}{each.title}" for name, each in ALL.items())])


def refuse_unwritable(option: str, path: Path | None) -> None:
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


def verify(arguments: argparse.Namespace) -> int:
    """infonce-ref verify"""
    from rich.console import Console

    from .arrays import converter
    from .verify import brought, cancels, information, judge, report

    known = judge.registered()
    own = [name for name in arguments.loss if name not in known]
    unknown = [name for name in own if ":" not in name and name not in brought.offered()]
    if unknown:
        raise ValueError(f"--loss: unknown {', '.join(unknown)}; known are {', '.join(known)}")
    if arguments.statement and len(own) != 1:
        raise ValueError("--statement goes with one --loss of your own, as module:LOSS or file.py:LOSS")
    if own and arguments.input:
        raise ValueError("--input goes with the losses of the registry; yours is judged on its own example")
    refuse_unwritable("--json", arguments.json)
    try:
        converter(arguments.backend)
    except ImportError:
        raise ValueError(f"--backend {arguments.backend}: that library is not installed here") from None

    losses, checks, facts = (judge_input if arguments.input else judge_registry)(arguments)
    holds = judge.holds(checks, losses)
    if not (arguments.loss or arguments.input):
        holds = holds and information.holds(checks)
    registered = [check for check in checks if check.loss in known]
    surprises = [] if arguments.input else cancels.surprises(registered, losses)
    for line in surprises:
        print(f"infonce-ref: {line}", file=sys.stderr)
    holds = holds and not surprises
    grades = report.grades(losses, checks)
    report.show(Console(), checks, holds, grades)
    if arguments.json:
        report.write_json(arguments.json, checks, holds, grades, backend=arguments.backend, **facts)
    return 0 if holds else 1


def judge_registry(arguments: argparse.Namespace) -> tuple[list, list, dict]:
    """Every loss of the registry, or those asked for: the losses, the checks, and what else to write down."""
    from .arrays import converter
    from .progress import each
    from .verify import brought, information, judge, proofs

    if arguments.temperature is not None:
        raise ValueError("--temperature goes with --input; the judge tries every temperature by itself")
    known = judge.registered()
    losses = [known.get(name) or brought.bring(name, arguments.statement) for name in arguments.loss or known]
    own = [loss for loss in losses if loss.name not in known]
    for loss in own:
        for name, proof in proofs.prove(loss.name, loss.example()).items():
            print(f"{loss.name}: the gradient by {name}\n{proof}\n")
    dtypes = [arguments.dtype] if arguments.dtype else list(judge.DTYPES)
    seed = judge.SEED if arguments.seed is None else arguments.seed
    if seed < 0:
        raise ValueError(f"--seed must be at least 0; got {seed}")
    print(f"drawn cases: seed {seed}; {' and '.join(dtypes)}")
    questions = [
        n
        for loss in losses
        if loss not in own
        for dtype in dtypes
        for n in judge.numbered(loss.name, dtype, arguments.backend, seed)
    ]
    # a GPU, or a library with threads of its own, is asked from this process alone
    parallel = arguments.backend == "numpy" and len(losses) > 1
    heard = each(judge.hear_numbered, questions, lambda n: n.loss, parallel)
    convert = converter(arguments.backend)
    brought_questions = [
        hearing for loss in own for dtype in dtypes for hearing in judge.hearings(loss, dtype, convert, seed)
    ]
    heard += each(judge.hear, brought_questions, lambda hearing: hearing.case.loss.name)
    if not arguments.loss:
        heard += [list(information.testify(dtype, seed, convert)) for dtype in dtypes]
    return losses, [check for checks in heard for check in checks], {"dtypes": dtypes, "seed": seed}


def judge_input(arguments: argparse.Namespace) -> tuple[list, list, dict]:
    """The user's own embeddings: likewise, after a few lines on what they are."""
    from rich.console import Console

    from .arrays import converter
    from .progress import each
    from .verify import embeddings, judge, report

    if arguments.dtype:
        raise ValueError("--dtype goes without --input; the embeddings keep their own dtype")
    if arguments.seed is not None:
        raise ValueError("--seed goes without --input: on your own rows nothing is drawn")
    rows = embeddings.load(arguments.input)
    temperature = 0.1 if arguments.temperature is None else arguments.temperature
    losses = [judge.registered()[name] for name in arguments.loss or ["ntxent"]]
    cases = [embeddings.case(loss, rows, temperature, converter(arguments.backend)) for loss in losses]
    summaries = {case.loss.name: embeddings.summary(case) for case in cases}
    for name, summary in summaries.items():
        report.show_summary(Console(), name, temperature, rows, summary)
    hearings = [hearing for case in cases for hearing in embeddings.hearings(case)]
    heard = each(judge.hear, hearings, lambda h: f"{h.case.loss.name}: {h.witness}")
    found = {name: summary._asdict() for name, summary in summaries.items()}
    facts = {"rows": rows.shape[0], "features": rows.shape[1], "temperature": temperature, **found}
    return (
        losses,
        [check for checks in heard for check in checks],
        {"dtypes": [str(rows.dtype)], "input": facts},
    )


def check(arguments: argparse.Namespace) -> int:
    """infonce-ref check"""
    from .conformance import check
    from .conformance.target import settings

    refuse_unwritable("--json", arguments.json)
    report = check(
        arguments.target,
        is_=arguments.is_,
        inputs=arguments.inputs,
        backward=arguments.backward,
        device=arguments.device,
        dtype=arguments.dtype,
        **settings(arguments.settings),
    )
    print(report)
    if arguments.json:
        arguments.json.write_text(report.json(), encoding="utf-8")
    return report.status


def explain(arguments: argparse.Namespace) -> int:
    """infonce-ref explain"""
    from .explanation import files
    from .explanation.explained import explained
    from .progress import bar

    for option, path in (("--json", arguments.json), ("--out", arguments.out)):
        refuse_unwritable(option, path)
    loaded = files.load(arguments.files, arguments.labels)
    with bar() as progress:
        task = progress.add_task("rows", total=None)
        found = explained(
            loaded,
            temperature=arguments.temperature,
            layout=arguments.layout,
            batch=arguments.batch,
            draws=arguments.draws,
            top=arguments.top,
            seed=arguments.seed,
            progress=lambda words, done, to_do: progress.update(
                task, description=words, completed=done, total=to_do
            ),
        )
    print(found)
    if arguments.json:
        arguments.json.write_text(found.json(), encoding="utf-8")
    if arguments.out:
        arguments.extra = "lessons"
        from .explanation import page

        with bar() as progress:
            task = progress.add_task("claims", total=None)
            page.write(
                arguments.out,
                found,
                ", ".join(path.name for path in arguments.files),
                lambda id, done, to_do: progress.update(task, description=id, completed=done, total=to_do),
            )
        print(arguments.out)
    return 0


def ledger(arguments: argparse.Namespace) -> int:
    """infonce-ref ledger"""
    from rich.console import Console

    from .derivations import ledger as book
    from .derivations.kernel import coq
    from .derivations.pages import export, terminal

    claims = book.choose(arguments.ids, arguments.document, arguments.verdict)
    refuse_unwritable("--json", arguments.json)
    if arguments.kernel:
        coq.version()
    entries = settled(claims)
    console = Console()
    accepted = kernel(entries, console) if arguments.kernel else True
    if arguments.ids:
        for entry in entries:
            terminal.show_claim(entry, console)
    else:
        terminal.show_table(entries, console)
    if arguments.json:
        export.write_json(arguments.json, entries)
    if arguments.markdown:
        for path in export.write_markdown(arguments.markdown, entries):
            print(path)
    return 0 if accepted and all(entry.stands for entry in entries) else 1


def kernel(entries: Sequence[Any], console: Any) -> bool:
    """Has Coq check the theorems of these claims, and says what came of it."""
    from .derivations.kernel import coq, theorems
    from .derivations.kernel.export import proposition
    from .progress import bar

    pieces = {entry.claim.id: entry.evidence for entry in entries}
    chosen = [theorem for theorem in theorems.theorems() if theorem.id in pieces]
    if not chosen:
        raise ValueError(
            "--kernel: none of these claims has a theorem in Coq; leave out the ids to check all"
        )
    said = {theorem.name: proposition(pieces[theorem.id][theorem.piece]) for theorem in chosen}
    files = len({theorem.file for theorem in chosen}) + len(theorems.LIBRARY) + 2
    with bar() as progress:
        task = progress.add_task("Coq", total=files)
        try:
            accepted = coq.judge(
                chosen, said, lambda file: progress.update(task, description=f"{file}.v", advance=1)
            )
        except coq.Refused as error:
            print(f"infonce-ref ledger: not accepted: {error}", file=sys.stderr)
            return False
    console.print(f"{len(chosen)} theorems accepted by Coq {accepted.coq}, on {', '.join(accepted.axioms)}\n")
    return True


def prove(arguments: argparse.Namespace) -> int:
    """infonce-ref prove"""
    from .derivations import own
    from .derivations.evidence import relation

    try:
        names = own.read(arguments.file)
        proofs = own.proofs(names)
        for name, proof in proofs.items():
            print(f"{name}\n{proof}\n")
        derived = []
        for by, proof, code in own.gradients(names):
            print(f"the gradient by {by}\n{proof}\n\n    {relation(proof).latex()}\n\n{indent(code, '    ')}")
            derived.append(proof)
    except own.Unproved as error:
        print(f"infonce-ref prove: not proved: {error}", file=sys.stderr)
        return 1
    if not (proofs or derived):
        raise ValueError(
            f"{arguments.file}: there is nothing to prove in it: no proof, no LOSS, no STATEMENT"
        )
    print(f"proved: {len(proofs) + len(derived)}")
    return 0


def figures(arguments: argparse.Namespace) -> int:
    """infonce-ref figures"""
    from .figures import build
    from .progress import bar

    with bar() as progress:
        task = progress.add_task("figures", total=None)

        def advance(name: str, done: int, total: int) -> None:
            progress.update(task, description=name, completed=done, total=total)

        written = build(arguments.out, arguments.only, advance)
    for path in written:
        print(path)
    return 0


def lessons(arguments: argparse.Namespace) -> int:
    """infonce-ref lessons"""
    from .derivations import pages
    from .derivations.pages import book, terminal
    from .figures import load, style
    from .progress import bar

    only = [arguments.name] if arguments.name else []
    chosen = book.chosen(only)
    if only and not arguments.out and not arguments.open:
        from rich.console import Console

        terminal.show(chosen[0], book.standing(settled(book.needed(only))), Console())
        return 0
    out = arguments.out or Path("lessons-out")
    out.mkdir(parents=True, exist_ok=True)
    entries = settled(book.needed(only))
    with bar() as progress, style.applied():
        task = progress.add_task("lessons", total=len(chosen))

        def advance(name: str, done: int, total: int) -> None:
            progress.update(task, description=name, completed=done, total=total)

        written = pages.build(out, only, entries, load, advance)
    for path in written:
        print(path)
    if arguments.open:
        import webbrowser

        webbrowser.open(written[0].absolute().as_uri())
    return 0


def exercise(arguments: argparse.Namespace) -> int:
    """infonce-ref exercise"""
    from . import exercises

    if arguments.notebooks:
        arguments.extra = "teach"
        from .exercises import notebooks

        for path in notebooks.write(arguments.notebooks):
            print(path)
        return 0
    if arguments.name is None:
        print(exercise_names())
        return 0
    chosen = exercises.chosen(arguments.name)
    if arguments.check:
        report = exercises.check(arguments.name, arguments.check)
        print(report.json() if arguments.json else report, end="" if arguments.json else "\n")
        return 0 if report.holds else 1
    if arguments.otter:
        from .exercises import otter

        for path in otter.write(chosen, arguments.otter):
            print(path)
        return 0
    if arguments.hint is not None:
        print(exercises.hint(chosen, arguments.hint))
        return 0
    if arguments.solution:
        print(chosen.text, end="")
        return 0
    path = arguments.out or Path(f"{chosen.name}.py")
    refuse_unwritable("--out", path)
    if path.exists():
        raise ValueError(f"{path} exists, and may be your work; move it, or name another with --out")
    path.write_text(exercises.file(chosen), encoding="utf-8")
    print(
        f"{path}: fill in {' and '.join(chosen.functions)}, then infonce-ref exercise {chosen.name} --check {path}"
    )
    return 0


def train(arguments: argparse.Namespace) -> int:
    """infonce-ref train"""
    from rich.console import Console

    from .algorithms import ALL, picture, report, saved
    from .algorithms import train as loop
    from .progress import bar

    if arguments.algorithm not in ALL:
        raise ValueError(f"unknown algorithm {arguments.algorithm!r}; known are {', '.join(ALL)}")
    if arguments.steps < 1:
        raise ValueError(f"--steps must be at least 1; got {arguments.steps}")
    algorithm = ALL[arguments.algorithm]
    if arguments.resume is None:
        options = loop.parsed(algorithm, arguments.option)
        run = loop.begin(algorithm, seed=arguments.seed or 0, **options)
    else:
        if arguments.option or arguments.seed is not None:
            raise ValueError("--resume keeps the run's own seed and options; leave --seed and --option out")
        run = saved.load(arguments.resume)
        if run.algorithm is not algorithm:
            raise ValueError(
                f"{arguments.resume} holds a run of {run.algorithm.name}, not of {algorithm.name}"
            )
    arguments.out.mkdir(parents=True, exist_ok=True)
    stem = arguments.out / algorithm.name
    state = stem.with_suffix(".run")
    with loop.one_thread():
        try:
            with bar() as progress:
                task = progress.add_task(algorithm.name, total=arguments.steps, completed=len(run.losses))
                for later in loop.steps(run, arguments.steps - len(run.losses)):
                    run = later
                    words = f"{algorithm.name}, loss {run.losses[-1]:.4f}"
                    progress.update(task, description=words, advance=1)
        except KeyboardInterrupt:
            print(
                f"infonce-ref: interrupted after {len(run.losses)} steps; --resume {state} carries on",
                file=sys.stderr,
            )
            return 130
        finally:
            saved.save(state, run)
        report.show(Console(), run, loop.result(run))
        for path in (state, *picture.save(run, stem)):
            print(path)
    return 0


def settled(claims: Sequence[Any]) -> list[Any]:
    """Every claim with what its evidence says, behind a progress bar."""
    from .derivations.ledger import settle
    from .progress import each

    return each(settle, claims, lambda claim: claim.id)
