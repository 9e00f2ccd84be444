"""Measure speed: forward plus backward of NT-Xent and of the other streaming losses, against their alternatives.

    python tools/benchmark.py                                   the tables plain, streaming and small: 17 minutes
    python tools/benchmark.py --table scaling --repeats 5       10 minutes: N up to 65,536
    python tools/benchmark.py --table small --repeats 1         a quick look: N up to 512
    python tools/benchmark.py --table gpu                       needs CuPy and a GPU
    python tools/benchmark.py --table plain streaming small scaling --json figures/streaming_scaling.json
    CLOCK=processor python tools/benchmark.py --table ...       processor time: for a machine that others use

docs/speed.md has the tables of several runs. The printed page begins with the method; its contenders are in
contenders.py. PyTorch and JAX come with the extras `[torch,jax]`; what cannot be imported is left out and
reported.
"""

import argparse
import contextlib
import importlib.metadata
import json
import math
import os
import platform
import subprocess
import sys
import time
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median
from typing import NamedTuple

import contenders
from framework_losses import FEATURES, TEMPERATURE, Case

from infonce_ref.figures import measurements

ABOUT = f"""\
# Speed, measured: {{tables}}

`{{environment}}python tools/benchmark.py {{options}}`.

Forward plus backward of `ntxent`, or of the loss named, alone or in a step of training, d = {FEATURES}
features if no other number is given, τ = {TEMPERATURE}, on {{machine}}.

Each contender runs in its own process with its default number of threads. The contenders of a table take turns,
one run each per round, so that noise of the machine affects all. The reference's time is the median of {{repeats}}
rounds; another's ratio is the median over the rounds of its time divided by the reference's in the same round;
2.00× takes twice as long. Before a contender whose run is shorter than 5 s is timed, it runs for 0.2 s, as in
training, because a virtual machine may have reclaimed idle memory, and Linux may keep the threads of a process that
was idle on one core at first. If other processes took more than a tenth of the processors during a run, it is
repeated, up to three times. Memory is the peak resident set during the run minus that of the process with its
inputs loaded; on a GPU, of what the library has allocated there.{{clock}}
"""
BOTH = ("float32", "float64")
WARM_UP = 0.2  # seconds
PROCESSOR = os.environ.get("CLOCK") == "processor"


class Table(NamedTuple):
    """A race for each loss, dtype, number of features and N. reference: the contender with ratio 1."""

    title: str
    contenders: tuple[str, ...]
    sizes: tuple[int, ...]
    reference: str
    dtypes: tuple[str, ...] = BOTH
    losses: tuple[str, ...] = ("ntxent",)
    features: tuple[int, ...] = (FEATURES,)

    def list_cases(self):
        return [
            Case(n, dtype, features, loss)
            for loss in self.losses
            for dtype in self.dtypes
            for features in self.features
            for n in self.sizes
        ]

    def name_case(self, case):
        parts = [case.loss] * (len(self.losses) > 1)
        parts += [f"N = {case.n:,}"]
        parts += [f"d = {case.features:,}"] * (len(self.features) > 1)
        return ", ".join([*parts, case.dtype])


