"""Write the repository's address into what is published away from it:

    python tools/address.py https://github.com/OWNER/NAME --tag v0.2.0

The links and pictures of README.md become absolute and lead to the tag, and its commands that install a clone
install the published package. pyproject.toml gets its Project-URLs, CITATION.cff its repository. The workflow
test.yml runs this before it builds; the repository itself keeps relative links, which work in every clone and
fork.
"""

import argparse
import re
from pathlib import Path

from repository import ROOT

OF_CLONE = re.compile(r'pip install (?:\.|"\.(\[\w+\])")(?![\w.])')
LINK = re.compile(r"(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)")


def absolute(text: str, address: str, tag: str) -> str:
    """Make every relative link of the Markdown absolute: pages for files, raw bytes for pictures."""

    def link(match: re.Match) -> str:
        form = "raw" if match[1] else "tree" if (ROOT / match[3]).is_dir() else "blob"
        return f"{match[1]}{match[2]}({address}/{form}/{tag}/{match[3]})"

    return LINK.sub(link, text)


def install_published(text: str) -> str:
    """Install the published package where the text installs the clone."""
    return OF_CLONE.sub(
        lambda m: f'pip install "infonce_ref{m[1]}"' if m[1] else "pip install infonce_ref", text
    )


def urls(address: str, tag: str) -> str:
    """The table of Project-URLs."""
    places = {
        "Source": address,
        "Documentation": f"{address}/tree/{tag}/docs",
        "Changelog": f"{address}/blob/{tag}/CHANGELOG.md",
        "Issues": f"{address}/issues",
    }
    return "[project.urls]\n" + "".join(f'{name} = "{place}"\n' for name, place in places.items())


def check_tag(tag: str) -> None:
    """Raise SystemExit unless the tag is that of the version in CITATION.cff."""
    version = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)[1]
    if tag != f"v{version}":
        raise SystemExit(
            f"the tag is {tag}, and CITATION.cff has version {version}: tag v{version},"
            " or set the version as CONTRIBUTING.md says"
        )


def write(address: str, tag: str, root: Path = ROOT) -> None:
    """Change the three files of the tree at root."""
    readme, project, citation = (root / name for name in ("README.md", "pyproject.toml", "CITATION.cff"))
    text = install_published(readme.read_text(encoding="utf-8"))
    readme.write_text(absolute(text, address, tag), encoding="utf-8")
    text = re.sub(r"\[project\.urls\]\n(?:.+\n)+\n", "", project.read_text(encoding="utf-8"))
    text = text.replace("[project.scripts]\n", f"{urls(address, tag)}\n[project.scripts]\n")
    project.write_text(text, encoding="utf-8")
    text = re.sub(r"^repository-code: .*\n", "", citation.read_text(encoding="utf-8"), flags=re.M)
    citation.write_text(f'{text.rstrip()}\nrepository-code: "{address}"\n', encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("address", help="https://github.com/OWNER/NAME")
    parser.add_argument("--tag", required=True, help="the tag of the release, such as v0.2.0")
    arguments = parser.parse_args()
    check_tag(arguments.tag)
    write(arguments.address.rstrip("/"), arguments.tag)
