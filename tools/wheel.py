"""Build the wheel: put derivations/, figures/ and docs/, which lie beside the code in a clone, into the package, so
that no user's package of those names is ever shadowed. pyproject.toml names this step; the code needs nothing.
"""

import shutil
from pathlib import Path

from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent.parent
# the proofs of Coq stay in the repository
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.v")


class BuildPy(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:  # the clone is used as it lies
            return
        package = Path(self.build_lib, "infonce_ref")
        for name in ("derivations", "figures", "docs"):
            shutil.copytree(ROOT / name, package / name, ignore=LEFT_OUT, dirs_exist_ok=True)
        shutil.copy(ROOT / "derivations/coq/vocabulary.v", package / "derivations/coq")
