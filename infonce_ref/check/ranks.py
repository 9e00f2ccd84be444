"""Run a loss on several ranks, each with its own rows: a PyTorch loss in processes of one gloo group, a JAX loss
along the mapped axis of one process.

The gradient after the mean over ranks, as in DistributedDataParallel and as by jax.lax.pmean under jax.pmap, is
compared with that of the whole batch, which the same loss computes as the only rank.
"""

import contextlib
import datetime
import multiprocessing
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..catalogue import load
from ..targets import describe_error
from .gradient import STEPS, distance, find_multiple, flat, measure_slope
from .inputs import WAYS, Arrays, count_pairs, first, second
from .naming import Found
from .reading import Refused, option
from .report import Difference, Record, Verdict, record
from .search import EXACT
from .strangers import Stranger, example, measure_precision, refusing
from .target import Target, libraries

SECONDS = 30.0  # for one call on all ranks
FOUND = ("take", "restored", "dtype", "widened", "on_cpu")  # fields of a target that are found by trying
SHARED = ("bank", "offset")  # arrays that every rank has in full
WHOLE = "the whole batch, as the only rank"
MISPAIRED = "wrong partners after gathering"
REPAIRED = "after gathering, rows are paired with others than their partners: "
BLOCKS = "both views of a rank lie one after the other, and half of the whole is taken for the second"
FROM_0 = "every rank counts its labels from 0, as if its rows came first"
LOST = (
    "what comes back from other ranks is lost, or a sum over all rows is divided by the mean; gather with "
    "gradient, or multiply by the ranks"
)
OTHERS_HELD = (
    "rows of other ranks are constants: a row has the gradient of its own rank's loss, and none as a candidate "
    "of other ranks' anchors; gather with gradient"
)


class Answers(NamedTuple):
    """The value of each rank · slopes: the gradient that the rows of each rank receive, by array."""

    values: np.ndarray
    slopes: Sequence[Mapping[str, np.ndarray]]


class Axis:
    """The ranks of a JAX loss: positions along an axis of jax.vmap. Its collectives and their transposes are those
    of jax.pmap, but it needs no devices.
    """

    def __init__(self, target: Target, count: int):
        self.count, self.name = count, target.name

    def ask(self, way: Stranger, arrays: Arrays, gradient: bool = False) -> Answers:
        """Ask every rank with its rows. Raises Refused if the loss raises."""
        with refusing(f"{self.name} on {self.count} ranks"):
            found = way.ask_ranks(split(arrays, self.count), gradient)
        return Answers(np.array([value for value, *_ in found]), [slopes or {} for _, slopes, _ in found])


