"""Time and memory of a loss, forward and backward, against its alternatives: docs/speed.md says what came out.

    python tools/benchmark.py scaling                     10 minutes: N up to 65,536
    python tools/benchmark.py sizes losses --repeats 7    NT-Xent at other sizes; the other streaming losses
    python tools/benchmark.py peers                       a training step, beside the losses of other libraries
    python tools/benchmark.py gpu                         on an NVIDIA GPU
    python tools/benchmark.py scaling --json figures/streaming_scaling.json      what the figure draws
    CLOCK=processor python tools/benchmark.py …           processor time: for a machine that others use

It is kept because no library has what this needs: each contender runs in its own process with its default number
of threads, and all take turns, one run each per round, so that noise of the machine affects all. A cell is the
median time over the rounds, and the peak resident set during the run minus that of the process with its inputs
loaded; on a GPU, what PyTorch has allocated there. What cannot be imported is left out, with the reason.
"""

import argparse
import contextlib
import importlib.metadata
import json
import math
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import contenders
from contenders import Case
from repository import write_table

from infonce_ref.figures import measurements

WARM_UP = 0.2  # seconds: a virtual machine may have reclaimed idle memory, and idle threads start on one core
clock = time.process_time if os.environ.get("CLOCK") == "processor" else time.perf_counter


class Table(NamedTuple):
    contenders: tuple[str, ...]
    cases: list[Case]


BOTH = ("float32", "float64")
FORMS = ("plain", "streaming", "torch_eager", "torch_compiled", "jax_jit")
ON_GPU = ("torch_streaming", "torch_eager", "torch_compiled")
OTHERS = ("infonce", "dcl", "supcon", "clip", "query_key", "siglip")
TABLES = {
    "scaling": Table(
        ("streaming", "plain", "torch_eager"),
        [Case(2**k, dtype) for dtype in BOTH for k in range(10, 17)],
    ),
    "sizes": Table(FORMS, [Case(n, dtype) for dtype in BOTH for n in (64, 128, 512, 4096, 16384)]),
    "losses": Table(FORMS[1:4], [Case(n, "float32", loss) for loss in OTHERS for n in (1024, 4096)]),
    "gpu": Table(
        ON_GPU,
        [Case(n, "float32", device="cuda") for n in (8192, 32768)]
        + [Case(32768, "float32", loss, "cuda") for loss in OTHERS],
    ),
    "peers": Table(
        ("ours", "ours_streaming", *contenders.LIBRARIES),
        [
            *(Case(n, "float32") for n in (128, 512)),  # pytorch-metric-learning needs memory of N³
            *(Case(n, "float32", loss) for loss in ("supcon", "clip", "siglip", "cpc") for n in (512, 2048)),
        ],
    ),
}
# the largest N of each contender: the others store the matrix
LARGEST = {
    ("streaming", "float32"): 2**16,
    ("streaming", "float64"): 2**15,
    ("torch_streaming", "float32"): 2**15,
}
STORED = 2**14


# --- a contender's own process ---------------------------------------------------------------------------


def read_resident(field: str) -> float | None:
    """Return VmRSS (now) or VmHWM (highest) in MB, or None if the system does not report it."""
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith(field):
                return int(line.split()[1]) / 1024
    return None


def work(name: str, case: Case) -> None:
    """Print the package that it runs on; answer each line of standard input with the seconds and MB of a run."""
    run, package = getattr(contenders, name)(case)
    # after a block of this size has been freed, glibc keeps the memory of smaller ones, as in a program that has
    # run for a while, and a run does not pay for the same pages again
    bytearray(31 * 2**20)
    before = read_resident("VmRSS")
    run()  # compiles, touches the memory, starts the threads
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # reset the peak, which compilation may have raised
    if case.device == "cuda":
        import torch

        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.max_memory_allocated() / 2**20
    print(json.dumps({"package": package, "version": importlib.metadata.version(package)}), flush=True)
    start = time.perf_counter()
    run()
    once = time.perf_counter() - start
    times = math.ceil(0.1 / once)  # a short run is timed as one of several
    for _ in sys.stdin:
        warm = time.perf_counter() + (WARM_UP if once < 5 else 0)
        while time.perf_counter() < warm:
            run()
        start = clock()
        for _ in range(times):
            run()
        seconds = (clock() - start) / times
        peak = torch.cuda.max_memory_allocated() / 2**20 if case.device == "cuda" else read_resident("VmHWM")
        print(json.dumps([seconds, peak and peak - before]), flush=True)


