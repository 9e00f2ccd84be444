"""DHN-NCE: images and texts, each pair against its hard negatives, the positive in no denominator (document D4).

The mask J, 0 on the diagonal and 1 off it, writes Σ over j ≠ i as Σ_j J_ij. The proofs only use that it is 0 or 1.
No line uses unit length.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sympy import Expr, IndexedBase, exp, log

from derivations import symbols
from derivations.pairs import divisor
from derivations.prover.notation import Definition, one_if, total
from derivations.prover.statement import Statement, gradient
from derivations.prover.sums import Facts
from derivations.symbols import (
    B,
    G,
    J,
    L,
    S,
    W,
    W_back,
    beta1,
    beta2,
    caption,
    caption_held,
    d,
    ell,
    ell_back,
    f,
    g,
    i,
    image,
    image_held,
    j,
    k,
    l,
    logits_held,
    loss,
    m,
    nu,
    r,
    r_back,
    rho,
    rho_back,
    tau,
    tau_held,
)

FACTS = Facts(ranges={i: B, j: B, k: B, l: B, f: d, g: d}, masks=(J,))

SCORES = Definition(S[i, j], total(image[i, f] * caption[j, f], (f, d)))  # [D4.7]
LOGITS = Definition(L[i, j], S[i, j] / tau)
HELD = Definition(
    logits_held[i, j], total(image_held[i, f] * caption_held[j, f], (f, d)) / tau_held
)  # the same numbers, which no derivative sees

Entries = Callable[[Expr, Expr], Expr]  # (row, column) → an entry of a matrix


def by_image(logits: IndexedBase) -> Entries:
    """The row of an image: all texts."""
    return lambda row, column: logits[row, column]


def by_text(logits: IndexedBase) -> Entries:
    """The row of a text: all images, T_i · I_j = S_ji [D4.4]."""
    return lambda row, column: logits[column, row]


def raised(logits: Entries, power: Expr) -> Entries:
    """A^power, entry by entry: e^{power · S/τ} [D4.8, D4.21]."""
    return lambda row, column: exp(power * logits(row, column))


def weighed(logits: Entries, weight: IndexedBase) -> Entries:
    """A ⊙ W [D4.23]."""
    return lambda row, column: exp(logits(row, column)) * weight[row, column]


def over_negatives(term: Entries) -> Expr:
    """Σ over j ≠ i."""
    return total(J[i, m] * term(i, m), (m, B))


def weights(name: IndexedBase, term: Entries) -> Definition:
    """W_ij = (B − 1) e^{βS_ij/τ} / Σ_{k≠i} e^{βS_ik/τ}, of which only j ≠ i is used [D4.3, D4.5]."""
    return Definition(name[i, j], (B - 1) * term(i, j) / over_negatives(term))


def row_loss(name: IndexedBase, logits: Entries, weight: IndexedBase) -> Definition:
    """ℓ_i = −S_ii/τ + log Σ_{j≠i} e^{S_ij/τ} W_ij [D4.2]."""
    return Definition(name[i], log(over_negatives(weighed(logits, weight))) - logits(i, i))


def share(name: IndexedBase, term: Entries) -> Definition:
    """The share of each negative in the sum of its row."""
    return Definition(name[i, j], J[i, j] * term(i, j) / over_negatives(term))


def losses(weighed_by: IndexedBase) -> tuple[Definition, ...]:
    """The loss whose weights are made of these logits [D4.1-D4.5]."""
    return (
        SCORES,
        LOGITS,
        weights(W, raised(by_image(weighed_by), beta1)),
        weights(W_back, raised(by_text(weighed_by), beta2)),
        row_loss(ell, by_image(L), W),
        row_loss(ell_back, by_text(L), W_back),
        Definition(loss, (total(ell[i], (i, B)) + total(ell_back[i], (i, B))) / nu),
    )


# G = ν ∂𝓛/∂L, of the rows of the images and, transposed, of those of the texts [M20]
DIFFERENTIATED = (
    *losses(L),
    share(r, raised(by_image(L), 1 + beta1)),
    share(rho, raised(by_image(L), beta1)),
    share(r_back, raised(by_text(L), 1 + beta2)),
    share(rho_back, raised(by_text(L), beta2)),
    Definition(
        G[i, j],
        ((1 + beta1) * r[i, j] - beta1 * rho[i, j])
        + ((1 + beta2) * r_back[j, i] - beta2 * rho_back[j, i])
        - 2 * one_if(i, j),
    ),
)
CONSTANT = (
    HELD,
    *losses(logits_held),
    share(r, weighed(by_image(L), W)),
    share(r_back, weighed(by_text(L), W_back)),
    Definition(G[i, j], r[i, j] + r_back[j, i] - 2 * one_if(i, j)),
)

BY_INPUT = {  # input → (the variable, the gradient) [M20]
    "image": (image[k, f], total(G[k, j] * caption[j, f], (j, B)) / (nu * tau)),
    "text": (caption[k, f], total(G[i, k] * image[i, f], (i, B)) / (nu * tau)),
    "temperature": (tau, -total(G[i, j] * L[i, j], (j, B), (i, B)) / (nu * tau)),
}


def _bind(image, text, *, temperature, beta1, beta2, weights="differentiated", reduction="sum") -> dict:
    if weights not in STATEMENTS:
        raise ValueError(f"weights must be one of {tuple(STATEMENTS)}, got {weights!r}")
    pairs = range(len(image))
    live = {symbols.image: image, caption: text, tau: temperature}
    held = {image_held: image, caption_held: text, tau_held: temperature}
    sizes = {B: len(image), d: len(image[0]), nu: divisor(len(image), reduction)}
    options = {symbols.beta1: beta1, symbols.beta2: beta2, J: [[int(i != j) for j in pairs] for i in pairs]}
    return sizes | live | held | options


def _statement(names: tuple[Definition, ...]) -> Statement:
    return Statement(
        loss="dhn_nce",
        form=loss,
        names=names,
        gradients={
            name: gradient(entry, form, "M20", loss=loss, names=names, facts=FACTS)
            for name, (entry, form) in BY_INPUT.items()
        },
        bind=_bind,
    )


# The weights are differentiated with the rest, or held constant, and with them the temperature in them.
STATEMENTS = {"differentiated": _statement(DIFFERENTIATED), "constant": _statement(CONSTANT)}


def statement(arguments: Mapping[str, Any]) -> Statement:
    """The one that treats the weights as the arguments say."""
    return STATEMENTS[arguments.get("weights", "differentiated")]
