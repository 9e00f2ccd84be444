"""A batch over several ranks: the gradient if gathered features carry theirs, and what is left if they do not."""

from collections.abc import Iterator
from fractions import Fraction

from ..common import rational
from ..common.pairs import positives
from ..evidence.kinds import Counterexample, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Base, Integers, UnitRows
from ..losses import infonce

RANKS = given(
    "i j k < N; l m < Γ; f Σ_g < d; p: N → N; p(i) ≠ i; ψ: N → Γ; Yʳ is 0 or 1; V[] real",
    *infonce.MASKED.names,
    # A rank's part of the sum over anchors, times Γ: the mean over its own rows, if all ranks have equally many.
    "𝓛ʳ[l] := Γ (Σ_i 1[ψ(i) = l] ℓ[i])/ν",
)
# The other row as the row's rank sees it: the constant y, unless it lies on the same rank.
SEEN = "(Yˢ[{i},{j}] z[{j},{f}] + (1 - Yˢ[{i},{j}]) y[{j},{f}])"
LOGITS = f"(Σ_g z[i,g] {SEEN.format(i='i', j='j', f='g')})/τ"
LOCAL = RANKS.also(f"L[i,j] := {LOGITS}")
AS_CANDIDATE = "Σ_i Yˢ[i,k] G[i,k] z[i,f]"
BY_SEEN = f"(Σ_j G[k,j] {SEEN.format(i='k', j='j', f='f')} + {AS_CANDIDATE})/(ν τ)"
BY_LOCAL = f"(Σ_j G[k,j] z[j,f] + {AS_CANDIDATE})/(ν τ)"
HELD = RANKS.only().also("y[j,f] := z[j,f]")  # the numbers that the ranks sent to one another

# Every rank computes the whole loss from its own rows and the received ones.
ON_ONE_RANK = "(Yʳ[{i}] z[{i},{f}] + (1 - Yʳ[{i}]) y[{i},{f}])"
OWN, OTHER, HERE = (ON_ONE_RANK.format(i=i, f=f) for i, f in ("ig", "jg", "jf"))
WHOLE = RANKS.also(f"L[i,j] := (Σ_g {OWN} {OTHER})/τ")
BY_WHOLE = f"Yʳ[k] (Σ_j (G[k,j] + G[j,k]) {HERE})/(ν τ)"
BY_ROW = infonce.BY_ROW


def steps(z: UnitRows, b: Fraction, ranks: Integers) -> Iterator[Finding]:
    """Along the sphere: ντ times the gradient of NT-Xent, and the corresponding sum over the local losses."""
    partner = positives(len(z))
    G = infonce.errors(z, b, partner, infonce.MASKED)
    local = [[Fraction(0)] * len(z) for _ in z]
    for row, errors in enumerate(G):
        for other, error in enumerate(errors):
            local[row][other] += error
            local[other][row] += error * (ranks[row] == ranks[other])
    pulls = [[rational.dot(weights, column) for column in zip(*z, strict=True)] for weights in local]
    full, pulls = (
        [rational.tangent(row, step) for row, step in zip(z, gradient, strict=True)]
        for gradient in (infonce.steepest(z, b, partner, infonce.MASKED), pulls)
    )
    along = sum(rational.dot(x, y) for x, y in zip(full, pulls, strict=True))
    yield Finding(along, "<", 0, ("(ντ)² times the product of the two gradients", ""))


