"""An installation from a wheel or editable is complete, contains nothing else, and coexists with a user's
packages.
"""

import shutil
import site
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
ROOMS = {
    "infonce_ref": "infonce_ref",
    "derivations": "infonce_ref/derivations",
    "figures": "infonce_ref/figures",
    "docs": "infonce_ref/docs",
}


def run(*words, cwd, check=True):
    return subprocess.run([str(word) for word in words], cwd=cwd, check=check, capture_output=True, text=True)


@pytest.fixture(scope="session")
def clone(tmp_path_factory):
    """A copy without build results and bytecode, which would otherwise get into the wheel."""
    copy = tmp_path_factory.mktemp("clone")
    for room in ROOMS:
        shutil.copytree(ROOT / room, copy / room, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    shutil.copytree(ROOT / "tests", copy / "tests", ignore=shutil.ignore_patterns(".*", "__pycache__"))
    (copy / "tools").mkdir()
    for file in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "tools/wheel.py"):
        shutil.copy(ROOT / file, copy / file)
    return copy


@pytest.fixture(scope="session")
def wheel(clone, tmp_path_factory):
    """The wheel, built from the source archive as for a release."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", out, clone, cwd=out)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session")
def editable(clone, tmp_path_factory):
    """What pip install -e installs: a wheel that adds the clone to the path."""
    out = tmp_path_factory.mktemp("editable")
    code = "import sys; from setuptools import build_meta; build_meta.build_editable(sys.argv[1])"
    run(sys.executable, "-c", code, out, cwd=clone)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="session", params=["wheel", "editable"])
def python(request, tmp_path_factory):
    """The Python of a fresh virtual environment with the package; other libraries come from this environment."""
    home = tmp_path_factory.mktemp(f"{request.param}-venv")
    venv.create(home, symlinks=True)
    python = home / "bin" / "python"
    code = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = Path(run(python, "-c", code, cwd=home).stdout.strip())
    with zipfile.ZipFile(request.getfixturevalue(request.param)) as wheel:
        wheel.extractall(packages)
    (packages / "libraries.pth").write_text("\n".join(site.getsitepackages()))
    return python


@pytest.fixture
def folder(tmp_path):
    """A user's folder with packages of the same names as ours."""
    for name in ("derivations", "figures"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise RuntimeError('this is the package of the user')")
    return tmp_path


def test_the_wheel_has_every_file_of_every_folder_and_no_other(wheel, clone):
    expected = {
        f"{place}/{path.relative_to(clone / room).as_posix()}"
        for room, place in ROOMS.items()
        for path in (clone / room).rglob("*")
        if path.is_file() and (path.suffix != ".v" or path.stem == "vocabulary")  # the proofs stay behind
    }
    found = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert found == expected
    # file types that are easily forgotten
    assert {Path(name).suffix for name in found} >= {
        ".py",
        ".pyi",
        ".typed",
        ".md",
        ".json",
        ".js",
        ".css",
        ".html",
        ".woff",
        ".svg",
    }


@pytest.mark.parametrize("python", ["wheel"], indirect=True)
def test_the_wheel_installs_one_top_level_name(python, tmp_path):
    code = "from importlib.util import find_spec as f; print([n for n in {} if f(n)])"
    names = (*ROOMS, "tests", "lessons", "losses")
    assert run(python, "-c", code.format(names), cwd=tmp_path).stdout.strip() == "['infonce_ref']"


@pytest.mark.parametrize(
    "command",
    ["ledger D1.13", "verify --loss triplet", "figures --only finite_differences", "lessons sphere"],
)
def test_the_package_works_beside_packages_of_the_same_names(python, folder, command):
    run(python, "-m", "infonce_ref", *command.split(), cwd=folder)


@pytest.mark.parametrize("name", ["derivations", "figures"])
def test_the_users_own_packages_are_not_replaced(python, folder, name):
    code = f"import infonce_ref.{name}; import {name}"
    assert "this is the package of the user" in run(python, "-c", code, cwd=folder, check=False).stderr


SNIPPET = """
from typing import assert_type

import numpy as np

import infonce_ref
import infonce_ref.torch
from infonce_ref import streaming
from infonce_ref.losses import ntxent

w = np.eye(4)
value, cache = ntxent.forward(w, temperature=0.1, reduction="sum")
assert_type(cache, ntxent.Cache)
assert_type(ntxent.backward(cache), ntxent.Gradients)
assert_type(infonce_ref.losses.ALL["ntxent"], infonce_ref.losses.Loss)
assert_type(infonce_ref.__version__, str)

ntxent.forward(w)  # wrong: no temperature
ntxent.forward(w, temperature="cold")  # wrong
ntxent.forward(w, temperature=0.1, reduction="median")  # wrong: no such reduction
ntxent.forward(w, temperature=0.1, layout="shuffled")  # wrong: no such layout
streaming.ntxent.forward(w, temperature=0.1, reduction="median")  # wrong
ntxent.backward(w)  # wrong: not a cache
cache.temprature  # wrong: a slip
infonce_ref.lossses  # wrong: likewise
infonce_ref.torch.ntxnet  # wrong: likewise
"""


@pytest.mark.nightly
@pytest.mark.parametrize("python", ["wheel"], indirect=True)
def test_a_type_checker_knows_the_types(python, tmp_path):
    (tmp_path / "snippet.py").write_text(SNIPPET)
    words = ("-m", "mypy", "--cache-dir", ROOT / ".mypy_cache", "--python-executable", python, "snippet.py")
    found = run(sys.executable, *words, cwd=tmp_path, check=False).stdout
    wrong = [number for number, line in enumerate(SNIPPET.splitlines(), 1) if "# wrong" in line]
    assert [int(line.split(":")[1]) for line in found.splitlines() if ": error: " in line] == wrong, found
