"""Run `check` on the public code of docs/public-bugs.md, unchanged, each at its commit; the lines are in no wheel.

python tools/findings.py            checks each again: the lines are downloaded from GitHub
python tools/findings.py FOLDER     the lines are read from clones, FOLDER/OWNER+NAME
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple
from urllib.request import urlopen

from repository import DOCS

from infonce_ref.check import check

IMPORTS = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


class Finding(NamedTuple):
    """repository, commit, file · line: that of the mistake · loss: its name there · is_: what it should be · named:
    the names that `check` gives · lines: the first and the last of the loss · asked: further arguments of `check` ·
    shown: the finding in two lines of NumPy, whose `loss` gets the same names; `s` are the cosines of the two views
    divided by τ (1 if the loss has none), `partner` the positions of the positives among 2B rows.
    """

    repository: str
    commit: str
    file: str
    line: str
    loss: str
    is_: str
    named: tuple[str, ...]
    lines: tuple[int, int]
    asked: Mapping[str, Any]
    shown: str


# beside a row of the page's table, by repository: lines, asked, shown
BESIDE: Mapping[str, tuple[tuple[int, int], Mapping[str, Any], str]] = {
    "Coder-Yu/SELFRec": (
        (25, 32),
        {"temperature": 0.2, "normalised": True},
        """\
e = exp(s)
loss = -log(diag(e) / e.sum(axis=1) + 10e-6).mean()
""",
    ),
    "Shen-Lab/GraphCL": (
        (61, 72),
        {"temperature": 0.1, "normalised": True},
        """\
e = exp(s)
loss = -log(diag(e) / (e.sum(axis=1) - diag(e))).mean()
""",
    ),
    "lucidrains/contrastive-learner": (
        (51, 65),
        {"temperature": 0.5},
        """\
s = log(1 - eye(2 * len(x))) + concatenate([x, y]) @ concatenate([x, y]).T / 0.5
loss = (logsumexp(s) - s[partner]).sum() / (2 * (len(x) - 1))
""",
    ),
    "HobbitLong/SupContrast": (
        (11, 106),
        {"temperature": 0.1},
        """\
s = log(1 - eye(2 * len(x))) + concatenate([x, y]) @ concatenate([x, y]).T / 0.1
loss = 0.1 / 0.07 * (logsumexp(s) - s[partner]).mean()
""",
    ),
    "HealthX-Lab/MedCLIP-SAM": (
        (5, 53),
        {"temperature": 1.0, "beta1": 1.0, "beta2": 1.0},
        """\
one = lambda s, n: log(len(s) - 1) - s * (1 - n) + 2 * s * n - log(exp(s * n).sum(axis=1))
loss = (one(s, 1 - eye(len(s))) + one(s.T, 1 - eye(len(s)))).mean()
""",
    ),
    "PyGCL/PyGCL": (
        (10, 16),
        {},
        """\
cosine = diag(s)
loss = cosine.mean()
""",
    ),
    "GuillaumeErhard/Supervised_contrastive_loss_pytorch": (
        (5, 40),
        {"temperature": 0.5},
        """\
e = (lambda s: exp(s - s.max(1, keepdims=True)) + 1e-5)(concatenate([x, y]) @ concatenate([x, y]).T / 0.5)
loss = -log(e[partner] / (e * (1 - eye(2 * len(x)))).sum(axis=1)).mean()
""",
    ),
}
ROW = re.compile(
    r"^\| \[.*?\]\(https://github\.com/([\w.-]+/[\w.-]+)/blob/(\w+)/(.+)#L(\d+)\)"
    r" \| `(\w+)` as `(\w+)` \| (.+) \|$",
    re.M,
)
FINDINGS = tuple(
    Finding(*row, tuple(named.split(", ")), *BESIDE[row[0]])
    for *row, named in ROW.findall((DOCS / "public-bugs.md").read_text(encoding="utf-8"))
)


def source(finding: Finding, clones: Path | None) -> str:
    """The lines of the loss, as a file of its own; a method without its self."""
    if clones is None:
        address = f"https://raw.githubusercontent.com/{finding.repository}/{finding.commit}/{finding.file}"
        with urlopen(address) as page:
            text = page.read().decode()
    else:
        clone = next((clones / finding.repository.replace("/", "+")).glob("**/.git"), None)
        where = clone or clones / finding.repository.replace("/", "+") / "repo"
        command = ["git", "-C", str(where), "show", f"{finding.commit}:{finding.file}"]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    first, last = finding.lines
    lines = dedent("\n".join(text.splitlines()[first - 1 : last])) + "\n"
    return IMPORTS + (lines if lines.startswith("class") else lines.replace("(self, ", "(", 1))


def names(finding: Finding, target: Any) -> tuple[str, ...]:
    report = check(target, is_=finding.is_, tiers=("formula",), **finding.asked)
    return tuple(mistake.mistake for mistake in report.mistakes)


def main(clones: Path | None) -> int:
    """Check the original lines; return 1 if a name has changed."""
    changed = 0
    for finding in FINDINGS:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "loss.py")
            file.write_text(source(finding, clones), encoding="utf-8")
            found = names(finding, f"{file}:{finding.loss}")
        changed |= found != finding.named
        print(f"{finding.repository}: {'; '.join(found)}")
    return changed


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if sys.argv[1:] else None))
