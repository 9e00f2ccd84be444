"""Every file named in a text of the repository exists, and so does the target of every link."""

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SUFFIXES = (".md", ".py", ".toml", ".v", ".yml", ".cff", "")
FOLDERS = ("docs", "tools", "tests", "figures", "derivations", "infonce_ref", ".ci")
NAMED = re.compile(
    rf"(?<![\w./{{-])(?:{'|'.join(FOLDERS)})/[\w./-]*\.(?:md|py|json|svg|png|toml|sh|v|js|css|html)\b"
)
# names that the reader chooses, and pages that are built
PLACEHOLDERS = re.compile(r"myloss|/PART\.py|^docs/.*html")
HISTORY = "CHANGELOG.md"  # old entries may name files that no longer exist


@cache
def texts() -> dict[str, str]:
    """Every text that git tracks; without git, every text in the folders."""
    if (ROOT / ".git").exists() and shutil.which("git"):
        listed = subprocess.run(
            ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        names = listed.stdout.split("\0")[:-1]
    else:
        places = [*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*"))]
        names = [str(path.relative_to(ROOT)) for path in places if "__pycache__" not in path.parts]
    paths = [ROOT / name for name in names if name != HISTORY and Path(name).suffix in SUFFIXES]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths if path.is_file()}


def test_every_named_file_exists():
    """Paths start at the repository's root; files in tests/ may also write them relative to tests/."""
    missing = {
        (place, name)
        for place, text in texts().items()
        for name in NAMED.findall(text)
        if not PLACEHOLDERS.search(name)
        and not (ROOT / name).exists()
        and not (ROOT / "tests" / name).exists()
    }
    assert missing == set()


@pytest.mark.parametrize("place", sorted(name for name in texts() if name.endswith(".md")))
def test_the_target_of_every_link_exists(place):
    """A lesson links pages of the site; here those of docs/ are followed."""
    links, folder = re.findall(r"\]\(([^)\s:#]+)(?:#[^)]*)?\)", texts()[place]), (ROOT / place).parent
    if place.startswith("derivations/pages/lessons/"):
        links = [link.replace(".html", ".md") for link in links if link.startswith("docs/")]
        folder = ROOT
    assert [link for link in links if not (folder / link).exists()] == []
