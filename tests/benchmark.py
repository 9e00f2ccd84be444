"""How fast: forward plus backward of NT-Xent against what a user would pick instead.

    python tests/benchmark.py                                   the tables plain, streaming and small: 17 minutes
    python tests/benchmark.py --table scaling --repeats 5       10 minutes: N up to 65,536
    python tests/benchmark.py --table gpu                       needs CuPy and a GPU
    python tests/benchmark.py --table training > docs/speed_in_training.md
    python tests/benchmark.py --table plain streaming small scaling \\
        --json figures/streaming_scaling.json > docs/speed.md   what is shown there, and in the figure

How it measures, and what its contenders are, heads what it prints. PyTorch and JAX come with the extra `[bench]`;
a contender that cannot be imported is left out, and said so.
"""

import argparse
import contextlib
import importlib.metadata
import importlib.util
import json
import math
import os
import platform
import subprocess
import sys
import time
from pathlib import Path
from statistics import linear_regression, median

FEATURES, TEMPERATURE = 128, 0.1
ABOUT = f"""\
# Speed, measured

Written by `python tests/benchmark.py {{options}}`; do not edit.

Forward plus backward of `ntxent`, d = {FEATURES}, τ = {TEMPERATURE}, on {{machine}}.

Each contender lives in a process of its own and keeps its default threads. The contenders of a table take turns,
one run each a round, so that a noisy machine is noisy for all. The time is the median of {{repeats}} rounds; the
ratio is the median over the rounds of the time within the round over that of the contender whose ratio is 1, so
that 2.00× takes twice as long. Each run of less than 5 s follows one that is not timed, as a step of training
follows another: a virtual machine may have lost the memory that lay idle in between. A run during which other
processes took more than a tenth of the processors is run again, up to three times. Memory is the highest resident
set while it runs, above what the process held with its inputs loaded.

- `plain`, `streaming`: `infonce_ref.losses.ntxent`, `infonce_ref.streaming.ntxent`.
- `torch_eager`, `torch_compiled`: normalise, matmul, mask, cross entropy, backward; with `torch.compile`.
- `jax_jit`: the same lines in JAX, `value_and_grad` under `jit`.
- `torch_training`, `bridge_training`, `bridge_streaming_training`: a step of gradient descent of an encoder of two
  layers, in PyTorch, with the lines of `torch_eager`, with `infonce_ref.torch.ntxent` and with
  `infonce_ref.torch.streaming.ntxent` for its loss.
- `products`: the plain form's two matrix products alone.
- `in_cache`: as many floating-point operations as the streaming form's products take, 4N²d, in products of
  512 × 512 matrices, which stay in the cache.
- `exponentials`: the N² exponentials of the streaming form, in NumPy on all cores. What streaming takes above
  `in_cache` and these is its own.

What pays in the streaming form, by the processor time of one thread, old and new by turns in one process (N = 4,096
and 8,192; AMD EPYC, AVX-512, NumPy 2.4.6):

- Tiles kept for the second pass, in up to 128 MB: backward 0.66 in float32 where all fit, forward as before. Memory
  that a virtual machine has taken back costs more than that saves, once: 146 ms for 128 MB, and 6 ms if it has not.
- Sums as products with ones: forward 0.88 in float32, 0.92 in float64.
- f_i + g_j as one product of rank 2, without a temporary: with what it multiplies, 0.09-0.14 of the tile's product;
  in strips of 8 to 64 rows 0.14-0.35.
- Not taken: blocks transposed beforehand (a product takes 0.96-1.00 of the time); 2ˣ in place of eˣ (0.03-0.07 of
  a product, of the three or four of each tile, for another base in every formula).
- Together 0.70-0.75 in float32 and 0.76-0.88 in float64; 1.02-1.11 of `in_cache`.
- At N = 64 streaming takes 0.13 ms more than the plain form's 0.22: that is the calls, not the tiles.
  Of these 48 ask array-api-compat of which library an array is, at 0.7 µs each.
"""
TABLES = ("plain", "streaming", "small", "scaling", "gpu", "training")


# --- the contenders: each returns a function to time, and the packages that it runs on -------------------


def rows(n, dtype):
    import numpy as np

    return np.random.default_rng(0).standard_normal((n, FEATURES)).astype(dtype)