class Ended(Exception):
    """A contender has ended; the message says why."""


class Contender:
    """A process that runs once on request."""

    def __init__(self, name: str, case: Case) -> None:
        self.name, self.case, self.seconds, self.memory = name, case, [], None

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, __file__, "--work", self.name, json.dumps(self.case)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.about = self.answer()

    def answer(self) -> Any:
        line = self.process.stdout.readline()
        found = json.loads(line) if line else {"ended": f"it ended with status {self.process.wait()}"}
        if "ended" in found:
            raise Ended(found["ended"])
        return found

    def run(self) -> None:
        time.sleep(0.05)  # wait until the threads of the previous contender stop spinning
        with contextlib.suppress(BrokenPipeError):  # it has ended; `answer` reports why
            self.process.stdin.write("\n")
            self.process.stdin.flush()
        seconds, self.memory = self.answer()
        self.seconds.append(seconds)

    @property
    def cell(self) -> str:
        memory = "" if self.memory is None else f", {self.memory:,.0f} MB"
        return f"{median(self.seconds) * 1e3:,.1f} ms{memory}"

    def close(self) -> None:
        self.process.kill()
        self.process.communicate()


def race(names: tuple[str, ...], case: Case, repeats: int) -> list[Contender]:
    """Run each contender once in each round; return those that did not end, and print why others did."""
    able = [
        name for name in names if case.n <= LARGEST.get((name, case.dtype), STORED) or case.device == "cuda"
    ]
    racing = [Contender(name, case) for name in able]
    for step in (Contender.start, *(Contender.run,) * repeats):
        for contender in [*racing]:
            try:
                step(contender)
            except Ended as error:
                print(
                    f"{contender.name} is left out at {', '.join(map(str, case))}: {error}", file=sys.stderr
                )
                contender.close()
                racing.remove(contender)
    for contender in racing:
        contender.close()
    return racing


def measure(table: Table, repeats: int) -> list[Contender]:
    """Run the table's races, print them, and return who ran."""
    races = [(case, race(table.contenders, case, repeats)) for case in table.cases]
    rows = []
    for case, racing in races:
        cells = {contender.name: contender.cell for contender in racing}
        name = f"{case.loss}, N = {case.n:,}, {case.dtype}"
        rows.append([name, *(cells.get(one, "–") for one in table.contenders)])
    ran = [contender for _, racing in races for contender in racing]
    print(write_table(["case", *table.contenders], rows))
    print("With", ", ".join(sorted({f"{c.about['package']} {c.about['version']}" for c in ran})), flush=True)
    return ran


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tables", nargs="*", metavar="TABLE", help=", ".join(TABLES))
    parser.add_argument("--repeats", type=int, default=5, help="rounds (default 5)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every time to FILE as well")
    parser.add_argument("--work", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.work:
        try:
            work(asked.work[0], Case(*json.loads(asked.work[1])))
        except Exception as error:
            print(json.dumps({"ended": f"{type(error).__name__}: {error}"}))
        return
    if not asked.tables or {*asked.tables} - {*TABLES}:
        parser.error(f"name some of the tables {', '.join(TABLES)}")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    print(f"{measurements.describe_conditions('numpy')}, {cores} cores; medians of {asked.repeats} rounds\n")
    runs = []
    for name in asked.tables:
        for c in measure(TABLES[name], asked.repeats):
            own = {"contender": c.name, **c.case._asdict(), "seconds": c.seconds, "memory": c.memory}
            runs.append({"table": name} | own | c.about)
    if asked.json:
        measurements.write(asked.json, runs, "numpy", "torch")


if __name__ == "__main__":
    main()
