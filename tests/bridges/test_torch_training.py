"""Training loops: the page's, alone and under DistributedDataParallel; SimCLR of the documents in PyTorch."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")
if find_spec("sklearn") is None:  # to import it here would delay every run that only collects these tests
    pytest.skip("scikit-learn is not installed (extra [lab])", allow_module_level=True)

from infonce_ref.algorithms import ALL, in_torch, saved  # noqa: E402
from infonce_ref.algorithms import train as loop  # noqa: E402
from infonce_ref.arrays import leaves  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs/in-training.md").read_text(encoding="utf-8")
(SCRIPT,) = re.findall(r"```python\n(import os\n.*?)```", PAGE, re.S)
TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")


def train(folder, script, *runner):
    """The output of a run of 25 steps: the loss and the accuracy."""
    (folder / "simclr.py").write_text(script, encoding="utf-8")
    surroundings = {**os.environ, "STEPS": "25", "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    words = (sys.executable, *runner, "simclr.py")
    run = subprocess.run(words, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    found = re.fullmatch(r"loss (.+), accuracy (.+)\n", run.stdout)
    return float(found[1]), float(found[2])


@pytest.mark.nightly
@pytest.mark.skipif(not torch.distributed.is_available(), reason="this PyTorch has no process groups")
def test_the_page_s_loop_on_two_ranks_is_the_run_of_one_process(tmp_path):
    """In float64 the printed digits agree after 25 steps; without gather=True the ranks train another loss."""
    loss, accuracy = train(tmp_path, SCRIPT)
    assert train(tmp_path, SCRIPT, *TORCHRUN) == (loss, accuracy)
    apart, _ = train(tmp_path, SCRIPT.replace("gather=True", "gather=False"), *TORCHRUN)
    assert abs(apart - loss) > 0.1


@pytest.mark.slow
def test_simclr_in_pytorch_is_the_numpy_run():
    """30 steps with the algorithm's options, in float32. Rounding errors grow with each step, to some 1e-6 of
    the weights in the end; a wrong gradient deviates more after two steps.
    """
    start = loop.begin(ALL["simclr"], seed=0)
    ours, theirs = (
        loop.advance(start._replace(algorithm=one), 30)
        for one in (start.algorithm, in_torch.convert(start.algorithm))
    )
    np.testing.assert_allclose(theirs.losses, ours.losses, rtol=1e-4, atol=0)
    assert ours.losses[-1] < ours.losses[0] - 0.5
    for x, y in zip(*(leaves(run.state) for run in (theirs, ours)), strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-4 * np.abs(y).max())


@pytest.mark.slow
def test_the_command_trains_in_either_framework_and_resumes_in_the_other(tmp_path, command, refused):
    words = ("train", "simclr", "--out", tmp_path, "--option", "batch=16")
    assert command(*words, "--steps", "2", "--framework", "torch")[0] == 0
    file = tmp_path / "simclr.run"
    assert command(*words[:4], "--steps", "4", "--resume", file)[0] == 0
    whole = loop.advance(loop.begin(ALL["simclr"], batch=16), 4)
    np.testing.assert_allclose(saved.load(file).losses, whole.losses, rtol=1e-5, atol=0)
    said = refused("train", "moco", "--out", tmp_path, "--framework", "torch")
    assert "--framework torch trains simclr; for moco leave the option out" in said
