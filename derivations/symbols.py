"""The one table of symbols: for each, its kind, LaTeX, word in code (if any), shape, and meaning.

The documents clash (N is 2B vectors in D1, the number of images in SimCLR; τ is a rate in BYOL; D4 calls the
temperature γ). Here N always counts rows, B pairs, and τ is always the temperature. Where two symbols have one
name, the first is meant in a text, unless the claim names the other.
"""

import re
from dataclasses import dataclass
from typing import Any

from sympy import Expr, IndexedBase, Symbol

from .prover.notation import quantities_of
from .prover.show import LETTERS


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


_KINDS: dict[str, tuple[type, dict[str, bool]]] = {
    "size": (Symbol, {"integer": True, "positive": True}),
    "number": (Symbol, {"real": True}),
    "number > 0": (Symbol, {"positive": True}),
    "number ≥ 0": (Symbol, {"nonnegative": True}),
    "array": (IndexedBase, {"real": True}),
    "array > 0": (IndexedBase, {"real": True, "positive": True}),
    "array ≥ 0": (IndexedBase, {"real": True, "nonnegative": True}),
    "map": (IndexedBase, {"integer": True}),
}

_ROWS = """\
N      size        N               rows            -          number of rows; of pairs of views, N = 2B
B      size        B               pairs           -          number of pairs of views
d      size        d               features        -          number of features of a row
A      size        A               candidates      -          number of candidates of an anchor, its positive among them
M      size        M               -               -          number of negatives, or of noise samples, of a row
K      size        K               -               -          number of rows of the memory bank, or of keys in the queue
ν      size        \\nu             reduction       -          divisor of the sum over rows: N for the mean, 1 for the sum
ω      array       \\omega          upstream        (N,)       weight of each row's loss, where rows have one
w      array       w               w               (N, d)     raw rows, none of them zero
‖w‖    array       \\lVert w{} \\rVert  norms           (N,)       length of a raw row
z      array       z               z               (N, d)     rows; unit rows where z = w/‖w‖
y      array       y               candidates      (A, d)     the candidates of an anchor
q      array       q               query           (N, d)     queries
k⁺     array       k^+             positive        (N, d)     the key that belongs to each query
k⁻     array       k^-             negatives       (N, M, d)  each query's own negative keys
k′     array       k'              negatives       (M, d)     negative keys that all queries share
v      array       v               v               (N, d)     features of a batch
b      array       b               bank            (K, d)     memory bank, one row for each sample of the data set
Y      array       Y               noise_index     (N, M, K)  1 where the noise sample of a row is that row of the bank
τ      number > 0  \\tau            temperature     -          temperature
p      map         p               positive        (N,)       p(i): the row that is the positive of row i
β      number > 0  \\beta           -               -          inverse temperature 1/τ
u      array       u               scores          (N, A)     score of each candidate of a context
u⁺     array       u^+             data_scores     (N,)       scores of the data: unnormalised log-probabilities
u′     array       u'              noise_scores    (N, M)     scores of the noise samples
λ      array       \\lambda         log_noise_data  (N,)       log of the noise's probability of each datum
λ′     array       \\lambda'        log_noise       (N, M)     the same of each noise sample
Ẑ      array > 0   \\hat Z          -               (Ω,)       estimate of the normaliser in each outcome of the draws
h      array       h               -               (N,)       posterior probability of being a datum, not noise
h′     array       h'              -               (N, M)     the same of each noise sample
s      array       s               similarity      (N, N)     cosine similarity of two rows
L      array       L               logits          (N, N)     logits: similarities divided by the temperature
L⁺     array       L^+             -               (N,)       the logit of each row's positive, if it has its own symbol
P      array       P               probabilities   (N, N)     softmax of each row of the logits
G      array       G               G               (N, N)     P minus 1 at the positive, or what its equation says
ℓ      array       \\ell            losses          (N,)       loss of one row
𝓛      number      \\mathcal{L}     value           -          the loss of the batch, from those of the rows
Pˢ     array       P^{s}           probabilities   (N, N)     softmax with the anchor in its own denominator
ℓˢ     array       \\ell^{s}        losses          (N,)       loss of one row, the anchor in its own denominator
Λ      number > 0  \\Lambda         -               -          least e^ℓ
Λˢ     number > 0  \\Lambda^{s}     -               -          least e^ℓˢ
Δ      number      \\Delta          -               -          its sign decides whether a harder negative adds more
π₁     number > 0  \\pi_1           -               -          probability of a datum before it is seen
π₀     number > 0  \\pi_0           -               -          probability of noise before it is seen
Pᵈ     array ≥ 0   P^{d}           -               (K,)       law of the data over the instances
Pⁿ     array ≥ 0   P^{n}           -               (K,)       law of the noise over the instances

# Other losses: their inputs, with the letters of their documents.
xᵃ     array       x^{a}           anchor          (N, d)     the anchor of each triplet
xᵖ     array       x^{p}           positive        (N, d)     a sample of the anchor's class
xⁿ     array       x^{n}           negative        (N, d)     a sample of another class
μ      number      \\mu             margin          -          how much further the negative has to be
α      array       \\alpha          -               (N,)       1 where the hinge of a triplet is open, 0 where it is shut
qθ     array       q^{\\theta}      prediction      (N, d)     prediction of BYOL's online network
z′     array       z'              target          (N, d)     projection of BYOL's target network, held constant
p<₁|₂>  array       p^{<1|2>}       p<1|2>          (N, d)     SimSiam's prediction of view <1|2>
z<₁|₂>  array       z^{<1|2>}       z<1|2>          (N, d)     SimSiam's projection of view <1|2>
z<₁|₂>′  array       {z'}^{<1|2>}    z<1|2>          (N, d)     SimSiam's projection, held constant, of view <1|2>

# For each of these rows its length and its unit row; for two adjacent rows their cosine.
‖qθ‖   array       \\lVert q^{\\theta}{} \\rVert  -               (N,)       length of qθ
q̄θ     array       \\bar{q}^{\\theta}  -               (N, d)     qθ divided by its length
‖z′‖   array       \\lVert z'{} \\rVert  -               (N,)       length of z′
z̄′     array       \\bar{z}'        -               (N, d)     z′ divided by its length
‖p₁‖   array       \\lVert p^{1}{} \\rVert  -               (N,)       length of p₁
p̄₁     array       \\bar{p}^{1}     -               (N, d)     p₁ divided by its length
‖p₂‖   array       \\lVert p^{2}{} \\rVert  -               (N,)       length of p₂
p̄₂     array       \\bar{p}^{2}     -               (N, d)     p₂ divided by its length
‖z₁‖   array       \\lVert z^{1}{} \\rVert  -               (N,)       length of z₁
z̄₁     array       \\bar{z}^{1}     -               (N, d)     z₁ divided by its length
‖z₂‖   array       \\lVert z^{2}{} \\rVert  -               (N,)       length of z₂
z̄₂     array       \\bar{z}^{2}     -               (N, d)     z₂ divided by its length
‖z₁′‖  array       \\lVert {z'}^{1}{} \\rVert  -               (N,)       length of z₁′
z̄₁′    array       {\\bar{z}'}^{1}  -               (N, d)     z₁′ divided by its length
‖z₂′‖  array       \\lVert {z'}^{2}{} \\rVert  -               (N,)       length of z₂′
z̄₂′    array       {\\bar{z}'}^{2}  -               (N, d)     z₂′ divided by its length
cos    array       \\cos            -               (N,)       cosine of a prediction and its target
cos′   array       \\cos′           -               (N,)       cosine of those of the other view
𝒟      array       \\mathcal{D}     -               (N,)       −cos, SimSiam's distance
𝒟′     array       \\mathcal{D}′    -               (N,)       −cos′, SimSiam's distance
ζ      number      \\zeta           -               -          rate of a moving average, 0 ≤ ζ ≤ 1; BYOL calls it τ, MoCo m
t      size        t               -               -          number of updates of a moving average
ξ      number      \\xi             -               -          a parameter of the target network, before the update
ξ⁺     number      \\xi^{+}         -               -          the same parameter after the update
ξ₀     number      \\xi_0           -               -          that parameter before the first update
κ      number      \\kappa          -               -          share of the start after t updates: ζᵗ
η      array       \\eta            -               (t,)       share of each update after t updates: ζᵗ⁻¹⁻ˢ
θ      array       \\theta          -               (t,)       that parameter of the online network at each update
θₜ     number      \\theta_t        -               -          the same at the newest update
ς      number > 0  \\varsigma       -               -          any factor > 0
χ      array       \\chi            -               (d,)       one row that is put out for every input
I      array       I               image           (B, d)     embeddings of the images
T      array       T               text            (B, d)     embeddings of the texts, in the order of their images
υ      number      \\upsilon        -               -          log(1/τ), which CLIP's code learns
Pᶜ     array       P^{c}           columns         (B, B)     softmax of each column of the logits

# DHN-NCE: of each two names the second belongs to the direction from text to image.
β₁     number ≥ 0  \\beta_1         beta1           -          hardness of the weights, from image to text, ≥ 0
β₂     number ≥ 0  \\beta_2         beta2           -          hardness of the weights, from text to image, ≥ 0
S      array       S               scores          (B, B)     inner products of every image with every text
O      array ≥ 0   O               -               (B, B)     1 where i ≠ j, of every negative, and 0 where i = j
o      map         o               -               (B,)       o(i) ≠ i: any one of the negatives of row i
W<|′>  array       W<|'>           -               (B, B)     weights of the negatives of a row, B − 1 together
Q<|′>  array       Q<|'>           -               (B, B)     share of each negative in the weighted sum of its row
ρ<|′>  array       \\rho<|'>       -               (B, B)     share of each negative in the weights of its row
ℓ′     array       \\ell'           losses          (B,)       loss of one text
V      array       V               losses          (B,)       loss of one image, in the stable form
𝟏      array       \\mathbf{1}      -               (B,)       1 for every row
I°     array       I^{\\circ}       image           (B, d)     the images as the weights hold them, constant
T°     array       T^{\\circ}       text            (B, d)     the texts as the weights hold them, constant
L°     array       L^{\\circ}       -               (B, B)     the logits as the weights hold them, constant
τ°     number > 0  \\tau^{\\circ}    temperature     -          the temperature in the weights, which are held constant

# DCLW: the weights of DCL's positives.
σ      number > 0  \\sigma          sigma           -          temperature of the weights of the positives
ρ⁺     array       \\rho^{+}        share           (N,)       softmax of the positives' cosines over σ, one for each row
W⁺     array       W^{+}           pull            (N,)       weight of each row's positive
G°     array       G^{\\circ}       -               (N, N)     G, but that the weights are held constant
w°     array       w^{\\circ}       w               (N, d)     the rows as the weights hold them, constant
s°     array       s^{\\circ}       -               (N,)       cosine of each row and its positive as the weights hold it, constant

# Discrete laws: the pairs of values that two variables take together, x and y, or x and its context c. Pairs
# of probability 0 are left out, as p log p goes to 0 with p; so are values that never occur.
V      size        V               -               -          number of pairs of values (x, y) that occur together
X      size        X               -               -          number of values of x
C      size        C               -               -          number of values of y, or of the context c
x      map         x               -               (V,)       x(i): the value of x in the pair i
X′     size        X'              -               -          number of values of the other view of x
c      map         c               -               (V,)       c(i): the value of y or c in the pair i
F      map         F               -               (V,)       F(i): the value of y that x = i determines
π      array > 0   \\pi             -               (V,)       positive weights: a law before it is divided by its sum
J      array > 0   J               joint           (V,)       joint law p(x, y) of the pairs
Jˣ     array > 0   J^{x}           -               (V,)       its marginal p(x), at each pair
Jʸ     array > 0   J^{y}           -               (V,)       its marginal p(y), at each pair
Π      array > 0   \\Pi             -               (V,)       the law p(x) p(y) of x and y drawn independently
ϰ      array       \\varkappa       -               (V, V)     1 where the x of one pair and the y of another never occur together, else 0, each pair being listed once
Jˣᐟʸ   array > 0   J^{x|y}         -               (V,)       conditional law p(x|y)
Jʸᐟˣ   array > 0   J^{y|x}         -               (V,)       conditional law p(y|x)
ℐ      number      \\mathcal{I}     mutual_information  -          mutual information I(X;Y)
Hˣ     number      H^{x}           entropy         -          entropy H(X)
Hʸ     number      H^{y}           entropy         -          entropy H(Y)
Hˣᐟʸ   number      H^{x|y}         conditional_entropy  -          entropy H(X|Y)
Hʸᐟˣ   number      H^{y|x}         conditional_entropy  -          entropy H(Y|X)

# Candidates: a list has a context and N candidates drawn independently of it. A draw is a list and an index
# into it, of a candidate that may belong to the context.
D      size        D               -               -          number of draws: lists, each with a place that the positive may have in it
Ω      size        \\Omega          -               -          number of lists of candidates, or of other outcomes
Λ      map         \\Lambda         -               (D,)       Λ(n): the list of the draw n
ι      map         \\iota           -               (D,)       ι(n): the pair that the positive makes
ω      array > 0   \\omega          -               (Ω,)       positive weights of the lists, or of other outcomes
R      array > 0   R               -               (Ω,)       law of the lists, candidates drawn independently of the context
ϱ      array > 0   \\varrho         -               (V,)       density ratio p(x, c)/(p(x) p(c)) of a pair
ϱ′     array > 0   \\varrho'        -               (V,)       the same up to a factor, which no pair changes
J′     array > 0   J'              -               (D,)       law of the draws
J″     array       J''             -               (V,)       law p(x, c) of the pair in a draw
Π′     array       \\Pi'            -               (V,)       law p(x) p(c) of a candidate, at any place of a list, and its context
φ      array > 0   \\varphi         -               (D,)       score f(x, c) > 0 of the positive
Φ      array > 0   \\Phi            -               (D,)       sum of the scores of its list, the positive's too
Ψ      array       \\Psi            -               (Ω,)       sum of the scores of a list
σ      array ≥ 0   \\sigma          -               (Ω,)       of this sum, the scores of those that cannot be the positive
ω′     array > 0   \\omega'         -               (D, Ω′)    positive weights of their second views
R′     array > 0   R'              -               (D, Ω′)    law of the second views of the negatives
Ω′     size        \\Omega'         -               -          number of outcomes of the second views of the negatives
σ′     array ≥ 0   \\sigma'         -               (D, Ω′)    sum of the scores of these second views
Φ′     array > 0   \\Phi'           -               (D, Ω′)    the same, the positive's score too
Λ′     map         \\Lambda'        -               (D, Ω′)    Λ′(n, a): the draw that the positive and the second views a make
Jᵛ     array ≥ 0   J^{v}           -               (D,)       law of these draws
ε      array ≥ 0   \\varepsilon     -               (D,)       by how much the anchor's own score is above the positive's
𝓛′     number      \\mathcal{L}'    -               -          the loss with the second views as negatives
𝓛ᵇ     number      \\mathcal{L}^{b}  -               -          the loss with both views as negatives: NT-Xent's
𝓛ˢ     number      \\mathcal{L}^{s}  -               -          the same, the anchor itself among the candidates: D1's

# The same law on finitely many values: a pair that occurs, and the others, drawn independently of it.
φˣ     array > 0   \\varphi^{x}     -               (X, C)     score f(x, c) > 0 of a value of x and one of c
σˣ     array ≥ 0   \\sigma^{x}      -               (C, Ω)     sum of the scores of the other candidates
Φˣ     array > 0   \\Phi^{x}        -               (V, V, Ω)  the same, with that of the x of one pair in the context of another
𝓛ᵃ     number      \\mathcal{L}^{a}  -               -          the loss of a pair and others that are drawn apart from it
P̄ˣ     number      \\bar P^{x}      -               -          mean share of the positive if it too is drawn apart from its context
Fˣ     array       F^{x}           -               (V, Ω, V)  any number that depends on one candidate, on the others and on one more
F̄ˣ     array       \\bar F^{x}      -               (V,)       the mean of its sum over the places of a list, one more candidate being given
φ′     array > 0   \\varphi'        -               (N,)       score f(x_l, c) > 0 of each candidate
γ      number > 0  \\gamma          -               -          a factor g(c) > 0 that depends on the context alone
ϖ      array       \\varpi          -               (N,)       log p(x_l) of each candidate
ϖ′     array ≥ 0   \\varpi'         -               (N,)       p(x_l | c) of each candidate, not its logarithm
r      array > 0   r               -               (N,)       density ratio p(x|c)/p(x) of each candidate
r′     array ≥ 0   r'              -               (N,)       the same of any sample, 0 where it cannot belong to c

# The rest of the family. If two losses appear together, the loss of each row has its own mark.
ℓᵈ     array       \\ell^{d}        losses          (N,)       loss of one row, its positive in no denominator

# Several positives of one anchor: the other view and others of its class.
Y⁺     array ≥ 0   Y^{+}           -               (N, A)     1 where a candidate is one more positive of the row
n⁺     array > 0   n^{+}           -               (N,)       number of positives of a row
ℓᵒᵘᵗ   array       \\ell^{out}      losses          (N,)       SupCon's loss of one row, the mean over its positives of the logarithms
ℓⁱⁿ    array       \\ell^{in}       losses          (N,)       SupCon's loss of one row, the mean over its positives within the logarithm
Yᵗ     array       Y^{t}           targets         (N, A)     the probability that a candidate ought to have

# A batch in groups: what each rank of a cluster holds, or each micro-batch.
Γ      size        \\Gamma          -               -          number of ranks, or of micro-batches
ψ      map         \\psi            -               (N,)       ψ(i): the rank, or the micro-batch, of row or candidate i
Yˢ     array       Y^{s}           -               (N, N)     1 where two rows lie on one rank, 0 elsewhere
Yʳ     array       Y^{r}           -               (N,)       1 where a row lies on the rank that computes, 0 elsewhere
𝓛ʳ     array       \\mathcal{L}^{r}  losses          (Γ,)       what a rank computes as its loss
ℓᵍ     array       \\ell^{g}        losses          (N, Γ)     loss of one row before the negatives of one group alone
s⁺     array       s^{+}           -               (N,)       score of each row's positive
δ      array ≥ 0   \\delta          -               (N, A)     by how much a candidate scores less than the positive

# Barlow Twins: features standardised over the batch, and assumptions on their correlations.
C      array       C               -               (d, d)     correlation of a feature of view 1 with one of view 2
e      array       e               -               (M, d)     orthonormal vectors in which every row of view 1 lies
R      array       R               -               (M, d)     coordinates of the correlations in it
Γᵉ     array       \\Gamma^{e}      -               (M, M)     inner products of these vectors

# The debiased loss: its estimate for a true negative, and the parts of the estimate.
g⁻     array       g^{-}           -               (N,)       estimate of the mean of e^L over true negatives
U      array       U               -               (N,)       mean of e^L over all negatives, weighed or not
θ⁺     number > 0  \\theta^{+}      -               -          odds of the anchor's class: π⁺/(1 − π⁺)
π⁺     number      \\pi^{+}         prior           -          probability of the anchor's class

# Several positives in one list: a draw is a list, with one of K places for all its positives.
Kᵖ     size        K^{p}           -               -          number of places that a list has for its positives
ωᵖ     array > 0   \\omega^{p}      -               (D,)       positive weights of the draws
ϱᵖ     array > 0   \\varrho^{p}     -               (D,)       density of a draw to that of its list and any place
rᵖ     array > 0   r^{p}           -               (D, M)     density ratio of each positive of a draw
𝓛ⁱⁿ    number      \\mathcal{L}^{in}  -               -          SupCon's loss with the mean within the logarithm
τ′     number      \\tau'           temperature     -          a temperature below τ
𝓛ᵝ     number      \\mathcal{L}^{\\beta}  -               -          slope of CLIP's loss by the scale that its logits have
ℓ₀     array       \\ell^{0}        -               (N,)       loss of one row before its logits change
O₀     array > 0   O^{0}           -               (N,)       e^ℓ − 1, the odds against the positive, before
P₀     array       P^{0}           -               (N, M)     probability of each negative before
ℓ₁     array       \\ell^{1}        -               (N,)       loss of one row after its logits change
O₁     array > 0   O^{1}           -               (N,)       e^ℓ − 1, the odds against the positive, after
P₁     array       P^{1}           -               (N, M)     probability of each negative after
ε̂      number > 0  \\hat\\varepsilon  -               -          the most that something may be off by
δ̂      array ≥ 0   \\hat\\delta      -               (N, M)     by how much less than the most each one is off
Δk     array       \\Delta k        -               (M, d)     how far each key is from what the present encoder makes of it
E      array > 0   E               -               (Ω, M)     e to a negative's logit less the positive's, in each outcome
Ē      array > 0   \\bar E          -               (M,)       the mean of this over the outcomes
E₀     number > 0  E_0             -               -          the least that this can be
E⁺     array ≥ 0   E^{+}           -               (Ω, M)     what it is more than the least
Oʳ     array > 0   O               -               (Ω,)       odds against the positive in each outcome
Ō      number > 0  \\bar O          -               -          the mean of the odds over the outcomes
Rˡ     number      \\ell^{\\max}     -               -          the largest loss that a row of cosines can have
tˡ     number      \\hat t          -               -          by how much a measured mean loss may be below its expectation
Jˡ     array > 0   J               -               (B, B)     share of each pair in the sum of e^L over all rows and columns
mʳ     array > 0   m^{r}           -               (B,)       share of each row
Kʳ     number      \\mathrm{KL}^{r}  -               -          divergence of equal shares from those of the rows
mᶜ     array > 0   m^{c}           -               (B,)       share of each column
Kᶜ     number      \\mathrm{KL}^{c}  -               -          divergence of equal shares from those of the columns
b      number      b               bias            -          SigLIP's bias, which is added to every logit
b′     number      b'              bias            -          another bias
J⁺     array ≥ 0   J^{+}           -               (X, X')    chance of two samples as a pair
Z°     number > 0  Z^{\\circ}       -               -          mean of e^u over x and c drawn independently
σ°     number ≥ 0  \\sigma^{\\circ}  -               -          contribution to it of the pairs that never occur
ℐ̂      number      \\hat{\\mathcal{I}}  value           -          estimate of the mutual information from scores
Yᶜ     array       Y^{c}           inside          (N, N)     1 where a score lies within SMILE's clip, 0 where beyond
uᶜ     array       u^{c}           clip            (N, N)     the end of SMILE's clip on a score's side
Ξ      number      \\Xi             -               -          mean of e^(−t‖z_i − z_j‖²) over the ordered pairs of rows i ≠ j
Ξ₀     number > 0  \\Xi_0           -               -          the least that this can be
Yᵏ     array ≥ 0   Y^{k}           keep            (N, A)     1 at each candidate that is kept in a row's denominator, 0 at one that is left out
Y⁻     array       Y^{-}           -               (N, A)     1 at each negative of a row
T⁺     array       T^{+}           -               (N,)       score at which a row's positive has the probability one half
sᵐ     array       s^{\\max}        -               (N,)       largest score of a row's negatives
M⁼     array > 0   M^{=}           effective_negatives  (N,)       negatives of an anchor in effect

# Losses of other papers, each stated on its own.
ε₀     number      \\varepsilon_0   -               -          weight that label smoothing spreads over all
Z<₁|₂>  array       {Z^{<1|2>}}     z<1|2>          (B, d)     rows of view <1|2>
yˢ     array       y^{\\pm}         -               (B, B)     1 for an image and its own text, −1 for any other
Σ̂      array       \\hat\\sigma      -               (B, B)     sigmoid of a logit and the bias: chance to be a pair
ψ°     array ≥ 0   \\psi^{\\circ}    -               (B,)       1 for a pair whose two rows differ, else 0
‖Δ‖²   array       \\lVert \\Delta{} \\rVert^2  -               (N, N)     squared distance of two rows, i and j
t₀     number > 0  t_0             t               -          how fast uniformity's kernel falls with distance
κ̂      array       \\hat\\kappa      -               (N, N)     share of each pair of rows in the sum of the kernel
Z̄<₁|₂>  array       {\\bar{Z}^{<1|2>}}  -               (d,)       mean of each column of view <1|2>
Z̃<₁|₂>  array       {\\tilde{Z}^{<1|2>}}  -               (B, d)     rows less the means of the columns of view <1|2>
σ<₁|₂>  array       {\\sigma^{<1|2>}}  -               (d,)       standard deviation of each column of view <1|2>
Ẑ<₁|₂>  array       {\\hat{Z}^{<1|2>}}  -               (B, d)     rows with every column of mean 0 and variance 1 of view <1|2>
λ₀     number      \\lambda_0       weight          -          weight of Barlow Twins' second term
S<₁|₂>  array       {S^{<1|2>}}     -               (d,)       VICReg's regularised standard deviation of each column of view <1|2>
Γ<₁|₂>  array       {\\Gamma^{<1|2>}}  -               (d, d)     covariance of two columns, over B − 1, of view <1|2>
η<₁|₂>  array ≥ 0   {\\eta^{<1|2>}}  -               (d,)       1 where the hinge of a column is open, else 0, of view <1|2>
ι₀     number      \\iota_0         invariance      -          weight of VICReg's invariance term
μ₀     number      \\mu_0           variance        -          weight of VICReg's variance term
ρ₀     number      \\rho_0          covariance      -          weight of VICReg's covariance term
γ₀     number      \\gamma_0        margin          -          VICReg's least standard deviation of a column
ε⁺     number > 0  \\varepsilon^{+}  epsilon         -          constant that VICReg adds to a variance, > 0
αᵉ     number > 0  \\alpha_0        exponent        -          power of the distance, in alignment
𝒴      array ≥ 0   \\mathcal{Y}     labels          (N, N)     1 where the rows i and j are of one class, else 0
Yᶜ     array ≥ 0   Y^{c}           labels          (N, N)     1 where row j is another of the class of row i, else 0
ψ⁺     array ≥ 0   \\psi^{+}        -               (N,)       1 for an anchor that has a positive, else 0
nᶜ     array       n^{c}           -               (N,)       number of positives of an anchor; 1 where there is none
Rᶜ     array       R^{c}           -               (N, N)     share of each positive in the sum of the positives of its row
c̃      map         \\tilde c        labels          (N,)       c(i): the class of row i
β₀     number ≥ 0  \\beta_0         beta            -          hardness of the weights of the negatives, ≥ 0
O⁻     array ≥ 0   O^{-}           -               (N, N)     1 for a negative, 0 for the row itself and its positive
R̂      array       \\hat R          -               (N,)       sum of the negatives of a row, as they are weighed
φ₀     number      \\varphi_0       -               -          least that the estimate of the negatives may be
N⁻     array       N^{-}           -               (N,)       estimate of the negatives of a row, its class taken off
φ⁻     array       \\varphi^{-}     -               (N,)       share of the floor, where it is taken, in e^ℓ
η⁻     array ≥ 0   \\eta^{-}        -               (N,)       1 where that estimate is above its floor, else 0

# Derivatives along a direction and along a second one (marked ′): the directions, and the derivatives of
# quantities along them.
ż<|′>  array       \\dot z<|'>     -               (N, d)     a <|second >direction of the rows; for raw rows, the derivative of the unit rows
ẇ<|′>  array       \\dot w<|'>     -               (N, d)     a <|second >direction of the raw rows
İ<|′>  array       \\dot I<|'>     -               (B, d)     a <|second >direction of the images
Ṫ<|′>  array       \\dot T<|'>     -               (B, d)     a <|second >direction of the texts
τ̇<|′>  number      \\dot \\tau<|'>  -               -          a <|second >direction of the temperature
ṡ<|′>  array       \\dot s<|'>     -               (N, N)     derivative of s along a <|second >direction
L̇<|′>  array       \\dot L<|'>     -               (N, N)     derivative of L along a <|second >direction
Ṗ<|′>  array       \\dot P<|'>     -               (N, N)     derivative of P along a <|second >direction
Ġ<|′>  array       \\dot G<|'>     -               (N, N)     derivative of G along a <|second >direction
H<|′>  array       H<|'>           -               (N, d)     derivative of the gradient by the rows along a <|second >direction
H₁<|′>  array       H<|'>^{1}       -               (B, d)     derivative of the gradient by the images along a <|second >direction
H₂<|′>  array       H<|'>^{2}       -               (B, d)     derivative of the gradient by the texts along a <|second >direction
H₃<|′>  number      H<|'>^{3}       -               -          derivative of the gradient by the temperature along a <|second >direction
"""  # noqa: E501


