"""What the algorithms reach on the images, as Markdown, over a few seeds; some minutes on two cores.

python -m infonce_ref.algorithms.tables > docs/algorithms.md
"""

import sys
from statistics import mean
from typing import Any

from threadpoolctl import threadpool_limits

from . import ALL, evaluate
from .encoder import DIMENSIONS
from .train import STEPS, Result, begin, result, steps

SEEDS = (0, 1, 2)
CONTRASTIVE = ("simclr", "instance_discrimination", "moco", "byol", "simsiam", "clip")
PRETEXT = ("rotation", "colourisation", "jigsaw", "context_prediction")
QUEUES = (32, 128, 512, 2048)

HEAD = f"""# The algorithms, measured

Written by `python -m infonce_ref.algorithms.tables > docs/algorithms.md`; do not edit.

Seeds {", ".join(map(str, SEEDS))}, {STEPS} steps each; a cell is the mean over the seeds and, in brackets, the
lowest and the highest. Digits are scikit-learn's 8 × 8 handwritten digits, 1,297 to train on and 500 held out; crops
are of its two photographs, 1,500 and 500. Accuracy is that of a logistic regression on the features of
{evaluate.LABELS} labelled images of each class, mean over {evaluate.DRAWS} draws of the labels, on the held-out
images.
"""


def main() -> None:
    """Print the page."""
    with threadpool_limits(1):
        print(HEAD)
        base = {name: runs(name) for name in (*CONTRASTIVE, *PRETEXT)}
        nce = runs("instance_discrimination", loss="nce")

        print("## Against the untrained encoder\n")
        rows = [[ALL[name].title, *accuracies(base[name])] for name in CONTRASTIVE]
        rows.insert(2, ["— with its NCE approximation", *accuracies(nce)])
        rows += [[ALL[name].title, *accuracies(base[name])] for name in PRETEXT]
        table(["algorithm", "trained", "untrained", "raw pixels", "seeds that gain"], rows)
        print("Colourisation and context prediction train on the crops, whose class is the photograph.\n")

        print("## The pretext tasks themselves\n")
        rows = [
            [ALL[name].title, scored(base[name]), str(round(score.guess, 3)), score.name]
            for name in PRETEXT
            if (score := base[name][0].score)
        ]
        table(["task", "held out", "guessing", "what"], rows)

        print("## Collapse\n")
        print(
            f"Spread is √d · std of the unit embeddings, d = {DIMENSIONS}: 1 where they fill the sphere, 0 "
            "where all are one point.\n"
        )
        trials: list[tuple[str, list[Result]]] = [
            ("SimSiam, with the stop-gradient", base["simsiam"]),
            ("SimSiam, without", runs("simsiam", stop_gradient=False)),
            ("BYOL, target an average", base["byol"]),
            ("BYOL, target the online network, held constant", runs("byol", target="online")),
            ("BYOL, target the online network, trained", runs("byol", target="trained")),
        ]
        rows = [
            [name, *(cell([getattr(r.trained, part) for r in found]) for part in ("spread", "accuracy"))]
            for name, found in trials
        ]
        rows.append(["neither trained", *untrained(base["simsiam"])])
        table(["", "spread", "accuracy"], rows)

        print("## MoCo's queue\n")
        print("At a fixed minibatch of 32 images.\n")
        queues = [(size, runs("moco", batch=32, queue=size)) for size in QUEUES]
        table(
            ["keys", "accuracy"],
            [[f"{size:,}", cell([r.trained.accuracy for r in found])] for size, found in queues],
        )
        print("The images are 1,297: in a queue nearly as long, an image meets its own earlier keys.\n")

        print("## CLIP's zero-shot classifier\n")
        images = ALL["clip"].images()
        table(
            ["classifier", "accuracy"],
            [
                ["guessing", f"{1 / len(images.classes):.3f}"],
                ["label text, zero-shot", scored(base["clip"])],
                [f"probe of CLIP's features, {evaluate.LABELS} labels a class", accuracies(base["clip"])[0]],
                ["probe of raw pixels, all 1,297 labels", f"{evaluate.supervised(images):.3f}"],
            ],
        )
        print("The captions name the digits, so that CLIP has seen a word for every training image.")


def runs(name: str, **options: Any) -> list[Result]:
    """The results of one algorithm, seed by seed."""
    found = []
    for seed in SEEDS:
        print(f"{name} {options} seed {seed}", file=sys.stderr, flush=True)
        run = begin(ALL[name], seed=seed, **options)
        for run in steps(run, STEPS):  # noqa: B007, B020
            pass
        found.append(result(run))
    return found


def accuracies(found: list[Result]) -> list[str]:
    """Trained, untrained, raw pixels, and how often the first beats the second."""
    parts = [[getattr(r, part).accuracy for r in found] for part in ("trained", "untrained", "pixels")]
    gains = sum(after > before for after, before in zip(*parts[:2]))
    return [cell(parts[0]), cell(parts[1]), f"{parts[2][0]:.3f}", f"{gains} of {len(found)}"]


def untrained(found: list[Result]) -> list[str]:
    """Spread and accuracy of the encoders that were not trained."""
    return [cell([getattr(r.untrained, part) for r in found]) for part in ("spread", "accuracy")]


def scored(found: list[Result]) -> str:
    """The tasks' own scores."""
    return cell([r.score.value for r in found if r.score])


def cell(values: list[float]) -> str:
    """The mean (lowest … highest)."""
    return f"{mean(values):.3f} ({min(values):.3f} … {max(values):.3f})"


def table(head: list[str], rows: list[list[str]]) -> None:
    """A Markdown table."""
    for row in (head, ["---"] * len(head), *rows):
        print("| " + " | ".join(row) + " |")
    print(flush=True)


if __name__ == "__main__":
    main()
