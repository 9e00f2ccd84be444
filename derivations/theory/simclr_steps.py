"""SimCLR's Algorithm 1, line by line, run with linear networks (document D3)."""

from collections.abc import Iterator
from fractions import Fraction
from math import prod

import mpmath
from mpmath import mp

from ..common import rational
from ..evidence.kinds import Approximate, Finding
from ..evidence.plain import claim
from ..evidence.points import Base, Rows, root
from ..losses import ntxent
from ..prover.evaluate import Functions, evaluator
from ..symbols import f, k

DIGITS, TINY = 50, Fraction(1, 10**12)  # a difference neglects the square of its step
TOLERANCE = mpmath.mpf(10) ** -20
FUNCTIONS = Functions(mp.exp, mp.log, mp.sqrt, lambda one, other: mpmath.mpf(one) / other)


def apply(network: Rows, row: list) -> list:
    return [rational.dot(weights, row) for weights in network]


def project(images: Rows, first: Rows, second: Rows, f: Rows, g: Rows) -> list[list]:
    """The first loop: x̃ = t(x), h = f(x̃), z = g(h) in the rows 2k − 1 and 2k; t and t′ are matrices too."""
    return [apply(g, apply(f, apply(t, x))) for x in images for t in (first, second)]


def similarity(z: list[list], root) -> list[list]:
    """s_ij = z_iᵀ z_j / (‖z_i‖ ‖z_j‖) for all i and j, the row itself among them."""
    norm = [root(rational.dot(row, row)) for row in z]
    return [
        [rational.dot(one, other) / (a * b) for other, b in zip(z, norm, strict=True)]
        for one, a in zip(z, norm, strict=True)
    ]


