"""Which files are mutated, and which losses and tests must detect a change in each."""

import hashlib
import re
from pathlib import Path

from repository import ROOT

EVERY_LOSS = ("arrays", "checks", "isolation", "elementary")  # files that all losses import
SHARED = [
    f"infonce_ref/{name}.py"
    for name in (
        "sphere",
        "cross_entropy",
        "double_length",
        "memory",
        "reduction",
        "pairs",
        "columns",
        *EVERY_LOSS,
    )
]
VERIFY = "infonce_ref/verify"
# Folders whose files check other code, and their tests. A fixed sample of the mutants of each file is tried.
JUDGES: dict[str, tuple[str, ...]] = {
    "derivations/prover": ("tests/derivations/prover",),
    "derivations/evidence": (
        "tests/derivations/evidence",
        "tests/derivations/test_ledger.py",
        "tests/derivations/test_review.py",
        "tests/derivations/test_own.py",
    ),
    "derivations/kernel": ("tests/derivations/kernel",),
    "derivations": (
        "tests/derivations/test_ledger.py",
        "tests/derivations/test_review.py",
        "tests/derivations/test_quotations.py",
        "tests/derivations/test_printed.py",
        "tests/derivations/test_readings.py",
        "tests/derivations/test_own.py",
        "tests/derivations/evidence/test_tampering.py",
        "tests/derivations/test_false_changes.py",
    ),
    VERIFY: ("tests/verify", "tests/test_cli.py", "tests/test_own_loss.py"),
    "infonce_ref/conformance": ("tests/conformance",),
    "infonce_ref/mistakes": ("tests/mistakes", "tests/conformance"),
}
OF_JUDGES = {
    "derivations/kernel": ("export", "theorems", "spelling"),
    "derivations": ("ledger", "review", "quotations", "printed", "readings"),
    "infonce_ref/mistakes": ("entry", "families"),
}
LOSSES = ROOT / "infonce_ref" / "losses"
ESTIMATORS = ("donsker_varadhan", "infonce", "mine", "nwj", "smile")


def list_files() -> list[str]:
    """Every file that is mutated, in the order of the page."""
    rooms = [
        str(x.relative_to(ROOT))
        for room in ("losses", "streaming", "information")
        for x in (ROOT / "infonce_ref" / room).glob("*.py")
    ]
    judges = [
        str(x.relative_to(ROOT))
        for room in JUDGES
        for x in sorted((ROOT / room).glob("*.py" if room in OF_JUDGES else "**/*.py"))
        if x.stem in OF_JUDGES.get(room, (x.stem,)) and x.stem != "__init__"
    ]
    return [*sorted(x for x in rooms if not x.endswith("__init__.py")), *SHARED, *judges]


def find_judge(file: str) -> str:
    """Return the entry of JUDGES that a file belongs to, or ""."""
    return next((str(room) for room in Path(file).parents if str(room) in JUDGES), "")


def find_losses_to_check(file: str) -> list[str]:
    """Return the losses to check: the file's own, or those that import it; if all import it, or if it is a part of
    `verify`, two of them."""
    path = Path(file)
    written = sorted(x.stem for x in LOSSES.glob("*.py") if x.stem != "__init__")
    of_estimators = path.parent.name == "information"
    of_verify = find_judge(file) == VERIFY and path.stem not in written and not of_estimators
    if path.stem in EVERY_LOSS or of_verify:
        return ["ntxent", "siglip"]
    if path.parent.name in ("losses", "streaming", "identities"):
        return (
            [path.stem]
            if path.stem in written
            else [x for x in written if (path.parent / f"{x}.py").exists()]
        )
    if of_estimators:
        return [f"information.{name}" for name in find_estimators(path)]
    imported = re.compile(rf"^from \.\.{path.stem} import |^from \.\. import .*\b{path.stem}\b", re.M)
    return [x for x in written if imported.search((LOSSES / f"{x}.py").read_text(encoding="utf-8"))]


def find_estimators(path: Path) -> list[str]:
    """Return the estimators of mutual information that are computed in a file."""
    return [name for name in ESTIMATORS if path.stem in (name, "batch")]


def find_own_tests(file: str, root: Path) -> list[str]:
    """Return the tests named after a file that is not a loss; they are quicker than those of all losses that
    use it.
    """
    path = Path(file)
    names = [*(f"{path.stem}{kind}" for kind in ("", "_traced", "_torch")), f"{path.parent.name}_{path.stem}"]
    own = [f"tests/test_{name}.py" for name in names]
    return [x for x in own if path.parent.name != "losses" and (root / x).exists()]


def choose_tests(file: str) -> list[str]:
    """Return pytest's arguments: the tests named after a loss, then the tests of every loss, if their names contain
    its name. Only NumPy and array-api-strict are used: other libraries would take seconds for each mutant, and
    mainly test `arrays`.
    """
    path = Path(file)
    if path.parent.name == "losses":
        return [
            f"tests/losses/test_{path.stem}.py",
            *OF_EVERY_LOSS,
            "-k",
            f"{path.stem} and {QUICK_LIBRARIES}",
        ]
    if path.parent.name == "information":
        of_all = ("losses/test_contract.py", "losses/test_sharing.py")
        files = ("test_information.py", "test_estimators.py", "test_doctests.py", *of_all)
        named = " or ".join(["test_information", "test_estimators", "test_doctests", *find_estimators(path)])
        return [*(f"tests/{file}" for file in files), "-k", f"{QUICK_LIBRARIES} and ({named})"]
    if path.stem == "cluster":
        return ["tests/test_streaming.py", "tests/test_cluster_restart.py", "-k", "dask or restart"]
    if path.parent.name == "streaming":
        own = f" and (test_streaming or {path.stem})" if find_losses_to_check(file) == [path.stem] else ""
        plain = [f"tests/losses/test_{path.stem}.py"] if (LOSSES / path.name).exists() else []
        return ["tests/test_streaming.py", *plain, *OF_EVERY_LOSS, "-k", QUICK_LIBRARIES + own]
    if not find_losses_to_check(file):
        return ["tests/test_doctests.py"]
    if path.stem in EVERY_LOSS:  # one loss, with every library
        return [*OF_EVERY_LOSS, "-k", "ntxent or (test_sharing and plain)"]
    return [*OF_EVERY_LOSS, "tests/losses", "tests/test_streaming.py", "-k", QUICK_LIBRARIES]


def find_framework_tests(file: str) -> list[str]:
    """Return the tests in PyTorch, JAX and Dask of the first loss that uses a file. They take 40 seconds, and
    detect changes that do not show in NumPy, for example in a second derivative.
    """
    files = ["tests/test_arrays_traced.py", "tests/bridges", "tests/losses/test_one_pair.py"]
    if Path(file).stem in EVERY_LOSS:  # tests of the file itself, whose names contain no loss
        return [*files, "tests/test_arrays_torch.py", "tests/losses/test_sharing.py", "tests/test_checks.py"]
    return [*files, "-k", (find_losses_to_check(file) or ["ntxent"])[0]]


QUICK_LIBRARIES = "not jax and not dask and not copies and not torch and not cupy"
OF_EVERY_LOSS = (
    *(
        f"tests/losses/test_{name}.py"
        for name in ("contract", "declarations", "overflow", "one_pair", "sharing")
    ),
    "tests/test_doctests.py",
)


def name_source(source: bytes) -> str:
    """Return the first digits of a file's Git hash."""
    return hashlib.sha1(b"blob %d\0" % len(source) + source, usedforsecurity=False).hexdigest()[:10]