OTHERS = ("infonce", "dcl", "supcon", "clip", "query_key", "siglip")
IN_FRAMEWORKS = ("torch_eager", "torch_compiled", "jax_jit")
TABLES = {
    "plain": Table("The plain form", ("products", "plain", "torch_eager"), (4096,), "products"),
    "streaming": Table(
        "The streaming form",
        ("streaming", "in_cache", "exponentials", *IN_FRAMEWORKS),
        (4096, 8192, 16384),
        "streaming",
    ),
    "losses": Table(
        "Streaming",
        ("streaming", "in_cache", *IN_FRAMEWORKS),
        (1024, 4096),
        "streaming",
        losses=OTHERS,
    ),
    "features": Table(
        "Streaming",
        ("streaming", "in_cache", *IN_FRAMEWORKS),
        (2048,),
        "streaming",
        ("float32",),
        losses=("ntxent", "clip"),
        features=(64, 512, 1024, 4096),
    ),
    "small": Table(
        "Small N",
        ("plain", "streaming", *IN_FRAMEWORKS),
        (64, 128, 256, 512),
        "plain",
    ),
    "gpu": Table(
        "The streaming form on a GPU",
        (
            "torch_streaming_cuda",
            "cupy_streaming",
            "cupy_product",
            "cupy_copy",
            "torch_eager_cuda",
            "torch_compiled_cuda",
        ),
        (8192, 32768),
        "torch_streaming_cuda",
        ("float32",),
    ),
    "gpu-losses": Table(
        "Streaming on a GPU",
        ("torch_streaming_cuda", "torch_eager_cuda", "torch_compiled_cuda"),
        (32768,),
        "torch_streaming_cuda",
        ("float32",),
        losses=OTHERS,
    ),
    "training": Table(
        "A step of training",
        ("torch_training", "bridge_training", "bridge_streaming_training"),
        (512, 4096),
        "torch_training",
        ("float32",),
    ),
} | {
    # pytorch-metric-learning needs memory of N³ for NT-Xent
    f"peers-{loss.lower()}": Table(
        f"A step with {loss}", tuple(names.split()), sizes, f"our_{loss.lower()}", ("float32",)
    )
    for loss, sizes, names in (
        ("NTXent", (128, 512), "our_ntxent our_streaming_ntxent lightly_ntxent pml_ntxent monai_ntxent"),
        ("SupCon", (512, 2048), "our_supcon our_streaming_supcon pml_supcon"),
        ("CLIP", (512, 2048), "our_clip our_streaming_clip open_clip_clip"),
        ("SigLIP", (512, 2048), "our_siglip our_streaming_siglip open_clip_siglip"),
        ("ranking", (512, 2048), "our_ranking sentence_ranking"),
    )
}
# The largest N of each contender: forms that store the matrix stop at a laptop's memory, and a run in float64 of
# 65,536 rows takes minutes.
SCALING = {
    "streaming": {"float32": 2**16, "float64": 2**15},
    "plain": {"float32": 2**14},
    "torch_eager": {"float32": 2**14},
}


# --- a contender's own process ---------------------------------------------------------------------------


def read_resident(field):
    """Return VmRSS (now) or VmHWM (highest) in MB, or None if the system does not report it."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) / 1024
    return None


def read_device():
    """Return the most MB of a GPU's memory that this process has held since `forget_device`, or None without."""
    if cupy := sys.modules.get("cupy"):
        return cupy.get_default_memory_pool().total_bytes() / 2**20
    torch = sys.modules.get("torch")
    return torch.cuda.max_memory_allocated() / 2**20 if torch and torch.cuda.is_initialized() else None


def forget_device():
    """Count a GPU's memory anew, from what the inputs take; return their MB."""
    if cupy := sys.modules.get("cupy"):
        cupy.get_default_memory_pool().free_all_blocks()
    elif torch := sys.modules.get("torch"):
        torch.cuda.reset_peak_memory_stats()
    return read_device()


