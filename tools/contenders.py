"""The contenders of tools/benchmark.py: for a case, a function to run repeatedly, and the package that it runs on.

Packages are imported where they are used, because each contender has its own process, which should contain nothing
else.
"""

import importlib
from typing import Any, NamedTuple

TEMPERATURE, BIAS = 0.1, -10.0
FEATURES = 128
PER_CLASS = 8  # rows of each label


class Case(NamedTuple):
    """The loss of n rows in each of its arrays: anchors, or pairs of an image and a text, or queries with as many
    keys in the queue.
    """

    n: int
    dtype: str
    loss: str = "ntxent"
    device: str = "cpu"

    def draw(self) -> list[Any]:
        """Draw the arrays of the loss, in NumPy: rows of length 1 if the loss does not make them so."""
        import numpy as np

        count = {"clip": 2, "siglip": 2, "query_key": 3}.get(self.loss, 1)
        arrays = np.random.default_rng(0).standard_normal((count, self.n, FEATURES))
        if self.loss not in ("ntxent", "dcl", "supcon"):
            arrays /= np.linalg.norm(arrays, axis=-1, keepdims=True)
        return [*arrays.astype(self.dtype)]

    def settings(self) -> dict[str, Any]:
        """Return what the loss takes besides its arrays and the temperature."""
        import numpy as np

        every = {"supcon": {"labels": np.arange(self.n) // PER_CLASS}, "siglip": {"bias": BIAS}}
        return every.get(self.loss, {})


def both_passes(kind, case):
    loss, arrays = importlib.import_module(f"infonce_ref.{kind}.{case.loss}"), case.draw()

    def run():
        _, cache = loss.forward(*arrays, temperature=TEMPERATURE, **case.settings())
        return loss.backward(cache)

    return run, "numpy"


def plain(case):
    return both_passes("losses", case)


def streaming(case):
    return both_passes("streaming", case)


# --- the same in PyTorch and JAX, as a user writes it ----------------------------------------------------------


def torch_run(case, loss):
    import torch

    arrays = [torch.from_numpy(x).to(case.device).requires_grad_() for x in case.draw()]

    def run():
        for x in arrays:
            x.grad = None
        loss(*arrays).backward()
        if case.device == "cuda":
            torch.cuda.synchronize()

    return run, "torch"


def torch_streaming(case):
    import torch

    from infonce_ref.torch import streaming

    given = {k: x if k == "bias" else torch.from_numpy(x).to(case.device) for k, x in case.settings().items()}
    loss = getattr(streaming, case.loss)
    return torch_run(case, lambda *arrays: loss(*arrays, temperature=TEMPERATURE, **given))


def torch_eager(case):
    return torch_run(case, declare_for_torch(case))


def torch_compiled(case):
    import torch

    return torch_run(case, torch.compile(declare_for_torch(case)))


def declare_for_torch(case):
    """Return the case's loss as a function of its tensors; its masks are made beforehand."""
    import torch
    from torch.nn.functional import cross_entropy, log_softmax, logsigmoid, normalize

    rows = torch.arange(case.n, device=case.device)
    partner, itself = rows.roll(case.n // 2), torch.eye(case.n, dtype=torch.bool, device=case.device)

    def cosines(w):
        z = normalize(w)
        return z @ z.T / TEMPERATURE

    def ntxent(w):
        return cross_entropy(cosines(w).masked_fill(itself, -torch.inf), partner)

    def infonce(z):
        return cross_entropy(z @ z.T / TEMPERATURE, partner)

    negatives = ~(itself | itself[partner])

    def dcl(w):
        logits = cosines(w)
        return (logits.where(negatives, -torch.inf).logsumexp(1) - logits[rows, partner]).mean()

    labels = rows // PER_CLASS
    positives = (labels[:, None] == labels) & ~itself

    def supcon(w):
        logp = log_softmax(cosines(w).masked_fill(itself, -torch.inf), 1)
        return -(logp.where(positives, 0).sum(1) / positives.sum(1)).mean()

    def clip(x, y):
        logits = x @ y.T / TEMPERATURE
        return (cross_entropy(logits, rows) + cross_entropy(logits.T, rows)) / 2

    signs = 2 * itself - 1

    def siglip(x, y):
        return -logsigmoid(signs * (x @ y.T / TEMPERATURE + BIAS)).sum() / case.n

    first = torch.zeros_like(rows)

    def query_key(query, positive, negatives):
        logits = torch.cat(((query * positive).sum(1, keepdim=True), query @ negatives.T), 1)
        return cross_entropy(logits / TEMPERATURE, first)

    return locals()[case.loss]


def jax_jit(case):
    """NT-Xent, `value_and_grad` under `jit`."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", case.dtype == "float64")
    (w,), rows = case.draw(), jnp.arange(case.n)

    def ntxent(w):
        z = w / jnp.linalg.norm(w, axis=1, keepdims=True)
        logits = jnp.where(jnp.eye(case.n, dtype=bool), -jnp.inf, z @ z.T / TEMPERATURE)
        return -jnp.mean(jax.nn.log_softmax(logits)[rows, jnp.roll(rows, case.n // 2)])

    step, w = jax.jit(jax.value_and_grad(ntxent)), jnp.asarray(w)
    return lambda: jax.block_until_ready(step(w)), "jax"


# --- a training step with our loss, and with another library's -------------------------------------------------


def training(case, loss, package="torch"):
    """A step of an encoder of two layers on n rows; the loss takes what the case's loss takes."""
    import torch
    from torch.nn.functional import normalize

    (x,) = map(torch.from_numpy, case._replace(loss="ntxent").draw())
    layers = torch.nn.Linear(FEATURES, 2 * FEATURES), torch.nn.ReLU(), torch.nn.Linear(2 * FEATURES, FEATURES)
    encoder = torch.nn.Sequential(*layers)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)
    labels = torch.arange(case.n) // PER_CLASS
    given = {
        "ntxent": lambda w: w.chunk(2),
        "supcon": lambda w: (w, labels),
    }.get(case.loss, lambda w: normalize(w).chunk(2))

    def run():
        optimizer.zero_grad()
        loss(*given(encoder(x))).backward()
        optimizer.step()

    return run, package


NAMES = {"ntxent": "NTXentLoss", "supcon": "SupConLoss", "clip": "CLIPLoss", "siglip": "SigLIPLoss"}


def ours(case, **form):
    import torch

    from infonce_ref.torch import nn

    if case.loss == "cpc" and not form:  # as sentence-transformers' MultipleNegativesRankingLoss
        loss, positive = nn.CPCLoss(), torch.arange(case.n // 2)
        return training(case, lambda x, y: loss(x @ y.T / TEMPERATURE, positive))
    bias = {"bias": BIAS} if case.loss == "siglip" else {}
    return training(case, getattr(nn, NAMES[case.loss])(temperature=TEMPERATURE, **bias, **form))


def ours_streaming(case):
    return ours(case, streaming=True)


LIBRARIES = ("lightly", "pml", "monai", "open_clip", "sentence_transformers")


def lightly(case):
    from lightly import loss

    return training(case, {"ntxent": loss.NTXentLoss}[case.loss](TEMPERATURE), "lightly")


def pml(case):
    from pytorch_metric_learning import losses

    every = {
        "ntxent": lambda: losses.SelfSupervisedLoss(losses.NTXentLoss(TEMPERATURE)),
        "supcon": lambda: losses.SupConLoss(TEMPERATURE),
    }
    return training(case, every[case.loss](), "pytorch-metric-learning")


def monai(case):
    from monai import losses

    return training(case, {"ntxent": losses.ContrastiveLoss}[case.loss](TEMPERATURE), "monai")


def open_clip(case):
    from open_clip import loss

    clip, siglip, scale = loss.ClipLoss(), loss.SigLipLoss(), 1 / TEMPERATURE
    every = {"clip": lambda x, y: clip(x, y, scale), "siglip": lambda x, y: siglip(x, y, scale, BIAS)}
    return training(case, every[case.loss], "open_clip_torch")


def sentence_transformers(case):
    import torch
    from sentence_transformers.losses import MultipleNegativesRankingLoss

    class Rows(torch.nn.Module):
        def forward(self, rows):
            return {"sentence_embedding": rows}

    made = {"cpc": MultipleNegativesRankingLoss}[case.loss](Rows(), scale=1 / TEMPERATURE)
    return training(case, lambda x, y: made([x, y], None), "sentence-transformers")
