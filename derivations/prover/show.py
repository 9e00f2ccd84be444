"""Print expressions as text, which `read` reads, and as LaTeX. The ranges of sums are among the hypotheses."""

from functools import cache

from sympy import Expr, Mul, Pow, Rational, Sum
from sympy.printing.latex import LatexPrinter
from sympy.printing.printer import Printer
from sympy.printing.str import StrPrinter

from .notation import Partial, rename_indices

# The LaTeX of each name, filled by the table of symbols. {} marks the place of the indices, as in ‖w‖; a name
# without {} has them as subscripts.
LETTERS: dict[str, str] = {}
# The LaTeX of each sign between two expressions
SIGNS = {"≤": r"\le", "≥": r"\ge", "≠": r"\ne", "≈": r"\approx", "=": "=", ":=": ":=", "<": "<", ">": ">"}


class _PlusFirst(Printer):
    """Print x − y rather than −y + x: terms without a minus sign come first."""

    def _as_ordered_terms(self, expression, order=None):
        terms = super()._as_ordered_terms(expression, order=order)
        return sorted(terms, key=lambda term: term.as_coeff_Mul()[0].is_negative is True)


class _Text(_PlusFirst, StrPrinter):
    printmethod = "_text"  # otherwise Indexed would use its own printing

    def _print_Indexed(self, node):
        indices = ", ".join(map(self._print, node.indices))
        name = node.base.name
        if name.endswith("‖"):
            return f"{name[:-1]}[{indices}]‖"
        return f"{name}({indices})" if node.base.is_integer else f"{name}[{indices}]"

    def parenthesize(self, item, level, strict=False):
        """A sum and a derivative in brackets, where they are factors or have an exponent."""
        if isinstance(item, Sum | Partial):
            return f"({self._print(item)})"
        return super().parenthesize(item, level, strict)

    def _print_Sum(self, node):
        body = self._print(node.function)
        # Σ_i a/b and Σ_i -a may be read in two ways
        if node.function.is_Add or _is_quotient(node.function) or body.startswith("-"):
            body = f"({body})"
        return f"Σ_{''.join(limit[0].name for limit in reversed(node.limits))} {body}"

    def _print_Mul(self, node):
        if node.args[0] == -1 and len(node.args) == 2 and isinstance(node.args[1], Sum | Partial):
            return f"-{self._print(node.args[1])}"  # without the brackets of a factor
        return super()._print_Mul(node)

    def _print_Pow(self, node, rational=False):
        if node.exp == Rational(1, 2):
            return f"√({self._print(node.base)})"
        if node.exp == Rational(-1, 2):
            return f"1/√({self._print(node.base)})"
        return super()._print_Pow(node, rational)

    def _print_exp(self, node):
        argument = node.args[0]
        simple = argument.is_Symbol or argument.is_Indexed or (argument.is_Integer and argument > 0)
        return f"e**{self._print(argument)}" if simple else f"e**({self._print(argument)})"

    def _print_KroneckerDelta(self, node):
        return f"1[{' = '.join(map(self._print, node.args[:2]))}]"

    def _print_Differ(self, node):
        return f"1[{' ≠ '.join(map(self._print, node.args))}]"

    def _print_Partial(self, node):
        inside, variable = (self._print(argument) for argument in node.args)
        simple = node.args[0].is_Symbol or node.args[0].is_Indexed
        return f"∂{inside}/∂{variable}" if simple else f"∂({inside})/∂{variable}"


def _is_quotient(node: Expr) -> bool:
    """Whether the expression is printed with a / outside of brackets."""
    return any(
        isinstance(factor, Partial)
        or (isinstance(factor, Rational) and factor.q != 1)
        or (isinstance(factor, Pow) and factor.exp.is_negative)
        for factor in Mul.make_args(node)
    )


class _Latex(_PlusFirst, LatexPrinter):
    def _print_Symbol(self, node, style="plain"):
        return LETTERS.get(node.name, node.name).replace("{}", "")

    def _print_Indexed(self, node):
        simple = all(index.is_Symbol for index in node.indices)
        indices = ("" if simple else r"\,").join(map(self._print, node.indices))
        base = LETTERS.get(node.base.name, node.base.name)
        if "{}" in base:
            return base.replace("{}", f"_{{{indices}}}")
        if node.base.is_integer:
            return f"{base}({indices})"
        return f"{{{base}_{{{indices}}}}}" if "^" in base else f"{base}_{{{indices}}}"  # a power may follow

    def _print_Sum(self, node):
        indices = "".join(self._print(limit[0]) for limit in reversed(node.limits))
        body = self._print(node.function)
        return rf"\sum_{{{indices}}} " + (rf"\left({body}\right)" if node.function.is_Add else body)

    def _print_KroneckerDelta(self, node, exp=None):
        left, right = (self._print(argument) for argument in node.args[:2])
        simple = all(argument.is_Symbol for argument in node.args[:2])
        return rf"\delta_{{{left}{right}}}" if simple else rf"\mathbb{{1}}_{{[{left} = {right}]}}"

    def _print_Differ(self, node, exp=None):
        left, right = (self._print(argument) for argument in node.args)
        return rf"\mathbb{{1}}_{{[{left} \neq {right}]}}"

    def _print_Partial(self, node):
        inside, variable = (self._print(argument) for argument in node.args)
        if node.args[0].is_Symbol or node.args[0].is_Indexed:
            return rf"\frac{{\partial {inside}}}{{\partial {variable}}}"
        return rf"\frac{{\partial}}{{\partial {variable}}} \left({inside}\right)"


@cache  # pages and verdicts print the same expressions again
def text(expression: Expr) -> str:
    """The expression on one line of text."""
    return _Text().doprint(rename_indices(expression)).replace("**", "^").replace("*", "·")


@cache
def latex(expression: Expr) -> str:
    """The expression as LaTeX, in the letters of the symbol table."""
    return _Latex().doprint(rename_indices(expression))
