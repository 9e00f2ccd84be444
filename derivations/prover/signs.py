"""The sign of an expression, by the signs of its parts."""

from sympy import Add, E, Expr, Indexed, KroneckerDelta, Mul, Pow, Rational, Sum, Symbol, exp, log

from .notation import Differ


def is_positive(node: Expr) -> bool:
    """Whether the expression is > 0 by the signs of its parts; False means unknown."""
    match node:
        case exp():
            return is_real(node.args[0])
        case Sum():
            return is_positive(node.function) and all(
                low == 0 and (high + 1).is_integer and (high + 1).is_positive for _, low, high in node.limits
            )
        case Add():
            return all(map(is_nonnegative, node.args)) and any(map(is_positive, node.args))
        case Mul():
            return all(map(is_positive, node.args))
        case Pow(exp=Rational()):
            return is_positive(node.base)
    return node == E or (isinstance(node, (Rational, Symbol, Indexed)) and bool(node.is_positive))


def is_nonnegative(node: Expr) -> bool:
    """Whether the expression is ≥ 0 by the signs of its parts; False means unknown."""
    match node:
        case _ if is_positive(node):
            return True
        case KroneckerDelta() | Differ():
            return True
        case Sum():
            return is_nonnegative(node.function)
        case Add() | Mul():
            return all(map(is_nonnegative, node.args))
        case Pow(exp=Rational() as exponent):
            even = exponent.q == 1 and exponent % 2 == 0 and exponent > 0  # for x², x must be real
            return is_real(node.base) if even else is_nonnegative(node.base)  # 1/0 is no number
    return isinstance(node, (Rational, Symbol, Indexed)) and bool(node.is_nonnegative)


def is_real(node: Expr) -> bool:
    """Whether the expression is real wherever it is defined."""
    match node:
        case Rational() | KroneckerDelta() | Differ():
            return True
        case Symbol() | Indexed():
            return bool(node.is_real)
        case Sum():
            return is_real(node.function)
        case Add() | Mul() | exp() | log():
            return all(map(is_real, node.args))
        case Pow(exp=Rational() as exponent):
            return is_real(node.base) and (
                exponent.q == 1 or not node.base.is_number or is_positive(node.base)
            )
    return node == E
