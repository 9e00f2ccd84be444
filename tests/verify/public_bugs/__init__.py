"""Mistakes that public libraries made in these losses, planted as wrong losses: one file for each loss.

Each comes from an issue tracker, whose link is given; words and code are this project's.
"""

from importlib import import_module
from pathlib import Path

from infonce_ref.losses import ALL

from .bug import bugs_of

WRITTEN = {path.stem for path in Path(__file__).parent.glob("*.py")} & set(ALL)
BUGS = [bug for name in ALL if name in WRITTEN for bug in bugs_of(import_module(f".{name}", __name__))]
