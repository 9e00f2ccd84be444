"""The wheel has every file of every folder, and no other: all of it within infonce_ref, beside a user's packages.

`.ci/run -s wheel` and `-s doors` install it, and run its commands.
"""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = {
    "infonce_ref": "infonce_ref",
    "derivations": "infonce_ref/derivations",
    "figures": "infonce_ref/figures",
    "docs": "infonce_ref/docs",
}
EASILY_FORGOTTEN = ".py .pyi .typed .md .json .js .css .html .woff .svg"


@pytest.mark.slow
def test_the_wheel_has_every_file_of_every_folder_and_no_other(tmp_path):
    """Built from the source archive, as for a release, without build results and bytecode of this tree."""
    clone = tmp_path / "clone"
    for room in (*ROOMS, "tests"):
        shutil.copytree(ROOT / room, clone / room, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    (clone / "tools").mkdir()
    for file in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "tools/wheel.py"):
        shutil.copy(ROOT / file, clone / file)
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path, clone]
    subprocess.run(build, cwd=tmp_path, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    expected = {
        f"{place}/{path.relative_to(clone / room).as_posix()}"
        for room, place in ROOMS.items()
        for path in (clone / room).rglob("*")
        if path.is_file() and (path.suffix != ".v" or path.stem == "vocabulary")  # the proofs stay behind
    }
    found = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert found == expected
    assert {Path(name).suffix for name in found} >= {*EASILY_FORGOTTEN.split()}
