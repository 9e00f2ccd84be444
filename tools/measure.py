"""Measure every measured page of docs/ again, and write docs/measured.md, the table of their versions.

    python tools/measure.py                      every page, one after another: many hours, most for mutants
    python tools/measure.py speed.md matrix.md   these
    python tools/measure.py --table              only the table, from the versions on the pages
    python tools/measure.py --list               the pages, and the command that measures each

Needs the extras `[test,torch,jax]`, and for peers.md and speed-peers.md the dependency group `peers`. Times are
meaningful only on an idle machine. A page is replaced only if its command succeeds.
"""

import argparse
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from repository import DOCS, ROOT

PAGE = DOCS / "measured.md"


class Job(NamedTuple):
    """How a file is measured: Python's arguments, or () if no command repeats it; whether the command prints the
    file, or writes it itself."""

    arguments: tuple[str, ...] = ()
    prints: bool = False


def command(words: str, prints: bool = False) -> Job:
    return Job(tuple(words.split()), prints)


JOBS: Mapping[str, Job] = {
    "docs/matrix.md": command("tools/matrix.py"),
    "docs/digits.md": command("tools/digits.py --table docs/digits.md"),
    "docs/frameworks.md": command("tools/frameworks.py"),
    "docs/peers.md": command("tools/peers.py"),
    "docs/ranks.md": command("tools/ranks.py"),
    "docs/mutation.md": command("tools/mutation.py --table --stale"),
    "docs/algorithms.md": command("tools/algorithms_page.py 0 1 2", prints=True),
    "docs/cluster.md": command("tools/growth.py --rows 16384 --block 2048 --repeats 3", prints=True),
    "docs/speed.md": command(
        "tools/benchmark.py --table plain streaming small scaling --json figures/streaming_scaling.json",
        prints=True,
    ),
    "docs/speed-of-losses.md": command("tools/benchmark.py --table losses features --repeats 5", prints=True),
    "docs/speed-in-training.md": command("tools/benchmark.py --table training", prints=True),
    "docs/speed-peers.md": command(
        "tools/benchmark.py --table peers-ntxent peers-supcon peers-clip peers-siglip peers-ranking --repeats 15",
        prints=True,
    ),
    "docs/speed-gpu.md": Job(),  # tools/gpu.sh, on a machine with a GPU
    "docs/speed-tried.md": Job(),
    "docs/explain.md": Job(),
    "figures/collapse.json": command("-m figures.collapse"),
    "figures/drift_of_keys.json": command("-m figures.drift_of_keys"),
    "figures/precision_against_temperature.json": command("-m figures.precision_against_temperature"),
}
COMPARED = ("Python", "NumPy", "PyTorch", "JAX")  # a column each; the other libraries share one
OTHERS = ("Dask", "scikit-learn", "python-flint")
NAMES = {"torch": "PyTorch"} | {name.lower(): name for name in (*COMPARED, *OTHERS)}
VERSION = re.compile(rf"(?<![\w-])({'|'.join(NAMES)}) (\d+\.\d[\w.+]*\w)", re.I)
PROCESSOR = re.compile(r"AMD EPYC|Intel(?:\(R\))? Xeon(?:\(R\))?", re.I)
DAY = re.compile(r"\b20\d\d-\d\d-\d\d\b")


class Conditions(NamedTuple):
    """versions: the versions that a file names, by library · processors · days: the first and the last, or
    ().
    """

    versions: Mapping[str, frozenset[str]]
    processors: frozenset[str]
    days: tuple[str, ...]


def read_conditions(text: str) -> Conditions:
    """Read the conditions of a measurement from a file."""
    versions = defaultdict(set)
    for name, number in VERSION.findall(text):
        versions[NAMES[name.lower()]].add(number.removesuffix("+cpu"))  # PyTorch's build without a card
    processors = {name.replace("(R)", "") for name in PROCESSOR.findall(text)}
    days = sorted(set(DAY.findall(text)))
    return Conditions(
        {name: frozenset(found) for name, found in versions.items()},
        frozenset(processors),
        tuple(days[:1] + days[1:][-1:]),
    )


