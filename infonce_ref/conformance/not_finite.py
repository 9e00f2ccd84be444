"""Find the line of a loss from which NaN enters its gradient."""

import linecache
import re
import sys
import traceback
from typing import Any

from ..targets import locate
from .asking import Way
from .inputs import Arrays

WHY = (
    "the slope of a root, a norm or a logarithm at 0 is infinite, and 0 times it is NaN: "
    "keep the 0 out of it, for a mask that follows comes too late"
)


def explain_nan(way: Way, arrays: Arrays) -> str:
    """Say from which line NaN enters the gradient at these arrays, and why; "" if the library does not tell."""
    library: Any = sys.modules.get(way.session.library)
    if way.session.library == "torch":
        watched = library.autograd.set_detect_anomaly(True)
    elif hasattr(library, "debug_nans"):
        watched = library.debug_nans(True)
    else:
        return ""
    frames: list[tuple[str, int]] = []
    try:
        with watched:
            way.gradient(arrays)
    except Exception as error:  # each library raises its own
        said = "\n".join(str(warning.message) for warning in way.session.heard)
        frames = [(file, int(line)) for file, line in re.findall(r'File "([^"]+)", line (\d+)', said)]
        cause = error.__cause__  # of JAX: where the operation stood before it was differentiated
        if not frames and cause is not None:
            frames = [(f.filename, f.lineno or 0) for f in traceback.extract_tb(cause.__traceback__)]
    for file, line in reversed(frames):
        if place := locate([(file, line)]):
            code = linecache.getline(file, line).strip()
            return f", first from {code[:60]}{'…' * (len(code) > 60)}{place}: {WHY}"
    return ""
