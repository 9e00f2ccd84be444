r"""How to read the letters of each quotation, claim by claim, so that it can be compared with the claim's
evidence.

`READINGS` says what each printed letter means, never what a formula says: `printed.py` reads that from the
LaTeX. Both the printed formula and the relation typed for the evidence are evaluated at one random point.
"""

import random
from collections.abc import Callable, Mapping
from itertools import product as pairs
from typing import Any, NamedTuple

import mpmath
from sympy import Expr, Integer, Symbol, exp, sqrt

from . import symbols
from .evidence.claims import Claim
from .evidence.pieces import Evaluated, Instance, relation
from .evidence.verdicts import NotShown
from .printed import (
    ALIKE,
    DIGITS,
    LEAST_SIZE,
    Array,
    Letters,
    Over,
    Point,
    add_rows,
    read,
    sides,
    softmax,
)
from .prover.notation import Definition, Differ, is_index, one_if, substitute, total
from .symbols import (
    A,
    B,
    C,
    G,
    K,
    L,
    M,
    N,
    P,
    S,
    V,
    X,
    a,
    apart,
    average,
    b,
    beta1,
    beta2,
    caption,
    cross_correlation,
    d,
    data_law,
    distance,
    distance_back,
    ell,
    ell_back,
    estimate,
    f,
    g,
    hardness,
    hardness_back,
    i,
    image,
    information,
    j,
    joint,
    joint_x,
    joint_y,
    k,
    l,
    m,
    n,
    newest,
    noise_law,
    norm,
    nu,
    off_diagonal,
    p,
    pair_chance,
    posterior,
    posterior_noise,
    prediction,
    prior,
    prior_noise,
    rate,
    ratio,
    s,
    target,
    tau,
    u,
    v,
    w,
    x_given_y,
    y,
    y_given_x,
    z,
)

MANY = 16  # how many values of the free indices a formula is compared at


class Reading(NamedTuple):
    """A formula of a quotation and the relation that it was read as.

    piece: the piece of evidence. names, sizes, sets: what the letters mean (see `printed.Letters`). sides: which
    sides of the quotation, counted from 0 over all its formulas, are compared; -1 is the last. side: what of the
    evidence is compared, "left" or "right" of the relation, or the name of a definition for its body. axes: the
    indices of an entry, where a column or a matrix is printed. puts: indices that are equal in the quotation. at:
    further values. whole: the printed expression, if it is more than the relation's side. where: another piece
    whose definitions are used.
    """

    piece: str
    names: Mapping[str, Any]
    sides: tuple[int, ...] = (-1,)
    side: Any = "right"
    axes: tuple[Symbol | int, ...] = ()
    sizes: Mapping[str, Expr] = {}
    sets: Mapping[str, tuple[Expr, Expr | None]] = {}
    puts: Mapping[Symbol, Expr] = {}
    at: tuple[Definition, ...] = ()
    whole: Callable[[Expr], Expr] | None = None
    where: str = ""


# --- letters of the documents ---------------------------------------------------------------------------

