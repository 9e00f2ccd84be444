"""Mutation testing: each line is made wrong in turn, and the judge or the tests of that file must say so.

python tests/mutation.py                                   every file
python tests/mutation.py infonce_ref/losses/ntxent.py      these

The tree is copied, a mutant is one file of the copy rewritten, and each is tried in a process of its own that
has SymPy and its like already loaded: by the judge's quick witnesses, by the tests, by the judge's 50 digits. A
mutant that nothing kills, and that tests/equivalent_mutants.toml does not explain, makes the exit status 1; so
does an explanation of a mutant that is killed, or is there no more. The known tools know of no judge to ask
before the tests, and start Python anew for each mutant.
"""

import ast
import copy
import os
import re
import shutil
import signal
import sys
import tempfile
import time
import tomllib
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
EQUIVALENT = Path(__file__).parent / "equivalent_mutants.toml"
SHARED = [
    f"infonce_ref/{name}.py"
    for name in ("sphere", "cross_entropy", "reduction", "pairs", "information", "arrays")
]
PROOFS = [f"derivations/{name}.py" for name in ("evidence", "points")]
LIMIT = 300  # seconds for one mutant: an endless loop is a mutant that is seen
QUICK = (
    "finite differences",
    "symbolic",
    "identities",
)  # the judge's witnesses that cost little, in their order
KILLERS = ("survived", "the judge", "the tests", "50 digits", "the time limit", "the import")


# --- what is changed -------------------------------------------------------------------------------------


class Mutant(NamedTuple):
    """One change: in which function, what becomes what, and the file as it then reads."""

    function: str
    change: str
    source: str


BINARY = {
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Div],
    ast.Div: [ast.Mult],
    ast.FloorDiv: [ast.Mult],
    ast.Mod: [ast.FloorDiv],
    ast.Pow: [ast.Mult],
    ast.BitAnd: [ast.BitOr],
    ast.BitOr: [ast.BitAnd],
}
COMPARED = {
    ast.Lt: [ast.LtE, ast.GtE],
    ast.LtE: [ast.Lt, ast.Gt],
    ast.Gt: [ast.GtE, ast.LtE],
    ast.GtE: [ast.Gt, ast.Lt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
}
NAMES = {"max": "min", "min": "max", "maximum": "minimum", "minimum": "maximum", "sum": "mean", "mean": "sum"}


def altered(node: ast.expr, **fields: object) -> ast.expr:
    return type(node)(**{name: getattr(node, name, None) for name in node._fields} | fields)


def wrong(node: ast.AST) -> Iterator[ast.AST]:
    """What may stand in a node's place: operators and arguments swapped, a sign or a call gone, another number."""
    match node:
        case ast.BinOp(left, op, right):
            for other in BINARY.get(type(op), []):
                yield altered(node, op=other())
            if isinstance(op, ast.Sub | ast.Div | ast.MatMult):
                yield altered(node, left=right, right=left)
        case ast.Compare(_, [op], _):
            for other in COMPARED.get(type(op), []):
                yield altered(node, ops=[other()])
        case ast.BoolOp(op, _):
            yield altered(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(_, operand):
            yield operand
        case ast.IfExp(test, body, orelse):
            yield altered(node, body=orelse, orelse=body)
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value) | float(value)):
            yield ast.Constant(value + 1)
        case ast.keyword("axis", ast.Constant(value) | ast.UnaryOp(_, ast.Constant(value))):
            yield ast.keyword(
                "axis", ast.Constant(1 if value == 0 or isinstance(node.value, ast.UnaryOp) else 0)
            )
        case ast.Call(function, positional, _):
            if len(positional) >= 2 and not isinstance(positional[0], ast.Constant):
                yield altered(node, args=[positional[1], positional[0], *positional[2:]])
            values = [x for x in positional if not isinstance(x, ast.Constant)]
            plain = len(values) == 1 and not isinstance(values[0], ast.Starred)
            if plain and getattr(function, "id", "") not in ("bool", "ValueError"):
                yield values[0]
            if isinstance(function, ast.Attribute) and function.attr in NAMES:
                yield altered(node, func=altered(function, attr=NAMES[function.attr]))
        case ast.Return(ast.Tuple([first, second])):
            yield ast.Return(ast.Tuple([second, first], ast.Load()))
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Raise():
            yield ast.Pass()
        case ast.If(test):
            yield altered(node, test=ast.UnaryOp(ast.Not(), test))


