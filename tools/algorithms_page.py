"""Train every algorithm with a few seeds and print docs/algorithms.md; takes some minutes on two cores.

python tools/algorithms_page.py 0 1 2 > docs/algorithms.md
"""

import sys
from collections.abc import Sequence
from statistics import mean
from typing import Any, NamedTuple

from repository import write_table

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts import evaluate
from infonce_ref.algorithms.parts.encoder import DIMENSIONS
from infonce_ref.algorithms.train import STEPS, Result, advance, begin, one_thread, result
from infonce_ref.figures import collapse as figure
from infonce_ref.figures.measurements import describe_conditions
from infonce_ref.progress import work_through

PRETEXT = ("rotation", "colourisation", "jigsaw", "context_prediction")
CONTRASTIVE = tuple(name for name in ALL if name not in PRETEXT)
QUEUES = (32, 128, 512, 2048)


class Trial(NamedTuple):
    """An algorithm with these options and the others' defaults."""

    algorithm: str
    options: tuple[tuple[str, Any], ...] = ()


NCE = Trial("instance_discrimination", (("loss", "nce"),))
COLLAPSE = {
    name: Trial(algorithm, tuple(options.items())) for name, (algorithm, options) in figure.RUNS.items()
}
QUEUE = {size: Trial("moco", (("batch", 32), ("queue", size))) for size in QUEUES}
BASE = {name: Trial(name) for name in (*CONTRASTIVE, *PRETEXT)}

Found = dict[Trial, list[Result]]


def main(words: Sequence[str]) -> None:
    """Print the page for the seeds given, or for seed 0."""
    seeds = [int(word) for word in words] or [0]
    trials = list(dict.fromkeys([*BASE.values(), NCE, *COLLAPSE.values(), *QUEUE.values()]))
    runs = [(trial, seed) for trial in trials for seed in seeds]
    results = list(work_through(run, runs, lambda r: r[0].algorithm, parallel=True))
    found: Found = {trial: [] for trial in trials}
    for (trial, _), measured in zip(runs, results):
        found[trial].append(measured)
    parts = head(seeds), *(part(found) for part in (compare_untrained, tasks, collapse, queue, zero_shot))
    print("\n".join(parts), end="")


def run(item: tuple[Trial, int]) -> Result:
    """Run one trial with one seed."""
    (name, options), seed = item
    with one_thread():
        return result(advance(begin(ALL[name], seed=seed, **dict(options)), STEPS))


def head(seeds: Sequence[int]) -> str:
    numbers = " ".join(map(str, seeds))
    return f"""# The algorithms, measured

Written by `python tools/algorithms_page.py {numbers} > docs/algorithms.md`; do not edit.

Seeds {numbers}, {STEPS} steps each; a cell is the mean over the seeds and, in brackets, the lowest and the
highest, where there are several. Digits are scikit-learn's 8 × 8 handwritten digits, 1,297 to train on and 500
held out; crops are of its two photographs, 1,500 and 500. Accuracy is that of a logistic regression on the
features of {evaluate.LABELS} labelled images of each class, mean over {evaluate.DRAWS} draws of the labels, on
the held-out images. Measured: {describe_conditions("numpy", "scikit-learn")}.
"""


def compare_untrained(found: Found) -> str:
    rows = []
    for name in (*CONTRASTIVE, *PRETEXT):
        rows.append([ALL[name].title, *accuracies(found[BASE[name]])])
        if name == NCE.algorithm:
            rows.append(["— its NCE approximation", *accuracies(found[NCE])])
    return (
        "## Against the untrained encoder\n\n"
        + write_table(["algorithm", "trained", "untrained", "raw pixels", "seeds that gain"], rows)
        + "\nSupCon is supervised, by every training image's label: its probe is not comparable with the others.\n"
        "Colourisation and context prediction train on the crops, whose class is the photograph.\n"
    )


def tasks(found: Found) -> str:
    rows = []
    for name in PRETEXT:
        results = found[BASE[name]]
        score = results[0].score
        if score:
            rows.append([ALL[name].title, score.name, list_scores(results), f"{score.guess:.3f}"])
    return "## The pretext tasks themselves\n\n" + write_table(["task", "what", "held out", "guessing"], rows)


def collapse(found: Found) -> str:
    rows = []
    for name, trial in COLLAPSE.items():
        trained = [result.trained for result in found[trial]]
        rows.append([name, cell([m.spread for m in trained]), cell([m.accuracy for m in trained])])
    start = [result.untrained for result in found[BASE["simsiam"]]]
    rows.append(["untrained", cell([m.spread for m in start]), cell([m.accuracy for m in start])])
    return (
        "## Collapse\n\n"
        f"Spread is √d · std of the unit embeddings, d = {DIMENSIONS}: 1 where they fill the sphere, 0 where all\n"
        "are one point.\n\n" + write_table(["", "spread", "accuracy"], rows)
    )


def queue(found: Found) -> str:
    rows = [[f"{k:,}", cell([r.trained.accuracy for r in found[trial]])] for k, trial in QUEUE.items()]
    return (
        "## MoCo's queue\n\nAt a fixed minibatch of 32 images.\n\n"
        + write_table(["keys", "accuracy"], rows)
        + "\nThe images are 1,297: in a queue nearly as long, an image meets its own earlier keys.\n"
    )


def zero_shot(found: Found) -> str:
    names = ("clip", "siglip")
    results = [found[BASE[name]] for name in names]
    pixels, guess = results[0][0].pixels, 1 / len(ALL["clip"].images().classes)
    few = f"{evaluate.LABELS} labels a class"
    rows = [
        ["guessing", *[f"{guess:.3f}"] * 2],
        ["label text, zero-shot", *map(list_scores, results)],
        [f"probe of its features, {few}", *(cell([r.trained.accuracy for r in of]) for of in results)],
        ["probe of its features, every label", *(cell([r.trained.supervised for r in of]) for of in results)],
        [f"probe of raw pixels, {few}", *[f"{pixels.accuracy:.3f}"] * 2],
        ["probe of raw pixels, every label", *[f"{pixels.supervised:.3f}"] * 2],
    ]
    return (
        "## Zero-shot classifiers\n\n"
        + write_table(["classifier", *(ALL[name].title for name in names)], rows)
        + "\nThe captions name the digits: both have seen a word for every training image, and no label.\n"
    )


def accuracies(found: list[Result]) -> list[str]:
    """Return the accuracies trained, untrained and of raw pixels, and how often the first exceeds the second."""
    parts = [[getattr(r, part).accuracy for r in found] for part in ("trained", "untrained", "pixels")]
    gains = sum(after > before for after, before in zip(*parts[:2]))
    return [cell(parts[0]), cell(parts[1]), f"{parts[2][0]:.3f}", f"{gains} of {len(found)}"]


def list_scores(found: list[Result]) -> str:
    """Return the tasks' own scores."""
    return cell([r.score.value for r in found if r.score])


def cell(values: list[float]) -> str:
    """Format the mean (lowest … highest), or the single value."""
    spread = f" ({min(values):.3f} … {max(values):.3f})" if len(values) > 1 else ""
    return f"{mean(values):.3f}{spread}"


if __name__ == "__main__":
    main(sys.argv[1:])