def product_of_losses(s: list[list], exponential) -> Fraction | mpmath.mpf:
    """e^{2N 𝓛}: ℓ(i, j) = −log e^{s_ij/τ} / Σ 1[k ≠ i] e^{s_ik/τ}, over (2k − 1, 2k) and (2k, 2k − 1)."""

    def risk(i: int, j: int):
        return sum(exponential(s[i][n]) for n in range(len(s)) if n != i) / exponential(s[i][j])

    return prod(risk(2 * n, 2 * n + 1) * risk(2 * n + 1, 2 * n) for n in range(len(s) // 2))


def _run(images: Rows, first: Rows, second: Rows, f: Rows, g: Rows, b: Base) -> Iterator[Finding]:
    """One minibatch in fractions, and its loss by D3.2 and D3.4."""
    z = project(images, first, second, f, g)
    yield Finding(len(z), "=", 2 * len(images), ("rows z", "2N"))
    s = similarity(z, root)
    yield Finding([s[n][n] for n in range(len(s))], "=", [1] * len(s), ("each row with itself", ""))
    unit = [[x / root(rational.dot(row, row)) for x in row] for row in z]
    stated = prod(ntxent.risk(unit, b, row, row ^ 1) for row in range(len(z)))
    names = ("e^(2N 𝓛) of the algorithm", "of D3.4")
    yield Finding(product_of_losses(s, lambda x: rational.exp(x, b)), "=", stated, names)


def _update(images: Rows, first: Rows, second: Rows, f: Rows, g: Rows, colder: int) -> Iterator[Finding]:
    """The slopes of the loss by the weights of f and of g, and those by the rows (M5) through g and f."""
    with mp.workdps(DIGITS):

        def loss(f: Rows, g: Rows) -> mpmath.mpf:
            s = similarity([[_mpf(x) for x in row] for row in project(images, first, second, f, g)], mp.sqrt)
            return mp.log(product_of_losses(s, lambda x: mp.exp(colder * x))) / len(s)

        views = [apply(t, x) for x in images for t in (first, second)]
        by_row = _by_rows(project(images, first, second, f, g), colder)
        back = [[rational.dot(column, row) for column in zip(*_numbers(g), strict=True)] for row in by_row]
        inside = [apply(f, view) for view in views]
        for name, slopes, seen in (("f", back, views), ("g", by_row, inside)):
            farthest = mpmath.mpf(0)
            for c in range(2):
                for e in range(2):
                    chain = sum(slope[c] * _mpf(row[e]) for slope, row in zip(slopes, seen, strict=True))
                    ahead, behind = (
                        loss(_moved(f, c, e, step), g) if name == "f" else loss(f, _moved(g, c, e, step))
                        for step in (TINY, -TINY)
                    )
                    farthest = max(farthest, abs((ahead - behind) / (2 * _mpf(TINY)) - chain))
            yield Finding(farthest, "≈", 0, (f"farthest slope of {name} from the chain rule", ""), TOLERANCE)


def _by_rows(w: list[list], colder: int) -> list[list]:
    gradient = ntxent.STATEMENT.gradients["w"]
    rows = [[_mpf(x) for x in row] for row in w]
    given = ntxent.STATEMENT.environment(w=rows, temperature=mpmath.mpf(1) / colder, layout="interleaved")
    at = evaluator(gradient.form, given, FUNCTIONS, gradient.names)
    return [[at({k: row, f: feature})[0] for feature in range(len(w[0]))] for row in range(len(w))]


def _moved(network: Rows, c: int, e: int, step: Fraction) -> Rows:
    return Rows(
        [[x + step * (n == c and m == e) for m, x in enumerate(row)] for n, row in enumerate(network)]
    )


def _numbers(network: Rows) -> list[list]:
    return [[_mpf(x) for x in row] for row in network]


def _mpf(number: Fraction) -> mpmath.mpf:
    return mpmath.mpf(number.numerator) / number.denominator


BATCH = {
    "images": Rows([[5, 0], [0, 5], [4, 3]]),
    "first": Rows([[0, 1], [1, 0]]),
    "second": Rows([[1, 0], [0, -1]]),
    "f": Rows([[0, 2], [-2, 0]]),
    "g": Rows([[3, 0], [0, 3]]),
}

claim("D3.48", "checked", ntxent.NTXENT)(
    printed=r"Algorithm 1 SimCLR's main learning algorithm. input: batch size N, constant $\tau$, structure"
    r" of f, g, $\mathcal{T}$. for sampled minibatch $\{x_k\}_{k=1}^N$ do for all $k \in \{1, \dots, N\}$ do"
    r" draw two augmentation functions $t \sim T$, $t' \sim T$; $\tilde{x}_{2k-1} = t(x_k)$, $h_{2k-1} ="
    r" f(\tilde{x}_{2k-1})$, $z_{2k-1} = g(h_{2k-1})$; $\tilde{x}_{2k} = t'(x_k)$, $h_{2k} ="
    r" f(\tilde{x}_{2k})$, $z_{2k} = g(h_{2k})$ end for; for all $i \in \{1, \dots, 2N\}$ and $j \in \{1,"
    r" \dots, 2N\}$ do $s_{i,j} = z_i^\top z_j / (\|z_i\| \|z_j\|)$ end for; define $\ell(i,j)$ as"
    r" $\ell(i,j) = -\log \frac{\exp(s_{i,j}/\tau)}{\sum_{k=1}^{2N} 1_{[k \neq i]} \exp(s_{i,k}/\tau)}$;"
    r" $\mathcal{L} = \frac{1}{2N} \sum_{k=1}^N [\ell(2k-1, 2k) + \ell(2k, 2k-1)]$; update networks f and g"
    r" to minimize $\mathcal{L}$ end for; return encoder network $f(\cdot)$, and throw away $g(\cdot)$",
    checked="Every line is right, run with linear networks, three images and two augmentations that turn them."
    " The rows and the loss are exact: «run»; the similarity of a row with itself is computed and masked. To"
    " update both networks the gradient by the rows (M5) is sent through g and then through f: by"
    " differences of the loss «update». So f is trained only through g, which is thrown away; how good the f"
    " that is returned will be is measured, not proved.",
    brief="Every line is right, run with linear networks, three images and two augmentations: «run». To"
    " update both networks the gradient by the rows (M5) goes through g and then through f: «update».",
    run=lambda: Approximate.at("one minibatch", _run, **BATCH, b=Base(21, 20)),
    update=lambda: Approximate.at("the same minibatch, 50 digits", _update, **BATCH, colder=2),
)
