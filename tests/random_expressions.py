"""Random expressions of the prover's language, under random facts and definitions, rewritten and changed."""

from collections.abc import Callable
from random import Random

from sympy import (
    Add,
    Expr,
    Indexed,
    Integer,
    KroneckerDelta,
    Mul,
    Pow,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
    symbols,
)
from sympy.tensor.indexed import IndexedBase

from infonce_ref.derivations.prover.calculus import differentiate
from infonce_ref.derivations.prover.notation import (
    Definition,
    Differ,
    Partial,
    base_of,
    is_index,
    rename_indices,
    sum_over,
)
from infonce_ref.derivations.prover.zero_test import Facts

N, M = symbols("N M", integer=True, positive=True)
NAMES = ("i", "j", "k", "l", "%1", "#0.0", "#1.0")
x, v, z = (IndexedBase(name, real=True) for name in ("x", "v", "z"))
u, mask = IndexedBase("u", positive=True), IndexedBase("O", nonnegative=True)
p, q = (IndexedBase(name, integer=True) for name in "pq")
pair = IndexedBase("r", integer=True)  # a map of two indices
a, b, c = symbols("a b c", real=True)
t, s = symbols("t s", positive=True)


class Case:
    """The symbols and facts of a case, and random expressions of these."""

    def __init__(self, seed: int):
        self.random = Random(seed)
        r = self.random
        names = r.sample(NAMES, 4)
        self.free = symbols(names, integer=True, nonnegative=True)
        ranges = {index: r.choice((N, N, M)) for index in self.free if r.random() < 0.8}
        maps = {p: (N, N), q: (N, r.choice((N, M))), pair: ((N, M), r.choice((N, M)))}
        self.facts = Facts(
            ranges,
            {name: sizes for name, sizes in maps.items() if r.random() < 0.8},
            (p,) if r.random() < 0.5 else (),
            (mask,) if r.random() < 0.7 else (),
        )
        self.names: tuple[Definition, ...] = ()
        self.defined: list[Expr] = []
        self.given: list[Expr] = []  # empty until all names are defined, because s is in no definition
        for name in r.sample((c, s, z), r.randint(0, 2)):
            index = r.choice(self.free)
            body = self.sum_of(1, {index: N}) if name is z else self.sum_of(1, {}, positive=name is s)
            self.names += (Definition(z[index] if name is z else name, body),)
        self.defined = [base_of(name.head) for name in self.names]
        self.given = [s]

    def index(self, scope: dict[Symbol, Expr], mapped: bool = True) -> Expr | None:
        """Draw an index in scope, or a map of an index in its domain."""
        r = self.random
        if not scope:
            return None
        index = r.choice(list(scope))
        if not mapped or scope[index] is None or r.random() < 0.6:
            return index
        other = r.choice(list(scope))
        if (scope[index], scope[other]) == (N, M):
            return pair[index, other]
        mapping = r.choice((p, q))
        return mapping[index] if self.facts.maps.get(mapping, (N,))[0] == scope[index] else index

    def leaf(self, scope, positive: bool) -> Expr:
        r = self.random
        index, other = self.index(scope), self.index(scope)
        kinds: list[Callable[[], Expr]] = [lambda: Integer(r.randint(1, 3)), lambda: t]
        kinds += [lambda: s] * len(self.given)
        if index is not None:
            kinds += [lambda: u[index]] * 2
        if not positive:
            kinds += [lambda: a, lambda: b, lambda: Integer(r.randint(-2, -1)), lambda: Rational(1, 2)]
            kinds += [lambda: c] * (c in self.defined)
            if index is not None:
                kinds += [
                    lambda: x[index],
                    lambda: v[index, other],
                    lambda: v[other, index],
                    lambda: mask[index, other] ** r.randint(1, 2),
                    lambda: KroneckerDelta(index, other),
                    lambda: Differ(index, other),
                ]
                kinds += [lambda: z[index]] * (2 * (z in self.defined))
        return r.choice(kinds)()

    def sum_of(self, depth: int, scope, positive: bool = False) -> Expr:
        """Draw an expression made of sums and products only."""
        r = self.random
        if depth == 0:
            return self.leaf(scope, positive)
        kind = r.random()
        if kind < 0.3:
            return self.sum_of(depth - 1, scope, positive) + self.sum_of(depth - 1, scope, positive)
        if kind < 0.55:
            return self.sum_of(depth - 1, scope, positive) * self.sum_of(depth - 1, scope, positive)
        # often a name in use, which the new one then hides
        size, index = (r.choice((N, N, M)), r.choice(self.free))
        return sum_over(self.sum_of(depth - 1, {**scope, index: size}, positive), (index, size))

    def any(self, depth: int, scope) -> Expr:
        """Draw an expression that may contain any operation."""
        r = self.random
        kind = r.random()
        if depth == 0 or kind < 0.2:
            return self.sum_of(1, scope)
        if kind < 0.3:
            return exp(self.sum_of(1, scope))
        if kind < 0.4:
            return log(self.sum_of(1, scope, positive=True) * exp(self.sum_of(0, scope)))
        if kind < 0.55:
            return self.any(depth - 1, scope) / self.sum_of(2, scope, positive=True)
        if kind < 0.6:
            return Pow(self.sum_of(1, scope, positive=True), Rational(r.choice((-1, 1, 3)), 2))
        if kind < 0.75:
            return self.any(depth - 1, scope) + self.any(depth - 1, scope)
        if kind < 0.88:
            return self.any(depth - 1, scope) * self.any(depth - 1, scope)
        size, index = r.choice((N, N, M)), r.choice(self.free)
        return sum_over(self.any(depth - 1, {**scope, index: size}), (index, size))

    def rewrite(self, node: Expr, scope, often: float = 0.3) -> Expr:
        """Rewrite the expression by identities of finite sums, at random places; its value stays the same."""
        r = self.random
        within = dict(scope)
        if isinstance(node, Sum):
            within[node.limits[0][0]] = node.limits[0][2] + 1
            node = Sum(self.rewrite(node.function, within, often), *node.limits)
        elif isinstance(node, (Add, Mul, exp, log, Pow)):
            node = node.func(*(self.rewrite(part, scope, often) for part in node.args))
        if r.random() > often:
            return node
        match node:
            case Sum(limits=(_,)) if (found := self.rewritten_sum(node)) is not None:
                return found
            case Mul() if any(isinstance(part, Add) for part in node.args):
                summed = next(part for part in node.args if isinstance(part, Add))
                rest = [part for part in node.args if part is not summed]
                return Add(*(Mul(*rest, part) for part in summed.args))
            case Differ():
                return 1 - KroneckerDelta(*node.args)
            case KroneckerDelta():
                return 1 - Differ(*node.args)
            case Add():
                whole = self.sum_of(1, {}, positive=True)
                return Add(*(part * whole for part in node.args)) / whole
            case log():
                return log(node.args[0] * t) - log(t)
            case Indexed() if node.base == mask and mask in self.facts.masks:
                return node**2
            case Indexed() if node.base in (x, u) and is_index(node.indices[0]):
                index, size = node.indices[0], scope.get(node.indices[0])
                if size is not None and self.facts.ranges.get(index, size) == size:
                    other = r.choice([other for other in self.free if other != index])
                    return sum_over(KroneckerDelta(index, other) * node.base[other], (other, size))
        for name in self.names:
            if base_of(node) == base_of(name.head) and r.random() < 0.7:
                return rename_indices(name.instance(node))
        return node

    def rewritten_sum(self, node: Sum) -> Expr | None:
        """Rewrite a sum: rename its index, split its terms, pull out constant factors, or exchange two sums."""
        r, body, (index, low, high) = self.random, node.function, node.limits[0]
        other = r.choice(self.free)
        if r.random() < 0.3 and not body.has(Sum) and other not in body.free_symbols:
            return Sum(body.xreplace({index: other}), (other, low, high))
        if isinstance(body, Add):
            return Add(*(Sum(part, (index, low, high)) for part in body.args))
        if isinstance(body, Mul):
            outside = [part for part in body.args if index not in part.free_symbols]
            inside = [part for part in body.args if index in part.free_symbols]
            return Mul(*outside) * Sum(Mul(*inside), (index, low, high))
        if isinstance(body, Sum) and body.limits[0][0] != index:
            return Sum(Sum(body.function, (index, low, high)), *body.limits)
        return None

    def change(self, node: Expr) -> Expr:
        """Change one random part of the expression."""
        r = self.random
        entries = {part for part in node.atoms(Indexed) if part.base not in (p, q, pair)}
        values = node.atoms(KroneckerDelta, Differ, Add, Mul) | node.free_symbols & {a, b, c, t, s}
        places = entries | {part for part in values if part.free_symbols - {N, M}}  # not the size of a sum
        if not places:
            return node + 1
        part = r.choice(sorted(places, key=str))
        match part:
            case Add() | Mul():
                new = part.func(*r.sample(part.args, len(part.args) - 1))
            case KroneckerDelta() | Differ():
                new = r.choice((Integer(1), Integer(0), Differ(*part.args) + KroneckerDelta(*part.args) * 2))
            case Indexed():
                ranged = [index for index in self.free if self.facts.ranges.get(index) is not None]
                old = r.choice(part.indices)
                new = part.base[[r.choice(ranged or self.free) if x is old else x for x in part.indices]]
            case _:
                new = r.choice((-part, 2 * part, part + 1))
        return node.xreplace({part: new})

    def pair(self) -> tuple[Expr, Expr]:
        """Return two expressions: the second is the first one rewritten, or its derivative; every other time
        it is also changed.
        """
        r = self.random
        scope = {index: self.facts.ranges.get(index) for index in r.sample(self.free, r.randint(0, 2))}
        left = self.any(r.choice((2, 2, 3)), scope)
        right = left
        if r.random() < 0.4:
            index = self.index(scope, mapped=False)
            variables = [a, t] + ([x[index], u[index], v[index, index]] if index is not None else [])
            variable = r.choice([entry for entry in variables if base_of(entry) not in self.defined])
            right = rename_indices(differentiate(left, variable, self.names))
            left = Partial(left, variable)
        right = self.rewrite(right, scope)
        return left, self.change(right) if left == right or r.random() < 0.5 else right
