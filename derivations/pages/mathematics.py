"""LaTeX to MathML."""

import re

from math_core import LatexError, LatexToMathML

_CONVERTER = LatexToMathML()
_LONG_SCRIPT = re.compile(r"([_^])([A-Za-z]{2,}|\d{2,})")
_RAISED = re.compile(r"((?:\\?[A-Za-z]+|\{[^{}]*\})(?:'+|\^(?:\{[^{}]*\}|\\?[\w+-]+))_\{[^{}]*\})\^")
_SCRIPTS = (  # characters of Unicode that few fonts have, and TeX commands for them
    ("_", "₀₁₂₃₄₅₆₇₈₉ₙ", "0123456789n"),
    ("^", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀⁿᶜ°′", "0123456789+-Tnc∘′"),
)
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|:=|.", re.DOTALL)
_DEEPER = {"{": 1, "(": 1, r"\left": 1, r"\begin": 1, "}": -1, ")": -1, r"\right": -1, r"\end": -1}
_SHORT = 60  # LaTeX characters of a left side that is short enough to share a line with the right side
_FULL = 120  # LaTeX characters of a line that the next term does not share
_SIGNS = {"=", ":=", "<", ">", r"\le", r"\ge", r"\ne"}


def mathml(latex: str, *, display: bool = False) -> str:
    """Return one formula as MathML. Raises ValueError if it is not LaTeX of the supported kind."""
    try:
        return _CONVERTER.convert_with_local_state(_repair(latex), displaystyle=display)
    except LatexError:
        raise ValueError(f"this LaTeX cannot be set: {latex!r}; see what math-core supports") from None


def break_lines(latex: str) -> str:
    """Break a relation before each sign into lines, with a long left side on a line above, and a long side before
    its terms; return anything else unchanged, and a comparison with 0.
    """
    sides, depth = [""], 0
    for token in _TOKEN.findall(latex):
        depth += _DEEPER.get(token, 0)
        if depth == 0 and token in _SIGNS:
            sides.append("")
        elif depth == 0 and token in "+-" and len(sides) > 1 and len(sides[-1]) > _FULL:
            sides.append(r"\quad ")
        sides[-1] += token
    if "".join(sides[1:]).lstrip("<>=") in ("", " 0"):
        return latex
    left, first, *others = sides
    if len(left) > _SHORT:
        rows = [f"& {left}", *(rf"& \quad {side}" for side in (first, *others))]
    else:
        rows = [f"{left} & {first}", *(f"& {side}" for side in others)]
    return r"\begin{aligned} " + r" \\ ".join(rows) + r" \end{aligned}"


def _repair(latex: str) -> str:
    """Rewrite P_kk as P_{kk}, Pₙ as P_n, z'_{k}^2 with one superscript."""
    for script, ours, plain in _SCRIPTS:
        latex = re.sub(f"[{ours}]+", rf"{script}{{\g<0>}}", latex).translate(str.maketrans(ours, plain))
    return _RAISED.sub(r"{\1}^", _LONG_SCRIPT.sub(r"\1{\2}", latex))
