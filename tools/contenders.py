"""The contenders of tools/benchmark.py: for a case, a function to run repeatedly, and the package that it runs on.

Each docstring is shown on the page beside the times. Packages are imported where they are used, because each
contender has its own process, which should contain nothing else.
"""

import importlib
import math

from framework_losses import PER_CLASS, TEMPERATURE, declare_for_jax, declare_for_torch


def rows(case):
    (w,) = case._replace(loss="ntxent").draw()
    return w


# --- this package ----------------------------------------------------------------------------------------


def both_passes(kind, case, move=lambda array: array):
    loss = importlib.import_module(f"infonce_ref.{kind}.{case.loss}")
    arrays = [move(array) for array in case.draw()]
    settings = {"temperature": TEMPERATURE} | {name: move(x) for name, x in case.settings().items()}

    def run():
        _, cache = loss.forward(*arrays, **settings)
        return loss.backward(cache)

    return run


def plain(case):
    """`infonce_ref.losses.ntxent`, or the loss named."""
    return both_passes("losses", case), "numpy"


def streaming(case):
    """`infonce_ref.streaming.ntxent`, or the loss named."""
    return both_passes("streaming", case), "numpy"


def cupy_streaming(case):
    """`infonce_ref.streaming.ntxent` of CuPy's arrays."""
    import cupy

    run = both_passes("streaming", case, cupy.asarray)
    return lambda: (run(), cupy.cuda.Device().synchronize()), "cupy"


# --- ceilings --------------------------------------------------------------------------------------------


def products(case):
    """two matrix products alone, Z Zᵀ and (G + Gᵀ) Z, the fewest that loss and gradient need: the plain form takes
    a third in place of G + Gᵀ."""
    import numpy as np

    # with a single array NumPy would compute half of the product and copy it
    z, same = (rows(case) for _ in range(2))
    logits, gradient = np.empty((case.n, case.n), case.dtype), np.empty_like(z)
    return lambda: np.matmul(np.matmul(z, same.T, out=logits), z, out=gradient), "numpy"


def in_cache(case):
    """the 4N²d floating-point operations of the streaming form's products without kept tiles, 8N²d for scores that
    are not symmetric (clip, query_key, siglip), in products of 512 × 512 matrices, which stay in the cache."""
    import numpy as np

    a, b = (np.ones((512, 512), case.dtype) for _ in range(2))
    out = np.empty_like(a)
    operations = (4 if len(case.draw()) == 1 else 8) * case.n**2 * case.features
    times = math.ceil(operations / (2 * 512**3))
    return lambda: [np.matmul(a, b, out=out) for _ in range(times)], "numpy"


def exponentials(case):
    """the N² exponentials of the streaming form where no tile is kept, one for each two scores in each pass, in
    NumPy on all cores."""
    import numpy as np

    from infonce_ref.streaming.workers import run
    from infonce_ref.threads import count_available

    scores = rows(case._replace(n=512)) @ rows(case._replace(n=512)).T / case.features / TEMPERATURE
    tiles = [[(k, k) for k in range(math.ceil(case.n**2 / 512**2))]]
    spaces = [np.empty_like(scores) for _ in range(count_available())]
    return lambda: run(tiles, lambda i, j, space: np.exp(scores, out=space), spaces, None), "numpy"


def cupy_product(case):
    """4N²d floating-point operations as one large float32 matrix product after another, without tensor cores."""
    import cupy

    size = 8192
    a, out = (make((size, size), case.dtype) for make in (cupy.ones, cupy.empty))
    times = math.ceil(4 * case.n**2 * case.features / (2 * size**3))

    def run():
        for _ in range(times):
            cupy.matmul(a, a, out=out)
        cupy.cuda.Device().synchronize()

    return run, "cupy"


