"""Keep measurements that take minutes beside their figure, as JSON with one record a line."""

import json
from collections.abc import Mapping, Sequence
from typing import Any


def write(records: Mapping[str, Any] | Sequence[Any]) -> str:
    """Format the records as JSON."""
    if isinstance(records, Mapping):
        return (
            "{\n"
            + ",\n".join(f"{json.dumps(name)}: {json.dumps(x)}" for name, x in records.items())
            + "\n}\n"
        )
    return "[\n" + ",\n".join(map(json.dumps, records)) + "\n]\n"
