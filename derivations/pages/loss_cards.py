"""The words of the cheat sheet for each loss.

The formulas and gradients beside the words are those of the statement in `derivations/losses`. Ranges are compared
with the library by tests/derivations/pages/test_cheat_sheet.py.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sympy import Expr

from ..evidence.plain import given
from ..symbols import ell, i


class LossCard(NamedTuple):
    """One loss on the sheet.

    paper: authors and year. when: what it is for, in Markdown with [ids] and {M4 masked}. inputs: those whose
    gradient is shown. least, most: the ends of the range of `of` over `rows`; None if unknown, or if there is no
    upper end. floor: the least mean of a batch, if no batch has all rows at the lower end; reached: by which
    batches, in the notation of `when`. where: pieces of evidence that define a name, in place of the statement's
    own definition. bound: a bound on the mutual information, in the notation of `when`. option: which of several
    statements.
    """

    title: str
    paper: str
    when: str
    inputs: tuple[str, ...]
    least: Expr | None = None
    most: Expr | None = None
    rows: str = "of unit rows"
    of: Expr = ell[i]
    floor: Expr | None = None
    reached: str = ""
    where: tuple[str, ...] = ()
    bound: str = ""
    option: str = ""


# The parts of the sheet, and the card of each loss, in their order; formulas in the notation of the claims.
TEXT = """\
# Two views of one batch

infonce: InfoNCE, the anchor kept
    paper: report D1
    inputs: z
    when: To read, not to train with: aligned pairs keep at least half of their pull, and no loss falls below
        log 2 [M1, M3].
    least: log(2 + (N - 2) e^(-2/τ))
    most: log(1 + (N - 1) e^(2/τ))
    floor: log(2 + (N - 2) e^(-N/((N - 2) τ)))
    reached: a regular simplex, both views in one corner [M4]
    bound: log of twice the number of images minus the loss is at most the information, if both views have the
        same law [P3]

ntxent: NT-Xent
    paper: Chen et al. 2020, SimCLR
    inputs: w
    when: Two views of each image and no labels. How low it can go is set by the temperature and the number of
        negatives [M4].
    least: log(1 + (N - 2) e^(-2/τ))
    most: log(1 + (N - 2) e^(2/τ))
    floor: log(1 + (N - 2) e^(-N/((N - 2) τ)))
    reached: a regular simplex, both views in one corner [M4]
    bound: log of the number of images, less it, is at most the information [M25]

supcon: SupCon
    paper: Khosla et al. 2020
    inputs: w
    when: With labels: every other row of the class is a positive. A positive with more than its share of the
        probability is repelled [R6].
    least: log((N - nᶜ[i] - 1) e^(-2/τ) + nᶜ[i])
    where: F23 out
    bound: log of (number of negatives + 1) minus the loss is at most the information of one positive; with
        the mean inside the log, that of all together [R3]
    option: out

hard_negative: Debiased, hard negatives
    paper: Chuang et al. 2020; Robinson et al. 2021
    inputs: w
    when: Few classes, so that many negatives are of the anchor's own: subtracts them, and gives near ones
        more weight. At the clamp no negative is pushed [R5].
    least: log(1 + (N - 2) e^(-2/τ))
    most: log(1 + (N - 2) (e^(2/τ) - π⁺)/(1 - π⁺))

dcl: DCL, decoupled
    paper: Yeh et al. 2022
    inputs: w
    when: Small batches: a positive keeps its whole pull however near it is, where NT-Xent's fades [F3, R7].
    least: log(N - 2) - 2/τ
    most: log(N - 2) + 2/τ
    floor: log(N - 2) - N/((N - 2) τ)
    reached: a regular simplex, both views in one corner [M31]
    bound: none: it may be negative, and passes any bound [P4]

# Images and texts

clip: CLIP
    paper: Radford et al. 2021
    inputs: image, text
    when: Images with their texts, large batches: a softmax over the batch finds each image's text, and each
        text's image.
    least: log(1 + (B - 1) e^(-2/τ))
    most: log(1 + (B - 1) e^(2/τ))
    floor: log(1 + (B - 1) e^(-B/((B - 1) τ)))
    reached: a regular simplex, image and text in one corner [M30]
    where: M17 logits.where G
    bound: each direction is a cross-entropy over B candidates, as InfoNCE's over scores [P1]

siglip: SigLIP
    paper: Zhai et al. 2023
    inputs: image, text, bias
    when: The same without a softmax: no score meets another, so that a batch is cut over machines at will
        [F10].
    least: (B - 1) log(1 + e^(b - 1/τ)) + log(1 + e^(-b - 1/τ))
    most: (B - 1) log(1 + e^(b + 1/τ)) + log(1 + e^(1/τ - b))
    where: F10 error

dhn_nce: DHN-NCE
    paper: Koleilat et al. 2024
    inputs: image, text
    when: Few pairs, near negatives (medical images): decoupled, hard negatives weighed. An easy negative may
        be pulled [M21].
    least: log(B - 1) - 2/τ
    most: log(B - 1) + 2/τ
    floor: 2 log(B - 1) - 2 B/((B - 1) τ)
    reached: a regular simplex, image and text in one corner [M34]
    bound: none: it may be negative [P4]
    option: differentiated