class Processes:
    """PyTorch's ranks as processes; they are forked, so that the loss need not be picklable."""

    def __init__(self, target: Target, count: int, store: Path):
        self.count, self.name = count, target.name
        context = multiprocessing.get_context("fork")
        self.workers = []
        for rank in range(count):
            here, there = context.Pipe()
            own = target._replace(rank=rank, ranks=count, library="torch")
            process = context.Process(target=work, args=(own, store, there), daemon=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the warning that forking does not copy threads
                process.start()
            there.close()
            self.workers.append((process, here))

    def ask(self, way: Stranger, arrays: Arrays, gradient: bool = False) -> Answers:
        """Ask every rank with its rows. Raises Refused if one fails."""
        how = way.way, way.unit, *(getattr(way.target, name) for name in FOUND)
        for (_, pipe), shard in zip(self.workers, split(arrays, self.count)):
            with contextlib.suppress(OSError):  # a process that has ended is noticed below
                pipe.send((how, shard, gradient))
        found: dict[int, Any] = {}
        end = time.monotonic() + SECONDS
        while len(found) < self.count:
            left = {pipe: rank for rank, (_, pipe) in enumerate(self.workers) if rank not in found}
            ready = wait(list(left), max(0.0, end - time.monotonic()))
            if not ready:
                ranks = ", ".join(map(str, left.values()))
                words = f"does not end on rank {ranks} in {SECONDS:g} s; do all ranks call the same?"
                raise Refused(f"{self.name} {words}")
            for pipe in (pipe for pipe in left if pipe in ready):
                found[left[pipe]] = self.receive(left[pipe], pipe)
        every = [found[rank] for rank in range(self.count)]
        return Answers(np.array([value for value, _ in every]), [slopes for _, slopes in every])

    def receive(self, rank: int, pipe: Any) -> tuple[float, Any]:
        try:
            answer = pipe.recv()
        except (EOFError, OSError):
            answer = "ends its process"
        if isinstance(answer, str):
            raise Refused(f"{self.name} on rank {rank} of {self.count} {answer}")
        return answer

    def stop(self) -> None:
        for process, _ in self.workers:
            process.kill()
            process.join()


def work(target: Target, store: Path, pipe: Any) -> None:
    """Run a rank's process: join the group and answer questions."""
    torch: Any = sys.modules["torch"]
    torch.set_num_threads(1)  # other threads are not forked
    strangers: dict[Any, Stranger] = {}
    try:
        place = {"init_method": store.as_uri(), "rank": target.rank, "world_size": target.ranks}
        timeout = datetime.timedelta(seconds=SECONDS)
        torch.distributed.init_process_group("gloo", **place, timeout=timeout)
        while True:
            how, arrays, gradient = pipe.recv()
            if how not in strangers:
                name, unit, *fields = how
                own = target._replace(**dict(zip(FOUND, fields)))
                strangers[how] = Stranger(own, WAYS[name]).replace(unit=unit)
            value, slopes, _ = strangers[how].ask(arrays, gradient)
            pipe.send((value, slopes))
    except BaseException as error:
        with contextlib.suppress(OSError):
            pipe.send(f"raises {describe_error(error)}")


Ranks = Axis | Processes


@contextlib.contextmanager
def start(target: Target, count: int) -> Iterator[dict[str, Ranks]]:
    """Start the ranks of each library; none for one rank. If the loss may be PyTorch's, this process becomes the
    only rank of its own process group meanwhile.
    """
    if count < 1:
        raise Refused(f"{option('ranks', count)} must be 1 or more")
    known = libraries(target.make)
    found: dict[str, Ranks] = {"jax": Axis(target, count)} if "jax" in known and count > 1 else {}
    if count == 1 or (found and "torch" not in known):
        yield found
        return
    torch: Any = sys.modules.get("torch")
    if torch is None or not torch.distributed.is_available():
        words = "needs a loss of JAX, or PyTorch's process groups, which are missing here"
        raise Refused(f"{option('ranks', count)} {words}")
    if torch.distributed.is_initialized():
        raise Refused("this process is in a process group already; check a loss on ranks outside of one")
    with tempfile.TemporaryDirectory() as folder:
        ranks = Processes(target, count, Path(folder, "store"))
        try:
            store = torch.distributed.HashStore()
            torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
            yield {**found, "torch": ranks}
        finally:
            ranks.stop()
            if torch.distributed.is_initialized():
                torch.distributed.destroy_process_group()


def split(arrays: Arrays, count: int) -> list[dict[str, Any]]:
    """Split the rows among the ranks; both views of an item go to one rank."""
    size = count_pairs(arrays) // count

    def own(name: str, x: np.ndarray, rank: int) -> np.ndarray:
        mine = slice(rank * size, (rank + 1) * size)
        if name in SHARED or (name == "negatives" and x.ndim == 2):
            return x
        return np.concatenate([first(x)[mine], second(x)[mine]]) if "w" in arrays else x[mine]

    shards = [{n: own(n, x, rank) for n, x in arrays.items()} for rank in range(count)]
    return [shard | {"offset": rank * size} for rank, shard in enumerate(shards)]


def join(slopes: Sequence[Mapping[str, np.ndarray]], arrays: Arrays) -> dict[str, np.ndarray]:
    """Join the gradients of the ranks' rows in the order of the whole batch; add those of shared arrays."""
    found = {}
    for name in slopes[0]:
        each = [s[name] for s in slopes]
        if each[0].shape == arrays[name].shape:
            found[name] = np.sum(each, axis=0)
        else:
            found[name] = np.concatenate([*map(first, each), *map(second, each)] if name == "w" else each)
    return found


def judge(
    by_library: Mapping[str, Ranks], way: Stranger, found: Found | None
) -> tuple[Verdict, list[Record], list[Difference]]:
    """Compare the value, then the gradient, of the mean over ranks with the whole batch."""
    ranks = by_library.get(way.library)
    if ranks is None or way.world.startswith(("scores", "data")):
        raise Refused(
            f"{option('ranks')} needs a loss of PyTorch or JAX, and rows that can be split among ranks; "
            f"{way.target.name} takes {way.how.words}"
        )
    count, precision = ranks.count, measure_precision(way)
    tolerance = 100 * max(EXACT[precision], found.residual if found else 0.0)
    many = [example(way, 2 * count), example(way, 4 * count), *way.points(2 * count, each=1)]
    whole = np.array([way.value(arrays) for arrays in many])
    dealt = np.array([ranks.ask(way, arrays).values.mean() for arrays in many])
    factor = find_multiple(dealt, whole, tolerance)
    off = float(np.max(np.abs(dealt - whole) / (1 + np.abs(whole))))
    of_value = record("ranks value", off, tolerance, WHOLE)
    if factor is None:
        told = name_value(ranks, way, found, many, dealt, tolerance)
        return Verdict("wrong", False, told.sentence), [of_value], [told]
    wrong, of_slope = judge_slopes(ranks, way, many[0], tolerance, precision)
    if wrong is not None:
        return Verdict("wrong", False, wrong.sentence), [of_value, of_slope], [wrong]
    word, words = "right", f"on {count} ranks the mean of the gradients is that of the whole batch"
    slopes, (step, rough) = way.slopes(many[0]), STEPS[EXACT[precision]]
    if measure_slope(way.value, many[0], slopes, step) > rough:
        word = "as one rank"
        words += ", which is not the derivative of the value: something is held constant on one rank too"
    if factor != 1:
        words += f"; the mean of the values is {factor:.6g} times its value"
        of_value = of_value._replace(status="holds", reason=words)
    return Verdict(word, True, words), [of_value, of_slope], []


def name_value(
    ranks: Ranks,
    way: Stranger,
    found: Found | None,
    many: Sequence[Arrays],
    dealt: np.ndarray,
    tolerance: float,
) -> Difference:
    """Name a wrong mean of the ranks' values."""
    count = ranks.count
    alone = "nothing is gathered: each rank has the negatives of its own rows alone"
    if way.library == "jax" and way.axis is None:
        alone = f"it uses no mapped axis, hence under pmap or shard_map {alone}"
        alone += "; jit of sharded arrays, which has no ranks, is not asked"
    known: dict[Difference, Callable[[Arrays], Any]] = {
        Difference("each rank alone", alone): lambda at: np.mean([*map(way.value, split(at, count))]),
        Difference(MISPAIRED, REPAIRED + BLOCKS): lambda at: way.value(pair_blocks(at, count)),
        Difference(MISPAIRED, REPAIRED + FROM_0): lambda at: found and pair_with_first(found, at, count),
    }
    for told, value in known.items():
        with contextlib.suppress(Exception):  # it has no views, or the loss refuses this batch
            if np.allclose([value(at) for at in many], dealt, rtol=tolerance, atol=tolerance):
                return told
    off = float(np.max(np.abs(dealt / np.array([way.value(arrays) for arrays in many]) - 1)))
    words = f"on {count} ranks the mean of the values differs from the value of the whole batch by {off:.2g}"
    return Difference("another loss on ranks", words)


def pair_blocks(arrays: Arrays, count: int) -> dict[str, Any]:
    """The pairs that the halves of the gathered rows make if each rank concatenates its two views."""
    rows = np.concatenate([np.concatenate([s["x"], s["y"]]) for s in split(arrays, count)])
    return {"x": first(rows), "y": second(rows)}


def pair_with_first(found: Found, arrays: Arrays, count: int) -> float:
    """The program's value if each rank's rows are paired with the first rank's."""
    n, (_, space) = len(arrays["x"]), load(*found.program)
    pairs = np.arange(n)[:, None] % (n // count) == np.arange(n)
    kept = space["places"]
    space["places"] = lambda rows: (pairs, pairs, kept(rows)[2])
    try:
        return found.value(arrays)
    finally:
        space["places"] = kept


def judge_slopes(
    ranks: Ranks, way: Stranger, arrays: Arrays, tolerance: float, precision: str
) -> tuple[Difference | None, Record]:
    """Compare the gradient after the mean over ranks with that of the whole batch."""
    count = ranks.count
    right = way.slopes(arrays)
    dealt = join(ranks.ask(way, arrays, gradient=True).slopes, arrays)
    mine = {n: g / count for n, g in dealt.items()}
    found = record("ranks gradient", distance([mine], [right]), tolerance, WHOLE)
    if found.good:
        return None, found
    factor = find_multiple(flat(mine, right), flat(right, right), tolerance)
    words = "after the mean over ranks the gradient is"
    if factor is not None and abs(factor * count - 1) < tolerance * count:
        told = f"{words} {factor:.6g} of that of the whole batch: {LOST}"
        return Difference("divided by the ranks", told), found
    if factor is not None:
        return Difference("multiplied by ranks", f"{words} {factor:.6g} times that of the whole batch"), found
    shards = enumerate(split(arrays, count))
    owner = join([{n: np.full(own[n].shape, rank) for n in dealt} for rank, own in shards], arrays)
    step, rough = STEPS[EXACT[precision]]

    def measure_own(rank: int) -> float:
        """How far the gradient of the rows of a rank is from that of its own loss alone."""
        rows = {n: owner[n] == rank for n in dealt}
        return measure_slope(lambda at: ranks.ask(way, at).values[rank], arrays, dealt, step, where=rows)

    if all(measure_own(rank) <= rough for rank in range(count)):
        return Difference("without the gathered part", OTHERS_HELD), found
    return Difference("gradient wrong on ranks", f"{words} another"), found