def declare(name: str, kind: str) -> Any:
    """Return the symbol or array with this name and of this kind."""
    make, signs = _KINDS[kind]
    return make(name, **signs)


def _expand(line: str) -> list[str]:
    """Return the rows that a line stands for: a line with <1|2> is two rows, one with 1 there and one with 2."""
    return [re.sub(r"<(.*?)\|(.*?)>", rf"\{place}", line) for place in (1, 2)] if "<" in line else [line]


def _read(line: str) -> Entry:
    """Read a row: its columns are separated by two blanks or more, and - is an empty one."""
    parts = ("" if part == "-" else part for part in re.split(" {2,}", line))
    name, kind, latex, word, shape, meaning = parts
    LETTERS[name] = latex
    return Entry(declare(name, kind), latex.replace("{}", ""), word, meaning, shape)


_LINES = [line for line in _ROWS.splitlines() if line and not line.startswith("#")]
TABLE = [_read(row) for line in _LINES for row in _expand(line)]
SIZES = {x.name: x.symbol for x in TABLE if isinstance(x.symbol, Symbol) and x.symbol.is_integer}
_FIRST, _LAST = {x.name: x.symbol for x in reversed(TABLE)}, {x.name: x.symbol for x in TABLE}


def take(names: str, table: dict[str, Any] = _FIRST) -> list[Any]:
    """Return the symbols with these names."""
    return [table[name] for name in names.split()]


