"""The one table of symbols: for each, the letter of the documents, the word in code, its meaning, its shape.

The documents clash (N is 2B vectors in D1, the number of images in SimCLR; τ is a rate in BYOL; D4 calls the
temperature γ). Here N always counts rows, B pairs, and τ is always the temperature.
"""

from dataclasses import dataclass
from typing import Any

from sympy import IndexedBase, Symbol


@dataclass(frozen=True)
class Entry:
    """One row of the symbol table."""

    symbol: Any  # Symbol or IndexedBase
    latex: str
    word: str
    meaning: str
    shape: str

    @property
    def name(self) -> str:
        return str(self.symbol)


TABLE: list[Entry] = []


def _enter(symbol, latex: str, word: str, meaning: str, shape: str = ""):
    TABLE.append(Entry(symbol, latex, word, meaning, shape))
    return symbol


def _size(name: str) -> Symbol:
    return Symbol(name, integer=True, positive=True)


def _array(name: str) -> IndexedBase:
    return IndexedBase(name, real=True)


N = _enter(_size("N"), "N", "rows", "number of rows, two per pair: N = 2B")
B = _enter(_size("B"), "B", "pairs", "number of pairs of views")
d = _enter(_size("d"), "d", "features", "number of features of a row")
A = _enter(_size("A"), "A", "candidates", "number of candidates of an anchor, its positive among them")
nu = _enter(_size("ν"), r"\nu", "reduction", "divisor of the sum over rows: N for the mean, 1 for the sum")

w = _enter(_array("w"), "w", "w", "raw rows, none of them zero", "(N, d)")
norm = _enter(_array("‖w‖"), r"\lVert w \rVert", "norms", "length of a raw row", "(N,)")
z = _enter(_array("z"), "z", "z", "rows; unit rows where z = w/‖w‖", "(N, d)")
y = _enter(_array("y"), "y", "candidates", "the candidates of an anchor", "(A, d)")
tau = _enter(Symbol("τ", positive=True), r"\tau", "temperature", "temperature")
p = _enter(
    IndexedBase("p", integer=True), "p", "positive", "p(i): the row that is the positive of row i", "(N,)"
)
beta = _enter(Symbol("β", positive=True), r"\beta", "", "inverse temperature 1/τ")

s = _enter(_array("s"), "s", "similarity", "cosine similarity of two rows", "(N, N)")
L = _enter(_array("L"), "L", "logits", "logits: similarities divided by the temperature", "(N, N)")
P = _enter(_array("P"), "P", "probabilities", "softmax of each row of the logits", "(N, N)")
G = _enter(_array("G"), "G", "G", "P minus 1 at the positive", "(N, N)")
ell = _enter(_array("ℓ"), r"\ell", "losses", "loss of one row", "(N,)")
loss = _enter(
    Symbol("𝓛", real=True), r"\mathcal{L}", "value", "the loss: the sum of ℓ over the rows, divided by ν"
)

# Indices, all counted from 0: rows, candidates, features.
i, j, k, l, m, n, a = (Symbol(name, integer=True, nonnegative=True) for name in "ijklmna")
f, g, h = (Symbol(name, integer=True, nonnegative=True) for name in "fgh")