def cupy_copy(case):
    """the N × N scores written once and read once, as a copy of half of them."""
    import cupy

    source = cupy.ones((case.n // 2, case.n), case.dtype)
    target = cupy.empty_like(source)
    return lambda: (cupy.copyto(target, source), cupy.cuda.Device().synchronize()), "cupy"


# --- alternatives ----------------------------------------------------------------------


def torch_run(case, device, loss):
    import torch

    arrays = [torch.from_numpy(x).to(device).requires_grad_() for x in case.draw()]

    def run():
        for x in arrays:
            x.grad = None
        loss(*arrays).backward()
        if device == "cuda":
            torch.cuda.synchronize()

    return run, "torch"


def torch_eager(case, device="cpu"):
    """normalise, matmul, mask, cross entropy, backward, in PyTorch; of another loss, its definition in
    framework_losses.py."""
    return torch_run(case, device, declare_for_torch(case, device))


def torch_compiled(case, device="cpu"):
    """these lines with `torch.compile`."""
    import torch

    return torch_run(case, device, torch.compile(declare_for_torch(case, device)))


def torch_streaming_cuda(case):
    """`infonce_ref.torch.streaming.ntxent`, or the loss named, on the card."""
    import numpy as np
    import torch

    from infonce_ref.torch import streaming

    settings = {
        name: torch.from_numpy(x).to("cuda") if isinstance(x, np.ndarray) else x
        for name, x in case.settings().items()
    }
    loss = getattr(streaming, case.loss)
    return torch_run(case, "cuda", lambda *arrays: loss(*arrays, temperature=TEMPERATURE, **settings))


def torch_eager_cuda(case):
    """normalise, matmul, mask, cross entropy, backward, in PyTorch on the card; of another loss, its definition in
    framework_losses.py."""
    return torch_eager(case, "cuda")


def torch_compiled_cuda(case):
    """these lines with `torch.compile`."""
    return torch_compiled(case, "cuda")


def jax_jit(case):
    """these lines in JAX, `value_and_grad` under `jit`."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", case.dtype == "float64")
    arrays = [jnp.asarray(x) for x in case.draw()]
    step = jax.jit(jax.value_and_grad(declare_for_jax(case), argnums=tuple(range(len(arrays)))))
    return lambda: jax.block_until_ready(step(*arrays)), "jax"


# --- a step of training ----------------------------------------------------------------------------------


def training(case, loss):
    import torch

    x, d = torch.from_numpy(rows(case)), case.features
    layers = torch.nn.Linear(d, 2 * d), torch.nn.ReLU(), torch.nn.Linear(2 * d, d)
    encoder = torch.nn.Sequential(*layers).to(x.dtype)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)

    def run():
        optimizer.zero_grad()
        loss(encoder(x)).backward()
        optimizer.step()

    return run, "torch"


def torch_training(case):
    """a step of gradient descent of an encoder of two layers in PyTorch, its loss normalise, matmul, mask, cross
    entropy."""
    return training(case, declare_for_torch(case))


def bridge_training(case):
    """the step with `infonce_ref.torch.ntxent` for its loss."""
    from infonce_ref.torch import ntxent

    return training(case, lambda w: ntxent(w, temperature=TEMPERATURE))


def bridge_streaming_training(case):
    """the step with `infonce_ref.torch.streaming.ntxent` for its loss."""
    from infonce_ref.torch import streaming

    return training(case, lambda w: streaming.ntxent(w, temperature=TEMPERATURE))


# --- the step with another library's loss, and with ours -------------------------------------------------


def with_views(case, loss):
    """Return a step whose loss takes two views of n / 2 rows."""
    return training(case, lambda w: loss(*w.chunk(2)))


def with_labels(case, loss):
    """Return a step whose loss takes n rows and their labels, 8 rows of each."""
    import torch

    labels = torch.arange(case.n) // PER_CLASS
    return training(case, lambda w: loss(w, labels))


def with_unit_rows(case, loss, *options):
    """Return a step whose loss takes images and texts of length 1, and options of its call."""
    from torch.nn.functional import normalize

    return with_views(case, lambda x, y: loss(normalize(x), normalize(y), *options))


def ours(name, step, words="", **options):
    """Return our loss of that name as a contender, and its streaming form."""

    def make(shown, **form):
        def contender(case):
            from infonce_ref.torch import nn

            return step(case, getattr(nn, name)(temperature=TEMPERATURE, **options, **form))

        contender.__doc__ = f"our `{name}{shown}`{words}."
        return contender

    return make(""), make("(streaming=True)", streaming=True)


our_ntxent, our_streaming_ntxent = ours("NTXentLoss", with_views)
our_supcon, our_streaming_supcon = ours("SupConLoss", with_labels, ", 8 rows of each label")
our_clip, our_streaming_clip = ours("CLIPLoss", with_unit_rows)
our_siglip, our_streaming_siglip = ours("SigLIPLoss", with_unit_rows, bias=-10.0)


def lightly_ntxent(case):
    """lightly's `NTXentLoss`."""
    from lightly.loss import NTXentLoss

    return with_views(case, NTXentLoss(TEMPERATURE))[0], "lightly"


def pml_ntxent(case):
    """pytorch-metric-learning's `SelfSupervisedLoss(NTXentLoss())`."""
    from pytorch_metric_learning.losses import NTXentLoss, SelfSupervisedLoss

    return with_views(case, SelfSupervisedLoss(NTXentLoss(TEMPERATURE)))[0], "pytorch-metric-learning"


def monai_ntxent(case):
    """MONAI's `ContrastiveLoss`."""
    from monai.losses import ContrastiveLoss

    return with_views(case, ContrastiveLoss(TEMPERATURE))[0], "monai"


def pml_supcon(case):
    """pytorch-metric-learning's `SupConLoss`, 8 rows of each label."""
    from pytorch_metric_learning.losses import SupConLoss

    return with_labels(case, SupConLoss(TEMPERATURE))[0], "pytorch-metric-learning"


def open_clip_clip(case):
    """open_clip's `ClipLoss`."""
    from open_clip.loss import ClipLoss

    return with_unit_rows(case, ClipLoss(), 1 / TEMPERATURE)[0], "open_clip_torch"


def open_clip_siglip(case):
    """open_clip's `SigLipLoss`."""
    from open_clip.loss import SigLipLoss

    return with_unit_rows(case, SigLipLoss(), 1 / TEMPERATURE, -10.0)[0], "open_clip_torch"


def sentence_ranking(case):
    """sentence-transformers' `MultipleNegativesRankingLoss`, of embeddings."""
    import torch
    from sentence_transformers.losses import MultipleNegativesRankingLoss

    class Rows(torch.nn.Module):
        def forward(self, rows):
            return {"sentence_embedding": rows}

    loss = MultipleNegativesRankingLoss(Rows(), scale=1 / TEMPERATURE)
    return with_views(case, lambda x, y: loss([x, y], None))[0], "sentence-transformers"


def our_ranking(case):
    """our `CPCLoss` of their scores."""
    import torch

    from infonce_ref.torch.nn import CPCLoss

    loss, positive = CPCLoss(), torch.arange(case.n // 2)
    return with_unit_rows(case, lambda x, y: loss(x @ y.T / TEMPERATURE, positive))