# The symbols that Python code uses.
N, B, d, A, M, K, nu, omega, w, norm, z, v, b, Y, tau, p, u = take("N B d A M K ν ω w ‖w‖ z v b Y τ p u")
posterior, L, P, G, ell, loss, margin, active, prediction, target, p1 = take("h L P G ℓ 𝓛 μ α qθ z′ p₁")
p2, z1, z2, held1, held2, image, caption, beta1, off_diagonal, X, C = take("p₂ z₁ z₂ z₁′ z₂′ I T β₁ O X C")
x_of, c_of, weight, information, entropy_x, entropy_y, D, W, pair = take("x c π ℐ Hˣ Hʸ D Ω ι")
density_weight, score, value_score, others_score, loss_apart, mean_share = take("ϱ′ φ φˣ σˣ 𝓛ᵃ P̄ˣ")
target_share, prior_of_class, pair_chance, estimated, inside_clip, at_clip = take("Yᵗ π⁺ J⁺ ℐ̂ Yᶜ uᶜ")
differing, sharpness, redundancy, below1, below2, exponent, one_class = take("ψ° t₀ λ₀ η₁ η₂ αᵉ 𝒴")
counted, number, is_negative, above = take("ψ⁺ nᶜ O⁻ η⁻")
# The second of their names.
V, drawn, others_weight, rest, cross_correlation, siglip_bias = take("V Λ ω σ C b", _LAST)
# For each of these rows its length and its unit row.
_ROWS_OF_UNITS = (prediction, target, p1, p2, z1, z2, held1, held2)
LENGTHS = {rows: _FIRST[f"‖{rows}‖"] for rows in _ROWS_OF_UNITS}
UNITS = {rows: _FIRST[f"{str(rows)[0]}\u0304{str(rows)[1:]}"] for rows in _ROWS_OF_UNITS}

# Indices, all counted from 0: rows, candidates, features.
i, j, k, l, m, n, a = (Symbol(name, integer=True, nonnegative=True) for name in "ijklmna")
f, g, h = (Symbol(name, integer=True, nonnegative=True) for name in "fgh")

_NUMBERS = {entry.symbol: number for number, entry in enumerate(TABLE)}


def find_symbols(expression: Expr) -> set[int]:
    """Return the places in the table of an expression's symbols; the label of an indexed one is none of its own."""
    return {_NUMBERS[symbol] for symbol in quantities_of(expression) & _NUMBERS.keys()}
