"""SigLIP's bias: its resting point, and the limits of one threshold for a whole batch."""

from collections.abc import Iterator

from mpmath import iv

from ..common import rational
from ..evidence.kinds import Example, Finding
from ..evidence.plain import claim, given
from ..evidence.points import Numbers, UnitRows

SIGLIP = given(
    "i j k m < B; b x u v real",
    "𝓛 := (Σ_i log(1 + e^(-L[i,i] - b)) + Σ_ij 1[i ≠ j] log(1 + e^(L[i,j] + b)))/ν",
)
CURVE = "(Σ_ij (e^(L[i,j] + b)/(1 + e^(L[i,j] + b))^2))/ν"
OTHERS = "(Σ_m 1[i ≠ m] e^((s[i,m] - s[i,i])/τ))"


def ranked(image: UnitRows, text: UnitRows, bases: Numbers) -> Iterator[Finding]:
    """Each positive is the best of its row and of its column, and one of them below a negative elsewhere."""
    scores = [[rational.dot(left, right) for right in text] for left in image]
    rivals = [
        [x for place in range(len(text)) if place != n for x in (scores[n][place], scores[place][n])]
        for n in range(len(image))
    ]
    for n, others in enumerate(rivals):
        yield Finding(scores[n][n], ">", max(others), (f"s_{n}{n}", "all others of its row and column"))
    yield Finding(scores[0][1], ">", scores[2][2], ("s_01", "s_22"))
    for b in bases:
        odds = sum(rational.exp(x - scores[n][n], b) for n, others in enumerate(rivals) for x in others)
        yield Finding(
            odds, "<", 12 / b**5, (f"the odds of CLIP's rows and columns where e^(1/25τ) is {b}", "")
        )


def start(bias: int) -> Finding:
    return Finding(1 + iv.exp(-bias), ">", 22027, (f"1 + e^(−b) for a b of {bias}", ""))


claim("R8", "proved from LEMMA", SIGLIP)(
    checked=r"SigLIP with the bias $b$ is «slope.where 𝓛». Its slope by the bias is «slope». The slope rises with"
    r" the bias, «curvature» and «convex». With a bias far below all logits every sigmoid is near 0 and the"
    r" slope negative; far above, every sigmoid is near 1 and the slope positive, if there is a negative. So"
    r" one bias is best: the one at which the sigmoids of all B² logits sum to B. At logits of 0 this is"
    r" «start.where b», as «start»; the usual start of -10 fits batches of e^10 + 1 pairs, «large». Take a"
    r" positive and a negative anywhere in the batch, $u$ and $v$ their logits with the bias: e to the sum"
    r" of their two terms is «two». If the negative scores at least as much, $v - u$ is not negative, and"
    r" $e^{v-u}$ is at least 1, as «even». The rest is positive, «rest», and so is every other term of the"
    r" loss, «term» and «term sign». So the loss is above $\log 2$ over $ν$, whatever the bias and the"
    r" temperature: SigLIP needs one threshold for the whole batch. CLIP needs one for each row and each"
    r" column: for a row it is «clip», which goes to 0 with $τ$ if the own text scores the most. «both»:"
    r" scores that CLIP drives to 0 as the temperature falls, and SigLIP cannot. Which rows let temperature and"
    r" bias drive SigLIP's loss to 0, those with a margin about one threshold, was shown in Global Minimizers of"
    r" Sigmoid Contrastive Loss (Bangachev et al., 2025); of the best bias and of $\log 2$ we know no source.",
    brief=r"A single negative that scores as much as a positive anywhere in the batch keeps SigLIP's loss above"
    r" $\log 2$ over the divisor $ν$ of its sum. For let $u$ be the positive's logit with the bias and $v$ the"
    r" negative's; e to the sum of their terms is «two», where $e^{v-u}$ is at least 1 and the rest is positive."
    r" With a negative one bias is best: the one at which the sigmoids of all logits sum to the number of pairs.",
    slope="∂𝓛/∂b = (Σ_ij (e^(L[i,j] + b)/(1 + e^(L[i,j] + b))) - B)/ν",
    curvature=f"∂(∂𝓛/∂b)/∂b = {CURVE}",
    convex=f"{CURVE} > 0",
    start=SIGLIP.also("b := -log(B - 1)")("Σ_ij (e^b/(1 + e^b)) = B"),
    large=lambda: Example.at("logits of 0", start, bias=-10),
    two="e^(log(1 + e^-u) + log(1 + e^v)) = 1 + e^(v - u) + e^-u + e^v",
    even="v - u ≤ e^(v - u) - 1 by log(e^(v - u))",
    rest="e^-u + e^v > 0",
    term="-log(1 + e^x) ≤ -e^x/(1 + e^x) by log(1/(1 + e^x))",
    term_sign="e^x/(1 + e^x) > 0",
    clip=f"log(Σ_m e^(s[i,m]/τ)) - s[i,i]/τ ≤ {OTHERS} by log(1 + {OTHERS})",
    both=lambda: Example.at(
        "three images and their texts",
        ranked,
        image=UnitRows(rational.rows((5, 0, 0), (4, 3, 0), (0, 0, 5))),
        text=UnitRows(rational.rows((5, 0, 0), (4, 3, 0), (0, -4, 3))),
        bases=Numbers([2, 4, 16]),
    ),
)
