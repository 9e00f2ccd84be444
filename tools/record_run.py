"""Train SimCLR on the digits at four temperatures, and write derivations/pages/run.json for a lesson.

Each checkpoint has the mean loss of the last steps, the accuracy of a linear probe on five labels of each class,
and, for both views of six held-out digits, the cosines of the rows above the diagonal and the two directions in
which they vary most.
"""

import json

import numpy as np
from repository import ROOT

from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts import evaluate
from infonce_ref.algorithms.parts.encoder import keep_backbone
from infonce_ref.algorithms.train import advance, begin, one_thread

TEMPERATURES = (0.05, 0.2, 0.5, 1.0)
STEPS = (20, 40, 80, 160, 320, 600)
DIGITS = (0, 1, 3, 4, 7, 8)


def describe(run):
    """The checkpoint as it is recorded."""
    images, rng = run.algorithm.images(), np.random.default_rng(0)
    chosen = images.test[[np.flatnonzero(images.test_labels == digit)[0] for digit in DIGITS]]
    views = np.concatenate([images.view(chosen, rng) for _ in range(2)])
    embed = evaluate.freeze(run.algorithm.embedding(run.state), images.plain(images.train))
    rows = evaluate.unit(embed(views))
    backbone = keep_backbone(run.algorithm.embedding(run.state))
    features = evaluate.freeze(backbone, images.plain(images.train))

    def probe(draw):
        return evaluate.accuracy(features, images, evaluate.draw_few(images, draw))

    *_, axes = np.linalg.svd(rows - rows.mean(axis=0))
    return {
        "temperature": run.options.temperature,
        "step": len(run.losses),
        "loss": round(float(np.mean(run.losses[-20:])), 4),
        "accuracy": round(float(np.mean([probe(draw) for draw in range(evaluate.DRAWS)])), 3),
        "cosines": (rows @ rows.T)[np.triu_indices(len(rows), 1)].round(3).tolist(),
        "points": (rows @ axes[:2].T).round(2).tolist(),
    }


if __name__ == "__main__":
    found = []
    with one_thread():
        for temperature in TEMPERATURES:
            run = begin(ALL["simclr"], temperature=temperature)
            for step in STEPS:
                run = advance(run, step - len(run.losses))
                found.append(json.dumps(describe(run)))
    lines = ",\n".join(found)
    (ROOT / "derivations" / "pages" / "run.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
