"""Export the statement of a piece of evidence as a Coq proposition over Coquelicot's real numbers.

    Proof               first line = last line
    Bound, Chain        first line ≤ last line
    Sign                0 ≤ or < the expression
    ∂f/∂z[k, f]         as a first line: is_derive (fun x => f at z with x for z[k, f]) (z k f) (last line)
                        elsewhere: Derive of the same, with the statement that it is differentiable there, except
                        for a derivative within another
    Σ_k                 sum N (fun k => …), k from 0 to N − 1
    1[a = b], 1[a ≠ b]  delta a b, differ a b
    a finding           the relation that held at a point; `let` gives each quantity its value there, an array as a
                        list of entries, 0 beyond them
    names               let … in; a name that depends on the variable of a derivative takes it as an argument
    hypotheses          those that the prover prints; an array is a function of all natural numbers

Division is total in Coq: x/0 is a number there, of which nothing can be proved. A defined name is declared > 0 only
if its body is proved positive, so it adds no assumption here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from textwrap import fill
from types import MappingProxyType
from typing import Any

from sympy import (
    Add,
    E,
    Expr,
    Indexed,
    IndexedBase,
    KroneckerDelta,
    Mul,
    Pow,
    Rational,
    Sum,
    Symbol,
    exp,
    log,
)

from ..evidence.kinds import Evaluated, Instance, Relation, relation
from ..prover.hypotheses import HasSign, Hypothesis, InRange, MapsInto, Mask, NoFixedPoint, Size, WellDefined
from ..prover.notation import (
    Definition,
    Differ,
    Partial,
    base_of,
    is_index,
    order_definitions,
    quantities_of,
    rename_indices,
    sides,
)
from ..prover.proof import Derivation
from .spelling import NotExported, identifier

Environment = Mapping[Expr, str]  # quantity → its Coq expression

_SIGNS = {"=": "=", "≠": "<>", "<": "<", "≤": "<="}


def proposition(piece: Any) -> str:
    """Export a Proof, Sign, Bound or Chain, or an instance that compares two expressions, as a Coq proposition.

    Raises NotExported for any other piece, and for expressions without a counterpart in Coq.
    """
    match piece:
        case Derivation():
            declared = dict(limits for proof in piece.proofs() for limits in proof.facts.ranges.items())
            ranges = tuple(declared.items())
            return _state(relation(piece), tuple(piece.definitions), tuple(piece.hypotheses), ranges)
        case Instance(find=Evaluated() as seen):
            point = {symbol: piece.given[str(symbol)] for symbol in seen.symbols}
            return _Statement(seen.claimed, seen.names, point=point).text()
    raise NotExported(
        f"a {type(piece).__name__} is not a theorem; a proof, a sign, an inequality and an instance"
        f" that compares two expressions are"
    )


@cache  # the record, the marks and the pages state the same pieces
def _state(
    said: Relation,
    definitions: tuple[Definition, ...],
    hypotheses: tuple[Hypothesis, ...],
    ranges: tuple[tuple[Expr, Expr], ...],
) -> str:
    return _Statement(said, definitions, hypotheses, ranges=dict(ranges)).text()


class _Statement:
    """One proposition: its quantities, hypotheses, names and statement.

    ranges: index → size, if declared. point: the value of each quantity, if given.
    """

    def __init__(
        self,
        said: Relation,
        definitions: Sequence[Definition],
        hypotheses: Sequence[Hypothesis] = (),
        ranges: Mapping[Expr, Expr] = MappingProxyType({}),
        point: Mapping[Expr, Any] = MappingProxyType({}),
    ):
        self.said, self.point = said, point
        self.left, self.right = rename_indices(said.left), rename_indices(said.right)
        partials = [node for side in (self.left, self.right) for node in side.atoms(Partial)]
        self.variables = sorted({base_of(partial.args[1]) for partial in partials}, key=str)
        # the variable of a derivative is universally quantified, even if it has a definition
        given = {base_of(name.head): name for name in definitions if base_of(name.head) not in self.variables}
        needs = [one for one in hypotheses if isinstance(one, WellDefined)]
        # an assumption about a name applies to its body, even if neither line contains the name
        masks = [one.array for one in hypotheses if isinstance(one, Mask) and one.array in given]
        said_of = [*(need.expression for need in needs), *(given[array].head for array in masks)]
        self.names = order_definitions(given, [self.left, self.right, *said_of])
        self.defined = {base_of(name.head): name for name in self.names}
        self.depends = self._dependence()
        self.parts = [self.left, self.right, *(name.body for name in self.names), *said_of]
        self.ranks = {node.base: len(node.indices) for part in self.parts for node in part.atoms(Indexed)}
        self.free_here = sorted(_free_indices(self.left) | _free_indices(self.right), key=str)
        self.ranges = self._ranges(ranges, hypotheses)
        self.present = {one for part in self.parts for one in quantities_of(part) if not is_index(one)}
        self.hypotheses = [one for one in hypotheses if self._concerns(one)]
        self.free = self._free_quantities()
        self.words = self._words()
        self.differentiable: list[str] = []
        self.within = 0  # the number of derivatives around the part being written

    def _dependence(self) -> dict[Expr, tuple[Expr, ...]]:
        """Return for each defined name the variables in its body, directly or through other names."""
        depends: dict[Expr, tuple[Expr, ...]] = {}
        for name in self.names:
            inside = quantities_of(name.body)
            through = {variable for other in inside for variable in depends.get(other, ())}
            depends[base_of(name.head)] = tuple(v for v in self.variables if v in inside or v in through)
        return depends

    def _concerns(self, one: Hypothesis) -> bool:
        """Whether the hypothesis concerns this proposition and does not follow from a definition."""
        match one:
            case InRange(index=index):
                return any(index in part.free_symbols for part in (self.left, self.right))
            case HasSign(quantity=quantity) | Size(symbol=quantity):
                return quantity in self.present and quantity not in self.defined
            case MapsInto(map=quantity) | NoFixedPoint(map=quantity) | Mask(array=quantity):
                return quantity in self.present
            case WellDefined():
                return True
        return False  # a sum states its own range; a constant is no variable

    def _ranges(self, declared: Mapping[Expr, Expr], hypotheses: Sequence[Hypothesis]) -> dict[Expr, Expr]:
        """The ranges of indices in conditions; a free index is restricted to its range only if that is assumed."""
        assumed = {one.index for one in hypotheses if isinstance(one, InRange)}
        anywhere = set(self.free_here) - assumed
        # a condition on one row applies to every row that occurs
        loose = {declared[index] for index in anywhere if index in declared}
        return {index: size for index, size in declared.items() if size not in loose}

    def _free_quantities(self) -> list[Expr]:
        sizes = [size for one in self.hypotheses for size in self._sizes(one)]
        present = self.present | {symbol for size in sizes for symbol in size.free_symbols}
        return sorted(present - self.defined.keys(), key=lambda one: (_kind(one), str(one)))

    def _sizes(self, one: Hypothesis) -> list[Expr]:
        match one:
            case InRange(size=size):
                return [size]
            case MapsInto(domain=domain, codomain=codomain):
                return [*sides(domain), codomain]
            case WellDefined(expression=expression):
                return [self.ranges[index] for index in _free_indices(expression) if index in self.ranges]
        return []

    def _words(self) -> dict[Expr, str]:
        """Every quantity and index → its own identifier."""
        parts = [*self.parts, *(name.head for name in self.names)]
        indices = {symbol for part in parts for symbol in part.atoms(Symbol) if is_index(symbol)}
        things = [*self.free, *self.defined, *sorted(indices, key=str)]
        words = {thing: identifier(_name(thing)) for thing in things}
        if len(set(words.values())) < len(words):
            raise NotExported(
                f"two of these names have the same identifier in Coq:"
                f" {', '.join(f'{k} → {v}' for k, v in words.items())}"
            )
        return words

    # --- text ------------------------------------------------------------------------------------------

    def text(self) -> str:
        here = {thing: word for thing, word in self.words.items() if thing not in self.defined}
        needs = [one for one in self.hypotheses if self._concerns_names(one)]
        plain = [one for one in self.hypotheses if one not in needs]
        free = [*self.free, *self.free_here]
        alike = groupby((one for one in free if one not in self.point), key=self._type)
        binders = [f"({' '.join(self.words[one] for one in ones)} : {type})" for type, ones in alike]
        lines = [
            *([f"forall {' '.join(binders)},"] if binders else []),
            *dict.fromkeys(f"{self._hypothesis(one, here)} ->" for one in plain),
            *(self._write_given(one) for one in free if one in self.point),
            *(self._let(name, here) for name in self.names),
            *dict.fromkeys(f"{self._hypothesis(one, here)} ->" for one in needs),
            self._conclusion(here),
        ]
        return "\n".join(fill(line, 110, initial_indent="  ", subsequent_indent="    ") for line in lines)

    def _concerns_names(self, one: Hypothesis) -> bool:
        """Return whether the hypothesis concerns the bodies of names, so that it must come after them."""
        return isinstance(one, WellDefined) or (isinstance(one, Mask) and one.array in self.defined)

    def _write_given(self, one: Expr) -> str:
        """Write one given quantity of the point."""
        value, type = self.point[one], self._type(one)
        whole = type.endswith("nat")
        if isinstance(one, IndexedBase):
            lists = self.ranks.get(one, 1)
            if whole and lists > 1:
                raise NotExported(f"no Coq for a map of two indices: {one}")
            said = f"places {_write_list(value)}" if whole else f"list{lists} {_write_list(value)}%list"
        else:
            said = _number(value)
            said = said[1:-1] if said.startswith("(") else said
        return f"let {self.words[one]} : {type} := {f'({said})%nat' if whole else said} in"

    def _type(self, one: Expr) -> str:
        if isinstance(one, IndexedBase):
            rank = self.ranks.get(one, 1)
            return "nat -> " * rank + ("nat" if one.is_integer else "R")
        return "nat" if is_index(one) or one.is_integer else "R"

    def _hypothesis(self, one: Hypothesis, here: Environment) -> str:
        match one:
            case InRange(index=index, size=size):
                return f"({self.words[index]} < {self._nat(size)})%nat"
            case Size(symbol=symbol):
                return f"(0 < {self.words[symbol]})%nat"
            case MapsInto(map=map, domain=domain, codomain=codomain):
                word = self.words[map]
                arguments = "ijkl"[: len(sides(domain))]
                within = "".join(
                    f"({argument} < {self._nat(side)})%nat -> "
                    for argument, side in zip(arguments, sides(domain), strict=True)
                )
                listed = " ".join(arguments)
                return f"(forall {listed} : nat, {within}({word} {listed} < {self._nat(codomain)})%nat)"
            case NoFixedPoint(map=map):
                return f"(forall i : nat, {self.words[map]} i <> i)"
            case Mask(array=array):
                entry, forall = self._entry(array)
                return f"({forall}{entry} = 0 \\/ {entry} = 1)"
            case HasSign(quantity=quantity, relation=sign):
                entry, forall = self._entry(quantity)
                return f"({forall}{_write_relation(entry, sign, '0')})"
            case WellDefined(expression=expression, relation=sign):
                said = _write_relation(self._real(expression, here), sign, "0")
                return f"({self._forall(_free_indices(expression), self.ranges)}{said})"
        raise NotExported(f"no Coq for the hypothesis {one}")

    def _forall(self, indices: Iterable[Expr], sizes: Mapping[Expr, Expr]) -> str:
        """Any values of these indices, within their ranges if these are known."""
        said = ""
        for index in sorted(indices, key=str):
            said += f"forall {self.words[index]} : nat, "
            if index in sizes:
                said += f"({self.words[index]} < {self._nat(sizes[index])})%nat -> "
        return said

    def _entry(self, quantity: Expr) -> tuple[str, str]:
        """A symbol, or any entry of an array, and the quantifier that it needs."""
        if not isinstance(quantity, IndexedBase):
            return self.words[quantity], ""
        indices = " ".join("ijklmn"[: self.ranks.get(quantity, 1)])
        return f"{self.words[quantity]} {indices}", f"forall {indices} : nat, "

    def _let(self, name: Definition, here: Environment) -> str:
        base = base_of(name.head)
        arguments = [f"({self.words[one]} : {self._type(one)})" for one in self.depends[base]]
        if name.indices:
            arguments.append(f"({' '.join(self.words[index] for index in name.indices)} : nat)")
        whole = name.head.is_integer
        body = f"({self._nat(name.body)})%nat" if whole else self._real(name.body, here)
        return f"let {' '.join([self.words[base], *arguments])} : {'nat' if whole else 'R'} := {body} in"

    def _conclusion(self, here: Environment) -> str:
        if isinstance(self.left, Partial):
            if self.said.sign != "=":
                raise NotExported("no Coq for an inequality with a derivative")
            inside, variable = self.left.args
            function, point = self._abstract(inside, variable, here)
            said = f"is_derive {function} {point} ({self._real(self.right, here)})"
        else:
            left, right = self._real(self.left, here), self._real(self.right, here)
            said = _write_relation(left, self.said.sign, right)
        # the outer derivative is declared separately; those inside it are listed here
        return " /\\ ".join([*dict.fromkeys(self.differentiable), said])

    # --- terms -----------------------------------------------------------------------------------------

    def _abstract(self, inside: Expr, variable: Expr, here: Environment) -> tuple[str, str]:
        """Return the expression as a function of the variable, and the variable's value."""
        taken = {
            *self.words.values(),
            *(word for said in here.values() for word in re.findall(r"[\w']+", said)),
        }
        x = next(word for word in ("x", "t", "x'", "t'", "x''", "t''") if word not in taken)
        base = base_of(variable)
        point, moved = here[base], x
        if isinstance(variable, Indexed):
            indices = " ".join(self._index(index, here) for index in variable.indices)
            point = f"({here[base]} {indices})"
            moved = f"(set{len(variable.indices)} {here[base]} {indices} {x})"
        self.within += 1
        function = f"(fun {x} : R => {self._real(inside, {**here, base: moved})})"
        self.within -= 1
        return function, point

    def _real(self, node: Expr, here: Environment) -> str:
        """Export a real number; the caller adds brackets around a compound one."""
        match node:
            case Rational() if node < 0:
                return f"- {self._factor(-node, here)}"
            case Rational():
                return str(node.p) if node.q == 1 else f"{node.p} / {node.q}"
            case Symbol() if is_index(node) or node.is_integer:
                return f"INR {self.words[node]}"
            case Symbol() | Indexed():
                return self._quantity(node, here)
            case KroneckerDelta() | Differ():
                word = "differ" if isinstance(node, Differ) else "delta"
                return " ".join([word, *(self._index(index, here) for index in node.args)])
            case Sum():
                text = self._real(node.function, here)
                for index, _, last in node.limits:
                    text = f"sum {self._size(last + 1)} (fun {self.words[index]} : nat => {text})"
                return text
            case Partial(args=(inside, variable)):
                function, point = self._abstract(inside, variable, here)
                if not self.within:
                    self._note(node, f"ex_derive {function} {point}")
                return f"Derive {function} {point}"
            case Add():
                first, *rest = sorted(node.args, key=_is_minus)
                text = self._real(first, here)
                for part in rest:
                    sign, term = ("-", -part) if _is_minus(part) else ("+", part)
                    text += f" {sign} {self._real(term, here)}"
                return text
            case Mul():
                return self._product(node, here)
            case exp():
                return f"exp {self._argument(node.args[0], here)}"
            case log():
                return f"ln {self._argument(node.args[0], here)}"
            case Pow(base=base, exp=Rational() as power) if base != E:
                return self._power(base, power, here)
        if node == E:
            return "exp 1"
        raise NotExported(f"no Coq for {type(node).__name__} in {node}")

    def _factor(self, node: Expr, here: Environment) -> str:
        """Export a factor, in brackets unless it is an application."""
        text = self._real(node, here)
        compound = node.is_Add or node.is_Mul or (node.is_Rational and (node < 0 or not node.is_Integer))
        below = isinstance(node, Pow) and node.exp.is_Rational and node.exp < 0
        return f"({text})" if compound or below else text

    def _argument(self, node: Expr, here: Environment) -> str:
        text = self._real(node, here)
        return text if " " not in text else f"({text})"

    def _quantity(self, node: Expr, here: Environment) -> str:
        base = base_of(node)
        defined = base in self.defined
        head = [self.words[base], *(here[v] for v in self.depends[base])] if defined else [here[base]]
        indices = node.indices if isinstance(node, Indexed) else ()
        return " ".join([*head, *(self._index(index, here) for index in indices)])

    def _product(self, node: Expr, here: Environment) -> str:
        number, rest = node.as_coeff_Mul()
        if number < 0:
            return f"- ({self._real(-node, here)})"
        above = [] if number.p == 1 else [str(number.p)]
        below = [] if number.q == 1 else [str(number.q)]
        for part in Mul.make_args(rest):
            under = isinstance(part, Pow) and part.base != E and part.exp.is_Rational and part.exp < 0
            (below if under else above).append(self._factor(1 / part if under else part, here))
        return " / ".join([" * ".join(above) or "1", *below])

    def _power(self, base: Expr, power: Rational, here: Environment) -> str:
        if power < 0:
            return f"1 / {self._factor(base**-power, here)}"
        simple = isinstance(base, Symbol | Indexed | Differ | KroneckerDelta)
        text = self._real(base, here)
        text = text if simple or (base.is_Integer and base > 0) else f"({text})"
        if power.q == 1:
            return f"{text} ^ {power.p}"
        if power.q == 2:
            root = f"sqrt {self._argument(base, here)}"
            return root if power.p == 1 else f"({root}) ^ {power.p}"
        raise NotExported(f"no Coq for the power {power} of {base}")

    def _index(self, index: Expr, here: Environment) -> str:
        if index.is_Integer:
            return f"{index}%nat"
        if isinstance(index, Indexed):
            arguments = " ".join(self._index(argument, here) for argument in index.indices)
            return f"({here[index.base]} {arguments})"
        return self.words[index]

    def _size(self, size: Expr) -> str:
        return self.words[size] if isinstance(size, Symbol) else f"({self._nat(size)})%nat"

    def _nat(self, size: Expr) -> str:
        match size:
            case Rational() if size.is_Integer and size >= 0:
                return str(size)
            case Symbol():
                return self.words[size]
            case Add():
                return " + ".join(map(self._nat, size.args))
            case Mul():
                return " * ".join(
                    f"({self._nat(part)})" if part.is_Add else self._nat(part) for part in size.args
                )
        raise NotExported(f"no natural number of Coq for {size}")

    def _note(self, node: Partial, said: str) -> None:
        """Record that a derivative inside a term exists, for all values of its indices."""
        sides = (self.left, self.right)
        sizes = {limit[0]: limit[2] + 1 for side in sides for sum in side.atoms(Sum) for limit in sum.limits}
        quantifier = self._forall(_free_indices(node) - set(self.free_here), sizes)
        self.differentiable.append(f"({quantifier}{said})")


