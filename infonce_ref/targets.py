"""Names on the command line: "module:attribute", or "file.py:attribute"."""

import importlib.util
import inspect
import sys
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .names import suggest

HOUSE = Path(__file__).parent


def module(place: str) -> Any:
    """Import a module by name or by file. Raises ValueError if it does not exist, or fails."""
    if not place:
        raise ValueError("the module's name is missing; write module:attribute or file.py:attribute")
    try:
        if not place.endswith(".py"):
            if "" not in sys.path and str(Path.cwd()) not in sys.path:
                sys.path.insert(0, str(Path.cwd()))
            return importlib.import_module(place)
        file = Path(place).absolute()  # resolved now, because a module may change the working directory
        if not file.is_file():
            raise ValueError(
                f"there is no file {place}; write file.py:attribute with the path of a Python file"
            )
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        found = importlib.util.module_from_spec(spec)
        sys.modules.setdefault(file.stem, found)
        if str(file.parent) not in sys.path:
            sys.path.insert(0, str(file.parent))  # for modules in the same folder
        spec.loader.exec_module(found)
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(error.name + ".")):
            raise ValueError(
                f"there is no module {error.name}; is it installed, or in this folder?"
            ) from None
        raise ValueError(f"{place} needs {error.name}, which is not installed here") from None
    except ValueError:
        raise
    except Exception as error:
        raise ValueError(f"{place} fails when it is imported: {describe_error(error)}") from None
    return found


def attribute(found: Any, path: str, place: str) -> Any:
    """The attribute that a dotted path names in the module. Raises ValueError if there is none."""
    for part in path.split("."):
        if not hasattr(found, part):
            names = [name for name in dir(found) if not inspect.ismodule(getattr(found, name, None))]
            raise ValueError(f"{place} defines no {part!r}{suggest(part, names)}")
        found = getattr(found, part)
    return found


def describe_error(error: BaseException) -> str:
    """Describe an exception in one line, with the place in the user's own files where it was raised."""
    words = " ".join(str(error).split())
    return f"{type(error).__name__}{f': {words[:160]}' if words else ''}{locate_error(error)}"


def locate_error(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return locate((frame.filename, frame.lineno) for frame in reversed(frames))


def locate(frames: Iterable[tuple[str, Any]]) -> str:
    """The innermost place in the user's own files, such as " (mine.py, line 3)"."""
    libraries = {str(HOUSE), *(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))}
    for file, line in frames:
        if not file.startswith("<") and not any(str(Path(file)).startswith(library) for library in libraries):
            return f" ({file}, line {line})"
    return ""