MEAN, SUM = Definition(nu, N), Definition(nu, Integer(1))
_D1 = {"L": L, "P": P, "G": G, "Z": z, "N": N, "B": B, r"\tau": tau, "p": p}
_ROWS = {"i": N, "j": N, "k": N}
_IDENTITY = Array(one_if(f, g), (f, g))
_D2 = {
    "z_i": Array(z[i, f], (f,)), "z_p": Array(y[p[i], f], (f,)), "z_a": Array(y[a, f], (f,)),
    "z_n": Array(y[n, f], (f,)), "P_{ip}": P[i, p[i]], "P_{in}": P[i, n], r"\tau": tau,
    r"\|w_i\|": norm[i], "I": _IDENTITY,
}  # fmt: skip
_D2_SETS = {"A": (A, None), "N": (A, p[i])}
_VT, _TV = r"^{v \rightarrow t}", r"^{t \rightarrow v}"
_D4 = {
    "p_i": i, "p_j": j, "p_k": k, r"\mathbf{I}": image, r"\mathbf{T}": caption, r"\gamma": tau, "B": B,
    r"\beta_1": beta1, r"\beta_2": beta2,
    rf"W_{{\mathbf{{I}}_{{p_i}} \mathbf{{T}}_{{p_j}}}}{_VT}": hardness[i, j],
       rf"W_{{\mathbf{{T}}_{{p_i}} \mathbf{{I}}_{{p_j}}}}{_TV}": hardness_back[i, j],
}  # fmt: skip
_PAIRS = {"i": B, "j": B, "k": B}
_OFF = (Definition(off_diagonal[i, j], Differ(j, i)),)
_POWERS = {
    "A": Array(exp(L[i, j]), (i, j)), "A_{ij}": Array(exp(L[i, j]), (i, j)),
    r"A_{ij}^{B_i}": Array(exp(beta1 * L[i, j]), (i, j)), r"\sum_{i=1}^B": add_rows, r"\sum_{j=1}^B": add_rows,
    r"A^{\beta_1}": Array(exp(beta1 * L[i, j]), (i, j)),
    "A^{B_i}": Array(exp(beta1 * L[i, j]), (i, j)), "I_B": Array(one_if(i, j), (i, j)),
    "I_0": Array(one_if(i, j), (i, j)), "B": B, r"\text{sum}": add_rows, r"\text{softmax}": softmax,
}  # fmt: skip
# I_B stands for the diagonal of the matrix beside it
_MEANT = _POWERS | {
    rf"I_B {power}": Array(one_if(i, j) * entry, (i, j))
    for power, entry in (
        ("A", exp(L[i, j])), (r"A^{\beta_1}", exp(beta1 * L[i, j])), ("A_{ij}^{B_i}", exp(beta1 * L[i, j]))
    )
}  # fmt: skip
_CELLS = Over(((i, V),))
_LAW = {
    "p(x,y)": joint[i], "p(x,c)": joint[i], "p(x|y)": x_given_y[i], "p(x|c)": x_given_y[i], "p(y|x)": y_given_x[i],
    "p(x)": joint_x[i], "p(y)": joint_y[i], r"\sum_{x,c}": _CELLS,
    r"\sum_{x \in \mathcal{X}} \sum_{y \in \mathcal{Y}}": _CELLS,
}  # fmt: skip
_ITSELF = Over(())  # an expectation; the evidence states its argument for each outcome
_BANK = {r"\exp(v^T v_i/\tau)": exp(symbols.L_positive[i]), r"v^T v_{j_k}/\tau": L[i, k], "m": M, "n": K}
_LIST = {"p(x_i|c_t)": symbols.p_x_c[i], "p(x_j|c_t)": symbols.p_x_c[j], "p(x_i)": exp(symbols.log_p_x[i]),
         "p(x_j)": exp(symbols.log_p_x[j]), "p(x_l)": exp(symbols.log_p_x[l]), "N": N}  # fmt: skip
_CPC = {r"\mathbb{E}_{X}": _ITSELF, "p(x_{t+k}|c_t)": ratio[i], "p(x_{t+k})": Integer(1),
        "p(x_j|c_t)": symbols.any_ratio[l], "p(x_j)": Integer(1),
        r"\sum_{x_j \in X_{neg}}": Over(((l, M),))}  # fmt: skip
_SUPCON = {
    r"\sum_{i \in I}": Over(((i, N),)),
    "|P(i)|": symbols.number[i],
    r"\sum_{p \in P(i)}": Over(((j, N),), symbols.selected[i, j]),
    r"\sum_{a \in A(i)}": Over(((k, N),), Differ(k, i)),
    r"z_i \cdot z_p/\tau": L[i, j],
    r"z_i \cdot z_a/\tau": L[i, k],
}
_ANCHORS = (SUM, Definition(symbols.counted[i], Integer(1)))  # each has a positive
_TOGETHER = Over(((i, N), (j, N)), one_if(i, j) / N)
_APART = Over(((i, N), (j, N)), Differ(i, j) / (N * (N - 1)))
_P, _P_NOISE = (Symbol(name, positive=True) for name in ("P", "Pₙ"))
_UNIT = {rows: Array(symbols.UNITS[rows][i, f], (f,)) for rows in (prediction, target)}