ABOUT = """\
# What was measured with which versions

Written by `python tools/measure.py --table` from the versions in each file; do not edit. "–": not stated.
`python tools/measure.py` measures again and writes every file that has a command. Documents that are not here
measure nothing, or are built anew each time.

"""


def write_table(texts: Mapping[str, str]) -> str:
    """Return the page: a row for each file, then the libraries and processors in which the files differ."""
    found = {name: read_conditions(text) for name, text in texts.items()}
    lines = [
        f"| file | {' | '.join(COMPARED)} | others | processor | day | command |",
        "|---" * (len(COMPARED) + 5) + "|",
    ]
    for name, made in found.items():
        others = [f"{x} {join(made.versions[x])}" for x in sorted(made.versions) if x not in COMPARED]
        target = name.removeprefix("docs/") if name.startswith("docs/") else f"../{name}"
        cells = [
            f"[{name.partition('/')[2]}]({target})",
            *(join(made.versions.get(library, ())) for library in COMPARED),
            ", ".join(others) or "–",
            join(made.processors),
            " … ".join(made.days) or "–",
            f"`{show(JOBS[name], name)}`" if JOBS[name].arguments else "–",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    differ = list_differences(found)
    words = "## Where the files differ\n\n" + "".join(f"- {line}\n" for line in differ or ["nowhere"])
    return ABOUT + "\n".join(lines) + "\n\n" + words


def list_differences(found: Mapping[str, Conditions]) -> list[str]:
    """List each library, and the processor, for which the files name more than one."""
    places: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, made in found.items():
        for what, values in [*made.versions.items(), ("the processor", made.processors)]:
            for value in values:
                places[what][value].append(name.partition("/")[2])
    return [
        f"{what}: " + "; ".join(f"{value} in {', '.join(of[value])}" for value in sorted(of))
        for what, of in sorted(places.items())
        if len(of) > 1
    ]


def join(values: Sequence[str] | frozenset[str]) -> str:
    return ", ".join(sorted(values)) or "–"


def show(job: Job, name: str) -> str:
    """Return the command as it is typed in a shell."""
    return " ".join(["python", *job.arguments, *([">", name] if job.prints else [])])


def measure(name: str) -> bool:
    """Run the command of a file and replace the file; return whether the command succeeded."""
    job = JOBS[name]
    print(show(job, name), file=sys.stderr, flush=True)
    done = subprocess.run(
        [sys.executable, *job.arguments],
        cwd=ROOT,
        stdout=subprocess.PIPE if job.prints else None,
        check=False,
    )
    if done.returncode == 0 and job.prints:
        (ROOT / name).write_bytes(done.stdout)
    return done.returncode == 0


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python tools/measure.py")
    measured = {name.partition("/")[2]: name for name, job in JOBS.items() if job.arguments}
    parser.add_argument("file", nargs="*", help="such as speed.md; all, if none is named")
    parser.add_argument("--table", action="store_true", help="measure nothing, write docs/measured.md")
    parser.add_argument("--list", action="store_true", help="print the files and their commands")
    options = parser.parse_args(arguments)
    if unknown := [name for name in options.file if name not in measured]:
        parser.error(f"no command measures {', '.join(unknown)}; choose from {', '.join(measured)}")
    if options.list:
        print(*(f"{show(JOBS[name], name)}" for name in measured.values()), sep="\n")
        return 0
    asked = [] if options.table else [measured[name] for name in options.file or measured]
    failed = [name for name in asked if not measure(name)]
    write_page()
    for name in failed:
        print(f"not measured, its command failed: {name}", file=sys.stderr)
    return bool(failed)


def write_page() -> None:
    """Write docs/measured.md from the present files."""
    PAGE.write_text(write_table(read_files()), encoding="utf-8")


def read_files() -> dict[str, str]:
    return {name: (ROOT / name).read_text(encoding="utf-8") for name in JOBS}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
