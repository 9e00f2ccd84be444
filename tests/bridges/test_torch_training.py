"""Training loops: the page's, alone and under DistributedDataParallel; SimCLR of the documents in PyTorch."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed (extra [torch])")
pytest.importorskip("sklearn", reason="scikit-learn is not installed (extra [lab])")

from infonce_ref.algorithms import ALL  # noqa: E402
from infonce_ref.algorithms import train as loop  # noqa: E402
from infonce_ref.algorithms.parts import updates  # noqa: E402
from infonce_ref.algorithms.parts.images import minibatch  # noqa: E402
from infonce_ref.torch.nn import NTXentLoss  # noqa: E402

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs/in-training.md").read_text(encoding="utf-8")
(SCRIPT,) = re.findall(r"```python\n(import os\n.*?)```", PAGE, re.S)
TORCHRUN = ("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2")


def train(folder, script, *runner):
    """What a run of 25 steps prints: the loss and the accuracy."""
    (folder / "simclr.py").write_text(script, encoding="utf-8")
    surroundings = {**os.environ, "STEPS": "25", "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    words = (sys.executable, *runner, "simclr.py")
    run = subprocess.run(words, cwd=folder, env=surroundings, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr
    found = re.fullmatch(r"loss (.+), accuracy (.+)\n", run.stdout)
    return float(found[1]), float(found[2])


@pytest.mark.slow
@pytest.mark.skipif(not torch.distributed.is_available(), reason="this PyTorch has no process groups")
def test_the_page_s_loop_on_two_ranks_is_the_run_of_one_process(tmp_path):
    """25 steps in float64 leave the digits that are printed; without the gather the ranks train another loss."""
    loss, accuracy = train(tmp_path, SCRIPT)
    assert train(tmp_path, SCRIPT, *TORCHRUN) == (loss, accuracy)
    apart, _ = train(tmp_path, SCRIPT.replace("gather=True", "gather=False"), *TORCHRUN)
    assert abs(apart - loss) > 0.1


class Hidden(torch.nn.Module):
    """A layer of the NumPy networks: batch normalisation without weights, then a bias and SiLU."""

    def __init__(self, layer):
        super().__init__()
        self.weight, self.bias = (torch.nn.Parameter(torch.tensor(x)) for x in layer)

    def forward(self, x):
        n = torch.nn.functional.batch_norm(x @ self.weight, None, None, training=True, eps=1e-5)
        return torch.nn.functional.silu(n + self.bias)


class Linear(Hidden):
    def forward(self, x):
        return x @ self.weight + self.bias


def in_pytorch(run, count):
    """The losses of so many steps of SimCLR, with autograd, torch.optim and our module in the place of NumPy's."""
    options, images = run.options, run.algorithm.images()
    layers = [{"Hidden": Hidden, "Linear": Linear}[type(x).__name__](x) for x in run.state.f + run.state.g]
    model, criterion = torch.nn.Sequential(*layers), NTXentLoss(temperature=options.temperature)
    sgd = torch.optim.SGD(
        model.parameters(), lr=options.rate, momentum=updates.MOMENTUM, weight_decay=updates.DECAY
    )
    losses = []
    for step in range(count):
        rng = np.random.default_rng((run.seed, step))
        x = images.train[minibatch(images, options.batch, rng)]
        views = [torch.tensor(images.view(x, rng)) for _ in range(2)]
        # the rows of both views in turn, as batch normalisation adds them up in this order
        z = model(torch.stack(views, dim=1).flatten(0, 1))
        loss = criterion(z[::2], z[1::2])
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        losses.append(loss.item())
    return losses, [x.detach().numpy() for layer in model for x in (layer.weight, layer.bias)]


def test_simclr_in_pytorch_is_the_numpy_run():
    """30 steps at the algorithm's options, all in float32. Rounding grows with each step, to some 1e-6 of the
    weights in the end; another gradient is off by more after two steps."""
    start = loop.begin(ALL["simclr"], seed=0)
    losses, weights = in_pytorch(start, 30)
    end = loop.advance(start, 30)
    np.testing.assert_allclose(losses, end.losses, rtol=1e-4, atol=0)
    assert end.losses[-1] < end.losses[0] - 0.5
    ours = [x for layer in end.state.f + end.state.g for x in layer]
    for x, y in zip(weights, ours, strict=True):
        np.testing.assert_allclose(x, y, rtol=0, atol=1e-4 * np.abs(y).max())
