"""The catalogue of mistakes: reads `mistakes.txt`, rewrites lines of the textbook with it, and runs the result.

A rewrite is a mistake in every loss that has the line. `verify` must refuse each, `check` names it, `exercise`
shows it, and `infonce_ref/exercises/mistakes_page.py` prints all of them as a page.
"""

import inspect
import math
import re
from collections.abc import Callable, Mapping
from difflib import unified_diff
from functools import cache, wraps
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from . import textbook

SOURCES = {
    name: inspect.getsource(f)
    for name, f in vars(textbook).items()
    if inspect.isfunction(f) and f.__module__ == textbook.__name__
}
STEP = 1e-30  # of a complex step, which loses no digit
MEASURED = ("E", "E2")  # the numbers of a rewrite that are measured: an ε, a bound


Block = tuple[tuple[str, str], ...]  # pairs of lines: as they stand, and as they are written wrongly


class Mistake(NamedTuple):
    """name, other names and a sentence · about: the claim, or the part of the loss whose claim it is · kind: "" for
    a mistake, "~" a choice, "=" an option, "∂" if the value is right and the gradient is that of the rewritten
    lines · only, never: losses · number, bound: the E that is planted, and what every E is below · links: public
    reports of it · blocks: a loss takes the first whose lines it has.
    """

    name: str
    others: tuple[str, ...]
    sentence: str
    about: str
    kind: str
    only: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    number: float | None = None
    bound: float = 1e6  # as large as a weight may be
    links: tuple[str, ...] = ()
    blocks: tuple[Block, ...] = ((),)

    @property
    @cache  # noqa: B019 - the catalogue stays as long as the process
    def numbers(self) -> int:
        """How many numbers of its lines are measured."""
        return (self.number is not None) + any("E2" in new for block in self.blocks for _, new in block)

    def claim(self, loss: str) -> str:
        """The claim to read about it in this loss: an id and the names of pieces of its evidence."""
        parts = CLAIMS.get(name_publicly(loss), {})
        return self.about if self.about[:1].isupper() else parts.get(self.about) or parts.get("loss", "")

    def say(self) -> str:
        """The sentence, with the number that is planted."""
        return self.sentence if self.number is None else re.sub(r"\bE\b", f"{self.number:.3g}", self.sentence)


class Factor(NamedTuple):
    """A multiple of the right value: name · sentence · formula in B pairs, N anchors, K candidates of each, d
    features, and the temperature.
    """

    name: str
    sentence: str
    formula: str

    @property
    def known(self) -> bool:
        """Whether a formula gives it at every batch."""
        return self.formula != "nan"

    def times(self, **facts: float) -> float:
        """Its value for a batch, NaN if it has none there. Raises NameError if a fact is missing."""
        return float(eval(compile_once(self.formula), vars(math) | facts))


compile_once = cache(lambda text: compile(text, text, "eval"))  # of a value
compile_source = cache(lambda text: compile(text, "textbook", "exec"))  # of functions


def name_publicly(loss: str) -> str:
    """The loss's name in the registry."""
    return loss.partition("_of_")[0]


def read(text: str) -> tuple[list[Mistake], list[Factor], dict[str, dict[str, str]]]:
    """The mistakes, the factors, and the claims of each loss by the names of its parts."""
    every: list[dict[str, Any]] = []  # the fields of each mistake
    factors: list[Factor] = []
    claims: dict[str, dict[str, str]] = {}
    old = ""
    for line in text.splitlines():
        sign, body = line[:1], line[2:].replace("⏎", "\n")
        word, _, rest = line.partition(" ")
        last = every[-1] if every else {}
        if line.startswith("claims of "):
            loss, _, parts = line.removeprefix("claims of ").partition(": ")
            claims[loss] = dict(part.split(" ", 1) for part in parts.split("; "))
        elif sign == "-":
            old = body
        elif sign == "+":
            last["blocks"][-1] += ((old, body),)
        elif line == "or":
            last["blocks"].append(())
        elif sign == "*":
            factors.append(Factor(last["name"], last["sentence"], body))
            every.pop()
        elif word == "E":
            number, _, bound = rest.partition(", below ")
            last |= {"number": float(number), "bound": float(bound or 1e6)}
        elif word in ("only", "never"):
            last[word] = tuple(rest.split())
        elif line.startswith("https://"):
            last["links"] += (line,)
        elif line and sign != "#":
            names, _, sentence = line.lstrip("=~∂").partition(": ")
            sentence, _, about = sentence.removesuffix("]").partition(" [")
            name, *others = names.split(", ")
            every.append({"name": name, "others": tuple(others), "sentence": sentence, "about": about})
            every[-1] |= {"kind": sign if sign in "=~∂" else "", "links": (), "blocks": [()]}
    return [Mistake(**{**each, "blocks": tuple(each["blocks"])}) for each in every], factors, claims


