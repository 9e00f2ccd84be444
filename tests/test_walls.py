"""Which folder may import which, and the cost of an import."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PROOFS = [  # the folders and files of derivations/, lowest floor first
    {"prover"},
    {"documents"},
    {"symbols", "papers", "sources"},
    {"evidence"},
    {"common"},
    {"losses"},
    {"theory"},
    {"ledger", "record"},
    {"coq", "prove_file"},
    {"pages"},
]
FLOORS = [  # lowest first; a folder imports only from lower ones, or from itself
    {f"infonce_ref.{room}" for room in ("threads", "arrays", "names", "memory", "textbook")},
    {"infonce_ref.checks", "infonce_ref.elementary"},
    {"infonce_ref.contract"},
    {"infonce_ref.isolation"},
    *({f"infonce_ref.derivations.{room}" for room in rooms} for rooms in PROOFS),
    {"infonce_ref.derivations"},
    {f"infonce_ref.{room}" for room in ("registry", "progress", "output", "targets")},
    {"infonce_ref.double_length"},
    {
        *(f"infonce_ref.{room}" for room in ("sphere", "cross_entropy", "reduction", "pairs", "examples")),
        "infonce_ref.bridges",
    },
    {"infonce_ref.columns"},
    {f"infonce_ref.{room}" for room in ("losses", "information", "embeddings", "floors")},
    {"infonce_ref.streaming"},
    {"infonce_ref.catalogue"},
    {
        *(f"infonce_ref.{room}" for room in ("verify", "check", "algorithms", "figures")),
        *(f"infonce_ref.{room}" for room in ("explanation", "torch", "jax")),
    },
    {"infonce_ref.exercises"},
    {"infonce_ref.cli", "infonce_ref.testing"},
    {"infonce_ref.__main__"},
]
# the files that may import the proofs: verify's, the exercises', the command, and the page on a batch, which
# shows claims
PROOF_READERS = {
    *("infonce_ref.verify.proofs", "infonce_ref.exercises.equations"),
    "infonce_ref.explanation.page",
    *(f"infonce_ref.cli.{name}" for name in ("ledger", "lessons", "prove")),
}
# what a loss means, which no loss may import: it is judged by it
TEXTBOOK_READERS = tuple(
    f"infonce_ref.{room}"
    for room in ("verify", "check", "catalogue", "exercises", "cli", "derivations.pages")
)
BESIDE = {
    # figures draw measurements by `verify`, or of a run
    ("infonce_ref.figures", "infonce_ref.verify"),
    ("infonce_ref.figures", "infonce_ref.algorithms"),
    # an algorithm's step may use PyTorch
    ("infonce_ref.algorithms", "infonce_ref.torch"),
    # what is not recorded is settled as a page shows it
    ("infonce_ref.derivations.record", "infonce_ref.derivations.pages"),
    # the page's figures have the common style
    ("infonce_ref.explanation", "infonce_ref.figures"),
}
FOLDERS = {
    "infonce_ref": ROOT / "infonce_ref",
    "infonce_ref.derivations": ROOT / "derivations",
    "infonce_ref.figures": ROOT / "figures",
}
MODULES = {
    ".".join((package, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__"): path
    for package, folder in FOLDERS.items()
    for path in sorted(folder.rglob("*.py"))
}


@cache
def find_imports(name):
    """Return the full name of everything that a module imports."""
    path, found = MODULES[name], []
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source = ".".join(part for part in (base, node.module) if part)
            found += (f"{source}.{alias.name}" for alias in node.names)
    return found


def room(name):
    """Return the folder of a module or of one of its names, and its floor."""
    for floor, rooms in enumerate(FLOORS):
        for place in rooms:
            if name == place or name.startswith(place + "."):
                return place, floor
    return None


def test_every_module_is_in_a_folder():
    assert [name for name in MODULES if name != "infonce_ref" and room(name) is None] == []


def may_import(name, imported):
    """Return whether a module may import a name: from its own folder, or from a lower floor."""
    here, there = room(name), room(imported)
    if there is None or there[0] == here[0] or (here[0], there[0]) in BESIDE:
        return True
    if (here[0], there[0]) == (
        "infonce_ref.streaming",
        "infonce_ref.losses",
    ):  # no number that it is compared with
        return imported.rpartition(".")[2] in ("LOSS", "Gradients", "Form")
    if there[0] == "infonce_ref.textbook":
        return name.startswith(TEXTBOOK_READERS)
    of_proofs = [place.startswith("infonce_ref.derivations") for place, _ in (here, there)]
    return there[1] < here[1] and (of_proofs[0] or not of_proofs[1] or name in PROOF_READERS)


@pytest.mark.slow
def test_a_folder_imports_only_from_lower_floors():
    """Only a few folders import the proofs, so that a proof and its code stay independent."""
    assert not may_import("infonce_ref.losses.ntxent", "infonce_ref.verify.judge.cells")
    assert not may_import("infonce_ref.verify.judge", "infonce_ref.derivations.ledger.CLAIMS")
    assert not may_import("infonce_ref.losses.ntxent", "infonce_ref.textbook.ntxent")
    assert not may_import("infonce_ref.derivations.prover.proof", "infonce_ref.derivations.ledger.CLAIMS")
    assert [name for name in find_imports("infonce_ref.textbook") if not name.startswith("numpy")] == []
    forbidden = [
        f"{name} imports {imported}"
        for name in MODULES
        if name != "infonce_ref"
        for imported in find_imports(name)
        if not may_import(name, imported)
    ]
    assert forbidden == []


@pytest.mark.slow
def test_no_figure_uses_the_figures_of_a_readers_session():
    assert [name for name in MODULES if any("pyplot" in imported for imported in find_imports(name))] == []


def test_import_loads_nothing_heavy():
    heavy = ("sympy", "matplotlib", "scipy", "rich", "mpmath", "flint", "torch", "jax")
    code = f"import sys, infonce_ref; infonce_ref.losses; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


@pytest.mark.slow
def test_a_proof_imports_no_code_under_test():
    code = "import sys, infonce_ref.derivations.ledger as _; print([m for m in sys.modules if 'infonce_ref' in m])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = ast.literal_eval(run.stdout)
    assert {m for m in loaded if not m.startswith(("infonce_ref.derivations", "__editable__"))} == {
        "infonce_ref"
    }


MAY_WRITE = {
    "infonce_ref.output",
    "infonce_ref.cli.watched",  # a note and a trace in a temporary folder
    "infonce_ref.derivations.coq.checker",  # Coq's sources, in a temporary folder
    "infonce_ref.figures.measurements",  # beside the figure, in the repository
}
WRITES = re.compile(r"\.write_(?:text|bytes)\(|\.save(?:z|fig)\(|open\([^)]*[\"'][wax]")
IN_MEMORY = {".savez(", ".savefig("}  # these write into buffers, which the callers pass to `output`


def test_only_output_writes_files():
    """A file that is opened for writing elsewhere may be left incomplete."""
    writers = {
        name for name, path in MODULES.items() if {*WRITES.findall(path.read_text("utf-8"))} - IN_MEMORY
    }
    assert writers - MAY_WRITE == set()