def _entries(**rows: Any) -> dict[str, Any]:
    return {name: Array(array[i, f], (f,)) for name, array in rows.items()}


READINGS: Mapping[str, tuple[Reading, ...]] = {
    "D1.1": (Reading("pairs", _D1, (1,)),),
    "D1.2": (Reading("logits", _D1),),
    "D1.3": (Reading("softmax", _D1),),
    "D1.4": (Reading("loss", _D1, at=(MEAN,)),),
    "D1.6": (Reading("loss", _D1),),
    "D1.7": (
        Reading("derivative", {**_D1, r"[1 : j = p(i), 0 : j \neq p(i)]": one_if(j, p[i])}, puts={k: i}),
    ),
    "D1.8": (Reading("derivative", _D1, at=(MEAN,)),),
    "D1.9": (Reading("derivative", _D1, axes=(f,)),),
    "D1.11": (Reading("error", _D1),),
    "D1.12": (Reading("gradient", _D1, axes=(f,), sizes=_ROWS, at=(MEAN,)),),
    "D1.13": (Reading("gradient", _D1, axes=(k, f), at=(MEAN,)),),
    "D2.3": (
        Reading(
            "missing",
            {r"u_\theta(x_t,c_t)": u[i, p[i]], r"u_\theta(x_t,c_{t'})": u[i, m], "t": i, "t'": m, "N": N},
            sets={"N": (A, None)},
        ),
    ),
    "D2.8": (Reading("gradient", _D2, (3, 4), axes=(f,), sets=_D2_SETS),),
    "D2.9": (Reading("gradient", _D2, (1, 2, 3, 4), axes=(f,), sets=_D2_SETS),),
    "D2.12": (Reading("gradient", _D2, axes=(f,), sets=_D2_SETS),),
    "D2.13": (Reading("printed", _D2, axes=(f,), whole=lambda side: side / P[i, p[i]]),),
    "D2.14": (
        Reading("matrix", {**_D2, "z_p": Array(z[j, f], (f,))}, (0,), "left"),
        Reading("length", {**_D2, "z_p": Array(z[j, f], (f,)), "zi": _D2["z_i"]}, (1, 2, 3, 4)),
        Reading("matrix", {**_D2, "z_p": Array(z[j, f], (f,)), "I": one_if(m, n)}),
    ),
    "D3.2": (
        Reading(
            "loss",
            {
                r"\operatorname{sim}(z_i, z_j)": s[i, p[i]],
                r"\operatorname{sim}(z_i, z_k)": s[i, k],
                "N": B,
                r"\tau": tau,
            },
        ),
    ),
    "D3.3": (Reading("cosine", {"z": w}),),
    "D3.5": (
        Reading(
            "probability",
            {
                "v_i": Array(b[j, f], (f,)),
                "v_j": Array(b[m, f], (f,)),
                "v": Array(v[i, f], (f,)),
                "j": m,
                "n": K,
                r"\tau": tau,
            },
        ),
    ),
    "D3.6": (Reading("loss", {r"p(i|f_{\theta}(x_i))": P[i, p[i]], "n": N}, at=(SUM,)),),
    "D3.8": (
        Reading(
            "any",
            {"P(i|v)": data_law[j], "P_n(i)": noise_law[j], "P(D = 1)": prior, "P(D = 0)": prior_noise},
            side=posterior,
        ),
    ),
    "D3.9": (Reading("prior", {"m": M}, (0,)), Reading("noise", {"m": M}, (1,))),
    "D3.10": (
        Reading("posterior", {"P(i|v)": _P, "P_n(i)": _P_NOISE, "m": M}, (1,), "left"),
        Reading("posterior", {"P(i|v)": _P, "P_n(i)": _P_NOISE, "m": M}, (2,)),
    ),
    "D3.14": (
        Reading("mean", {r"v^T v_j / \tau": L[i, j], "n": K, r"\mathbb{E}_j": Over(((j, K),), 1 / K)}, (1,)),
    ),
    "D3.15": (
        Reading(
            "form",
            {**_BANK, r"\frac{n}{m} \sum_{k=1}^{m} \exp(v^T v_{j_k}/\tau)": estimate[i]},
            (2,),
            "left",
        ),
    ),
    "D3.16": (Reading("simple", _BANK),),
    "D3.17": (Reading("cancelled", _BANK),),
    "D3.18": (
        Reading(
            "loss",
            {
                "h(i, v)": posterior[i],
                "h(i, v')": posterior_noise[i, a],
                "m": M,
                r"\mathbb{E}_{P_d}": Over(((i, N),), 1 / N),
                r"\mathbb{E}_{P_n}": Over(((i, N), (a, M)), 1 / (N * M)),
            },
            at=(MEAN,),
        ),
    ),
    "D3.19": (Reading("conditional", _LAW),),
    "D3.22": (Reading("information", _LAW),),
    "D3.23": (Reading("coin", _LAW),),
    "D3.24": (Reading("conditional", _LAW),),
    "D3.28": (Reading("bayes", _LIST, sizes={"l": N}),),
    "D3.29": (Reading("ratios", _LIST),),
    "D3.30": (
        Reading(
            "row",
            {
                r"\mathbb{E}": _ITSELF,
                "f_k(x_{t+k}, c_t)": symbols.candidate[i],
                "f_k(x_j, c_t)": symbols.candidate[k],
                r"\sum_{x_j \in X}": Over(((k, N),)),
            },
        ),
    ),
    "D3.33a": (Reading("line", _CPC, (1,), "left"), Reading("line", _CPC, (2,))),
    "D3.33d": tuple(
        Reading(
            "mean",
            {
                "p(x_{t+k})": apart[i],
                "p(x_{t+k}|c_t)": joint[i],
                "N": M + 1,
                r"\mathbb{E}_{X}": Over(((i, V),), joint[i]),
            },
            (printed,),
            side,
        )
        for printed, side in ((0, "right"), (1, "left"))
    ),
    "D3.33e": (
        Reading(
            "line",
            {
                "p(x_{t+k})": joint_x[i],
                "p(x_{t+k}|c_t)": x_given_y[i],
                "N": N,
                r"\mathbb{E}_{X}": Over(((i, V),), joint[i]),
            },
            (0,),
            "left",
        ),
        Reading("line", {"I(x_{t+k}, c_t)": information, "N": N}),
    ),
    "D3.38": (Reading("update", {r"\theta_k": average, r"\theta_q": newest, "m": rate}),),
    "D3.41": (Reading("update", {r"\xi": average, r"\theta": newest, r"\tau": rate}),),
    "D3.43": (
        Reading(
            "distance",
            {r"\bar{q}_{\theta}(z_{\theta})": _UNIT[prediction], r"\bar{z}_{\xi}'": _UNIT[target]},
            (1,),
            "left",
        ),
        Reading(
            "distance",
            _entries(**{r"q_{\theta}(z_{\theta})": prediction, r"z_{\xi}'": target}),
        ),
    ),
    "D3.44": (Reading("distance", _entries(p_1=symbols.p1, z_2=symbols.z2), where="above"),),
    "D3.45": (
        Reading(
            "free",
            {r"\mathcal{D}(p_1, z_2)": distance[i], r"\mathcal{D}(p_2, z_1)": distance_back[i]},
            side=ell,
        ),
    ),
    "D4.1": (
        Reading(
            "loss",
            {
                rf"\mathcal{{L}}{_VT}": total(ell[i], (i, B)),
                rf"\mathcal{{L}}{_TV}": total(ell_back[i], (i, B)),
            },
            (1,),
            at=(SUM,),
        ),
    ),
    "D4.2": (
        Reading(
            "row", _D4, (1,), sizes=_PAIRS, where="ratio", at=_OFF, whole=lambda side: total(side, (i, B))
        ),
    ),
    "D4.3": (Reading("printed", _D4, sizes=_PAIRS, at=_OFF, where="sum"),),
    "D4.4": (
        Reading(
            "row", _D4, (1,), sizes=_PAIRS, where="ratio", at=_OFF, whole=lambda side: total(side, (i, B))
        ),
    ),
    "D4.5": (Reading("printed", _D4, sizes=_PAIRS, at=_OFF, where="sum"),),
    "D4.7": (Reading("printed", _D4, axes=(i, j)),),
    "D4.8": (Reading("entry", {"S": S, r"\gamma": tau}, axes=(i, j)),),
    "D4.9": (
        Reading("formula", _D4, (1,), "left", sizes=_PAIRS, at=_OFF, where="loss"),
        Reading("formula", _D4, where="loss"),
    ),
    "D4.11": (
        Reading(
            "printed",
            {
                "B,": beta1,
                "B": B,
                "I_{A_i}": Array(image[i, f], (f,)),
                "I_{A_k}": Array(image[k, f], (f,)),
                "T_{Pi}": Array(caption[i, f], (f,)),
                r"\tau": tau,
            },
            (1,),
            sizes=_PAIRS,
            where="sum",
        ),
    ),
    "D4.13": tuple(
        Reading(piece, meaning, (4,), axes=axes)
        for meaning, pieces in (
            (_POWERS, ("product", "product_diagonal")),
            (_MEANT, ("meant", "meant_diagonal")),
        )
        for piece, axes in zip(pieces, ((0, 1), (0, 0)), strict=True)
    ),
    "D4.14": (Reading("product", _POWERS), Reading("meant", _MEANT)),
    "D4.18": (Reading("printed", _POWERS), Reading("printed_meant", _MEANT)),
    "D4.21": (Reading("printed", {"I": image, "T": caption, r"\Sigma": tau}, (1,), axes=(i, j)),),
    "D4.27": (Reading("product", _POWERS), Reading("meant", _MEANT)),
    "F1": (
        Reading(
            "row",
            {
                r"\langle z_i^{(1)}, z_i^{(2)} \rangle/\tau": L[i, p[i]],
                r"\langle z_i^{(k)}, z_j^{(l)} \rangle/\tau": L[i, k],
                r"\sum_{l \in \{1,2\}, j \in [1,N], j \neq i}": Over(
                    ((k, N),), Differ(k, i) * Differ(k, p[i])
                ),
            },
        ),
    ),
    "F4": (
        Reading(
            "row",
            {
                "p(k)": exp(u[i, a]) / total(exp(u[i, m]), (m, A)),
                "q(k)": symbols.target_share[i, a],
                "k": a,
                "K": A,
            },
            (1,),
        ),
        Reading("positive", {"z_k": u[i, a], "z_i": u[i, m], "i": m, "K": A}, side=P),
    ),
    "F7": (
        Reading(
            "batch",
            {
                r"\mathbb{E}_{x, x^+}": Over(((i, B),), 1 / B),
                r"f(x)^\top f(x^+)": S[i, i],
                r"\mathbb{E}_{x, x^-}": Over(((i, B), (j, B)), Differ(i, j) / (B * (B - 1))),
                r"f(x)^\top f(x^-)": S[i, j],
            },
        ),
    ),
    "F9": (
        Reading(
            "printed",
            {
                r"|\mathcal{B}|": B,
                "z_{ij}": symbols.pair_sign[i, j],
                "b": symbols.siglip_bias,
                r"t \mathbf{x}_i \cdot \mathbf{y}_j": L[i, j],
            },
            (0,),
            whole=lambda side: total(side, (j, B), (i, B)) / B,
        ),
    ),
    "F12": (
        Reading(
            "loss",
            {
                r"\mathbb{E}_{(x,y) \sim p_{pos}}": Over(((i, B),), 1 / B),
                r"\alpha": symbols.exponent,
                r"\|f(x) - f(y)\|_2": sqrt(symbols.squared[i, i]),
            },
            (1,),
            at=(Definition(nu, B), Definition(symbols.differing[i], Integer(1))),
        ),
    ),
    "F14": (
        Reading(
            "value",
            {
                "T": u[i, j],
                r"\mathbb{E}_\mathbb{P}": Over(((i, X), (j, C)), pair_chance[i, j]),
                r"\mathbb{E}_\mathbb{Q}": Over(
                    ((i, X), (j, C)), total(pair_chance[i, n], (n, C)) * total(pair_chance[m, j], (m, X))
                ),
            },
            (0,),
        ),
    ),
    "F15": (
        Reading(
            "value",
            {
                r"\mathbb{E}_{p(x,y)}": _TOGETHER,
                "f(x, y)": u[i, j],
                r"\mathbb{E}_{p(y)}": Over(((j, N),), 1 / N),
                "Z(y)": total(Differ(i, j) * exp(u[i, j]), (i, N)) / (N - 1),
            },
            (1,),
        ),
    ),
    "F16": (
        Reading(
            "value",
            {r"\mathbb{E}": _ITSELF, "f(x_i, y_i)": u[i, i], "f(x_i, y_j)": u[i, j], "K": N},
        ),
    ),
    "F17": (
        Reading(
            "value",
            {
                r"\mathbb{E}_{\mathbb{P}^{(n)}_{XZ}}": _TOGETHER,
                r"T_\theta": u[i, j],
                r"\mathbb{E}_{\mathbb{P}^{(n)}_X \otimes \hat{\mathbb{P}}^{(n)}_Z}": _APART,
            },
            (0,),
        ),
    ),
    "F19": (
        Reading(
            "loss",
            {
                r"\mathbb{E}_{x,y \sim p_{data}}": _APART,
                r"\|f(x)-f(y)\|_2^2": symbols.squared[i, j],
                "t": symbols.sharpness,
            },
            (1,),
        ),
    ),
    **{id: (Reading("loss", _SUPCON, at=_ANCHORS),) for id in ("F21", "F22")},
    "F25": (
        Reading(
            "loss",
            {r"\mathcal{C}": cross_correlation, "i": f, "j": g, r"\lambda": symbols.redundancy},
            (1,),
            sizes={"i": d, "j": d},
        ),
        Reading(
            "printed",
            {"z_{b,i}^A": symbols.centred1[i, f], "z_{b,j}^B": symbols.centred2[i, g], "b": i},
            (3,),
            sizes={"b": B},
        ),
    ),
}


