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
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..targets import describe_error
from . import asking, gradient, inputs
from .asking import Way
from .factors import show
from .formula import places_of, similarities, total
from .gradient_tier import formula_at
from .identification import TOLERANCES, Nearest
from .names import Difference, Found, find_scaling
from .session import Session
from .target import Refused, Target, libraries
from .verdicts import Record, Verdict, record

SECONDS = 30.0  # for one call on all ranks
SHARED = ("bank", "offset")  # arrays that every rank has in full
STEP = {"float64": 1e-5, "float32": 1e-2}  # of a central difference
ROUGH = {"float64": 1e-6, "float32": 1e-2}  # relative: truncation and rounding of such a difference


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

    def ask(self, way: Way, arrays: inputs.Arrays, gradient: bool = False) -> Answers:
        """Ask every rank with its rows. Raises Refused if the loss raises."""
        try:
            found = way.ask_ranks(split(arrays, self.count), gradient)
        except Refused:
            raise
        except Exception as error:  # a user's code may raise anything
            raise Refused(f"{self.name} on {self.count} ranks raises {describe_error(error)}") from error
        unpack = inputs.WAYS[way.name].unpack
        slopes = [{} if a.gradients is None else unpack(a.gradients) for a in found]
        return Answers(np.array([a.value for a in found]), slopes)


class Processes:
    """PyTorch's ranks as processes; they are forked, so that the loss need not be picklable."""

    def __init__(self, target: Target, count: int, store: Path):
        self.count, self.name = count, target.name
        context = multiprocessing.get_context("fork")
        self.workers = []
        for rank in range(count):
            here, there = context.Pipe()
            own = target._replace(rank=rank, ranks=count)
            process = context.Process(target=work, args=(own, store, there), daemon=True)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the warning that forking does not copy threads
                process.start()
            there.close()
            self.workers.append((process, here))

    def ask(self, way: Way, arrays: inputs.Arrays, gradient: bool = False) -> Answers:
        """Ask every rank with its rows. Raises Refused if one fails."""
        session = way.session
        question = session.target.take, session.target.restored, session.dtype, way._replace(session=None)  # type: ignore[arg-type]
        for (_, pipe), shard in zip(self.workers, split(arrays, self.count)):
            with contextlib.suppress(OSError):  # a process that has ended is noticed below
                pipe.send((*question, shard, gradient))
        found: dict[int, Any] = {}
        end = time.monotonic() + SECONDS
        while len(found) < self.count:
            left = {pipe: rank for rank, (_, pipe) in enumerate(self.workers) if rank not in found}
            ready = wait(list(left), max(0.0, end - time.monotonic()))
            if not ready:
                ranks = ", ".join(map(str, left.values()))
                raise Refused(
                    f"{self.name} does not end on rank {ranks} in {SECONDS:g} s; do all ranks call the same?"
                )
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
    sessions: dict[Any, Session] = {}
    try:
        limit = datetime.timedelta(seconds=SECONDS)
        torch.distributed.init_process_group(
            "gloo", init_method=store.as_uri(), rank=target.rank, world_size=target.ranks, timeout=limit
        )
        while True:
            take, restored, dtype, way, arrays, slopes = pipe.recv()
            if (take, restored, dtype) not in sessions:
                own = target._replace(take=take, restored=restored)
                sessions[take, restored, dtype] = Session(own, "torch", dtype)
            way = way._replace(session=sessions[take, restored, dtype])
            pipe.send((way.value(arrays), way.gradient(arrays) if slopes else None))
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
        raise Refused(f"--ranks {count} must be 1 or more")
    if count == 1:
        yield {}
        return
    known = libraries(target.make)
    found: dict[str, Ranks] = {"jax": Axis(target, count)} if "jax" in known else {}
    if found and "torch" not in known:
        yield found
        return
    with start_processes(target, count) as processes:
        yield {**found, "torch": processes}


