"""Measure how the cost of a step of NT-Xent grows on a cluster: tasks, bytes moved and seconds of work on 1, 2 and
4 workers of this machine, and extrapolate to more workers and rows.

python tools/growth.py > docs/cluster.md
"""

import argparse
import math
import os
import statistics
import time
from typing import NamedTuple

import dask
import dask.array as da
import distributed
import numpy as np

from infonce_ref import streaming
from infonce_ref.figures.measurements import describe_conditions

FEATURES, TEMPERATURE = 128, 0.1
# rows, a block, workers
PLANS = ((10**5, 4096, 4), (10**6, 16384, 100), (10**7, 65536, 100), (10**7, 65536, 1000))
PAIRS = ("sum_block", "multiply_block")  # the tasks with two blocks as input


class Step(NamedTuple):
    """Forward and backward once. wall: from start to end, seconds · tasks · pairs: number of tasks on two blocks ·
    of_pairs, of_others: seconds of work in these, and in the other tasks · moved: bytes sent between workers.
    """

    wall: float
    tasks: int
    pairs: int
    of_pairs: float
    of_others: float
    moved: int


def count_sent_bytes(client: distributed.Client) -> int:
    return sum(client.run(lambda dask_worker: dask_worker.transfer_outgoing_bytes_total).values())


def step(client: distributed.Client, w: da.Array) -> Step:
    before = count_sent_bytes(client)
    with distributed.get_task_stream(client) as stream:
        start = time.perf_counter()
        value, cache = streaming.ntxent.forward(w, temperature=TEMPERATURE)
        distributed.wait(dask.persist(value, *streaming.ntxent.backward(cache)))
        wall = time.perf_counter() - start
    work: dict[bool, list[float]] = {True: [], False: []}
    for task in stream.data:
        computed = (part for part in task["startstops"] if part["action"] == "compute")
        work[distributed.utils.key_split(task["key"]) in PAIRS].append(
            sum(p["stop"] - p["start"] for p in computed)
        )
    return Step(
        wall,
        len(stream.data),
        len(work[True]),
        sum(work[True]),
        sum(work[False]),
        count_sent_bytes(client) - before,
    )


def measure(workers: int, rows: int, block: int, repeats: int) -> Step:
    """Return the medians over some steps, after one warm-up step."""
    w = np.random.default_rng(0).standard_normal((rows, FEATURES), dtype=np.float32)
    local = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0")
    with local, distributed.Client(local) as client:
        held = da.from_array(w, chunks=(block, FEATURES)).persist()
        steps = [step(client, held) for _ in range(1 + repeats)][1:]
    return Step(*(statistics.median(each) for each in zip(*steps)))


def table(found: dict[int, Step]) -> str:
    lines = [
        "| workers | from start to end | tasks | on two blocks | work on these | on the others | moved |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for workers, s in found.items():
        lines.append(
            f"| {workers} | {s.wall:.1f} s | {s.tasks:.0f} | {s.pairs:.0f} | {s.of_pairs:.1f} s "
            f"| {s.of_others:.1f} s | {s.moved / 1e6:.1f} MB |"
        )
    return "\n".join(lines)


def extrapolate(alone: Step, rows: int) -> str:
    """Extrapolate to many workers that never wait for each other.

    The work grows as N². Each worker receives each block once, and sends as much data for the gradients.
    """
    lines = [
        "| rows | a block | workers | tasks on two blocks | work of each worker | moved to each worker |",
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for n, block, workers in PLANS:
        seconds = alone.of_pairs * (n / rows) ** 2 / workers
        moved = 2 * 4 * FEATURES * n
        lines.append(
            f"| {n:,} | {block:,} | {workers:,} | {count_pair_tasks(n, block):,} | {say_duration(seconds)} "
            f"| {moved / 1e9:.1f} GB |"
        )
    return "\n".join(lines)


def count_pair_tasks(rows: int, block: int) -> int:
    """Count the tasks on two blocks, in both passes."""
    blocks = math.ceil(rows / block)
    return blocks * (blocks + 1)


def say_duration(seconds: float) -> str:
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} seconds"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n\n")[0])
    parser.add_argument("--rows", type=int, default=16384)
    parser.add_argument("--block", type=int, default=2048)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    found = {workers: measure(workers, given.rows, given.block, given.repeats) for workers in (1, 2, 4)}
    print(
        PAGE.format(
            **vars(given),
            features=FEATURES,
            table=table(found),
            model=extrapolate(found[1], given.rows),
            cores=os.cpu_count(),
            load=os.getloadavg()[0],
            conditions=describe_conditions("numpy", "dask"),
        )
    )


PAGE = """# Streaming on a cluster

Written by `python tools/growth.py --rows {rows} --block {block} --repeats {repeats}`; do not edit.

On Dask arrays, `infonce_ref.streaming` makes one task of each pair of blocks of rows, first for the sums, then
for the gradient. A task returns three numbers per row, or two blocks' contributions to the gradient. These are
added as trees, always in the same order. [arrays.md](arrays.md) shows how to call it.

## Measured

Forward plus backward of `ntxent`, {rows} rows of {features} features in float32, in blocks of {block}: medians of
{repeats} steps, after a warm one. Each worker is a process with one thread. {cores} cores that other work shares
(load {load:.1f} at the end), {conditions}. Where there are more workers than
cores, a task takes longer because it waits for a core. "Moved" counts data sent from worker to worker.

{table}

## More rows, more workers: on paper

This extrapolates the work of a single worker, which grows as the square of the rows, assuming that all workers
are equally fast and none waits. Moved at most: each block to each worker, and as much again for the gradient. It
leaves out the tasks that grow only as the rows, and the scheduler's overhead, about a millisecond per task (the
wall time of one worker minus its work, above). That overhead does not limit the speed as long as a task on two
blocks takes longer than a few milliseconds times the number of workers, as it does in the table.

{model}

If one step would take hours, use fewer negatives: `query_key` with M negatives drawn anew in each step needs N·M
scores instead of N². It bounds the information only up to log(M + 1), and only if the negatives are drawn
independently of the query [P1]. Adding up the gradients of micro-batches gives another loss [R12].
"""

if __name__ == "__main__":
    main()
