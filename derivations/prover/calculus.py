"""Derivatives of finite sums, without name capture.

SymPy's own derivative of Σ_i y_i with respect to y_i is N: the bound i captures the free one. Here every sum first
gets fresh bound names; and a derivative by an index is refused.
"""

from collections.abc import Iterable, Mapping

from sympy import Add, E, Expr, Indexed, Integer, KroneckerDelta, Mul, Pow, Rational, Sum, Symbol, exp, log

from .notation import Definition, Differ, Partial, base_of, freshen, rebuild, unfold

Names = Mapping[Expr, Definition]


def differentiate(expression: Expr, variable: Expr, names: Iterable[Definition] = ()) -> Expr:
    """∂ expression / ∂ variable, for a symbol or an entry such as z[k, f] of an array of independent variables.

    names: the definitions of names in the expression. The variable itself is not expanded: a derivative by L[i, j]
    treats the entries of L as independent, even if L has a definition; then it must not also contain the quantities
    in the definition of L.
    """
    check_variable(variable)
    names = tuple(names)
    find_constants(expression, variable, names)
    return _derivative(freshen(expression), variable, _open(variable, names))


def check_variable(variable: Expr) -> None:
    """Raise ValueError unless it can vary."""
    if not isinstance(variable, (Symbol, Indexed)):
        raise ValueError(
            f"differentiate: {variable} is not a variable; take a symbol or an entry of an array"
        )
    if variable.is_integer:
        raise ValueError(f"differentiate: {variable} is an index or a size, where it cannot vary")


def find_constants(expression: Expr, variable: Expr, names: Iterable[Definition]) -> set[Expr]:
    """Return the arrays and symbols that ∂ expression/∂ variable holds constant."""
    names, own = tuple(names), base_of(variable)
    others = _quantities(unfold(expression, _open(variable, names).values())) - {own}
    within = _quantities(unfold(variable, names)) - {own}
    if others & within:
        shared = ", ".join(sorted(map(str, others & within)))
        raise ValueError(
            f"differentiate: {own} is defined by {shared}, which the expression also contains: its"
            f" derivative by {own} alone is undefined; write the expression in {own} alone"
        )
    return others


def _open(variable: Expr, names: Iterable[Definition]) -> Names:
    return {base_of(name.head): name for name in names if base_of(name.head) != base_of(variable)}


def _quantities(expression: Expr) -> set[Expr]:
    """The real-valued arrays and symbols: no indices, sizes or maps."""
    arrays = {entry.base for entry in expression.atoms(Indexed)}
    symbols = {free for free in expression.free_symbols if free.is_Symbol} - {array.label for array in arrays}
    return {quantity for quantity in arrays | symbols if not quantity.is_integer}


def carry_out(expression: Expr, names: Iterable[Definition] = ()) -> Expr:
    """Compute every Partial in the expression."""
    if isinstance(expression, Partial):
        inside, variable = expression.args
        return differentiate(carry_out(inside, names), variable, names)
    return rebuild(expression, lambda argument: carry_out(argument, names))


def _derivative(node: Expr, variable: Expr, names: Names) -> Expr:
    if node == variable:
        return Integer(1)
    if base_of(node) in names:
        return _derivative(freshen(names[base_of(node)].instance(node)), variable, names)
    match node:
        case Rational() | Symbol():
            return Integer(0)
        case _ if node == E:
            return Integer(0)
        case Indexed():
            _refuse_index(node.indices, variable, names)
            if not isinstance(variable, Indexed) or node.base != variable.base:
                return Integer(0)
            pairs = zip(node.indices, variable.indices, strict=True)
            return Mul(*(KroneckerDelta(own, other) for own, other in pairs))
        case KroneckerDelta() | Differ():
            _refuse_index(node.args, variable, names)
            return Integer(0)
        case Sum():
            _refuse_index([bound for limit in node.limits for bound in limit], variable, names)
            return Sum(_derivative(node.function, variable, names), *node.limits)
        case Add():
            return Add(*(_derivative(part, variable, names) for part in node.args))
        case Mul():
            slopes = [_derivative(factor, variable, names) for factor in node.args]
            return Add(*(Mul(*node.args[:n], slope, *node.args[n + 1 :]) for n, slope in enumerate(slopes)))
        case exp():
            return node * _derivative(node.args[0], variable, names)
        case log():
            return _derivative(node.args[0], variable, names) / node.args[0]
        case Pow(base=base, exp=Rational() as power) if base != E:
            return power * base ** (power - 1) * _derivative(base, variable, names)
    raise ValueError(f"differentiate: no rule for {node.func.__name__} in {node}")


def _refuse_index(indices, variable: Expr, names: Names) -> None:
    if any(unfold(index, names.values()).has(base_of(variable)) for index in indices):
        raise ValueError(f"differentiate: {variable} is in an index or a size, where it cannot vary")
