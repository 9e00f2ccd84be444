"""The contenders of tools/benchmark.py: for N rows of a dtype, a function to run repeatedly, and the package that
it runs on.

Each docstring is shown on the page beside the times. Packages are imported where they are used, because each
contender has its own process, which should contain nothing else.
"""

import math

FEATURES, TEMPERATURE = 128, 0.1


def rows(n, dtype):
    import numpy as np

    return np.random.default_rng(0).standard_normal((n, FEATURES)).astype(dtype)


# --- this package ----------------------------------------------------------------------------------------


def loss_of(module, w):
    def run():
        _, cache = module.forward(w, temperature=TEMPERATURE)
        return module.backward(cache)

    return run


def plain(n, dtype):
    """`infonce_ref.losses.ntxent`."""
    from infonce_ref.losses import ntxent

    return loss_of(ntxent, rows(n, dtype)), "numpy"


def streaming(n, dtype):
    """`infonce_ref.streaming.ntxent`."""
    from infonce_ref.streaming import ntxent

    return loss_of(ntxent, rows(n, dtype)), "numpy"


def cupy_streaming(n, dtype):
    """`infonce_ref.streaming.ntxent` of CuPy's arrays."""
    import cupy

    from infonce_ref.streaming import ntxent

    run = loss_of(ntxent, cupy.asarray(rows(n, dtype)))
    return lambda: (run(), cupy.cuda.Device().synchronize()), "cupy"


# --- ceilings --------------------------------------------------------------------------------------------


def products(n, dtype):
    """two matrix products alone, Z Zᵀ and (G + Gᵀ) Z, the fewest that loss and gradient need: the plain form takes
    a third in place of G + Gᵀ."""
    import numpy as np

    # with a single array NumPy would compute half of the product and copy it
    z, same = (rows(n, dtype) for _ in range(2))
    logits, gradient = np.empty((n, n), dtype), np.empty_like(z)
    return lambda: np.matmul(np.matmul(z, same.T, out=logits), z, out=gradient), "numpy"


def in_cache(n, dtype):
    """the 4N²d floating-point operations of the streaming form's products without kept tiles, in
    products of 512 × 512 matrices, which stay in the cache."""
    import numpy as np

    a, b = (np.ones((512, 512), dtype) for _ in range(2))
    out = np.empty_like(a)
    times = math.ceil(4 * n * n * FEATURES / (2 * 512**3))
    return lambda: [np.matmul(a, b, out=out) for _ in range(times)], "numpy"


def exponentials(n, dtype):
    """the N² exponentials of the streaming form where no tile is kept, one for each two scores in each pass, in
    NumPy on all cores."""
    import numpy as np

    from infonce_ref.streaming.workers import run
    from infonce_ref.threads import count_available

    scores = rows(512, dtype) @ rows(512, dtype).T / FEATURES / TEMPERATURE
    tiles = [[(k, k) for k in range(math.ceil(n * n / 512**2))]]
    spaces = [np.empty_like(scores) for _ in range(count_available())]
    return lambda: run(tiles, lambda i, j, space: np.exp(scores, out=space), spaces, None), "numpy"


def cupy_product(n, dtype):
    """4N²d floating-point operations as one large float32 matrix product after another, without tensor cores."""
    import cupy

    size = 8192
    a, out = cupy.ones((size, size), dtype), cupy.empty((size, size), dtype)
    times = math.ceil(4 * n * n * FEATURES / (2 * size**3))

    def run():
        for _ in range(times):
            cupy.matmul(a, a, out=out)
        cupy.cuda.Device().synchronize()

    return run, "cupy"