# --- why other formulas are not compared; for these, only the reader who signed the claim vouches
# ------------------

_WORDS = "its formulas are names within words; no side of one is a number"
_PROGRAM = "a program computes what is printed, so that no relation was typed for it; the program is signed"
_SHAPE = "it prints the shape of a matrix"
NOT_COMPARED: Mapping[str, str] = {
    **dict.fromkeys(
        ("D1.15", "D2.6", "D2.10", "D2.15a", "D3.35", "D3.36", "D4.6", "D4.10", "D4.12", "D4.15", "D4.19", "D4.22",
         "D4.26"),
        _WORDS,
    ),
    **dict.fromkeys(("D1.5", "D3.4", "D3.12", "D3.33b", "D3.48"), _PROGRAM),
    **dict.fromkeys(("D4.23", "D4.24", "D4.25"), _SHAPE),
    **dict.fromkeys(("D1.10", "D2.11"), "each side is a derivative, which the reader of LaTeX does not take"),
    **dict.fromkeys(("D2.17", "D3.31"), "it prints a proportion, which has no value"),
    **dict.fromkeys(("D3.13", "D3.33c"), "its mean is over samples, which the evidence lists"),
    **dict.fromkeys(("D2.7", "D3.34"), "its sum is over positive and negatives, which the evidence has apart"),
    "D2.2": "its sum is over data and noise together, which the evidence has apart",
    "D3.11": "the evidence has the law's sum, not the law by itself",
    "D3.21": "it prints a divergence by its name",
    "D3.26": "it prints a premise and what follows",
    "D3.32": "it prints a bound, and the evidence one with a further term",
    "D4.20": "its second half is ditto marks",
    "F18": "it prints a clip, and the evidence has a mask",
    "F27": "it prints a maximum, and the evidence has a mask",
    "F29": "it prints a maximum, and the evidence has its two branches",
}  # fmt: skip


