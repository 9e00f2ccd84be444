"""Pack a source archive anew so that its bytes depend on the files alone, and on SOURCE_DATE_EPOCH:

    SOURCE_DATE_EPOCH=… python tools/pack.py infonce_ref-0.2.0.tar.gz

Setuptools stores the times, owners and permissions that the files have on the machine. Here every file has the
given time, no owner, and the permissions 644, or 755 if it can be run; the files are sorted by name.
"""

import gzip
import io
import os
import sys
import tarfile
from pathlib import Path


def pack(archive: Path, time: int) -> None:
    """Replace the .tar.gz by one with the same files and contents."""
    packed = io.BytesIO()
    with (
        tarfile.open(archive) as old,
        tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as new,
    ):
        for member in sorted(old.getmembers(), key=lambda member: member.name):
            member.mtime, member.uid, member.gid, member.uname, member.gname = time, 0, 0, "", ""
            member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
            member.pax_headers = {}
            new.addfile(member, old.extractfile(member) if member.isreg() else None)
    with archive.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=time) as compressed:
        compressed.write(packed.getvalue())


if __name__ == "__main__":
    pack(Path(sys.argv[1]), int(os.environ["SOURCE_DATE_EPOCH"]))
