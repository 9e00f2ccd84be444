"""accepted.json: the record of the statements that Coq accepted, see `theorems`."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
RECORD = FOLDER / "accepted.json"


def read_record(path: Path | None = None) -> dict[str, Any]:
    """The content of accepted.json, or of another record like it."""
    path = path or RECORD
    if not path.is_file():
        return {"coq": "", "date": "", "axioms": [], "files": {}, "theorems": {}}
    return json.loads(path.read_text(encoding="utf-8"))


def describe_record() -> str:
    """Say when Coq ran. Marks are read from the record; Coq itself runs only on request."""
    known = read_record()
    return f"recorded with Coq {known['coq']} on {known['date']}"
