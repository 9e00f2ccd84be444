"""The house's walls: who may import whom, and what an import costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOORS = [  # ground floor first; a room imports only from floors below, or from itself
    {"infonce_ref.arrays", "infonce_ref.registry", "infonce_ref.progress", "derivations"},
    {f"infonce_ref.{room}" for room in ("sphere", "softmax", "pairs", "queries", "information")},
    {"infonce_ref.losses", "infonce_ref.streaming"},
    {"infonce_ref.verify", "infonce_ref.algorithms", "figures"},
    {"infonce_ref.cli", "infonce_ref.__main__"},
]
PROOF_READERS = {"infonce_ref.verify", "infonce_ref.cli"}  # the only rooms that see both sides
# a figure draws what the judge or a run measured
BESIDE = {("figures", "infonce_ref.verify"), ("figures", "infonce_ref.algorithms")}


MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in ("infonce_ref", "derivations", "figures")
    for path in sorted((ROOT / package).rglob("*.py"))
}


def imports(name, path):
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.rsplit(".", node.level - 1)[0] if node.level else ""
            source = ".".join(part for part in (base, node.module) if part)
            yield from (f"{source}.{alias.name}" for alias in node.names)


def room(name):
    """The room that a module or one of its names is in, and its floor."""
    for floor, rooms in enumerate(FLOORS):
        for place in rooms:
            if name == place or name.startswith(place + "."):
                return place, floor
    return None


@pytest.mark.parametrize(("name", "path"), MODULES.items(), ids=MODULES)
def test_a_room_imports_only_from_floors_below(name, path):
    here = room(name)
    if name == "infonce_ref":
        return
    assert here is not None, f"{name} is in no room of the house: give it a floor"
    for imported in imports(name, path):
        there = room(imported)
        if there is None or there[0] == here[0] or (here[0], there[0]) in BESIDE:
            continue
        assert there[1] < here[1], f"{name} imports {imported}"
        if there[0] == "derivations":
            assert here[0] in PROOF_READERS, f"{name} imports {imported}: a proof and its code are kept apart"


@pytest.mark.parametrize(
    "floor", ["losses", "streaming", "sphere.py", "softmax.py", "pairs.py", "information.py"]
)
def test_numpy_is_named_only_where_an_example_is_made(floor):
    """Below the array layer every line runs on any library; only the seeded examples are NumPy's own."""
    place = ROOT / "infonce_ref" / floor
    for path in [place] if place.suffix else sorted(place.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            allowed = isinstance(node, ast.FunctionDef) and "example" in node.name
            used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & {"np", "numpy"}
            assert allowed or not used, f"{path.name}:{node.lineno}"


def test_import_pulls_in_nothing_heavy():
    heavy = ("sympy", "matplotlib", "scipy", "rich", "mpmath")
    code = f"import sys, infonce_ref; print([m for m in {heavy} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
