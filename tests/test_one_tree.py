"""Code, proofs and figures come from the same tree, however it is imported and whatever else is installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("derivations", "figures")
NAMES = ("infonce_ref", "infonce_ref.derivations", "infonce_ref.derivations.sources", "infonce_ref.figures")
IMPORT = f"from importlib import import_module as i; print(*(i(name).__file__ for name in {NAMES}))"


def clone(place):
    """The tree of a clone; each file contains its own path and the tree's name."""
    place.mkdir(parents=True)
    for name in ("infonce_ref", *ROOMS, "pyproject.toml"):
        (place / name).symlink_to(ROOT / name)
    return place


def wheel(place):
    """The tree of an unpacked wheel, where derivations and figures are inside the package."""
    package = place / "infonce_ref"
    package.mkdir(parents=True)
    for path in (*(ROOT / "infonce_ref").iterdir(), *(ROOT / room for room in ROOMS)):
        (package / path.name).symlink_to(path)
    return place


def python(*words, path, cwd=None):
    """Run Python with these trees on its path, followed by this environment's libraries without installed
    copies of ours.
    """
    libraries = [folder for folder in sys.path if not (Path(folder) / "infonce_ref").exists()]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (*path, *libraries)))}
    # -S: no file of site-packages adds a path; -P: this folder is not on the path
    return subprocess.run(
        [sys.executable, "-S", "-P", *words], cwd=cwd, env=environment, capture_output=True, text=True
    )


def trees(done):
    """Return the files that were imported."""
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def of(tree, inside):
    """Return the files of NAMES in a tree. inside: whether it is a wheel's."""
    place = tree / "infonce_ref" if inside else tree
    rooms = ("derivations/__init__.py", "derivations/sources.py", "figures/__init__.py")
    return [f"{tree}/infonce_ref/__init__.py", *(f"{place}/{file}" for file in rooms)]


@pytest.mark.parametrize("other", [None, clone, wheel])
@pytest.mark.parametrize("layout", [clone, wheel])
def test_a_tree_on_the_path_has_its_own_proofs_whatever_is_installed(tmp_path, layout, other):
    mine, path = layout(tmp_path / "mine"), [tmp_path / "mine"]
    if other:
        path.append(other(tmp_path / "other"))
    assert trees(python("-c", IMPORT, path=path)) == of(mine, layout is wheel)


def test_a_command_without_its_proofs_says_so_in_one_line(tmp_path):
    mine, other = clone(tmp_path / "mine"), clone(tmp_path / "other")
    (mine / "derivations").unlink()
    run = "from infonce_ref.cli import main; raise SystemExit(main(['ledger', 'D1.13']))"
    done = python("-c", run, path=[mine, other])
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "add the missing files" in done.stderr


def test_a_worker_process_has_the_proofs_of_its_parent(tmp_path):
    """A new process learns which tree its parent uses only from sys.path."""
    mine, other = clone(tmp_path / "mine"), clone(tmp_path / "other")
    (tmp_path / "main.py").write_text(
        f"import sys; sys.path.insert(0, {str(mine)!r})\n"
        "from concurrent.futures import ProcessPoolExecutor\n"
        "from multiprocessing import get_context\n"
        "from infonce_ref.derivations import sources\n"
        "if __name__ == '__main__':\n"
        "    with ProcessPoolExecutor(1, mp_context=get_context('spawn')) as pool:\n"
        "        print(pool.submit(sources.folder, 'derivations').result())\n"
    )
    assert trees(python(str(tmp_path / "main.py"), path=[wheel(other / "wheel")])) == [f"{mine}/derivations"]