def processors_busy():
    """Return the processor time of all processors together in seconds, with a resolution of 10 ms; 0 if the
    system does not report it.
    """
    with contextlib.suppress(OSError):
        ticks = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
        return (sum(ticks[:8]) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")  # without idle and iowait
    return 0.0


def processors():
    """The number of processors that a process may use here."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def work(name, case):
    """Answer each line on standard input with one timed run; first print a line of JSON that describes the
    contender.
    """
    run, package = getattr(contenders, name)(case)
    # Make glibc behave as in a program that has run for a while. After a large block has been freed, glibc
    # keeps the memory of smaller ones; in a new process it returns it to the system, and each run pays for
    # the same pages again. The block is below 32 MB, because glibc does not learn from larger ones.
    bytearray(31 * 2**20)
    before = read_resident("VmRSS")
    run()  # compiles, touches the memory, starts the threads
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # reset the peak, which compilation may have raised
    read_peak = partial(read_resident, "VmHWM")
    if read_device() is not None:
        before, read_peak = forget_device(), read_device
    # CuPy's distributions are named for their CUDA
    package = importlib.metadata.packages_distributions().get(package, [package])[0]
    print(json.dumps({"package": package, "version": importlib.metadata.version(package)}), flush=True)
    times = 0
    for _ in sys.stdin:
        if not times:  # in its first turn, since all contenders start at once
            start = time.perf_counter()
            run()
            once = time.perf_counter() - start
            times = math.ceil(0.1 / once)  # a short run is timed as one of several
        if once < 5:
            warm = time.perf_counter() + WARM_UP
            while time.perf_counter() < warm:
                run()
        busy, own, start = processors_busy(), time.process_time(), time.perf_counter()
        for _ in range(times):
            run()
        seconds, own, busy = time.perf_counter() - start, time.process_time() - own, processors_busy() - busy
        peak = read_peak()
        others = max(0.0, busy - own) / (seconds * processors())
        if PROCESSOR:  # the other contenders report only wall time
            seconds, others = own, 0.0
        print(json.dumps([seconds / times, None if peak is None else peak - before, others]), flush=True)


class Ended(Exception):
    """A contender has ended; the message says why."""


class Contender:
    """A process that runs once on request."""

    def __init__(self, name, case):
        self.name, self.case = name, case
        self.seconds, self.memory, self.disturbed = [], None, 0
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work", name, json.dumps(case)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def answer(self):
        line = self.process.stdout.readline()
        found = json.loads(line) if line else {"ended": f"it ended with status {self.process.wait()}"}
        if "ended" in found:
            raise Ended(found["ended"])
        return found

    def start(self):
        self.about = self.answer()

    def run(self):
        for attempt in range(4):
            time.sleep(0.05 + 0.2 * attempt)  # wait until the threads of the previous contender stop spinning
            with contextlib.suppress(BrokenPipeError):  # it has ended; `answer` reports why
                self.process.stdin.write("\n")
                self.process.stdin.flush()
            seconds, self.memory, others = self.answer()
            if others < 0.1:
                break
        else:
            self.disturbed += 1
        self.seconds.append(seconds)

    def describe(self, base):
        """The time, or its ratio to that of another contender; and the memory."""
        ratio = base and base is not self and median(a / b for a, b in zip(self.seconds, base.seconds))
        time_ = f"{ratio:.2f}×" if ratio else f"{median(self.seconds) * 1e3:,.1f} ms"
        return time_ if self.memory is None else f"{time_}, {self.memory:.0f} MB"

    @property
    def on(self):
        """The package that it ran on."""
        return f"{self.about['package']} {self.about['version']}"

    def close(self):
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


# --- the tables ------------------------------------------------------------------------------------------


def race(names, case, repeats):
    """Run each contender once in each of `repeats` rounds; return those that did not crash, and why others did."""
    why = []
    racing = keep_running([Contender(name, case) for name in names], Contender.start, why)
    for _ in range(repeats):
        racing = keep_running(racing, Contender.run, why)
    for contender in racing:
        contender.close()
    return racing, why


def keep_running(racing, step, why):
    """Run one step of each contender; return those that have not ended, and note why others have."""
    left = []
    for contender in racing:
        try:
            step(contender)
            left.append(contender)
        except Ended as error:
            why.append(f"`{contender.name}` is left out at N = {contender.case.n:,}: {error}")
            contender.close()
    return left


def show(title, names, races, reference=None):
    """Print a table with a line for each race: the time of the reference, the ratios of the others; memory of all.

    races: the words for the case, the contenders that ran, and why others did not.
    """
    print(f"\n## {title}\n\n| case | {' | '.join(names)} |\n|{'---|' * (1 + len(names))}")
    for words, racing, _ in races:
        base = next((c for c in racing if c.name == reference), None)
        cells = {c.name: c.describe(base) for c in racing}
        print(f"| {words} | {' | '.join(cells.get(name, '–') for name in names)} |", flush=True)
    ran = [c for _, racing, _ in races for c in racing]
    print(f"\nWith {', '.join(sorted({c.on for c in ran}))}.")
    if disturbed := sum(c.disturbed for c in ran):
        print(f"{disturbed} of {sum(len(c.seconds) for c in ran)} runs were disturbed by other processes.")
    print(*chain.from_iterable(why for *_, why in races), sep="\n")
    return [
        {"contender": c.name, **c.case._asdict(), "seconds": c.seconds, "memory": c.memory} | c.about
        for c in ran
    ]


def compare(table, repeats):
    races = [(table.name_case(case), *race(table.contenders, case, repeats)) for case in table.list_cases()]
    return show(table.title, table.contenders, races, table.reference)


def scale(repeats):
    cases = [Case(2**k, dtype) for dtype in BOTH for k in range(10, 17)]
    races = []
    for case in cases:
        names = [name for name, limits in SCALING.items() if case.n <= limits.get(case.dtype, 0)]
        races.append((f"N = {case.n:,}, {case.dtype}", *race(names, case, repeats)))
    return show("Time and memory against N", tuple(SCALING), [one for one in races if one[1]])


def describe_machine(tables):
    """Describe the day, versions and processor, the GPU, the number of threads of the contenders, and the load."""
    limits = [f"{k}={v}" for k, v in sorted(os.environ.items()) if k.endswith("_NUM_THREADS")]
    parts = [measurements.describe_conditions("numpy"), f"{processors()} cores"]
    parts += limits or ["no limit on threads set"]
    if any(name.startswith("gpu") for name in tables):
        with contextlib.suppress(ImportError):
            import cupy

            parts.append(cupy.cuda.runtime.getDeviceProperties(0)["name"].decode())
    if hasattr(os, "getloadavg"):
        parts.append(f"load {os.getloadavg()[0]:.1f} at the start")
    return ", ".join([*parts, platform.platform()])


def positive(text):
    number = int(text)
    if number < 1:
        raise ValueError
    return number


def main():
    parser = argparse.ArgumentParser(
        description="Forward plus backward of streaming losses, against their alternatives."
    )
    parser.add_argument(
        "--table", nargs="+", choices=(*TABLES, "scaling"), default=("plain", "streaming", "small")
    )
    parser.add_argument(
        "--repeats", type=positive, default=7, help="rounds; the medians are over these (default 7)"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every time to FILE as well")
    parser.add_argument("--work", nargs=2, metavar=("NAME", "CASE"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        name, case = options.work
        try:
            work(name, Case(*json.loads(case)))
        except Exception as error:
            print(json.dumps({"ended": f"{type(error).__name__}: {error}"}))
        return
    if options.json and not options.json.parent.is_dir():
        parser.error(f"--json: there is no folder {options.json.parent}")
    asked, repeats = options.table, options.repeats
    print(
        ABOUT.format(
            tables=", ".join(asked),
            environment="CLOCK=processor " * PROCESSOR,
            options=" ".join(sys.argv[1:]),
            machine=describe_machine(asked),
            repeats=repeats,
            clock=" Here the time is the processors', of all threads, and no run is repeated." * PROCESSOR,
        )
    )
    racing = [SCALING if name == "scaling" else TABLES[name].contenders for name in asked]
    for name in dict.fromkeys(chain.from_iterable(racing)):
        print(f"- `{name}`: {' '.join(getattr(contenders, name).__doc__.split())}")
    results = {
        name: scale(repeats) if name == "scaling" else compare(TABLES[name], repeats) for name in asked
    }
    if options.json:
        runs = [{"table": name} | run for name, found in results.items() for run in found]
        measurements.write(options.json, runs, "numpy", "torch", "jax")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
