"""Run `check` on unchanged public code, at one commit each; the lines of docs/public-bugs.md are in no package.

python tools/findings.py            checks each again: the lines are downloaded from GitHub
python tools/findings.py FOLDER     the lines are read from clones, FOLDER/OWNER+NAME
"""

import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from textwrap import dedent
from typing import Any, NamedTuple
from urllib.request import urlopen

from infonce_ref.check import check

IMPORTS = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n"


class Finding(NamedTuple):
    """repository, commit, file · lines: of the loss, the first and the last · line: the line of the mistake · loss:
    the name of the loss there · is_, asked: the arguments of `check` · named: the names that it gives · shown: the
    finding in two lines of NumPy, whose `loss` gets the same names; `s` are the cosines of the two views divided by
    τ (1 if the loss has none), `partner` the positions of the positives among 2B rows.
    """

    repository: str
    commit: str
    file: str
    lines: tuple[int, int]
    line: int
    loss: str
    is_: str
    asked: Mapping[str, Any]
    named: tuple[str, ...]
    shown: str

    @property
    def link(self) -> str:
        return f"https://github.com/{self.repository}/blob/{self.commit}/{self.file}#L{self.line}"


FINDINGS = (
    Finding(
        "Coder-Yu/SELFRec",
        "5b0229423cb1c727e85a704d63e460368c8b9dde",
        "util/loss_torch.py",
        (25, 32),
        31,
        "batch_softmax_loss",
        "cpc",
        {"temperature": 0.2, "normalised": True},
        ("epsilon in the logarithm",),
        """\
e = exp(s)
loss = -log(diag(e) / e.sum(axis=1) + 10e-6).mean()
""",
    ),
    Finding(
        "Shen-Lab/GraphCL",
        "b4d7501a2090f94ca0871beb4ec97bf071eaed0f",
        "transferLearning_MoleculeNet_PPI/chem/pretrain_graphcl.py",
        (61, 72),
        70,
        "loss_cl",
        "cpc",
        {"temperature": 0.1, "normalised": True},
        ("positive missing",),
        """\
e = exp(s)
loss = -log(diag(e) / (e.sum(axis=1) - diag(e))).mean()
""",
    ),
    Finding(
        "lucidrains/contrastive-learner",
        "7deadf7edac4e26eb303f9cc685781b2c7fa739c",
        "contrastive_learner/contrastive_learner.py",
        (51, 65),
        64,
        "nt_xent_loss",
        "ntxent",
        {"temperature": 0.5},
        ("not normalised", "mean over 2b minus 2"),
        """\
s = log(1 - eye(2 * len(x))) + concatenate([x, y]) @ concatenate([x, y]).T / 0.5
loss = (logsumexp(s) - s[partner]).sum() / (2 * (len(x) - 1))
""",
    ),
    Finding(
        "HobbitLong/SupContrast",
        "66a8fe53880d6a1084b2e4e0db0a019024d6d41a",
        "losses.py",
        (11, 106),
        103,
        "SupConLoss",
        "ntxent",
        {"temperature": 0.1},
        ("not normalised", "base temperature"),
        """\
s = log(1 - eye(2 * len(x))) + concatenate([x, y]) @ concatenate([x, y]).T / 0.1
loss = 0.1 / 0.07 * (logsumexp(s) - s[partner]).mean()
""",
    ),
    Finding(
        "HealthX-Lab/MedCLIP-SAM",
        "61af7dc635c678b233262aba18eafb3a43bd7d08",
        "loss/hnl.py",
        (5, 53),
        51,
        "HardNegativeLoss",
        "dhn_nce",
        {"temperature": 1.0, "beta1": 1.0, "beta2": 1.0},
        ("negatives never summed",),
        """\
one = lambda s, n: log(len(s) - 1) - s * (1 - n) + 2 * s * n - log(exp(s * n).sum(axis=1))
loss = (one(s, 1 - eye(len(s))) + one(s.T, 1 - eye(len(s)))).mean()
""",
    ),
    Finding(
        "PyGCL/PyGCL",
        "0e1bacb3ea6a24b3a2bbd487091fa5a3b00fc748",
        "GCL/losses/bootstrap.py",
        (10, 16),
        16,
        "compute",
        "simsiam",
        {},
        ("sign flipped",),
        """\
cosine = diag(s)
loss = cosine.mean()
""",
    ),
    Finding(
        "GuillaumeErhard/Supervised_contrastive_loss_pytorch",
        "c45fbd8f2feb44a250b512f4a418a8b657944fd3",
        "loss/spc.py",
        (5, 40),
        28,
        "SupervisedContrastiveLoss",
        "ntxent",
        {"temperature": 0.5},
        ("epsilon in each exponential", "unit rows alone"),
        """\
e = (lambda s: exp(s - s.max(1, keepdims=True)) + 1e-5)(concatenate([x, y]) @ concatenate([x, y]).T / 0.5)
loss = -log(e[partner] / (e * (1 - eye(2 * len(x)))).sum(axis=1)).mean()
""",
    ),
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
