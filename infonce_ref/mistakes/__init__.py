"""The one catalogue of mistakes: one file a loss, each mistake an edit of that loss's reference text in `texts/`.

`exercise` and `check` ask `conformance` for the name of what is wrong; `tools/mistakes.py` prints the catalogue as
a page of the website. The judge, `verify`, never imports it.
"""

from importlib import import_module
from pathlib import Path

from .entry import Entry, Form, Mistake

__all__ = ["ALL", "Entry", "Form", "Mistake"]

SHARED = ("__init__", "entry", "families")  # files of no single loss
ALL: dict[str, Entry] = {
    path.stem: import_module(f".{path.stem}", __name__).ENTRY
    for path in sorted(Path(__file__).parent.glob("*.py"))
    if path.stem not in SHARED
}
