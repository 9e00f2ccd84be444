"""Publishing: versions agree, the README's links work on PyPI, and archives depend only on the files."""

import io
import re
import shutil
import tarfile
import tomllib
from pathlib import Path

import address
import pack
import pytest

from infonce_ref import __version__

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_the_version_is_the_same_everywhere():
    """And the changelog has a section for it below "Unreleased", of the day that CITATION.cff names."""
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    text = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    heads = re.findall(r"^## (\S+)(?: - (.+))?$", changes, re.M)
    assert re.search(r"^version: (.+)$", citation, re.M)[1] == __version__
    assert re.search(r'^  version: "(.+)"$', text, re.M)[1] == __version__
    assert heads[:2] == [
        ("Unreleased", ""),
        (__version__, re.search(r"^date-released: (.+)$", citation, re.M)[1]),
    ]


def test_the_recipe_has_the_requirements_of_the_package():
    text = (ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8")
    named = re.findall(r"^    - (\S+ >=\S+)$", text, re.M)
    assert set(named) >= {re.sub(r"([<>=])", r" \1", line, count=1) for line in PROJECT["dependencies"]}


@pytest.fixture
def tree(tmp_path):
    for name in ("README.md", "pyproject.toml", "CITATION.cff"):
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def test_every_link_of_the_published_readme_is_absolute(tree):
    """Links to the repository lead to its files. The tree may be a release's, whose links are absolute already;
    only the README's then keep their address.
    """
    for owner in ("old", "new"):
        address.write(f"https://github.com/{owner}/infonce", "v1", tree)
        links = re.findall(r"\]\(([^)]+)\)", (tree / "README.md").read_text(encoding="utf-8"))
        assert len(links) >= 20
        assert all(link.startswith("https://") for link in links)
    ours = re.findall(
        r"^https://[\w.]+/[\w.-]+/[\w.-]+/(?:blob|raw|tree)/[^/]+/(.+)$", "\n".join(links), re.M
    )
    assert len(ours) >= 20
    assert all((ROOT / name.partition("#")[0]).exists() for name in ours)
    project = tomllib.loads((tree / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["urls"]["Source"] == "https://github.com/new/infonce"
    assert project["scripts"] == PROJECT["scripts"]
    citation = (tree / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall("^repository-code: .*", citation, re.M) == [
        'repository-code: "https://github.com/new/infonce"'
    ]


def test_the_published_readme_installs_the_package(tree):
    """What installs a clone in place, with -e, needs one and stays."""
    address.write("https://github.com/owner/infonce", "v1", tree)
    here, published = ((root / "README.md").read_text(encoding="utf-8") for root in (ROOT, tree))
    installed = re.findall(r'pip install (-e )?("[^"]*"|\S+?)[ `]', published)
    assert {what for edits, what in installed if edits} == {'".[verify]"', '".[test]"'}
    assert {what for edits, what in installed if not edits} == {
        "infonce_ref",
        '"infonce_ref[lessons]"',
    }
    assert len(installed) == here.count("pip install")


def test_a_tag_of_another_version_is_refused():
    address.check_tag(f"v{__version__}")
    with pytest.raises(SystemExit, match=f"the tag is v9.9.9, and CITATION.cff has version {__version__}"):
        address.check_tag("v9.9.9")


def archive(path, names, time, owner, mode):
    with tarfile.open(path, "w:gz") as packed:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size, member.mtime, member.uname, member.mode = len(name), time, owner, mode
            packed.addfile(member, io.BytesIO(name.encode()))


def test_an_archive_does_not_depend_on_the_machine(tmp_path):
    """They depend on the files' contents, but not on times, owners, permissions and order."""
    first, second, other = (tmp_path / name for name in ("first.tar.gz", "second.tar.gz", "other.tar.gz"))
    archive(first, ["a", "b"], time=1.5, owner="ada", mode=0o600)
    archive(second, ["b", "a"], time=7, owner="emmy", mode=0o664)
    archive(other, ["a", "c"], time=7, owner="emmy", mode=0o664)
    assert first.read_bytes() != second.read_bytes()
    for path in (first, second, other):
        pack.pack(path, 1_000_000_000)
    assert first.read_bytes() == second.read_bytes() != other.read_bytes()
    with tarfile.open(first) as packed:
        assert [packed.extractfile(member).read() for member in packed] == [b"a", b"b"]


def test_every_licence_file_is_there():
    assert PROJECT["license"] == "MIT AND OFL-1.1"
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in PROJECT["license-files"]]
    assert [("MIT License" in text, "SIL OPEN FONT LICENSE" in text) for text in texts] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.stem)
def test_actions_are_pinned_and_permissions_are_few(workflow):
    """A tag can be moved to other code, and a job has only read access unless it declares more."""
    text = workflow.read_text(encoding="utf-8")
    form = r"\./\.github/workflows/\w+\.yml|[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+"  # or of this repository
    uses = re.findall(r"uses: (.+)", text)
    assert uses
    assert [line for line in uses if not re.fullmatch(form, line)] == []
    assert re.search(r"^permissions:\n  contents: read\n(?! )", text, re.M)
    assert text.count("timeout-minutes:") == text.count("runs-on:")