def places(tree: ast.Module) -> Iterator[tuple[str, ast.AST, str, int | None]]:
    """Every node that computes something, by its function, its parent, and where in the parent it is."""

    def within(node: ast.AST, function: str) -> Iterator[tuple[str, ast.AST, str, int | None]]:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(child, ast.AST) or isinstance(
                    child, ast.JoinedStr | ast.ImportFrom | ast.Import
                ):
                    continue
                if isinstance(child, ast.ClassDef):
                    # a tuple of fields computes nothing, and the judge's examples are not the code under trial
                    methods = [x for x in child.body if isinstance(x, ast.FunctionDef)]
                    for method in methods:
                        yield from within(method, f"{child.name}.{method.name}")
                    continue
                own = (
                    f"{function}.{child.name}".lstrip(".") if isinstance(child, ast.FunctionDef) else function
                )
                if "example" in own or (
                    not own and isinstance(node, ast.Module) and not isinstance(child, ast.FunctionDef)
                ):
                    continue
                yield own, node, name, index
                if not (isinstance(child, ast.keyword) and child.arg == "axis"):
                    yield from within(child, own)

    return within(tree, "")


def shown(node: ast.AST) -> str:
    return ast.unparse(node).splitlines()[0]


def mutants(source: str) -> Iterator[Mutant]:
    """Every change of a file, one at a time."""
    tree, named = ast.parse(source), Counter()
    for function, parent, name, index in list(places(tree)):
        held = getattr(parent, name)
        node = held if index is None else held[index]
        # a number or an axis says more with what is around it
        small = isinstance(node, ast.Constant | ast.keyword) and isinstance(parent, ast.expr | ast.keyword)
        news = list(wrong(copy.deepcopy(node)))
        before = shown(parent if small else node) if news else ""
        for new in news:
            put(parent, name, index, new)
            change = f"{before} → {shown(parent if small else new)}"
            named[function, change] += 1
            again = named[function, change]
            text = ast.unparse(ast.fix_missing_locations(tree))
            yield Mutant(function, change if again == 1 else f"{change} ({again})", text)
            put(parent, name, index, node)


def put(parent: ast.AST, name: str, index: int | None, node: ast.AST) -> None:
    if index is None:
        setattr(parent, name, node)
    else:
        getattr(parent, name)[index] = node


# --- who must see it -------------------------------------------------------------------------------------


def losses_judged(file: str) -> list[str]:
    """The losses that the judge is asked about: the file's own, or those that import it."""
    path = Path(file)
    written = sorted(x.stem for x in LOSSES.glob("*.py") if x.stem != "__init__")
    if path.parent.name in ("losses", "streaming"):
        return (
            [path.stem]
            if path.stem in written
            else [x for x in written if (path.parent / f"{x}.py").exists()]
        )
    imported = re.compile(rf"^from \.\.{path.stem} import |^from \.\. import .*\b{path.stem}\b", re.M)
    users = [x for x in written if imported.search((LOSSES / f"{x}.py").read_text(encoding="utf-8"))]
    return [] if file.startswith("derivations") else users


LOSSES = ROOT / "infonce_ref" / "losses"


def tests_of(file: str, root: Path) -> list[str]:
    """The tests of a file: those named after it, and those of every file of its kind."""
    path = Path(file)
    named = [str(x.relative_to(root)) for x in (root / "tests").rglob(f"test_{path.stem}.py")]
    if file.startswith("derivations"):
        return [*named, "tests/derivations/test_ledger.py"]
    if path.parent.name == "losses":
        return [f"tests/losses/test_{path.stem}.py", *OF_EVERY_LOSS]
    if path.parent.name == "streaming":
        return ["tests/test_streaming.py", *OF_EVERY_LOSS]
    shared = ["tests/losses", "tests/test_streaming.py"] if losses_judged(file) else []
    return [*named, *shared, "tests/test_doctests.py"]


OF_EVERY_LOSS = ("tests/losses/test_contract.py", "tests/losses/test_overflow.py", "tests/test_doctests.py")


def objected(names: Sequence[str], witnesses: Sequence[str]) -> bool:
    """Whether one of the judge's witnesses refuses one of these losses; a loss that raises is refused."""
    import numpy as np

    from infonce_ref.losses import ALL
    from infonce_ref.verify.judge import hear, hearings

    try:
        with np.errstate(all="ignore"):
            asked = [hearing for name in names for hearing in hearings(ALL[name], "float64")]
            ordered = [hearing for name in witnesses for hearing in asked if hearing.witness == name]
            return any(not check.holds for hearing in ordered for check in hear(hearing))
    except Exception:
        return True