def _write_relation(left: str, sign: str, right: str) -> str:
    """Write > and ≥ as < and ≤ with the sides exchanged."""
    if sign in (">", "≥"):
        left, sign, right = right, {">": "<", "≥": "≤"}[sign], left
    return f"{left} {_SIGNS[sign]} {right}"


def _number(value: Any) -> str:
    number = Rational(value)
    sign = "- " if number < 0 else ""
    return f"{sign}{abs(number.p)}" if number.q == 1 else f"{sign}({abs(number.p)} / {number.q})"


def _write_list(values: Sequence[Any]) -> str:
    """A list of Coq, of numbers or of lists."""
    entries = (_write_list(one) if isinstance(one, list | tuple) else _number(one) for one in values)
    return f"({' :: '.join([*entries, 'nil'])})"


def _is_minus(part: Expr) -> bool:
    return part.as_coeff_Mul()[0].is_negative is True


@cache
def _free_indices(part: Expr) -> frozenset[Expr]:
    return frozenset(symbol for symbol in part.free_symbols if is_index(symbol))


def _kind(one: Expr) -> int:
    """Return the order in which quantities are introduced: sizes, numbers, arrays, maps."""
    if isinstance(one, IndexedBase):
        return 3 if one.is_integer else 2
    return 0 if one.is_integer else 1


def _name(thing: Expr) -> str:
    return thing.name if isinstance(thing, IndexedBase | Symbol) else str(thing)
