"""A lesson as text, for those who stay in the terminal: its words, its claims with their verdicts, each step."""

import re
from collections.abc import Callable

from rich.console import Console
from rich.markdown import Markdown
from rich.rule import Rule
from rich.text import Text

from derivations.pages import book
from derivations.pages.lesson import Directive, Exercise, Lesson, Prose
from derivations.pages.mathematics import runs
from derivations.prover.show import text

_COLOURS = {
    "proved": "green",
    "proved for sizes": "green",
    "proved from LEMMA": "green",
    "checked": "cyan",
    "corrected": "yellow",
    "refuted": "red",
    "no theorem": "magenta",
}
_LETTERS = {
    "tau": "τ", "beta": "β", "gamma": "γ", "delta": "δ", "ell": "ℓ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "rho": "ρ", "sigma": "σ", "theta": "θ", "xi": "ξ", "psi": "ψ", "varphi": "φ", "Phi": "Φ", "Omega": "Ω",
    "Sigma": "Σ", "partial": "∂", "nabla": "∇", "sum": "Σ", "prod": "Π", "infty": "∞", "cdot": "·", "times": "×",
    "odot": "⊙", "otimes": "⊗", "circ": "∘", "le": "≤", "ge": "≥", "ne": "≠", "neq": "≠", "approx": "≈",
    "propto": "∝", "in": "∈", "sim": "~", "to": "→", "leftarrow": "←", "iff": "⟺", "ldots": "…", "dots": "…",
    "langle": "⟨", "rangle": "⟩", "|": "‖", "lVert": "‖", "rVert": "‖", ",": " ", "\\": " ",
}  # fmt: skip

_GROUP = r"\{((?:[^{}]|\{[^{}]*\})*)\}"


def show(lesson: Lesson, entries: book.Entries, console: Console) -> None:
    """Prints the lesson; figures and sliders are for the page."""
    console.print(Text(f"Lesson {lesson.number}: {lesson.title}", style="bold"))
    console.print(_markdown(lesson.summary))
    for block in lesson.blocks:
        match block:
            case Prose(words):
                console.print(_markdown(words))
            case Exercise(question, solution):
                console.print(Rule("Exercise", align="left", style="dim"))
                console.print(_markdown(f"{question}\n\n**Solution.** {solution}"))
            case Directive("claim", (id,)):
                _claim(id, entries, console)
            case Directive("rest", files):
                for id in book.rest(files):
                    _claim(id, entries, console)
            case Directive("equation", (id, *which)):
                first, *_, last = book.proof(
                    id, int(which[0]) if which else 1, entries, f"lesson {lesson.name}"
                ).lines
                console.print(Text(f"    {text(first.expression)} = {text(last.expression)}   [{id}]\n"))
            case Directive("code", (path,)):
                console.print(Text(f"    code: infonce_ref/{path}\n", style="dim"))
            case Directive(kind, (name, *_)):
                console.print(Text(f"    {kind} {name}: on the page\n", style="dim"))


def plain(latex: str) -> str:
    """LaTeX as a line of Unicode: \\tau as τ, \\frac{a}{b} as (a)/(b), P_{ij} as P_ij."""
    latex = latex.replace(r"\mathcal{L}", "𝓛")
    latex = re.sub(r"\\(?:mathcal|mathrm|mathbb|operatorname|text|bar)\{([^{}]*)\}|\\bar ", r"\1", latex)
    latex = _repeatedly(rf"\\frac{_GROUP}{_GROUP}", _fraction, latex)
    latex = _repeatedly(rf"\\sqrt{_GROUP}", _root, latex)
    latex = re.sub(r"\\([A-Za-z]+|[|,\\])", lambda command: _LETTERS.get(command[1], command[1]), latex)
    latex = _repeatedly(r"([_^])\{([^{}]*)\}", _script, latex)
    return re.sub(r"([∂Σ]) | (/) ", r"\1\2", latex)


def _repeatedly(pattern: str, change: Callable[[re.Match[str]], str], latex: str) -> str:
    """The innermost groups first."""
    before = ""
    while latex != before:
        before, latex = latex, re.sub(pattern, change, latex)
    return latex


def _fraction(found: re.Match[str]) -> str:
    return "/".join(part if part.isalnum() else f"({part})" for part in found.groups())


def _root(found: re.Match[str]) -> str:
    return f"√{found[1]}" if re.fullmatch(r"\\?\w+", found[1]) else f"√({found[1]})"


def _script(found: re.Match[str]) -> str:
    return found[1] + (found[2] if found[2].isalnum() else f"({found[2]})")


def _markdown(words: str) -> Markdown:
    return Markdown(re.sub(r"\$([^$]+)\$", lambda found: f"*{plain(found[1])}*".replace("_", r"\_"), words))


def _claim(id: str, entries: book.Entries, console: Console) -> None:
    claim, evidence, _ = entries[id]
    verdict = Text(claim.verdict, style=_COLOURS[claim.verdict])
    console.print(Text.assemble((id, "bold"), "  ", verdict, f"  {claim.scope}" if claim.scope else ""))
    for heading, words in (("printed", claim.printed), ("checked", claim.statement), ("right", claim.right)):
        if words:
            said = "".join(plain(run.text) if run.is_math else run.text for run in runs(words))
            console.print(Text.assemble((f"  {heading}: ", "dim"), said))
    for part in evidence:
        console.print(Text(str(part)))
    console.print()