# --- the comparison -------------------------------------------------------------------------------------


def find_change(claim: Claim, evidence: Mapping[str, Any]) -> str:
    """Return a sentence if a quoted formula differs from the relation of the claim's evidence, else ""."""
    for reading in READINGS.get(claim.id, ()):
        for which in reading.sides:
            if found := _compare(claim, evidence, reading, which):
                return found
    return ""


def _compare(claim: Claim, evidence: Mapping[str, Any], reading: Reading, which: int) -> str:
    if reading.piece not in evidence:
        raise NotShown(
            f"its quotation is compared with «{reading.piece}», but no piece of evidence has this name"
        )
    printed = sides(claim)[which]
    letters = Letters(reading.names, reading.sizes, reading.sets)
    typed, names = _find_typed(evidence, reading)
    point = Point(names)
    try:
        with mpmath.workdps(DIGITS):
            node, values = read(printed, letters), dict[Any, Any]()
            for at in _places(typed):
                outside = {index: place for index, place in at.items() if index not in reading.axes}
                if (key := tuple(outside.items())) not in values:
                    values[key] = node(point, outside)
                value, expected = values[key], point.number(typed, at)
                if isinstance(value, mpmath.matrix):
                    place = (axis if isinstance(axis, int) else at[axis] for axis in reading.axes)
                    value = value[(*place, *(0,) * (len(reading.axes) == 1))]
                if not abs(value - expected) <= ALIKE * (1 + abs(expected)):
                    return (
                        f"its quotation {' '.join(printed)} is {mpmath.nstr(value, 6)} at a random point, and what"
                        f" «{reading.piece}» has for it is {mpmath.nstr(expected, 6)}"
                    )
    except (ValueError, IndexError, TypeError) as error:  # Unread is a ValueError
        raise NotShown(f"its quotation cannot be compared with «{reading.piece}»: {error}") from error
    return ""


