"""Files that a command writes: nothing is destroyed, and an interrupted write leaves the old file whole.

    check_outputs({"--json": path}, inputs=[views])         before the work; `replace` writes such a file
    check_folder("--out", folder, names)                    before the work; `hand_out` writes into such a folder

A file that the user names is replaced. In a folder, a command replaces only files that a command wrote and that are
unchanged since, others with --force, and it follows no link.
"""

import hashlib
import os
import secrets
import shutil
import sys
import tempfile
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

# the commands never write reports of these types
SOURCES = (".py", ".pyi", ".ipynb", ".v", ".toml", ".npy", ".npz")
STREAMS = ("/dev/stdout", "/dev/stderr")
RECORD = ".infonce-ref"  # lists the SHA-256 of each file that a command wrote into this folder


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[Path] = ()) -> None:
    """Raise ValueError, before the work, for an output file that cannot be written or must not be replaced.

    outputs: the path given with each option, or None. inputs: the files that the call reads.
    """
    taken = {resolve(path): f"{path} is read by this call" for path in inputs}
    for option, path in outputs.items():
        if path is None:
            continue
        if path.is_dir():
            raise ValueError(f"{option}: {path} is a folder; name a file in it")
        if not path.absolute().parent.is_dir():
            raise ValueError(f"{option}: there is no folder {path.parent}; make it first")
        if path.is_file() and path.suffix in SOURCES:
            raise ValueError(f"{option}: {path} is a source file that exists; name another file")
        if path.exists() and not os.access(path, os.W_OK):
            raise ValueError(f"{option}: {path} cannot be written (Permission denied); name another file")
        if not is_stream(path):
            _check_place(option, path, resolve(path).parent)
            if resolve(path) in taken:
                raise ValueError(f"{option}: {taken[resolve(path)]}; name another file")
            taken[resolve(path)] = f"{path} is the file of {option} too"


def check_folder(option: str, path: Path | None, names: Iterable[str] = (), force: bool = False) -> None:
    """Raise ValueError, before the work, for a folder that cannot be made or written into, or if one of these
    files in it may not be replaced.
    """
    if path is None:
        return
    above = next(place for place in (path.absolute(), *path.absolute().parents) if os.path.lexists(place))
    if not above.is_dir():
        raise ValueError(f"{option}: {above} is a file; name a folder")
    _check_place(option, path, above)
    _check_own(path, dict.fromkeys(names), force)


def _check_place(option: str, path: Path, folder: Path) -> None:
    """Raise ValueError unless the folder takes new files: a file is replaced by one that is written beside it."""
    try:
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        why = f"{path} cannot be written ({error.strerror})"
        raise ValueError(f"{option}: {why}; name another place") from None


def hand_out(folder: Path, files: Mapping[str, str | bytes], force: bool = False) -> list[Path]:
    """Write the files, by name, into the folder, and return their paths.

    Raises ValueError, before anything is written, if one of them is somebody else's.
    """
    _check_own(folder, files, force)
    written = replace_all(folder, files)
    known = _read_record(folder) | {name: _digest(content) for name, content in files.items()}
    replace(folder / RECORD, "".join(f"{digest}  {name}\n" for name, digest in sorted(known.items())))
    return written


def _check_own(folder: Path, files: Mapping[str, str | bytes | None], force: bool) -> None:
    """Raise ValueError for a link and, unless forced, for a file that is neither as a command wrote it nor has
    the new content already, which is None if it is not known yet.
    """
    known = _read_record(folder)
    for name, content in {RECORD: None, **files}.items():
        path = folder / name
        if resolve(path) != resolve(folder) / name:
            raise ValueError(f"{path} is a link or behind one; remove the link, or name another folder")
        if force or name == RECORD or not path.exists():
            continue
        if _digest(path.read_bytes()) not in (known.get(name), content is not None and _digest(content)):
            raise ValueError(
                f"{path} was changed, or not written by this command, and may be somebody's work; name another "
                "folder, or --force to replace it"
            )


def _read_record(folder: Path) -> dict[str, str]:
    record = folder / RECORD
    lines = record.read_text(encoding="utf-8", errors="replace").splitlines() if record.is_file() else ()
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def _digest(content: str | bytes) -> str:
    return hashlib.sha256(_encode(content)).hexdigest()


def _encode(content: str | bytes) -> bytes:
    return content.encode("utf-8") if isinstance(content, str) else content


def replace(path: Path, content: str | bytes) -> Path:
    """Write the file and return its path; until the new content is complete, the old one is there.

    Raises OSError, with the path, if the disk is full or the place is not writable.
    """
    if str(path) in STREAMS:  # opened anew it would have a place of its own in the file that it may be
        stream = getattr(sys, path.name)
        stream.write(_encode(content).decode())
        stream.flush()
        return path
    if is_stream(path):  # a FIFO, a device: nothing to replace
        with path.open("ab") as device:
            device.write(_encode(content))
        return path
    place = resolve(path)  # a link stays a link
    part = place.with_name(f".infonce-ref-{secrets.token_hex(8)}.part")
    try:
        with part.open("xb") as file:
            if place.exists():
                shutil.copymode(place, part)
            file.write(_encode(content))
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, place)
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror}; nothing there was changed", str(path)) from error
    finally:
        part.unlink(missing_ok=True)
    return path


def replace_all(folder: Path, files: Mapping[str, str | bytes]) -> list[Path]:
    """Write the files, by name, into the folder, which is created if it is missing. Returns their paths."""
    for name in files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    return [replace(folder / name, content) for name, content in files.items()]


def resolve(path: Path) -> Path:
    """Follow links and return the file itself."""
    return Path(os.path.realpath(path))


def is_stream(path: Path) -> bool:
    """Whether the path is a pipe, a device, or standard output, which may be redirected into a file."""
    return (path.exists() and not path.is_file()) or str(path) in STREAMS


def escape_controls(text: str) -> str:
    """The text with control characters escaped, which could move the cursor or turn the direction of a line."""
    return "".join(
        repr(c)[1:-1] if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf") else c for c in text
    )