@contextlib.contextmanager
def start_processes(target: Target, count: int) -> Iterator[Processes]:
    torch: Any = sys.modules.get("torch")
    if torch is None or not torch.distributed.is_available():
        raise Refused(
            f"--ranks {count} needs a loss of JAX, or PyTorch's process groups, which are missing here"
        )
    if torch.distributed.is_initialized():
        raise Refused("this process is in a process group already; check a loss on ranks outside of one")
    if "fork" not in multiprocessing.get_all_start_methods():
        raise Refused(f"--ranks {count} needs a system that forks")
    with tempfile.TemporaryDirectory() as folder:
        ranks = Processes(target, count, Path(folder, "store"))
        try:
            store = torch.distributed.HashStore()
            torch.distributed.init_process_group("gloo", store=store, rank=0, world_size=1)
            yield ranks
        finally:
            ranks.stop()
            if torch.distributed.is_initialized():
                torch.distributed.destroy_process_group()


def split(arrays: inputs.Arrays, count: int) -> list[dict[str, Any]]:
    """Split the rows among the ranks; both views of an item go to one rank."""
    size = inputs.count_pairs(arrays) // count

    def own(name: str, x: np.ndarray, rank: int) -> np.ndarray:
        if name in SHARED or (name == "negatives" and x.ndim == 2):
            return x
        mine = slice(rank * size, (rank + 1) * size)
        if "w" in arrays:
            return np.concatenate(
                [half[mine] for half in (inputs.take_first_half(x), inputs.take_second_half(x))]
            )
        return x[mine]

    return [
        {n: own(n, x, rank) for n, x in arrays.items()} | {"offset": rank * size} for rank in range(count)
    ]


def join(slopes: Sequence[Mapping[str, np.ndarray]], arrays: inputs.Arrays) -> dict[str, np.ndarray]:
    """Join the gradients of the ranks' rows in the order of the whole batch; add those of shared parameters."""
    found = {}
    for name in slopes[0]:
        each = [s[name] for s in slopes]
        if each[0].shape == arrays[name].shape:
            found[name] = np.sum(each, axis=0)
        elif name == "w":
            halves = [inputs.take_first_half(x) for x in each] + [inputs.take_second_half(x) for x in each]
            found[name] = np.concatenate(halves)
        else:
            found[name] = np.concatenate(each)
    return found


def judge(
    by_library: Mapping[str, Ranks], nearest: Nearest
) -> tuple[Verdict, list[Record], list[Difference]]:
    """Compare the value, then the gradient, of the mean over ranks with the whole batch."""
    way = nearest.way
    ranks = by_library.get(way.session.library)
    if ranks is None or way.world.startswith(("scores", "data")):
        raise Refused(
            "--ranks needs a loss of PyTorch or JAX, and rows that can be split among ranks; "
            f"{way.session.name} takes {inputs.WAYS[way.name].words}"
        )
    count = ranks.count
    tolerance = 100 * max(TOLERANCES[nearest.precision], nearest.found.residual if nearest.found else 0.0)
    sizes = (2 * count, 4 * count)  # even on each rank
    many = [asking.example(way.world, size) for size in sizes] + inputs.points(way.world, sizes[0], each=1)
    whole = np.array([way.value(arrays) for arrays in many])
    dealt = np.array([ranks.ask(way, arrays).values.mean() for arrays in many])
    factor = find_factor(dealt, whole, tolerance)
    of_value = record(
        "ranks value", float(np.max(np.abs(dealt - whole) / (1 + np.abs(whole)))), tolerance, WHOLE, MEAN
    )
    if factor is None:
        told = name_value(ranks, nearest, many, dealt, tolerance)
        return Verdict("wrong", False, told.sentence), [of_value], [told]
    told_, of_slope = judge_slopes(ranks, nearest, many[0])
    records = [of_value, of_slope]
    if told_ is not None:
        return Verdict("wrong", False, told_.sentence), records, [told_]
    word, words = "right", f"on {count} ranks the mean of the gradients is that of the whole batch"
    if not follows_value(way, many[0], nearest.precision):
        word = "as one rank"
        words += ", which is not the derivative of the value: something is held constant on one rank too"
    if factor != 1:
        words += f"; the mean of the values is {show(factor)} times its value"
        records[0] = of_value._replace(status="holds", reason=words)
    return Verdict(word, True, words), records, []