claim("R2", "folklore", RANKS)(
    said_by="That with local losses the features of other ranks need no gradient is said and agreed to in issue 4"
    " of LIFT; issue 616 of open_clip has it that the two ways of gathering differ by the number of GPUs.",
    checked="Gathering features from other ranks without their gradient does more than scale the gradient. For"
    " local losses, where each rank has the loss of its own anchors, a step against the remaining gradient can"
    " raise the loss, «raises».",
    correction="$Y^s$ is 1 for two rows of one rank. A rank sees its own rows as variables and those of other ranks"
    " as numbers $y$: «local.where L». Summed over ranks the gradient is «local»; if $y$ has the numbers of"
    " $z$, «logits» as in the whole loss, it is «numbers». The gradient of the whole loss is «full», with"
    " «full.where L». The difference is «missing»: the terms of a row as a candidate of anchors on other"
    " ranks. Of $(G + G^T)Z$ only $GZ$ is left if nothing that is gathered has a gradient (M6). If every"
    " rank computes the whole loss instead, «whole.where L» with $Y^r$ at its own rows, its gradient is"
    " «whole»: the whole gradient for its own rows, nothing for others. The mean over $Γ$ ranks is «mean»,"
    " where $ψ(k)$ is the rank of row $k$: exactly this part of the gradient. Users have met the second"
    " case: issue 616 of open_clip, 30 of tevatron. We know no source for a step that raises the loss.",
    local=LOCAL(f"∂𝓛/∂z[k,f] = {BY_SEEN}"),
    logits=HELD(f"{LOGITS} = (Σ_f z[i,f] z[j,f])/τ"),
    numbers=HELD(f"{BY_SEEN} = {BY_LOCAL}"),
    full=infonce.MASKED(infonce.GRADIENT),
    missing=RANKS.only()(f"{BY_ROW} - {BY_LOCAL} = (Σ_i (1 - Yˢ[i,k]) G[i,k] z[i,f])/(ν τ)"),
    whole=WHOLE(f"∂𝓛/∂z[k,f] = {BY_WHOLE}"),
    mean=RANKS.only()(f"(Σ_l 1[ψ(k) = l] ({BY_ROW}))/Γ = ({BY_ROW})/Γ"),
    raises=lambda: Counterexample.at(
        "two ranks, on each the two views of an image",
        steps,
        z=UnitRows(rational.rows((20, 15), (-15, 20), (20, 15), (24, -7), by=25)),
        b=Base(21, 20),
        ranks=Integers([0, 1, 0, 1]),
    ),
)

BY_SHARE = "Γ (Σ_j (1[ψ(k) = l] G[k,j] + 1[ψ(j) = l] G[j,k]) z[j,f])/(ν τ)"
ALONG = f"Σ_f (Σ_m ({BY_ROW})) V[k,f]"

claim("R27", "proved", RANKS)(
    checked="A batch that $Γ$ ranks gather with its gradient has the gradient of one process, however the rows lie"
    " on the ranks. The backward pass of the gather adds up over the ranks what each wants of a row, and the ranks"
    " take the mean of their gradients. If every rank computes the whole loss, this leaves «whole» for every"
    " row. If each computes its share of the anchors, «share.where 𝓛ʳ», where $ψ(i)$ is the rank of row $i$, it"
    " wants of row $k$ «share», with «share.where L», and the mean leaves «shares». The mean of the shares is"
    " «losses», so a learned temperature has its gradient too. For one parameter of the encoder, along which"
    " all rows move by $V$, each rank goes back through its own rows alone, and the mean of what arrives is"
    " «encoder», the derivative of R12. Without the gradient of what was gathered, $1/Γ$ of the gradient is left"
    " in the first case, and in the second so little that a step can raise the loss: R2.",
    whole=RANKS.only()(f"(Σ_l ({BY_ROW}))/Γ = {BY_ROW}"),
    share=f"∂𝓛ʳ[l]/∂z[k,f] = {BY_SHARE}",
    shares=RANKS.only()(f"(Σ_l ({BY_SHARE}))/Γ = {BY_ROW}"),
    losses="(Σ_l 𝓛ʳ[l])/Γ = 𝓛",
    encoder=RANKS.only()(f"(Σ_l Σ_k 1[ψ(k) = l] ({ALONG}))/Γ = Σ_kf ({BY_ROW}) V[k,f]"),
)
