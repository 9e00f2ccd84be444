"""A run's result as a table on the terminal."""

from rich.console import Console
from rich.table import Table

from .parts.evaluate import DRAWS, LABELS, Measures
from .train import Result, Run

ROWS = {
    "positive": "mean similarity, two views of one image",
    "negative": "mean similarity, two images",
    "alignment": "alignment E‖z − z'‖², 0 is best",
    "uniformity": "uniformity log E e^(−2‖z_i − z_j‖²), low is best",
    "spread": "spread √d · std(z), 0 is a collapse",
    "accuracy": f"accuracy of a linear probe, {LABELS} labels a class",
    "supervised": "the same, every label",
}


def show(console: Console, run: Run, result: Result) -> None:
    """Print the loss, the measures on held-out images beside the untrained encoder and raw pixels, and the
    score."""
    options = ", ".join(f"{name} {value}" for name, value in run.options._asdict().items())
    console.print(f"[bold]{run.algorithm.title}[/], seed {run.seed}, {options}")
    if run.losses:
        last = run.losses[-20:]
        mean = sum(last) / len(last)
        console.print(
            f"loss {run.losses[0]:.4f} at step 1, {mean:.4f} over the last {len(last)} of {len(run.losses)} steps"
        )
        if run.algorithm.floor:
            floor = run.algorithm.floor(run.options)
            console.print(
                f"floor {floor.value:.4f}: no batch of this size has less ({floor.where}). The last steps are "
                f"{mean - floor.value:.4f} above it: the loss cannot fall by more than this."
            )
    table = Table("on held-out images")
    for name in ("trained", "untrained", "raw pixels"):
        table.add_column(name, justify="right")
    columns: tuple[Measures, ...] = (result.trained, result.untrained, result.pixels)
    for field, words in ROWS.items():
        table.add_row(words, *(f"{getattr(column, field):.3f}" for column in columns))
    console.print(table)
    console.print(f"The first accuracy is a mean over {DRAWS} draws of the labels.")
    if result.score:
        name, value, guess = result.score
        console.print(f"{name} {value:.3f} on held-out images; guessing reaches {guess:.3f}.")
