"""The catalogue of mistakes as a page of the site, each with the smallest batch that shows it."""

import inspect
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np

from .. import textbook
from ..catalogue import (
    FACTORS,
    LOSSES,
    MISTAKES,
    SOURCES,
    STEP,
    Mistake,
    build,
    compare,
    differentiate,
    name_publicly,
    rewrite,
)
from . import exercise
from .exercise import SEEN, find_entry, write
from .runner import KINDS

ABOUT = """\
# Mistakes, by name

`infonce-ref check` ([how](docs/check.md)) and `infonce-ref exercise NAME --check FILE` ([how](docs/teaching.md))
know {count} mistakes in {losses} losses and estimators, and name them. Each mistake rewrites some lines of the
textbook's function, which stands above its table. If several losses have these lines, each can have the mistake.

Beside a name, `~` marks a choice that some papers make, and `=` an option. `∂` marks a right value with a wrong
gradient: that of the rewritten lines, in which `stop` holds something constant. The numbers were computed when this
page was built, for the smallest of the batches tried at which the value or the gradient differs.
"""
Find = Callable[[str], str]
SHAPES = """x, y, p1, z1, p2, z2, negative (n, d) · w (N, d) · labels (N) · negatives (M, d) · bank (K, d)
index (n) · noise_index (n, m) · scores, targets, joint (n, K) · positive (n) · data_scores, log_noise_data (n)
noise_scores, log_noise (n, m)"""
SAME = 1e-12  # relative: the rounding of equal results; beyond it they are compared entry by entry
SQUARES = ("cpc", "estimate_infonce", "estimate_mine", "estimate_nwj", "estimate_smile", "clip_of_scores")


def draw(
    loss: str, pairs: int, features: int, rng: np.random.Generator, small: bool = False
) -> dict[str, Any]:
    """Draw the arguments of a textbook function."""
    names = [
        n for n, p in inspect.signature(getattr(textbook, loss)).parameters.items() if p.default is p.empty
    ]
    square = SHAPES.replace("scores, targets", "targets") + " · scores (n, n)"
    drawn = exercise.draw(names, square if loss in SQUARES else SHAPES, pairs, features, rng, small)
    if loss == "cpc_of_classes":  # in both views the same
        drawn["labels"] = np.tile(drawn["labels"][:pairs], 2)
    return drawn


@cache
def list_batches(loss: str) -> list[dict[str, Any]]:
    """Small batches, those with the fewest and smallest numbers first."""
    rng, sizes = np.random.default_rng(0), exercise.SMALL * exercise.DRAWS
    return sorted((draw(loss, *size, rng, small=True) for size in sizes), key=exercise.measure_size)


@cache
def ask(loss: str, mistakes: tuple[Mistake, ...], by: str, number: int) -> np.ndarray | None:
    """The value at a batch of `list_batches`, or the slope by an argument in one direction. None if the batch is
    too small or the right result not finite."""
    at = list_batches(loss)[number]
    if by:
        x = np.asarray(at[by])
        at = at | {by: x + STEP * 1j * np.cos(np.arange(x.size)).reshape(x.shape)}
    try:
        value: Any = build(loss, mistakes)(**at)  # type: ignore[misc]
    except (ValueError, IndexError):
        return None
    found = np.asarray(np.imag(value) / STEP if by else np.real(value))
    return found if mistakes or np.isfinite(found) else None


def show_batch(loss: str, mistake: Mistake) -> str:
    """The smallest batch, the result with the mistake, and the right one; "" if no batch shows it."""
    arrays = [n for n, x in list_batches(loss)[0].items() if np.asarray(x).dtype == float]
    for by in (*arrays, "") if mistake.kind == "∂" else ("", *arrays):
        for least in SEEN:
            for number, at in enumerate(list_batches(loss)):
                value, wanted = ask(loss, (), "", number), ask(loss, (), by, number)
                got = None if value is None or wanted is None else ask(loss, (mistake,), by, number)
                if wanted is None or got is None or abs(got - wanted) <= SAME * (1 + abs(wanted)):
                    continue
                if by:
                    functions: Any = build(loss, (mistake,)), build(loss)
                    got, wanted = (differentiate(function, at, by) for function in functions)
                if apart := find_entry(got, wanted, least):
                    entry, yours, good = apart
                    what = f"gradient by {by}{entry}" if by else "loss"
                    numbers = ", ".join(f"{name} = {write(x)}" for name, x in at.items())
                    return f"{numbers}: {what} {yours}, right is {good}"
    return ""