def loss_of(module, w):
    def run():
        _, cache = module.forward(w, temperature=TEMPERATURE)
        return module.backward(cache)

    return run


def plain(n, dtype):
    from infonce_ref.losses import ntxent

    return loss_of(ntxent, rows(n, dtype)), "numpy"


def streaming(n, dtype):
    from infonce_ref.streaming import ntxent

    return loss_of(ntxent, rows(n, dtype)), "numpy"


def products(n, dtype):
    """The two matrix products that no full-matrix form avoids, into memory that is there: Z Zᵀ and (G + Gᵀ) Z."""
    import numpy as np

    z, same = (
        rows(n, dtype),
        rows(n, dtype),
    )  # of one array NumPy would make the lower half alone, and copy it
    logits, gradient = np.empty((n, n), dtype), np.empty_like(z)
    return lambda: np.matmul(np.matmul(z, same.T, out=logits), z, out=gradient), "numpy"


def in_cache(n, dtype):
    """4N²d floating-point operations, what the streaming form multiplies, as products of 512 × 512 matrices."""
    import numpy as np

    a, b = (np.ones((512, 512), dtype) for _ in range(2))
    out = np.empty_like(a)
    times = math.ceil(4 * n * n * FEATURES / (2 * 512**3))
    return lambda: [np.matmul(a, b, out=out) for _ in range(times)], "numpy"


def exponentials(n, dtype):
    """The N² exponentials of the streaming form, one for each two scores in each pass, on all cores: what NumPy
    alone takes for them."""
    import numpy as np

    from infonce_ref.streaming.workers import available, run

    scores = rows(512, dtype) @ rows(512, dtype).T / FEATURES / TEMPERATURE
    tiles, spaces = (
        [[(0, 0)] * math.ceil(n * n / 512**2)],
        [np.empty_like(scores) for _ in range(available())],
    )
    return lambda: run(tiles, lambda i, j, space: np.exp(scores, out=space), spaces, None), "numpy"


def torch_loss(w, partner, itself):
    import torch

    z = torch.nn.functional.normalize(w)
    logits = (z @ z.T / TEMPERATURE).masked_fill(itself, -torch.inf)
    return torch.nn.functional.cross_entropy(logits, partner)


