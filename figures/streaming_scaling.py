"""Tile by tile, without its matrix, the same loss needs memory that grows only with the rows.

Left: every row meets every other, so the time grows as the square of the rows in every form, as the dashed line
N² does; in float32 it is the shortest tile by tile from 1,024 rows on. Right: the memory at its peak, above that
of the inputs. The plain form and PyTorch (eager) hold all N × N numbers, PyTorch several times over: at 65,536
rows they would need some 27 and 53 gigabytes. Tile by tile nothing is kept of the scores but a few numbers for
each row and up to 128 MB of tiles; from there on the memory grows with the rows alone, as the dashed line N does.

Forward plus backward of NT-Xent, 128 features. Medians on one machine: docs/speed.md tells which, and how they
were measured.
"""

from statistics import median

from matplotlib.figure import Figure

from . import measurements, style

CLAIMS = ("M6", "S1")

NAMES = {
    ("streaming", "float32"): "tile by tile, float32",
    ("streaming", "float64"): "tile by tile, float64",
    ("plain", "float32"): "plain, float32",
    ("torch_eager", "float32"): "PyTorch, eager, float32",
}

Curve = list[tuple[int, float, float]]  # rows N, seconds, and MB above the inputs


def read() -> dict[str, Curve]:
    """The curves of the benchmark's table of scaling."""
    curves: dict[str, Curve] = {name: [] for name in NAMES.values()}
    for run in measurements.read(__file__):
        if run["table"] == "scaling":
            name = NAMES[run["contender"], run["dtype"]]
            curves[name].append((run["n"], median(run["seconds"]), run["memory"]))
    return curves


def draw() -> Figure:
    figure, (time, memory) = style.panels(2)
    for i, (label, curve) in enumerate(read().items()):
        rows, seconds, megabytes = zip(*curve)
        for axis, values in ((time, seconds), (memory, megabytes)):
            axis.plot(rows, values, **style.line(i) | style.marker(i) | style.line(i), label=label)
    for axis, power, n, start, words in ((time, 2, 2**13, 0.04, "N²"), (memory, 1, 2**13, 10.0, "N")):
        ends = (n, 2**16)
        axis.plot(ends, [start * (end / n) ** power for end in ends], color=style.GREY, **style.LIMIT)
        style.note(axis, words, (n, start), (-4, 0), ha="right", va="center")
    time.set(title="Seconds, forward and backward")
    memory.set(title="Megabytes at the peak, above the inputs")
    for axis in (time, memory):
        axis.set(xlabel="rows N", yscale="log")
        style.logarithmic(axis, x=[2**k for k in range(10, 17, 2)])
    time.legend(loc="upper left")
    return figure