# A query and its candidates

soft_targets: Soft targets
    paper: Hinton et al. 2015; Szegedy et al. 2016
    inputs: scores
    when: Several right candidates, label smoothing, or a teacher's probabilities for targets [F6, R14].
    rows: of any scores
    least: -Σ_a log(Yᵗ[i, a]) Yᵗ[i, a]
    where: F5 error

cpc: InfoNCE over scores
    paper: van den Oord et al. 2018, CPC
    inputs: scores
    when: Scores of any model, one right candidate in each row: the cross-entropy itself.
    rows: of any scores
    least: 0
    bound: {P1 bound}, of N candidates, drawn as [P1] says

instance: Instance discrimination
    paper: Wu et al. 2018
    inputs: v, bank
    when: Each image its own class, against a memory of all: K products for every query [D3.7].
    least: log(1 + (K - 1) e^(-2/τ))
    most: log(1 + (K - 1) e^(2/τ))

query_key: InfoNCE, query and keys
    paper: He et al. 2020, MoCo
    inputs: query, positive, negatives
    when: Negatives that are no anchors: a queue of older keys, or mined ones for each query.
    least: log(1 + M e^(-2/τ))
    most: log(1 + M e^(2/τ))
    bound: as InfoNCE over scores, where the keys are the present encoder's, drawn apart from the query; old
        or repeated ones may break it [P5]

# Distances and correlations

triplet: Triplet
    paper: Schroff et al. 2015, FaceNet
    inputs: anchor, positive, negative
    when: One negative, a margin, no temperature: the limit of a softmax over two candidates as τ → 0 [M13],
        plus a margin.
    rows: of any rows
    least: 0

alignment: Alignment
    paper: Wang and Isola 2020
    inputs: z1
    when: To measure how near the views are, or to train beside uniformity: alone it is minimal if all rows
        are equal.
    least: 0
    most: 2^αᵉ
    where: F12 log

byol: BYOL
    paper: Grill et al. 2020
    inputs: prediction
    when: No negatives: a predictor follows a slow copy of its own network, held constant [D3.42].
    rows: of any rows
    least: 0
    most: 4

uniformity: Uniformity
    paper: Wang and Isola 2020
    inputs: z
    when: To measure how evenly rows fill the sphere, or to train beside alignment [R16].
    of: 𝓛
    least: -4 t₀
    most: 0
    floor: -2 N t₀/(N - 1)
    reached: a regular simplex [R16]

barlow_twins: Barlow Twins
    paper: Zbontar et al. 2021
    inputs: z1
    when: Each feature equal in both views, and no two features correlated. With fewer rows than features it
        has a floor above 0 [R4].
    rows: of any rows
    of: 𝓛
    least: 0
    most: d λ₀ (d - 1) + 4 d
    where: F25 correlation, F26 error

simsiam: SimSiam
    paper: Chen and He 2021
    inputs: p1, z1
    when: The same without the slow copy, under a stop-gradient. A constant output has the least loss [D3.46].
    rows: of any rows
    least: -1
    most: 1

spectral: Spectral contrastive
    paper: HaoChen et al. 2021
    inputs: z1
    when: Polynomial, no temperature: in expectation it factorises the matrix of how often two views occur as
        a pair [R11].
    least: -2
    most: 3

vicreg: VICReg
    paper: Bardes et al. 2022
    inputs: z1
    when: Each view is kept spread out by itself, so the two encoders may differ. At exact collapse the
        gradient is 0 [R15].
    rows: of any rows
    of: 𝓛
    least: 0
    where: F27 spread, F27 covariance

# Against noise

nce: NCE
    paper: Gutmann and Hyvärinen 2010
    inputs: data_scores, noise_scores
    when: A density without its normaliser, against noise of which the density is known: a score that is a
        log-probability [M24].
    rows: of any scores
    of: 𝓛
    least: 0

instance_nce: Instance NCE
    paper: Wu et al. 2018
    inputs: v
    when: A memory too large for a softmax: m noise rows estimate its normaliser. It is InfoNCE against them,
        plus a nearly constant term [D3.17].
    rows: of any rows
    of: 𝓛
    least: log(2)
"""
HERE = given("i j < N; a < A; b real")


def _read_card(title: str, lines: Sequence[str]) -> LossCard:
    fields: dict[str, Any] = dict(line.strip().split(": ", 1) for line in lines)
    for name, value in fields.items():
        if name in ("of", "least", "most", "floor"):
            fields[name] = HERE.read(value)
        elif name in ("inputs", "where"):
            fields[name] = tuple(value.split(", "))
    return LossCard(title, **fields)


def _read_groups() -> dict[str, dict[str, LossCard]]:
    groups: dict[str, dict[str, LossCard]] = {}
    for part in TEXT.replace("\n        ", " ").strip().split("\n\n"):
        head, *lines = part.splitlines()
        if head.startswith("# "):
            groups[head.removeprefix("# ")] = cards = {}
        else:
            name, title = head.split(": ", 1)
            cards[name] = _read_card(title, lines)
    return groups


GROUPS = _read_groups()
CARDS = {name: card for group in GROUPS.values() for name, card in group.items()}