def torch_run(n, dtype, device, transform):
    import torch

    w = torch.from_numpy(rows(n, dtype)).to(device).requires_grad_()
    partner = torch.arange(n, device=device).roll(n // 2)
    itself = torch.eye(n, dtype=torch.bool, device=device)
    loss = transform(torch_loss)

    def run():
        w.grad = None
        loss(w, partner, itself).backward()
        if device == "cuda":
            torch.cuda.synchronize()

    return run, "torch"


def torch_eager(n, dtype, device="cpu"):
    return torch_run(n, dtype, device, lambda loss: loss)


def torch_compiled(n, dtype, device="cpu"):
    import torch

    return torch_run(n, dtype, device, torch.compile)


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
    import torch

    partner, itself = torch.arange(n).roll(n // 2), torch.eye(n, dtype=torch.bool)
    return training(n, dtype, lambda w: torch_loss(w, partner, itself))


def bridge_training(n, dtype):
    from infonce_ref.torch import ntxent

    return training(n, dtype, lambda w: ntxent(w, temperature=TEMPERATURE))


def bridge_streaming_training(n, dtype):
    from infonce_ref.torch import streaming

    return training(n, dtype, lambda w: streaming.ntxent(w, temperature=TEMPERATURE))


def jax_jit(n, dtype):
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


def cupy_streaming(n, dtype):
    import cupy

    from infonce_ref.streaming import ntxent

    run = loss_of(ntxent, cupy.asarray(rows(n, dtype)))
    return lambda: (run(), cupy.cuda.Device().synchronize()), "cupy"


def cupy_product(n, dtype):
    """4N²d floating-point operations as one large matrix product after another: the card's first ceiling."""
    import cupy

    size = 8192
    a, out = cupy.ones((size, size), dtype), cupy.empty((size, size), dtype)
    times = math.ceil(4 * n * n * FEATURES / (2 * size**3))
    return lambda: (
        [cupy.matmul(a, a, out=out) for _ in range(times)],
        cupy.cuda.Device().synchronize(),
    ), "cupy"


def cupy_copy(n, dtype):
    """The N × N scores written once and read once, as a copy of half of them: the card's second ceiling."""
    import cupy

    source = cupy.ones((n // 2, n), dtype)
    target = cupy.empty_like(source)
    return lambda: (cupy.copyto(target, source), cupy.cuda.Device().synchronize()), "cupy"


def torch_eager_cuda(n, dtype):
    return torch_eager(n, dtype, "cuda")


def torch_compiled_cuda(n, dtype):
    return torch_compiled(n, dtype, "cuda")


# --- a contender's own process ---------------------------------------------------------------------------


def resident(field):
    """VmRSS (now) or VmHWM (highest) in MB, or None where the system does not say."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) / 1024
    return None


def processors_busy():
    """Seconds that all processors together have been at work, in steps of a hundredth; 0 where not told."""
    with contextlib.suppress(OSError):
        ticks = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        return (sum(ticks[:8]) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")  # but idle and iowait
    return 0.0


def work(name, n, dtype):
    """Answer each line on standard input by one timed run; one line of JSON says who answers."""
    run, package = globals()[name](n, dtype)
    # As in a program that has been at work: glibc, once a large block has been given back, keeps what smaller
    # ones leave. In a new process it returns it to the system, and each run pays for the same pages again.
    bytearray(31 * 2**20)
    before = resident("VmRSS")
    run()  # compiles, touches the memory, starts the threads
    start = time.perf_counter()
    run()
    once = time.perf_counter() - start
    times = math.ceil(0.1 / once)  # a short run is timed as one of many
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak of compiling
    print(json.dumps({"package": package, "version": importlib.metadata.version(package)}), flush=True)
    for _ in sys.stdin:
        if once < 5:
            run()
        busy, own, start = processors_busy(), time.process_time(), time.perf_counter()
        for _ in range(times):
            run()
        seconds, own, busy = time.perf_counter() - start, time.process_time() - own, processors_busy() - busy
        peak = resident("VmHWM")
        others = max(0.0, busy - own) / (seconds * os.cpu_count())
        print(json.dumps([seconds / times, None if peak is None else peak - before, others]), flush=True)


class Contender:
    """A process that runs once when asked."""

    def __init__(self, name, n, dtype):
        self.name, self.n, self.dtype = name, n, dtype
        self.seconds, self.memory, self.disturbed = [], None, 0
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work", name, str(n), dtype],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def started(self):
        """Wait for the first line; the reason, where there is none."""
        line = self.process.stdout.readline()
        if line:
            self.about = json.loads(line)
            return None
        return self.process.stderr.read().strip().splitlines()[-1]

    def run(self):
        for attempt in range(4):
            time.sleep(0.05 + 0.2 * attempt)  # threads of the one before stop spinning
            self.process.stdin.write("\n")
            self.process.stdin.flush()
            seconds, self.memory, others = json.loads(self.process.stdout.readline())
            if others < 0.1:
                break
        else:
            self.disturbed += 1
        self.seconds.append(seconds)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.stderr.close()
        self.process.wait()


# --- the tables ------------------------------------------------------------------------------------------


def race(names, n, dtype, repeats):
    """The contenders that start, after `repeats` rounds in which each has run once."""
    racing = []
    for name in names:
        contender = Contender(name, n, dtype)
        reason = contender.started()
        if reason:
            print(f"\n`{name}` is left out: {reason}")
            contender.close()
        else:
            racing.append(contender)
    for _ in range(repeats):
        for contender in racing:
            contender.run()
    for contender in racing:
        contender.close()
    return racing


def show(title, racing, reference=None):
    """One line a contender: its median time, its ratio to the reference, its memory."""
    print(f"\n## {title}\n\n| contender                 |      N |     median |  ratio |  memory | on |")
    print("| :------------------------ | -----: | ---------: | -----: | ------: | :- |")
    base = next((c for c in racing if c.name == reference), None)
    for c in racing:
        ratio = "" if base is None else f"{median(a / b for a, b in zip(c.seconds, base.seconds)):.2f}×"
        memory = "" if c.memory is None else f"{c.memory:.0f} MB"
        time_ = f"{median(c.seconds) * 1e3:,.1f} ms"
        on = f"{c.about['package']} {c.about['version']}"
        print(f"| {c.name:<25} | {c.n:>6} | {time_:>10} | {ratio:>6} | {memory:>7} | {on} |")
    runs, disturbed = sum(len(c.seconds) for c in racing), sum(c.disturbed for c in racing)
    if disturbed:
        print(f"\n{disturbed} of {runs} runs were disturbed by other processes.")
    return [
        {"contender": c.name, "n": c.n, "dtype": c.dtype, "seconds": c.seconds, "memory": c.memory} | c.about
        for c in racing
    ]


def compared(title, names, sizes, reference, repeats, dtypes=("float32", "float64")):
    """A table for each dtype and N."""
    return [
        show(f"{title}, N = {n:,}, {dtype}", race(names, n, dtype, repeats), reference)
        for dtype in dtypes
        for n in sizes
    ]


def table_plain(repeats):
    return compared("The plain form", ("products", "plain", "torch_eager"), (4096,), "products", repeats)


def table_streaming(repeats):
    names = ("streaming", "in_cache", "exponentials", "torch_eager", "torch_compiled", "jax_jit")
    return compared("The streaming form", names, (4096, 8192, 16384), "streaming", repeats)


def table_small(repeats):
    return compared("Small N", ("streaming", "plain"), (64, 128, 256, 512), "plain", repeats)


def table_scaling(repeats):
    """The streaming form up to N = 65,536, and what holds the matrix as far as the memory of a laptop goes."""
    tables = []
    for name, dtype, largest in (
        ("streaming", "float32", 2**16),
        ("streaming", "float64", 2**16),
        ("plain", "float32", 2**14),
        ("torch_eager", "float32", 2**14),
    ):
        sizes = [2**k for k in range(10, 17) if 2**k <= largest]
        racing = [c for n in sizes for c in race((name,), n, dtype, repeats)]
        tables.append(show(f"{name} against N, {dtype}", racing))
        if racing:
            x, y = ([math.log(a) for a in b] for b in (sizes, [median(c.seconds) for c in racing]))
            print(f"\nTime grows as N^{linear_regression(x, y).slope:.2f} (least squares on logarithms).")
    return tables


def table_gpu(repeats):
    if importlib.util.find_spec("cupy") is None:
        print("The table gpu is left out: CuPy is missing; install the cupy package for the machine's CUDA.")
        return []
    names = ("cupy_streaming", "cupy_product", "cupy_copy", "torch_eager_cuda", "torch_compiled_cuda")
    import cupy

    card = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return compared(f"The streaming form on {card}", names, (32768,), names[0], repeats, ("float32",))


def table_training(repeats):
    names = ("torch_training", "bridge_training", "bridge_streaming_training")
    return compared("A step of training", names, (512, 4096), names[0], repeats, ("float32",))


def processor():
    """Its name, where the system says."""
    with contextlib.suppress(OSError, IndexError):
        return Path("/proc/cpuinfo").read_text().split("model name")[1].splitlines()[0].strip("\t: ")
    return platform.processor() or platform.machine()


def threads():
    """What limits the contenders' threads."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    limits = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.endswith("_NUM_THREADS")]
    return f"{cores} cores, {', '.join(limits) or 'no limit on threads set'}"


def main():
    parser = argparse.ArgumentParser(
        description="Forward plus backward of NT-Xent against what a user would pick."
    )
    parser.add_argument("--table", nargs="+", choices=TABLES, default=TABLES[:3])
    parser.add_argument(
        "--repeats", type=int, default=7, help="rounds; the medians are over these (default 7)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every time to FILE as well")
    parser.add_argument("--work", nargs=3, metavar=("NAME", "N", "DTYPE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        name, n, dtype = options.work
        work(name, int(n), dtype)
        return
    load = f"load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else "load unknown"
    machine = f"{processor()}, {threads()}, {load}, {platform.platform()}, Python {platform.python_version()}"
    print(ABOUT.format(options=" ".join(sys.argv[1:]), machine=machine, repeats=options.repeats), end="")
    results = {name: globals()[f"table_{name}"](options.repeats) for name in options.table}
    if options.json:
        options.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