def killer(tree: Path, file: str) -> str:
    """Who sees what was done to a file of the copy. Runs in a process of its own, which ends here."""
    proofs = file.startswith("derivations")
    for name in [x for x in sys.modules if x.partition(".")[0] == "infonce_ref"]:
        if proofs or not name.startswith("infonce_ref.derivations"):
            del sys.modules[name]
    warnings.simplefilter("ignore")
    try:
        __import__(
            "infonce_ref.verify.judge" if not proofs else "infonce_ref.derivations.ledger", fromlist=["x"]
        )
    except Exception:
        return "the import"
    judged = losses_judged(file)
    if objected(judged, QUICK):
        return "the judge"
    import pytest

    warnings.resetwarnings()
    options = ["-x", "-q", "-n0", "-p", "no:cacheprovider", "--assert=plain", f"--rootdir={tree}"]
    if pytest.main([*options, *tests_of(file, tree)]):
        return "the tests"
    warnings.simplefilter("ignore")
    return "50 digits" if objected(judged, ["precision"]) else "survived"


def tried(tree: Path, file: str, source: str) -> str:
    """The killer of one mutant of a file, found in a process of its own."""
    target = [tree / file, tree / "infonce_ref" / file] if file.startswith("derivations") else [tree / file]
    for path in target:
        path.write_text(source, encoding="utf-8")
    child = os.fork()
    if child == 0:
        os.chdir(tree)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        signal.signal(signal.SIGALRM, lambda *_: os._exit(KILLERS.index("the time limit")))
        signal.alarm(LIMIT)
        try:
            code = KILLERS.index(killer(tree, file))
        except BaseException:
            code = KILLERS.index("the tests")
        os._exit(code)
    _, status = os.waitpid(child, 0)
    return KILLERS[os.waitstatus_to_exitcode(status)]


# --- what is told ----------------------------------------------------------------------------------------


def explained() -> dict[tuple[str, str, str], str]:
    """The reason why each equivalent mutant is one."""
    table = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["mutant"]
    return {(x["file"], x["function"], x["change"]): x["reason"] for x in table}


def prepared(folder: str) -> Path:
    """A copy of the tree in which the packages lie as they are imported, first on the path of modules."""
    tree = Path(folder) / "tree"
    ignored = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "dist")
    shutil.copytree(ROOT, tree, ignore=ignored)
    for room in ("derivations", "figures"):
        shutil.copytree(tree / room, tree / "infonce_ref" / room)
    sys.path.insert(0, str(tree))
    sys.dont_write_bytecode = True
    for module in ("pytest", "infonce_ref.verify.judge", "infonce_ref.verify.proofs"):
        __import__(module)
    from infonce_ref.losses import ALL
    from infonce_ref.verify.judge import hear, hearings

    for loss in ALL.values():  # the proofs' statements are made once, here
        hear(next(hearings(loss, "float64")))
    return tree


def report(tree: Path, file: str) -> list[str]:
    """Tries every mutant of a file and prints the score. Returns what stays unexplained."""
    source, reasons, wrongs = (tree / file).read_text(encoding="utf-8"), explained(), []
    plain = ast.unparse(ast.parse(source))
    if tried(tree, file, plain) != "survived":
        return [f"{file}: the judge or the tests refuse it as it is"]
    found, start, seen = Counter(), time.monotonic(), set()
    for mutant in mutants(source):
        key = (file, mutant.function, mutant.change)
        if mutant.source == plain:
            continue
        by = tried(tree, file, mutant.source)
        if by == "survived":
            seen.add(key)
            by = "equivalent" if key in reasons else by
            if by == "survived":
                wrongs.append(f"{file}, {mutant.function}: {mutant.change}")
                print(f"  survived: {mutant.function}: {mutant.change}", flush=True)
        found[by] += 1
    for path in (tree / file, tree / "infonce_ref" / file):
        if path.exists():
            path.write_text(source, encoding="utf-8")
    wrongs += [
        f"{file}, {key[1]}: {key[2]}: explained and not there"
        for key in reasons
        if key[0] == file and key not in seen
    ]
    judged = found.total() - found["equivalent"]
    killed = judged - found["survived"]
    by = ", ".join(f"{found[name]} by {name}" for name in KILLERS[1:] if found[name])
    took = f"{time.monotonic() - start:.0f} s"
    print(f"{file}: {killed} of {judged} killed ({by}); {found['equivalent']} equivalent; {took}", flush=True)
    return wrongs


def main(named: Sequence[str]) -> int:
    rooms = [
        str(x.relative_to(ROOT))
        for room in ("losses", "streaming")
        for x in (ROOT / "infonce_ref" / room).glob("*.py")
    ]
    every = [*sorted(x for x in rooms if not x.endswith("__init__.py")), *SHARED, *PROOFS]
    unknown = [file for file in named if not (ROOT / file).exists()]
    if unknown:
        print(f"no such file: {', '.join(unknown)}; name files as {every[0]}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        tree = prepared(folder)
        wrongs = [words for file in named or every for words in report(tree, file)]
    for words in wrongs:
        print(words, file=sys.stderr)
    return bool(wrongs)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
