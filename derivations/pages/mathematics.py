r"""Words and LaTeX in one string, as claims write them, told apart; and LaTeX turned into MathML.

A claim says "As printed, for w ≠ 0; I - zz^T sends w to 0." without marking where the mathematics is. A run of
mathematics starts where a token cannot be a word, for it holds a command, a script or a relation, and takes in
the single letters, numbers and operators around it.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from math_core import LatexError, LatexToMathML

from ..documents import ID

_CONVERTER = LatexToMathML()
_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"  # three levels deep
_TOKEN = re.compile(rf"\s+|(?:{_GROUP}|[^\s{{}}])+|[{{}}]")
_MATH = re.compile(r"[\\_^=<>≤≥≠≈∝→∂∇Σ∑√·𝓛ℓτβγλνμρθξδΔ‖ᵀ∈∞]|\w[(\[]\w")
_WORD = re.compile(r"[(\"'“]*(?:[A-Za-z][a-z]+|[A-Z]{2,})(?:['’\-–/][A-Za-z]+)*[)\"'”]*[.,;:?!]*")
_DOCUMENT = re.compile(
    r"D[1-4](?:'s|\.\d+[a-z]?-D[1-4]\.\d+[a-z]?)?|\\[nft]"
)  # "D1"; the escapes that D1 lost
_SYMBOL = re.compile(r"\(?[A-Za-z]'?\)?[.,;:]*")
_FUNCTIONS = ("log", "exp", "max", "min", "cos", "sin")
_NAMES = "|".join(
    (*_FUNCTIONS, "Var", "Cov", "LSE", "softmax", "softplus", "sum", "share", "normalize", "dim")
)
_UPRIGHT = re.compile(rf"(?<![\\A-Za-z{{])({_NAMES})(?![A-Za-z])")
_LONG_SCRIPT = re.compile(r"([_^])([A-Za-z0-9]{2,})")
_RAISED = re.compile(r"((?:\\?[A-Za-z]+|\{[^{}]*\})(?:'+|\^(?:\{[^{}]*\}|\\?[\w+-]+))_\{[^{}]*\})\^")
_SCRIPTS = (  # Unicode's own, which few fonts have, as TeX's
    ("_", "₀₁₂₃₄₅₆₇₈₉ₙ", "0123456789n"),
    ("^", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀⁿᶜ°′", "0123456789+-Tnc∘′"),
)
_ROOT = re.compile(r"√\(([^()]*)\)")
_BRACKETED_SCRIPT = re.compile(r"\^(\([^()]*\))")
_BRACKETS = {")": "(", "]": "["}


class Run(NamedTuple):
    """A piece of a claim's text: words, or LaTeX."""

    text: str
    is_math: bool


def mathml(latex: str, *, display: bool = False) -> str:
    """MathML of one formula. Raises ValueError where it is not LaTeX that can be set."""
    try:
        return _CONVERTER.convert_with_local_state(_repaired(latex), displaystyle=display)
    except LatexError:
        raise ValueError(f"this LaTeX cannot be set: {latex!r}; see what math-core supports") from None


def mixed(text: str) -> str:
    """HTML of words and LaTeX in one string."""
    return "".join(mathml(run.text) if run.is_math else escape(run.text, quote=False) for run in runs(text))


def runs(text: str) -> Iterator[Run]:
    """The string cut into words and mathematics; concatenated, the pieces are the string."""
    tokens = _TOKEN.findall(text)
    kinds = [_kind(tokens, place) for place in range(len(tokens))]
    start = 0
    while start < len(tokens):
        if kinds[start] in ("space", "word") or (kinds[start] == "loose" and not _reaches(kinds, start)):
            yield Run(tokens[start], False)
            start += 1
            continue
        stop = start + 1
        while stop < len(tokens) and kinds[stop] != "word" and not tokens[stop - 1].endswith("."):
            stop += 1
        yield from _trimmed("".join(tokens[start:stop]))
        start = stop


def _kind(tokens: list[str], place: int) -> str:
    """space, word, math, or loose: what is mathematics only beside mathematics, as a number is."""
    token = tokens[place]
    bare = token.strip("()[].,;:")
    before, after = (tokens[place - 2] if place > 1 else ""), "".join(tokens[place + 2 : place + 3])
    if token.isspace():
        return "space"
    if ID.fullmatch(bare) or _DOCUMENT.fullmatch(bare):
        return "word"
    if _MATH.search(token):
        return "math"
    if bare in _FUNCTIONS:
        return "loose"
    if token == "a":
        return "math" if before.endswith(("+", "-", "=", "/")) else "word"
    if token == "A":
        return "word" if _WORD.fullmatch(after) else "math"
    if _SYMBOL.fullmatch(token):
        return "math"
    if _WORD.fullmatch(token) and not (bare.isupper() and before.endswith("=")):
        return "word"
    return "loose"


def _reaches(kinds: list[str], place: int) -> bool:
    """Whether mathematics follows before a word does."""
    return next((kind for kind in kinds[place:] if kind in ("word", "math")), "word") == "math"


def _trimmed(run: str) -> Iterator[Run]:
    """A run of mathematics without the punctuation and the brackets of the sentence around it."""
    head, core, tail = "", run, ""
    while core:
        last, first = core[-1], core[0]
        if (last in ".,;: \n" and core[-2:-1] != "\\") or (
            last in _BRACKETS and core.count(last) > core.count(_BRACKETS[last])
        ):
            core, tail = core[:-1], last + tail
        elif first in "([" and core.count(first) > core.count(")" if first == "(" else "]"):
            core, head = core[1:], head + first
        else:
            break
    pieces = [Run(head, False), *_formulas(core), Run(tail, False)]
    yield from (piece for piece in pieces if piece.text)


def _formulas(core: str) -> Iterator[Run]:
    """The formulas of a run: a comma outside all brackets belongs to the sentence, as the semicolon does."""
    depth = start = 0
    for place, letter in enumerate(core):
        depth += (letter in "([{") - (letter in ")]}")
        depth += core.startswith(r"\langle", place) - core.startswith(r"\rangle", place)
        if (
            depth == 0
            and letter in ",;:"
            and core[place - 1] != "\\"
            and core[place + 1 : place + 2].isspace()
        ):
            yield Run(core[start:place], True)
            yield Run(core[place : place + 2], False)
            start = place + 2
    yield Run(core[start:], True)


def _repaired(latex: str) -> str:
    """P_kk as P_{kk}, Pₙ as P_n, √(x) as a root, a power of z'_{k} with one superscript, log upright."""
    for script, ours, plain in _SCRIPTS:
        latex = re.sub(f"[{ours}]+", rf"{script}{{\g<0>}}", latex).translate(str.maketrans(ours, plain))
    latex = _BRACKETED_SCRIPT.sub(r"^{\1}", _ROOT.sub(r"\\sqrt{\1}", latex))
    latex = _RAISED.sub(r"{\1}^", _LONG_SCRIPT.sub(r"\1{\2}", latex))
    return _UPRIGHT.sub(r"\\operatorname{\1}", latex)
