"""The one table of symbols: for each, the letter of the documents, the word in code, its meaning, its shape.

The documents clash (N is 2B vectors in D1, the number of images in SimCLR; τ is a rate in BYOL; D4 calls the
temperature γ). Here N always counts rows, B pairs, and τ is always the temperature.
"""

from dataclasses import dataclass

from sympy import Expr, IndexedBase, Symbol


@dataclass(frozen=True)
class Entry:
    """One row of the symbol table."""

    symbol: Expr
    latex: str
    word: str
    meaning: str
    shape: str


TABLE: list[Entry] = []


def _enter(symbol, latex: str, word: str, meaning: str, shape: str):
    TABLE.append(Entry(symbol, latex, word, meaning, shape))
    return symbol


def _size(name: str) -> Symbol:
    return Symbol(name, integer=True, positive=True)


def _array(name: str) -> IndexedBase:
    return IndexedBase(name, real=True)


N = _enter(_size("N"), "N", "rows", "number of rows, two per pair: N = 2B", "")
B = _enter(_size("B"), "B", "pairs", "number of pairs of views", "")
d = _enter(_size("d"), "d", "features", "number of features of a row", "")
nu = _enter(_size("nu"), r"\nu", "reduction", "divisor of the sum: N for the mean, 1 for the sum", "")

w = _enter(_array("w"), "w", "w", "raw rows, none of them zero", "(N, d)")
norm = _enter(_array("‖w‖"), r"\lVert w_i \rVert", "norms", "length of a raw row", "(N,)")
z = _enter(_array("z"), "z", "z", "rows; unit rows where z = w/‖w‖", "(N, d)")
tau = _enter(Symbol("tau", positive=True), r"\tau", "temperature", "temperature", "")
p = _enter(
    IndexedBase("p", integer=True), "p", "positive", "p(i): the row that is the positive of row i", "(N,)"
)

s = _enter(_array("s"), "s", "similarity", "cosine similarity of two rows", "(N, N)")
L = _enter(_array("L"), "L", "logits", "logits: similarities divided by the temperature", "(N, N)")
P = _enter(_array("P"), "P", "probabilities", "softmax of each row of the logits", "(N, N)")
G = _enter(_array("G"), "G", "G", "P minus 1 at the positive", "(N, N)")
ell = _enter(_array("ell"), r"\ell", "losses", "loss of one row", "(N,)")

# Indices: rows i, j, k, l, m and features f, g, h, all counted from 0.
i, j, k, l, m, n = (Symbol(name, integer=True, nonnegative=True) for name in "ijklmn")
f, g, h = (Symbol(name, integer=True, nonnegative=True) for name in "fgh")