def follows_value(way: Way, arrays: inputs.Arrays, precision: str) -> bool:
    """Return whether a rank's gradient is the derivative of its value along one direction."""
    slopes, rng, step = way.gradient(arrays) or {}, np.random.default_rng(7), STEP.get(precision, 1e-1)
    along = {name: rng.standard_normal(slope.shape) for name, slope in slopes.items()}
    ahead, behind = (
        way.value({**arrays, **{n: arrays[n] + sign * step * x for n, x in along.items()}})
        for sign in (1, -1)
    )
    own = sum(float(np.sum(slopes[n] * x)) for n, x in along.items())
    size = np.sqrt(sum(float(np.sum(slope**2)) for slope in slopes.values()))
    return abs((ahead - behind) / (2 * step) - own) <= ROUGH.get(precision, 0.1) * (abs(own) + size)


WHOLE = "the loss of the whole batch, as the only rank"
MEAN = "rounding of the dtype in which the loss computes"


def find_factor(got: np.ndarray, right: np.ndarray, tolerance: float) -> float | None:
    """Return the number by which all values are multiplied, if there is one; 1 if they are right."""
    if np.allclose(got, right, rtol=tolerance, atol=tolerance):
        return 1.0
    factor = float(got @ right / (right @ right))
    return factor if np.allclose(got, factor * right, rtol=tolerance, atol=tolerance) else None


def name_value(
    ranks: Ranks, nearest: Nearest, many: Sequence[inputs.Arrays], dealt: np.ndarray, tolerance: float
) -> Difference:
    """Name a wrong mean of the ranks' values."""
    way, count = nearest.way, ranks.count

    def fits(value: Any) -> bool:
        try:
            return np.allclose([value(arrays) for arrays in many], dealt, rtol=tolerance, atol=tolerance)
        except Exception:  # the loss refuses this batch
            return False

    if fits(lambda arrays: np.mean([way.value(shard) for shard in split(arrays, count)])):
        words = f"nothing is gathered: each rank has the negatives of its own rows alone, B/{count} − 1"
        if way.session.library == "jax" and way.session.axis is None:
            words = (
                "it uses no mapped axis, hence under pmap or shard_map "
                f"{words}; jit of sharded arrays, which has no ranks, is not asked"
            )
        return Difference("each rank alone", words)
    wrong = (
        "wrong partners after gathering",
        "after gathering, rows are paired with others than their partners: ",
    )
    if way.world == "views" and fits(lambda arrays: way.value(pair_blocks(arrays, count))):
        words = "both views of a rank lie one after the other, and half of the whole is taken for the second"
        return Difference(wrong[0], wrong[1] + words)
    found = nearest.found
    if (
        found is not None
        and way.world == "views"
        and fits(lambda arrays: pair_with_first(found, arrays, count))
    ):
        return Difference(
            wrong[0], wrong[1] + "every rank counts its labels from 0, as if its rows came first"
        )
    off = float(np.max(np.abs(dealt / np.array([way.value(arrays) for arrays in many]) - 1)))
    return Difference(
        "another loss on ranks",
        f"on {count} ranks the mean of the values differs from the value of the whole batch by {off:.2g}",
    )


def pair_blocks(arrays: inputs.Arrays, count: int) -> dict[str, Any]:
    """Return the pairs that the halves of the gathered rows make if each rank concatenates its two views."""
    rows = np.concatenate([np.concatenate([s["x"], s["y"]]) for s in split(arrays, count)])
    return {"x": inputs.take_first_half(rows), "y": inputs.take_second_half(rows)}


