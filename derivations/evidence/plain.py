"""Claims in plain text, in the notation of `prover.read`.

    SOFTMAX = given("i j k < N; p: N → N",           # the ranges of indices, and maps of them
        "P[i,j] := e^L[i,j] / Σ_k e^L[i,k]",         # definitions
        "ℓ[i] := -log P[i,p(i)]")

    claim("D1.6", "definition", SOFTMAX)(
        checked="«loss», where «positive»: «difference».",
        loss="ℓ[i]",                                 # the definition with this head
        positive="P[i,p(i)] > 0",                    # a sign
        difference="ℓ[i] = log(Σ_k e^L[i,k]) - L[i,p(i)]")    # a proof, of any number of lines

A bound names its uses of the lemma log x ≤ x − 1, log(a : b) ≤ a/b − 1:

    below="-log(1 + e^x) ≤ -e^x/(1 + e^x) by log(1/(1 + e^x))"
    mean="-Σ_j P[j] log P[j] ≤ log N by Σ_j P[j] log(1 : N P[j])"

The rule of a line of a proof is found: the derivative, if it or the line above has a ∂; finite sums, if it follows
with the defined names closed; else the definitions. Likewise a sign.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from sympy import Expr, Indexed, Integer, Symbol

from ..prover.gradient import Gradient, gradient
from ..prover.inequality import LemmaUse, Sign, bound, nonnegative, positive
from ..prover.language import Facts, Language
from ..prover.notation import Definition, Partial, base_of, is_index, quantities_of, unfold
from ..prover.proof import CHAIN, DEFINITION, DERIVATIVE, SUMS, Rule, derive, find_used_names
from ..prover.read import Notation, Unread, index
from ..prover.show import text as show
from ..prover.zero_test import NormalForm, NotProved
from ..symbols import SIZES, TABLE, declare
from . import kinds
from .claims import Claim, Sentence, register
from .kinds import Chain, Evidence, Misprint, Relation
from .verdicts import NotShown, Verdict

_LETTER = r"(?:‖\w+′*‖|[^\W\d_][^\s,:=<>≥≤+\-·/()^\[\]]*)(?:\[\])?"
Said = str | Callable[[], Evidence]  # a line of text, or a function that returns a piece of evidence


@dataclass(frozen=True)
class Given:
    """What claims share: the letters, the ranges and maps of indices, the definitions."""

    notation: Notation
    facts: Facts
    names: tuple[Definition, ...] = ()

    def read(self, text: str) -> Expr:
        """Read an expression."""
        return self.notation.read(text)

    def __getitem__(self, name: str) -> Definition:
        """The definition of the quantity with this name."""
        found = [one for one in self.names if str(base_of(one.head)) == name]
        if not found:
            raise Unread(f"there is no definition of {name}")
        return found[0]

    def also(self, *definitions: str | Definition) -> "Given":
        """The same with further definitions, each in the place of that of the same name, or last."""
        new = {base_of(one.head): one for one in map(self.define, definitions)}
        here = [new.pop(base_of(one.head), one) for one in self.names]
        return replace(self, names=(*here, *new.values()))

    def first(self, *definitions: str | Definition) -> "Given":
        """The same with further definitions before the others, instead of those of the same names."""
        new = tuple(map(self.define, definitions))
        heads = {base_of(one.head) for one in new}
        return replace(self, names=(*new, *(one for one in self.names if base_of(one.head) not in heads)))

    def without(self, *names: str) -> "Given":
        """The same where these names are not defined, so that they stand for any values."""
        return replace(self, names=tuple(one for one in self.names if str(base_of(one.head)) not in names))

    def only(self, *names: str) -> "Given":
        """The same with these definitions alone, in this order."""
        return replace(self, names=tuple(self[name] for name in names))

    def define(self, said: str | Definition) -> Definition:
        """Read head := body."""
        if isinstance(said, Definition):
            return said
        expressions, signs = self.notation.read_chain(said)
        if signs != [":="]:
            raise Unread(f"{said!r}: a definition is a name, :=, and an expression")
        return Definition(*expressions)

    def __call__(self, text: str) -> Callable[[], Evidence]:
        """The piece of evidence that this text states, for a claim where other things are given."""
        return lambda: self.piece(text)

    def make(self, said: Said) -> Evidence:
        """The piece of evidence that a line of text states, or that a function returns."""
        return self.piece(said) if isinstance(said, str) else said()

    def chain(self, *links: Said, both: str = "0") -> Callable[[], Chain]:
        """A chain of ≤. both: what is added on both sides of its statement."""
        return lambda: Chain(tuple(map(self.make, links)), both=self.read(both))

    def fails(
        self, text: str, at: Mapping[Any, Any], kind: type = Misprint, shows: str = "as printed"
    ) -> Callable[[], Evidence]:
        """The relation as printed is false at a point. at: a symbol, or its name → its value."""
        return lambda: self.evaluate(kind, shows, self.relation(text).contrary(), at)

    def by(self, text: str) -> tuple[Expr, Expr]:
        """The entry and the form of ∂𝓛/∂z[k,f] = …, not yet proved."""
        partial, _, form = self.relation(text)
        return partial.args[1], form

    def gradient(self, text: str, *claims: str) -> Gradient:
        """The gradient of a loss that the text states, ∂𝓛/∂z[k,f] = …, and the claims where it is proved."""
        loss = self.relation(text).left.args[0]
        return gradient(*self.by(text), *claims, loss=loss, names=self.names, facts=self.facts)

    def gradients(self, said: Mapping[str, str], *claims: str, **own: str) -> dict[str, Gradient]:
        """The gradients of a loss by its inputs, and the claims where all are proved, or those of one input."""
        return {
            name: self.gradient(text, *own.get(name, " ".join(claims)).split()) for name, text in said.items()
        }

    def holds(self, shows: str, text: str, at: Mapping[Any, Any]) -> Callable[[], Evidence]:
        """The relation is true at a point. shows: what it is an example of."""
        return lambda: self.evaluate(kinds.Example, shows, self.relation(text), at)

    def evaluate(self, kind: type, shows: str, said: Relation, at: Mapping[Any, Any]) -> Evidence:
        """Show that the relation is true at a point, by evaluating both sides in intervals."""
        both = [side for one in (said.left, said.right) for side in (one, unfold(one, self.names))]
        needed = set().union(*map(quantities_of, both))
        sizes = [size for one in needed for size in kinds.find_sizes(one, self.facts)]
        needed = needed.union(*map(quantities_of, sizes))
        given = {self.letter(one): value for one, value in at.items() if self.letter(one) in needed}
        evaluated = kinds.Evaluated(said, tuple(given), self.names, self.facts)
        return kind(shows, evaluated, {str(one): value for one, value in given.items()})

    def letter(self, name: Any) -> Any:
        """The symbol, array or index with this name; a symbol itself."""
        return self.notation.letters.get(name) or index(name) if isinstance(name, str) else name

    def relation(self, text: str) -> Relation:
        """Read left sign right."""
        expressions, signs = self.notation.read_chain(text)
        if len(signs) != 1:
            raise Unread(f"{text!r} states {len(signs)} relations, where one is expected")
        return Relation(expressions[0], signs[0], expressions[1])

    def piece(self, text: str) -> Evidence:
        """Check what the text states, and return it. Raises NotProved, or Unread."""
        said, _, uses = text.partition(" by ")
        expressions, signs = self.notation.read_chain(said)
        match signs:
            case []:
                return self[str(base_of(expressions[0]))]
            case [">" | "≥"] if expressions[1] == 0:
                return self.sign(expressions[0], positive if signs == [">"] else nonnegative)
            case ["≤"] if uses:
                first, last = expressions
                return self.bound(first, last, map(self.use, uses.split(" and ")))
            case _ if set(signs) == {"="}:
                steps = [(self.rule(above, line), line) for above, line in pairwise(expressions)]
                return derive(expressions[0], *steps, names=self.names, facts=self.facts)
        raise Unread(
            f"{text!r}: a piece of evidence is a = b = …, a > 0, a ≥ 0, a ≤ b by …, or a defined name"
        )

    def evidence(self, said: Mapping[str, Said]) -> dict[str, Evidence]:
        """The pieces of a claim's evidence by their names. Raises NotShown with the name of one that fails."""
        pieces = {}
        for name, one in said.items():
            try:
                pieces[name] = self.make(one)
            except ValueError as error:
                raise NotShown(f"{name}: {error}").with_traceback(error.__traceback__) from error
        return pieces

    def rule(self, above: Expr, line: Expr) -> Rule:
        """The rule by which a line follows from the one above."""
        if line.has(Partial) and above.has(Partial) and not isinstance(line, Partial):
            return CHAIN
        if line.has(Partial) or above.has(Partial):
            return DERIVATIVE
        if not find_used_names(self.names, [above, line]):
            return SUMS
        try:
            return SUMS if NormalForm(self.facts).equal(above, line) else DEFINITION
        except NotProved:
            return DEFINITION

    def sign(self, expression: Expr, prove: Callable[..., Sign]) -> Sign:
        """The sign of an expression, with the defined names unfolded if it does not follow without; they must be
        what their letters are declared to be.
        """
        Language(self.facts, find_used_names(self.names, [expression])).check(expression)
        alone = expression.xreplace(dict.fromkeys(expression.atoms(Indexed), Integer(1)))
        for one in filter(is_index, alone.free_symbols - self.facts.ranges.keys()):
            raise Unread(f"{show(expression)}: the range of {one} is not given")
        try:
            return prove(expression)
        except NotProved:
            return prove(expression, self.names)

    def bound(self, first: Expr, last: Expr, uses: Iterable[LemmaUse]) -> Evidence:
        """first ≤ last by the lemma; or first − last ≤ 0, with last on both sides."""
        uses = tuple(uses)
        try:
            return bound(first, *uses, last=last, names=self.names, facts=self.facts)
        except NotProved:
            below = bound(first - last, *uses, last=Integer(0), names=self.names, facts=self.facts)
            return Chain((below,), both=last)

    def use(self, text: str) -> LemmaUse:
        """Read a use of the lemma: Σ_j weight log(top : bottom), the sum and the weight and the bottom if any."""
        found = re.fullmatch(r"(?:Σ_((?:[a-z]′*)+) )?(.*?) ?\blog\((.*?)(?: : (.*))?\)", text.strip())
        if not found:
            raise Unread(f"{text!r}: a use of the lemma is Σ_j weight log(top : bottom)")
        indices = [index(name) for name in reversed(re.findall(r"[a-z]′*", found[1] or ""))]
        limits = tuple((one, self.notation.sizes[one]) for one in indices)
        return LemmaUse(self.read(found[2] or "1"), self.read(found[3]), limits, self.read(found[4] or "1"))


