r"""LaTeX as a line of Unicode, for a terminal: \frac{a}{b + c} as a/(b + c), \bar z as z̄, P_{ij} as P_ij.

An unknown command raises an error, because dropping it might change the meaning.
"""

import re
from collections.abc import Iterable
from html.entities import html5

from ..evidence.spans import Span

# commands that HTML does not have under TeX's name, or for another character; it has the other ones
_SYMBOLS = {
    "varepsilon": "ε", "varphi": "φ", "partial": "∂", "sum": "Σ", "prod": "Π", "infty": "∞", "cdot": "·",
    "cdots": "⋯", "circ": "∘", "neq": "≠", "sim": "~", "to": "→", "iff": "⟺", "ldots": "…", "dots": "…",
    "lVert": "‖", "rVert": "‖", "lvert": "|", "rvert": "|", "top": "ᵀ", "mid": "|", "mathbf1": "1", "|": "‖",
    ",": " ", ";": " ", ":": " ", " ": " ", "!": "", "\\": "; ", **{sign: sign for sign in "{}_&%#$"},
}  # fmt: skip
_FUNCTIONS = {"log", "exp", "min", "max", "cos", "sin", "arg", "bmod", "mod", "det", "dim"}
_ACCENTS = {"bar": "\u0304", "hat": "\u0302", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307"}
_ALPHABETS = {
    "mathcal": {"L": "𝓛", "D": "𝒟", "J": "𝒥", "N": "𝒩", "T": "𝒯"},
    "mathbb": {"R": "ℝ", "E": "𝔼", "N": "ℕ"},
}
_UPRIGHT = {"mathrm", "mathbf", "mathit", "mathtt", "operatorname", "text", "textbf", "textit", "boldsymbol"}
_SIZES = {"left", "right", "big", "Big", "bigl", "bigr", "displaystyle", "limits", "quad", "qquad"}
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[{}_^]|[^\\{}_^]")


def plain(latex: str) -> str:
    """Return the formula on one line. Raises ValueError for an unknown command, or a lone brace."""
    tokens = _TOKEN.findall(latex)
    said = _sequence(tokens)
    if tokens:
        raise ValueError(f"this LaTeX has a brace too many: {latex!r}")
    said = re.sub(r"(?<=[∂∇Σ√⟨(]) | (?=[⟩)])", "", re.sub(" +", " ", said))
    return said.replace(" / ", "/").strip()


def write_run(run: Span) -> str:
    """Return words, or a formula as Unicode and whether it is proved."""
    # a formula in words is its own LaTeX
    formula = plain(run.text) if run.text == run.latex else run.text
    return f"{formula} [{run.mark}]" if run.mark else formula


def write_line(runs: Iterable[Span]) -> str:
    """Return a sentence as one line, without the marks of its formulas."""
    return " ".join("".join(write_run(run._replace(mark="")) for run in runs).split())


def _sequence(tokens: list[str], closing: str = "") -> str:
    said = ""
    while tokens:
        token = tokens.pop(0)
        if token == closing:
            return said
        if token == "}":
            raise ValueError("this LaTeX closes a brace that was not opened")
        said += _piece(token, tokens, said)
    if closing:
        raise ValueError("this LaTeX opens a brace that is not closed")
    return said


def _piece(token: str, tokens: list[str], before: str) -> str:
    if token == "{":
        return _sequence(tokens, "}")
    if token in "_^":
        script = _argument(tokens)
        return (
            "ᵀ" if (token, script) == ("^", "T") else token + (script if _atomic(script) else f"({script})")
        )
    if token == "'":
        return "′"
    if not token.startswith("\\"):
        return token
    name = token[1:]
    if name == "frac":
        above, under = _argument(tokens), _argument(tokens)
        return f"{_group(above)}/{_group(under)}"
    if name == "sqrt":
        return "√" + _group(_argument(tokens))
    if name in _ACCENTS:
        letter = _argument(tokens)
        return (
            letter[0] + _ACCENTS[name] + letter[1:] if len(letter.rstrip("′")) == 1 else f"{name}({letter})"
        )
    if name in _ALPHABETS:
        return "".join(_ALPHABETS[name].get(letter, letter) for letter in _argument(tokens))
    if name in _UPRIGHT:
        return _argument(tokens)
    if name in _SIZES:
        return ""
    if name in _FUNCTIONS:
        word = name.removeprefix("b")
        return (" " if before[-1:].isalnum() else "") + word + (" " if tokens and tokens[0].isalnum() else "")
    symbol = _SYMBOLS.get(name, html5.get(f"{name};"))
    if symbol is None:
        raise ValueError(f"this LaTeX has no plain form here: {token}; see {__name__}")
    return symbol


def _argument(tokens: list[str]) -> str:
    while tokens and tokens[0] == " ":
        tokens.pop(0)
    if not tokens:
        raise ValueError("this LaTeX ends where a command or a script needs an argument")
    return _piece(tokens.pop(0), tokens, "")


def _atomic(said: str) -> bool:
    """Return whether the text needs no brackets after _, ^, / or √."""
    return len(said) == 1 or all(letter.isalnum() or letter in "′⁺⁻*" for letter in said)


def _group(said: str) -> str:
    """Add brackets, except around a number or a single letter with accent and subscript."""
    return said if re.fullmatch(r"\d+|\w[\u0300-\u036f]?′?([_^]\w+)?", said) else f"({said})"