def link_to(loss: str, mistake: Mistake, find: Find) -> str:
    """Links to the claim in the ledger, and to reports of the mistake: repository#number, or the repository if the
    link leads to code."""
    id = mistake.claim(loss).partition(" ")[0]
    links = [f'<a href="{find(id)}">{id}</a>'] if id else []
    for link in mistake.links:
        *_, owner, name, kind, number = link.split("/")[:7]
        issue = f"#{number}" if kind in ("issues", "pull") else ""
        links.append(f"[{owner}/{name}{issue}]({link})")
    return ", ".join(links)


def write_section(loss: str, find: Find) -> str:
    """A loss and its mistakes."""
    known, (said, *_) = find_all()[loss], str(getattr(textbook, loss).__doc__).split(": ")
    title = re.sub(r" \[.*|\.$", "", said)  # without ids
    lines = [
        f"({loss})=\n\n## {title}\n\nIn code `{loss}`.\n",
        f"<details><summary>{len(known)} mistakes</summary>\n",
        f"```python\n{inspect.getsource(getattr(textbook, loss))}```\n",
        "| name | what is wrong | its lines | the smallest batch that shows it | read, reported |",
        "|---|---|---|---|---|",
    ]
    for mistake in known:
        anchor = f"{loss}.{mistake.name}"
        name = mistake.name.replace("_", "_<wbr>")
        names = f'<a id="{anchor}" href="#{anchor}"><code class="literal">{name}</code></a>'
        names += "".join(f", `{name}`" for name in mistake.others) + f" {mistake.kind}".rstrip()
        # E, the number of a rewrite, is shown as the one that is planted
        changed = "<br>".join(f"`{line}`" for line in compare(SOURCES, rewrite(loss, (mistake,)) or {}))
        shown = re.sub(r"\bE\b", f"{mistake.number}", changed)
        cells = mistake.say(), shown, show_batch(loss, mistake), link_to(loss, mistake, find)
        escaped = (text.replace("|", "\\|").replace("\n", " ") for text in cells)
        lines.append(f"| {names} | {' | '.join(escaped)} |")
    return "\n".join([*lines, "\n</details>\n"])


@cache
def find_all() -> dict[str, list[Mistake]]:
    """The mistakes of each loss that has some."""
    found = {loss: [m for m in MISTAKES if rewrite(loss, (m,))] for loss in LOSSES}
    for loss in LOSSES:  # a loss of other inputs: what it has beside the loss itself
        if (whole := name_publicly(loss)) != loss:
            found[loss] = [m for m in found[loss] if m not in found[whole]]
    return {loss: known for loss, known in found.items() if known}


def lines(write: Callable[[str], str]) -> Iterator[str]:
    """The page in Markdown. write: returns the section of a loss, which `write_section` makes."""
    from .diagnosis import UNNAMED  # imports the proofs, which a process that writes sections does not need

    found = find_all()
    yield ABOUT.format(count=sum(map(len, found.values())), losses=len(found))
    yield from map(write, found)
    yield "## In every loss\n"
    yield "A multiple of the right loss, or, with `gradient` before the name, of the right gradient.\n"
    yield "| name | what is wrong | times |\n|---|---|---|"
    yield from (f"| `{factor.name}` | {factor.sentence} | {factor.formula} |" for factor in FACTORS)
    for head, words in (("Without a name", UNNAMED), ("What a file does instead of answering", KINDS)):
        yield f"\n## {head}\n\n| name | what it is |\n|---|---|"
        yield from (f"| `{name}` | {sentence} |" for name, sentence in words.items())
    yield ""