def given(where: str, *definitions: str | Definition) -> Given:
    """What claims share.

    where: "i j < N; f Σ_g < d; p: N → A; p(i) ≠ i; O is 0 or 1; x y real; t > 0; c[] ≥ 0"; over g there are only
    sums; the numbers x, y, t and the array c are not in the table, or are not the first there of their name.
    definitions: head := body.
    """
    known = {entry.name: entry.symbol for entry in reversed(TABLE)}
    declared: dict[str, str] = {}  # by the name of a letter or of the range of an index, what it is
    ranges: dict[Symbol, Expr] = {}
    sizes: dict[Symbol, Expr] = {}
    maps, fixed, masks = {}, [], []

    def once(name: str, what: str) -> str:
        """The name, which may be declared again only as the same."""
        if declared.setdefault(name, what) != what:
            raise Unread(f"{where!r}: {name} is declared twice, {declared[name]} and {what}")
        return name

    def size_of(text: str) -> Expr:
        names = [name for name in re.split(r"[\s()+-]+", text) if name in SIZES]
        known.update({once(name, "a size"): SIZES[name] for name in names})
        return Notation(known, {}).read(text)

    def of_facts(name: str) -> Any:
        if name not in known:
            raise Unread(f"{where!r}: there is no letter {name}")
        return known[name]

    for part in filter(None, map(str.strip, where.split(";"))):
        if found := re.fullmatch(r"(\S+): (.+) → (.+)", part):
            *domain, codomain = map(size_of, [*found[2].split(" × "), found[3]])
            known[once(found[1], part)] = declare(found[1], "map")
            maps[known[found[1]]] = (domain[0] if len(domain) == 1 else tuple(domain), codomain)
        elif found := re.fullmatch(r"(.+?)( > 0| ≥ 0| real)", part):
            for name in found[1].split():
                if not re.fullmatch(_LETTER, name):
                    raise Unread(f"{part!r}: {name} is no letter; write x y real, x > 0, or c[] > 0")
                kind = "array" if name.endswith("[]") else "number"
                plain = once(name.removesuffix("[]"), kind + found[2])
                known[plain] = declare(plain, kind + found[2].replace(" real", ""))
        elif found := re.fullmatch(r"(\w+)\(i\) ≠ i", part):
            fixed.append(of_facts(found[1]))
        elif found := re.fullmatch(r"(\S+) is 0 or 1", part):
            masks.append(of_facts(found[1]))
        elif found := re.fullmatch(r"((?:[a-z]′* )*)(?:Σ_((?:[a-z]′*)+) )?< (.+)", part):
            size = size_of(found[3])
            ranges |= {index(once(name, f"< {found[3]}")): size for name in found[1].split()}
            sizes |= {index(name): size for name in re.findall("[a-z]′*", found[1] + (found[2] or ""))}
        else:
            raise Unread(f"{part!r}: write i j < N, p: N → N, p(i) ≠ i, O is 0 or 1, x y real, or c[] > 0")
    facts = Facts(ranges, maps, tuple(fixed), tuple(masks))
    start = Given(Notation(known, sizes), facts)
    return replace(start, names=tuple(map(start.define, definitions)))


def claim(id: str, verdict: str, given: Given) -> Callable[..., None]:
    """Register a claim: claim(id, verdict, given)(checked=…, NAME=evidence, …).

    Its other words are printed, correction, said_by and brief. An underscore in the name of a piece of evidence is
    a blank; at its end it only tells the piece printed_ from the words printed.
    """
    place = sys._getframe(1)
    module, line = place.f_globals["__name__"], place.f_lineno

    def state(*, checked: str, printed="", correction="", said_by="", brief="", **evidence: Said) -> None:
        said = {name.replace("_", " ").strip(): one for name, one in evidence.items()}
        first, pieces = Sentence(checked), partial(given.evidence, said)
        second, short = (Sentence(words) if words else None for words in (correction, brief))
        register(Claim(id, printed, first, Verdict(verdict), pieces, second, said_by, short, module, line))

    return state
