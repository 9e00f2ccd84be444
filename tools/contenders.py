"""The contenders of tools/benchmark.py: for N rows of a dtype, a function to run repeatedly, and the package that
it runs on. Each sentence is shown on the page beside the figures.

Packages are imported where they are used: each contender has a process of its own, which holds nothing else.
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

    z, same = (rows(n, dtype) for _ in range(2))  # from one array NumPy would compute one half and copy it
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
    """4N²d floating-point operations as one large matrix product after another: the card's first ceiling."""
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
    """the N × N scores written once and read once, as a copy of half of them: the card's second ceiling."""
    import cupy

    source = cupy.ones((n // 2, n), dtype)
    target = cupy.empty_like(source)
    return lambda: (cupy.copyto(target, source), cupy.cuda.Device().synchronize()), "cupy"


# --- what a user would pick instead ----------------------------------------------------------------------


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