def cupy_copy(n, dtype):
    """the N × N scores written once and read once, as a copy of half of them."""
    import cupy

    source = cupy.ones((n // 2, n), dtype)
    target = cupy.empty_like(source)
    return lambda: (cupy.copyto(target, source), cupy.cuda.Device().synchronize()), "cupy"


# --- alternatives ----------------------------------------------------------------------


def torch_loss(w, partner, itself):
    import torch

    z = torch.nn.functional.normalize(w)
    logits = (z @ z.T / TEMPERATURE).masked_fill(itself, -torch.inf)
    return torch.nn.functional.cross_entropy(logits, partner)


def targets(n, device="cpu"):
    """The partner of each row, and the mask of each row's score with itself."""
    import torch

    return torch.arange(n, device=device).roll(n // 2), torch.eye(n, dtype=torch.bool, device=device)


def torch_run(n, dtype, device, loss):
    import torch

    w = torch.from_numpy(rows(n, dtype)).to(device).requires_grad_()
    partner_and_itself = targets(n, device)

    def run():
        w.grad = None
        loss(w, *partner_and_itself).backward()
        if device == "cuda":
            torch.cuda.synchronize()

    return run, "torch"


def torch_eager(n, dtype, device="cpu"):
    """normalise, matmul, mask, cross entropy, backward, in PyTorch."""
    return torch_run(n, dtype, device, torch_loss)


def torch_compiled(n, dtype, device="cpu"):
    """these lines with `torch.compile`."""
    import torch

    return torch_run(n, dtype, device, torch.compile(torch_loss))


def torch_streaming_cuda(n, dtype):
    """`infonce_ref.torch.streaming.ntxent` on the card."""
    from infonce_ref.torch import streaming

    return torch_run(n, dtype, "cuda", lambda w, *_: streaming.ntxent(w, temperature=TEMPERATURE))


def torch_eager_cuda(n, dtype):
    """normalise, matmul, mask, cross entropy, backward, in PyTorch on the card."""
    return torch_eager(n, dtype, "cuda")


def torch_compiled_cuda(n, dtype):
    """these lines with `torch.compile`."""
    return torch_compiled(n, dtype, "cuda")


def jax_jit(n, dtype):
    """these lines in JAX, `value_and_grad` under `jit`."""
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", dtype == "float64")

    def loss(w):
        z = w / jnp.linalg.norm(w, axis=1, keepdims=True)
        logits = jnp.where(jnp.eye(n, dtype=bool), -jnp.inf, z @ z.T / TEMPERATURE)
        logp = jax.nn.log_softmax(logits)
        return -jnp.mean(logp[jnp.arange(n), jnp.roll(jnp.arange(n), n // 2)])

    w, step = jnp.asarray(rows(n, dtype)), jax.jit(jax.value_and_grad(loss))
    return lambda: jax.block_until_ready(step(w)), "jax"


# --- a step of training ----------------------------------------------------------------------------------


def training(n, dtype, loss):
    import torch

    x = torch.from_numpy(rows(n, dtype))
    layers = torch.nn.Linear(FEATURES, 2 * FEATURES), torch.nn.ReLU(), torch.nn.Linear(2 * FEATURES, FEATURES)
    encoder = torch.nn.Sequential(*layers).to(x.dtype)
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1)

    def run():
        optimizer.zero_grad()
        loss(encoder(x)).backward()
        optimizer.step()

    return run, "torch"


def torch_training(n, dtype):
    """a step of gradient descent of an encoder of two layers in PyTorch, its loss normalise, matmul, mask, cross
    entropy."""
    partner_and_itself = targets(n)
    return training(n, dtype, lambda w: torch_loss(w, *partner_and_itself))


def bridge_training(n, dtype):
    """the step with `infonce_ref.torch.ntxent` for its loss."""
    from infonce_ref.torch import ntxent

    return training(n, dtype, lambda w: ntxent(w, temperature=TEMPERATURE))


def bridge_streaming_training(n, dtype):
    """the step with `infonce_ref.torch.streaming.ntxent` for its loss."""
    from infonce_ref.torch import streaming

    return training(n, dtype, lambda w: streaming.ntxent(w, temperature=TEMPERATURE))


# --- the step with another library's loss, and with ours -------------------------------------------------


def with_views(n, dtype, loss):
    """Return a step whose loss takes two views of n / 2 rows."""
    return training(n, dtype, lambda w: loss(*w.chunk(2)))


def with_labels(n, dtype, loss):
    """Return a step whose loss takes n rows and their labels, 8 rows of each."""
    import torch

    labels = torch.arange(n) // 8
    return training(n, dtype, lambda w: loss(w, labels))


def with_unit_rows(n, dtype, loss, *options):
    """Return a step whose loss takes images and texts of length 1, and options of its call."""
    from torch.nn.functional import normalize

    return with_views(n, dtype, lambda x, y: loss(normalize(x), normalize(y), *options))


def lightly_ntxent(n, dtype):
    """lightly's `NTXentLoss`."""
    from lightly.loss import NTXentLoss

    return with_views(n, dtype, NTXentLoss(TEMPERATURE))[0], "lightly"


def pml_ntxent(n, dtype):
    """pytorch-metric-learning's `SelfSupervisedLoss(NTXentLoss())`."""
    from pytorch_metric_learning.losses import NTXentLoss, SelfSupervisedLoss

    return with_views(n, dtype, SelfSupervisedLoss(NTXentLoss(TEMPERATURE)))[0], "pytorch-metric-learning"


def monai_ntxent(n, dtype):
    """MONAI's `ContrastiveLoss`."""
    from monai.losses import ContrastiveLoss

    return with_views(n, dtype, ContrastiveLoss(TEMPERATURE))[0], "monai"


def our_ntxent(n, dtype, **options):
    """our `NTXentLoss`."""
    from infonce_ref.torch.nn import NTXentLoss

    return with_views(n, dtype, NTXentLoss(temperature=TEMPERATURE, **options))


def our_streaming_ntxent(n, dtype):
    """our `NTXentLoss(streaming=True)`."""
    return our_ntxent(n, dtype, streaming=True)


def pml_supcon(n, dtype):
    """pytorch-metric-learning's `SupConLoss`, 8 rows of each label."""
    from pytorch_metric_learning.losses import SupConLoss

    return with_labels(n, dtype, SupConLoss(TEMPERATURE))[0], "pytorch-metric-learning"


def our_supcon(n, dtype, **options):
    """our `SupConLoss`, 8 rows of each label."""
    from infonce_ref.torch.nn import SupConLoss

    return with_labels(n, dtype, SupConLoss(temperature=TEMPERATURE, **options))


def our_streaming_supcon(n, dtype):
    """our `SupConLoss(streaming=True)`, 8 rows of each label."""
    return our_supcon(n, dtype, streaming=True)


def open_clip_clip(n, dtype):
    """open_clip's `ClipLoss`."""
    from open_clip.loss import ClipLoss

    return with_unit_rows(n, dtype, ClipLoss(), 1 / TEMPERATURE)[0], "open_clip_torch"


def our_clip(n, dtype, **options):
    """our `CLIPLoss`."""
    from infonce_ref.torch.nn import CLIPLoss

    return with_unit_rows(n, dtype, CLIPLoss(temperature=TEMPERATURE, **options))


def our_streaming_clip(n, dtype):
    """our `CLIPLoss(streaming=True)`."""
    return our_clip(n, dtype, streaming=True)


def open_clip_siglip(n, dtype):
    """open_clip's `SigLipLoss`."""
    from open_clip.loss import SigLipLoss

    return with_unit_rows(n, dtype, SigLipLoss(), 1 / TEMPERATURE, -10.0)[0], "open_clip_torch"


def our_siglip(n, dtype, **options):
    """our `SigLIPLoss`."""
    from infonce_ref.torch.nn import SigLIPLoss

    return with_unit_rows(n, dtype, SigLIPLoss(temperature=TEMPERATURE, bias=-10.0, **options))


def our_streaming_siglip(n, dtype):
    """our `SigLIPLoss(streaming=True)`."""
    return our_siglip(n, dtype, streaming=True)


def sentence_ranking(n, dtype):
    """sentence-transformers' `MultipleNegativesRankingLoss`, of embeddings."""
    import torch
    from sentence_transformers.losses import MultipleNegativesRankingLoss

    class Rows(torch.nn.Module):
        def forward(self, rows):
            return {"sentence_embedding": rows}

    loss = MultipleNegativesRankingLoss(Rows(), scale=1 / TEMPERATURE)
    return with_views(n, dtype, lambda x, y: loss([x, y], None))[0], "sentence-transformers"


def our_ranking(n, dtype):
    """our `CPCLoss` of their scores."""
    import torch

    from infonce_ref.torch.nn import CPCLoss

    loss, positive = CPCLoss(), torch.arange(n // 2)
    return with_unit_rows(n, dtype, lambda x, y: loss(x @ y.T / TEMPERATURE, positive))