def _find_typed(evidence: Mapping[str, Any], reading: Reading) -> tuple[Expr, tuple[Definition, ...]]:
    """Find the typed expression for a printed formula, and the definitions that hold for it."""
    piece = evidence[reading.piece]
    stated = evidence[reading.where] if reading.where else piece
    seen = stated.find if isinstance(stated, Instance) else None
    own = seen.names if isinstance(seen, Evaluated) else getattr(stated, "definitions", ())
    others = [one for one in evidence.values() if isinstance(one, Definition)]
    names = {_head(one): one for one in (*others, *own, *reading.at)}
    if isinstance(reading.side, str):
        typed = getattr(relation(piece), reading.side)
    else:
        typed = names[str(reading.side)].body
    typed = substitute(typed, dict(reading.puts))
    return (reading.whole(typed) if reading.whole else typed), tuple(names.values())


def _head(definition: Definition) -> str:
    return str(getattr(definition.head, "base", definition.head))


def _places(expression: Expr) -> list[dict[Symbol, int]]:
    """Choose values of the free indices: all, or a sample."""
    free = sorted(filter(is_index, expression.free_symbols), key=str)
    places = [dict(zip(free, found, strict=True)) for found in pairs(range(LEAST_SIZE), repeat=len(free))]
    return random.Random(0).sample(places, MANY) if len(places) > MANY else places