def pair_with_first(found: Found, arrays: inputs.Arrays, count: int) -> float:
    """Evaluate the formula with each rank's rows paired with the first rank's."""
    where = places_of(found.formula, arrays)
    n = len(arrays["x"])
    partner = np.arange(n) % (n // count)
    pairs = partner[:, None] == np.arange(n)
    none = np.zeros_like(pairs)
    wrong = np.block([[none, pairs], [pairs, none]])
    roles = where.roles | {
        "positive": wrong,
        "other view": (where.roles["other view"] | where.roles["positive"]) & ~wrong,
    }
    factor, size, shift = find_scaling(found, arrays)
    s = similarities(found.formula, arrays, arrays)
    phi = total(found.formula, s, where._replace(roles=roles), found.inverse, found.second or 0.0)
    return factor * float(phi) / size + shift


def judge_slopes(ranks: Ranks, nearest: Nearest, arrays: inputs.Arrays) -> tuple[Difference | None, Record]:
    """Compare the gradient after the mean over ranks with that of the whole batch."""
    way, count = nearest.way, ranks.count
    right = way.gradient(arrays) or {}
    own = {n: x / count for n, x in join(ranks.ask(way, arrays, gradient=True).slopes, arrays).items()}
    names = list(right)
    mine, expected = gradient.flat(own, names), gradient.flat(right, names)
    tolerance = 100 * max(TOLERANCES[nearest.precision], nearest.found.residual if nearest.found else 0.0)
    error = gradient.distance(mine, expected)
    found = record(
        "ranks gradient", error, tolerance, "the gradient of the whole batch, as the only rank", MEAN
    )
    if found.good:
        return None, found
    factor = gradient.find_factor(mine, expected, tolerance)
    words = "after the mean over ranks the gradient is"
    if factor is not None and abs(factor * count - 1) < tolerance * count:
        told = Difference(
            "divided by the ranks",
            f"{words} {show(factor)} of that of the whole batch: what comes back from other ranks is "
            "lost, or a sum over all rows is divided by the mean; gather with gradient, or multiply by the ranks",
        )
    elif factor is not None:
        told = Difference("multiplied by ranks", f"{words} {show(factor)} times that of the whole batch")
    else:
        told = name_missing(ranks, nearest, arrays, own, tolerance)
    return told, found


def name_missing(
    ranks: Ranks, nearest: Nearest, arrays: inputs.Arrays, own: Mapping[str, np.ndarray], tolerance: float
) -> Difference:
    """Name a gradient that is not a multiple of the right one."""
    way, names = nearest.way, list(own)
    rough = ROUGH.get(nearest.precision, 0.1)
    local = differentiate_own_rows(ranks, nearest, arrays, names)
    if gradient.distance(gradient.flat(own, names), gradient.flat(local, names)) <= rough:
        return Difference(
            "without the gathered part",
            "rows of other ranks are constants: a row has the gradient of its own rank's loss, and none as a "
            "candidate of other ranks' anchors; gather with gradient",
        )
    if nearest.found is not None:
        point = formula_at(nearest.found, arrays)
        judged = gradient.judge(
            own, way.gradient(arrays), point, {n: own[n] for n in names}, max(tolerance, 1e-8)
        )
        return Difference(judged.mistake, f"after the mean over ranks: {judged.sentence}")
    return Difference("gradient wrong on ranks", "after the mean over ranks the gradient is another")


def differentiate_own_rows(
    ranks: Ranks, nearest: Nearest, arrays: inputs.Arrays, names: Sequence[str]
) -> dict[str, np.ndarray]:
    """Differentiate each rank's value by its own rows only, numerically; divide by the number of ranks."""
    step = STEP.get(nearest.precision, 1e-1)
    shards = split(arrays, ranks.count)
    slopes: list[dict[str, np.ndarray]] = []
    for rank in range(ranks.count):
        owner = join(
            [{n: np.full(s[n].shape, k == rank) for n in names} for k, s in enumerate(shards)], arrays
        )
        slopes.append({})
        for name in names:
            slopes[-1][name] = np.zeros(arrays[name].shape)
            for index in zip(*np.nonzero(owner[name])):
                moved = [arrays[name].copy() for _ in range(2)]
                for x, sign in zip(moved, (1, -1)):
                    x[index] += sign * step
                ahead, behind = (ranks.ask(nearest.way, {**arrays, name: x}).values[rank] for x in moved)
                slopes[-1][name][index] = (ahead - behind) / (2 * step)
    return {n: np.sum([each[n] for each in slopes], axis=0) / ranks.count for n in names}