MISTAKES, FACTORS, CLAIMS = read((resources.files(__package__) / "mistakes.txt").read_text(encoding="utf-8"))
WORDLIKE = (
    *("stop", "larger", "unit", "softplus", "logsumexp", "logmeanexp"),
    *("pick", "places", "mean", "total"),
)  # what the losses are written in
LOSSES = [name for name in SOURCES if name not in WORDLIKE]
LOCAL = {word for name in SOURCES for word in getattr(textbook, name).__code__.co_varnames}


@cache
def needs(name: str) -> tuple[str, ...]:
    """The functions that a function calls, itself included."""
    found = [name]
    for caller in found:
        body = SOURCES[caller].partition(":")[2]
        found += [n for n in SOURCES if re.search(rf"\b{n}\(", body) and n not in found]
    return tuple(found)


@cache
def rewrite(loss: str, mistakes: tuple[Mistake, ...]) -> dict[str, str] | None:
    """The sources of a loss and of what it calls, with the mistakes in them; None if one does not apply. The
    numbers of two mistakes are E and E2.
    """
    sources, count = {name: SOURCES[name] for name in needs(loss)}, 0
    for mistake in mistakes:
        if loss in mistake.never or (mistake.only and loss not in mistake.only):
            return None
        own, count = count, count + mistake.numbers
        if count > len(MEASURED):
            return None
        blocks = mistake.blocks if not (own and mistake.numbers) else map(renumber, mistake.blocks)
        edited = next((x for block in blocks if (x := edit(sources, block)) is not None), None)
        if edited is None:
            return None
        sources = edited
        text = "".join(sources.values())  # the rewritten lines may use more words
        sources = {w: SOURCES[w] for w in WORDLIKE if f"{w}(" in text and w not in sources} | sources
    return sources


def renumber(block: Block) -> Block:
    """The lines with E2 in place of E."""
    return tuple((old, re.sub(r"\bE\b", MEASURED[1], new)) for old, new in block)


def edit(sources: Mapping[str, str], block: Block) -> dict[str, str] | None:
    """The sources after a block; None if a line is missing, or if a word of its replacement means nothing there."""
    done = dict(sources)
    for old, new in block:
        where = [name for name, source in done.items() if old in source]
        if not where:
            return None
        used = list_words(new) & LOCAL
        if any(used - list_words(remove_docstring(done[name])) for name in where):
            return None
        for name in where:
            done[name] = done[name].replace(old, new)
            for one, other in zip(turn(old), turn(new)):
                if one != old and one in done[name]:
                    done[name] = done[name].replace(one, other)
                    break
    return done


@cache
def list_words(text: str) -> set[str]:
    return set(re.findall(r"(?<![.\w])[^\W\d]\w*", text))


@cache
def turn(line: str) -> tuple[str, str]:
    """A line about s as one about the columns, s.T, with `among` turned too, or as it is."""
    turned = re.sub(r"\bs\b", "s.T", line)
    return re.sub(r"\bamong\b", "among.T", turned), turned


@cache
def remove_docstring(source: str) -> str:
    return re.sub('""".*?"""', "", source, flags=re.DOTALL)


@cache
def load(loss: str, mistakes: tuple[Mistake, ...] = ()) -> Any:
    """The function of the rewritten textbook, and the names that it sees; None if a mistake does not apply. The
    text is this package's own, never a user's.
    """
    sources = rewrite(loss, mistakes)
    if sources is None:
        return None
    space = {name: x for name, x in vars(textbook).items() if not name.startswith("__")}
    for source in sources.values():
        exec(compile_source(source), space)
    space["places"] = cache(space["places"])  # a third of the time of a run
    return space[loss], space


@cache
def build(loss: str, mistakes: tuple[Mistake, ...] = ()) -> Callable[..., Any] | None:
    """The same function, which also takes E, the number in a rewritten line."""
    loaded = load(loss, mistakes)
    if loaded is None:
        return None
    function, space = loaded
    planted = next((m.number for m in mistakes if m.number is not None), None)

    @wraps(function)
    def call(*args: Any, E: float | None = None, **arguments: Any) -> Any:
        space["E"] = planted if E is None else E
        with np.errstate(all="ignore"):
            return function(*args, **arguments)

    return call


def differentiate(function: Callable[..., Any], arguments: Mapping[str, Any], by: str) -> np.ndarray:
    """The exact gradient by one argument: a complex step for each entry."""
    x = np.asarray(arguments[by])
    found = np.empty(x.shape)
    for at in np.ndindex(x.shape):
        moved = x.astype(complex)
        moved[at] += STEP * 1j
        found[at] = np.imag(function(**{**arguments, by: moved})) / STEP
    return found


def compare(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """The lines that differ in the sources of functions: - as they stand, + as they are rewritten."""
    found: list[str] = []
    for name, source in after.items():
        pairs = unified_diff(before.get(name, source).splitlines(), source.splitlines(), lineterm="", n=0)
        found += [
            f"{line[0]} {line[1:].strip()}" for line in pairs if not line.startswith(("---", "+++", "@@"))
        ]
    return found
