"""The one table of symbols: for each, the letter of the documents, the word in code, its meaning, its shape.

The documents clash (N is 2B vectors in D1, the number of images in SimCLR; τ is a rate in BYOL; D4 calls the
temperature γ). Here N always counts rows, B pairs, and τ is always the temperature.
"""

from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from sympy import Basic, Indexed, IndexedBase, Symbol

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


TABLE: list[Entry] = []


def _enter(symbol, latex: str, meaning: str, shape: str = "", word: str = ""):
    TABLE.append(Entry(symbol, latex.replace("{}", ""), word, meaning, shape))
    LETTERS[str(symbol)] = latex
    return symbol


def _size(name: str) -> Symbol:
    return Symbol(name, integer=True, positive=True)


def _array(name: str, **assumptions: bool) -> IndexedBase:
    return IndexedBase(name, **({"real": True} | assumptions))


N = _enter(_size("N"), "N", "number of rows; of pairs of views, N = 2B", word="rows")
B = _enter(_size("B"), "B", "number of pairs of views", word="pairs")
d = _enter(_size("d"), "d", "number of features of a row", word="features")
A = _enter(_size("A"), "A", "number of candidates of an anchor, its positive among them", word="candidates")
M = _enter(_size("M"), "M", "number of negatives, or of noise samples, of a row")
K = _enter(_size("K"), "K", "number of rows of the memory bank, or of keys in the queue")
nu = _enter(
    _size("ν"), r"\nu", "divisor of the sum over rows: N for the mean, 1 for the sum", word="reduction"
)

omega = _enter(
    _array("ω"), r"\omega", "weight of each row's loss, where rows have one", "(N,)", word="upstream"
)

w = _enter(_array("w"), "w", "raw rows, none of them zero", "(N, d)", word="w")
norm = _enter(_array("‖w‖"), r"\lVert w{} \rVert", "length of a raw row", "(N,)", word="norms")
z = _enter(_array("z"), "z", "rows; unit rows where z = w/‖w‖", "(N, d)", word="z")
y = _enter(_array("y"), "y", "the candidates of an anchor", "(A, d)", word="candidates")
q = _enter(_array("q"), "q", "queries", "(N, d)", word="query")
key = _enter(_array("k⁺"), "k^+", "the key that belongs to each query", "(N, d)", word="positive")
others = _enter(_array("k⁻"), "k^-", "each query's own negative keys", "(N, M, d)", word="negatives")
queue = _enter(_array("k′"), "k'", "negative keys that all queries share", "(M, d)", word="negatives")
v = _enter(_array("v"), "v", "features of a batch", "(N, d)", word="v")
b = _enter(_array("b"), "b", "memory bank, one row for each sample of the data set", "(K, d)", word="bank")
Y = _enter(
    _array("Y"),
    "Y",
    "1 where the noise sample of a row is that row of the bank",
    "(N, M, K)",
    word="noise_index",
)
tau = _enter(Symbol("τ", positive=True), r"\tau", "temperature", word="temperature")
p = _enter(
    IndexedBase("p", integer=True),
    "p",
    "p(i): the row that is the positive of row i",
    "(N,)",
    word="positive",
)
beta = _enter(Symbol("β", positive=True), r"\beta", "inverse temperature 1/τ")

u = _enter(_array("u"), "u", "score of each candidate of a context", "(N, A)", word="scores")
u_data = _enter(
    _array("u⁺"), "u^+", "scores of the data: unnormalised log-probabilities", "(N,)", word="data_scores"
)
u_noise = _enter(_array("u′"), "u'", "scores of the noise samples", "(N, M)", word="noise_scores")
log_p = _enter(
    _array("λ"), r"\lambda", "log of the noise's probability of each datum", "(N,)", word="log_noise_data"
)
log_p_noise = _enter(_array("λ′"), r"\lambda'", "the same of each noise sample", "(N, M)", word="log_noise")
estimate = _enter(
    _array("Ẑ", positive=True), r"\hat Z", "estimate of the normaliser in each outcome of the draws", "(Ω,)"
)
posterior = _enter(_array("h"), "h", "posterior probability of being a datum, not noise", "(N,)")
posterior_noise = _enter(_array("h′"), "h'", "the same of each noise sample", "(N, M)")

s = _enter(_array("s"), "s", "cosine similarity of two rows", "(N, N)", word="similarity")
L = _enter(_array("L"), "L", "logits: similarities divided by the temperature", "(N, N)", word="logits")
L_positive = _enter(_array("L⁺"), "L^+", "the logit of each row's positive, if it has its own symbol", "(N,)")
P = _enter(_array("P"), "P", "softmax of each row of the logits", "(N, N)", word="probabilities")
G = _enter(_array("G"), "G", "P minus 1 at the positive, or what its equation says", "(N, N)", word="G")
ell = _enter(_array("ℓ"), r"\ell", "loss of one row", "(N,)", word="losses")
loss = _enter(
    Symbol("𝓛", real=True), r"\mathcal{L}", "the loss of the batch, from those of the rows", word="value"
)

P_self = _enter(
    _array("Pˢ"), "P^{s}", "softmax with the anchor in its own denominator", "(N, N)", word="probabilities"
)
ell_self = _enter(
    _array("ℓˢ"), r"\ell^{s}", "loss of one row, the anchor in its own denominator", "(N,)", word="losses"
)

level, level_self = (
    _enter(Symbol(f"Λ{mark}", positive=True), latex, f"least {which}")
    for mark, latex, which in (("", r"\Lambda", "e^ℓ"), ("ˢ", r"\Lambda^{s}", "e^ℓˢ"))
)
bracket = _enter(Symbol("Δ", real=True), r"\Delta", "its sign decides whether a harder negative adds more")
prior, prior_noise = (
    _enter(Symbol(f"π{mark}", positive=True), latex, f"probability of {of} before it is seen")
    for mark, latex, of in (("₁", r"\pi_1", "a datum"), ("₀", r"\pi_0", "noise"))
)
data_law, noise_law = (
    _enter(_array(f"P{mark}", nonnegative=True), latex, f"law of {of} over the instances", "(K,)")
    for mark, latex, of in (("ᵈ", "P^{d}", "the data"), ("ⁿ", "P^{n}", "the noise"))
)

# Other losses: their inputs, with the letters of their documents.
anchor = _enter(_array("xᵃ"), "x^{a}", "the anchor of each triplet", "(N, d)", word="anchor")
positive = _enter(_array("xᵖ"), "x^{p}", "a sample of the anchor's class", "(N, d)", word="positive")
negative = _enter(_array("xⁿ"), "x^{n}", "a sample of another class", "(N, d)", word="negative")
margin = _enter(Symbol("μ", real=True), r"\mu", "how much further the negative has to be", word="margin")
active = _enter(_array("α"), r"\alpha", "1 where the hinge of a triplet is open, 0 where it is shut", "(N,)")
prediction = _enter(
    _array("qθ"), r"q^{\theta}", "prediction of BYOL's online network", "(N, d)", word="prediction"
)
target = _enter(
    _array("z′"), "z'", "projection of BYOL's target network, held constant", "(N, d)", word="target"
)
p1, p2, z1, z2, held1, held2 = (
    _enter(_array(name), latex, f"{meaning} of view {name[1]}", "(N, d)", word=word)
    for name, latex, word, meaning in (
        ("p₁", "p^{1}", "p1", "SimSiam's prediction"),
        ("p₂", "p^{2}", "p2", "SimSiam's prediction"),
        ("z₁", "z^{1}", "z1", "SimSiam's projection"),
        ("z₂", "z^{2}", "z2", "SimSiam's projection"),
        ("z₁′", r"{z'}^{1}", "z1", "SimSiam's projection, held constant,"),
        ("z₂′", r"{z'}^{2}", "z2", "SimSiam's projection, held constant,"),
    )
)
# For each of these rows its length and its unit row; for two adjacent rows their cosine.
LENGTHS, UNITS = {}, {}
for _rows in (prediction, target, p1, p2, z1, z2, held1, held2):
    _name, _latex = str(_rows), LETTERS[str(_rows)]
    LENGTHS[_rows] = _enter(
        _array(f"‖{_name}‖"), rf"\lVert {_latex}{{}} \rVert", f"length of {_name}", "(N,)"
    )
    UNITS[_rows] = _enter(
        _array(f"{_name[0]}\u0304{_name[1:]}"),
        _latex.replace(_name[0], rf"\bar{{{_name[0]}}}"),
        f"{_name} divided by its length",
        "(N, d)",
    )
cos, cos_back = (
    _enter(_array(f"cos{prime}"), rf"\cos{prime}", f"cosine of {which}", "(N,)")
    for prime, which in (
        ("", "a prediction and its target"),
        ("′", "those of the other view"),
    )
)
distance, distance_back = (
    _enter(_array(f"𝒟{prime}"), rf"\mathcal{{D}}{prime}", f"−cos{prime}, SimSiam's distance", "(N,)")
    for prime in ("", "′")
)
rate = _enter(
    Symbol("ζ", real=True), r"\zeta", "rate of a moving average, 0 ≤ ζ ≤ 1; BYOL calls it τ, MoCo m"
)
steps = _enter(_size("t"), "t", "number of updates of a moving average")
average = _enter(Symbol("ξ", real=True), r"\xi", "a parameter of the target network, before the update")
updated = _enter(Symbol("ξ⁺", real=True), r"\xi^{+}", "the same parameter after the update")
start = _enter(Symbol("ξ₀", real=True), r"\xi_0", "that parameter before the first update")
share = _enter(Symbol("κ", real=True), r"\kappa", "share of the start after t updates: ζᵗ")
decay = _enter(_array("η"), r"\eta", "share of each update after t updates: ζᵗ⁻¹⁻ˢ", "(t,)")
online = _enter(_array("θ"), r"\theta", "that parameter of the online network at each update", "(t,)")
newest = _enter(Symbol("θₜ", real=True), r"\theta_t", "the same at the newest update")
stretch = _enter(Symbol("ς", positive=True), r"\varsigma", "any factor > 0")
same = _enter(_array("χ"), r"\chi", "one row that is put out for every input", "(d,)")
image = _enter(_array("I"), "I", "embeddings of the images", "(B, d)", word="image")
caption = _enter(
    _array("T"), "T", "embeddings of the texts, in the order of their images", "(B, d)", word="text"
)
log_scale = _enter(Symbol("υ", real=True), r"\upsilon", "log(1/τ), which CLIP's code learns")
columns = _enter(_array("Pᶜ"), "P^{c}", "softmax of each column of the logits", "(B, B)", word="columns")

# DHN-NCE: of each two names the second belongs to the direction from text to image.
beta1 = _enter(
    Symbol("β₁", nonnegative=True),
    r"\beta_1",
    "hardness of the weights, from image to text, ≥ 0",
    word="beta1",
)
beta2 = _enter(
    Symbol("β₂", nonnegative=True),
    r"\beta_2",
    "hardness of the weights, from text to image, ≥ 0",
    word="beta2",
)
S = _enter(_array("S"), "S", "inner products of every image with every text", "(B, B)", word="scores")
off_diagonal = _enter(
    _array("O", nonnegative=True), "O", "1 where i ≠ j, of every negative, and 0 where i = j", "(B, B)"
)
other = _enter(IndexedBase("o", integer=True), "o", "o(i) ≠ i: any one of the negatives of row i", "(B,)")
hardness, hardness_back, Q, Q_back, rho, rho_back = (
    _enter(_array(name + prime), letter + prime.replace("′", "'"), meaning, "(B, B)")
    for name, letter, meaning in (
        ("W", "W", "weights of the negatives of a row, B − 1 together"),
        ("Q", "Q", "share of each negative in the weighted sum of its row"),
        ("ρ", r"\rho", "share of each negative in the weights of its row"),
    )
    for prime in ("", "′")
)
ell_back = _enter(_array("ℓ′"), r"\ell'", "loss of one text", "(B,)", word="losses")
vectorised = _enter(_array("V"), "V", "loss of one image, in the stable form", "(B,)", word="losses")
ones = _enter(_array("𝟏"), r"\mathbf{1}", "1 for every row", "(B,)")
image_held = _enter(
    _array("I°"), r"I^{\circ}", "the images as the weights hold them, constant", "(B, d)", word="image"
)
caption_held = _enter(
    _array("T°"), r"T^{\circ}", "the texts as the weights hold them, constant", "(B, d)", word="text"
)
logits_held = _enter(_array("L°"), r"L^{\circ}", "the logits as the weights hold them, constant", "(B, B)")
tau_held = _enter(
    Symbol("τ°", positive=True),
    r"\tau^{\circ}",
    "the temperature in the weights, which are held constant",
    word="temperature",
)

# DCLW: the weights of DCL's positives.
width = _enter(
    Symbol("σ", positive=True), r"\sigma", "temperature of the weights of the positives", word="sigma"
)
positive_share = _enter(
    _array("ρ⁺"),
    r"\rho^{+}",
    "softmax of the positives' cosines over σ, one for each row",
    "(N,)",
    word="share",
)
positive_weight = _enter(_array("W⁺"), "W^{+}", "weight of each row's positive", "(N,)", word="pull")
error_held = _enter(_array("G°"), r"G^{\circ}", "G, but that the weights are held constant", "(N, N)")
w_held = _enter(_array("w°"), r"w^{\circ}", "the rows as the weights hold them, constant", "(N, d)", word="w")
positive_held = _enter(
    _array("s°"), r"s^{\circ}", "cosine of each row and its positive as the weights hold it, constant", "(N,)"
)

# Discrete laws: the pairs of values that two variables take together, x and y, or x and its context c. Pairs
# of probability 0 are left out, as p log p goes to 0 with p; so are values that never occur.
V = _enter(_size("V"), "V", "number of pairs of values (x, y) that occur together")
X = _enter(_size("X"), "X", "number of values of x")
C = _enter(_size("C"), "C", "number of values of y, or of the context c")
x_of = _enter(IndexedBase("x", integer=True), "x", "x(i): the value of x in the pair i", "(V,)")
X2 = _enter(_size("X′"), "X'", "number of values of the other view of x")
c_of = _enter(IndexedBase("c", integer=True), "c", "c(i): the value of y or c in the pair i", "(V,)")
function = _enter(IndexedBase("F", integer=True), "F", "F(i): the value of y that x = i determines", "(V,)")
weight = _enter(
    _array("π", positive=True), r"\pi", "positive weights: a law before it is divided by its sum", "(V,)"
)
joint = _enter(_array("J", positive=True), "J", "joint law p(x, y) of the pairs", "(V,)", word="joint")
joint_x = _enter(_array("Jˣ", positive=True), "J^{x}", "its marginal p(x), at each pair", "(V,)")
joint_y = _enter(_array("Jʸ", positive=True), "J^{y}", "its marginal p(y), at each pair", "(V,)")
apart = _enter(_array("Π", positive=True), r"\Pi", "the law p(x) p(y) of x and y drawn independently", "(V,)")
absent = _enter(
    _array("ϰ"),
    r"\varkappa",
    "1 where the x of one pair and the y of another never occur together, else 0, each pair being listed once",
    "(V, V)",
)
x_given_y = _enter(_array("Jˣᐟʸ", positive=True), "J^{x|y}", "conditional law p(x|y)", "(V,)")
y_given_x = _enter(_array("Jʸᐟˣ", positive=True), "J^{y|x}", "conditional law p(y|x)", "(V,)")
information = _enter(
    Symbol("ℐ", real=True), r"\mathcal{I}", "mutual information I(X;Y)", word="mutual_information"
)
entropy_x = _enter(Symbol("Hˣ", real=True), "H^{x}", "entropy H(X)", word="entropy")
entropy_y = _enter(Symbol("Hʸ", real=True), "H^{y}", "entropy H(Y)", word="entropy")
entropy_x_y = _enter(Symbol("Hˣᐟʸ", real=True), "H^{x|y}", "entropy H(X|Y)", word="conditional_entropy")
entropy_y_x = _enter(Symbol("Hʸᐟˣ", real=True), "H^{y|x}", "entropy H(Y|X)", word="conditional_entropy")

# Candidates: a list has a context and N candidates drawn independently of it. A draw is a list and an index
# into it, of a candidate that may belong to the context.
D = _enter(_size("D"), "D", "number of draws: lists, each with a place that the positive may have in it")
W = _enter(_size("Ω"), r"\Omega", "number of lists of candidates, or of other outcomes")
drawn = _enter(IndexedBase("Λ", integer=True), r"\Lambda", "Λ(n): the list of the draw n", "(D,)")
pair = _enter(IndexedBase("ι", integer=True), r"\iota", "ι(n): the pair that the positive makes", "(D,)")
others_weight = _enter(
    _array("ω", positive=True), r"\omega", "positive weights of the lists, or of other outcomes", "(Ω,)"
)
others_law = _enter(
    _array("R", positive=True), "R", "law of the lists, candidates drawn independently of the context", "(Ω,)"
)
density = _enter(
    _array("ϱ", positive=True), r"\varrho", "density ratio p(x, c)/(p(x) p(c)) of a pair", "(V,)"
)
density_weight = _enter(
    _array("ϱ′", positive=True), r"\varrho'", "the same up to a factor, which no pair changes", "(V,)"
)
draw_law = _enter(_array("J′", positive=True), "J'", "law of the draws", "(D,)")
pair_law = _enter(_array("J″"), "J''", "law p(x, c) of the pair in a draw", "(V,)")
pair_apart = _enter(
    _array("Π′"), r"\Pi'", "law p(x) p(c) of a candidate, at any place of a list, and its context", "(V,)"
)
score = _enter(_array("φ", positive=True), r"\varphi", "score f(x, c) > 0 of the positive", "(D,)")
scores = _enter(
    _array("Φ", positive=True), r"\Phi", "sum of the scores of its list, the positive's too", "(D,)"
)
list_scores = _enter(_array("Ψ"), r"\Psi", "sum of the scores of a list", "(Ω,)")
rest = _enter(
    _array("σ", nonnegative=True),
    r"\sigma",
    "of this sum, the scores of those that cannot be the positive",
    "(Ω,)",
)
second_weight, second_law = (
    _enter(_array("ω′", positive=True), r"\omega'", "positive weights of their second views", "(D, Ω′)"),
    _enter(_array("R′", positive=True), "R'", "law of the second views of the negatives", "(D, Ω′)"),
)
W2 = _enter(_size("Ω′"), r"\Omega'", "number of outcomes of the second views of the negatives")
rest_2 = _enter(
    _array("σ′", nonnegative=True), r"\sigma'", "sum of the scores of these second views", "(D, Ω′)"
)
scores_2 = _enter(_array("Φ′", positive=True), r"\Phi'", "the same, the positive's score too", "(D, Ω′)")
second_drawn = _enter(
    IndexedBase("Λ′", integer=True),
    r"\Lambda'",
    "Λ′(n, a): the draw that the positive and the second views a make",
    "(D, Ω′)",
)
second_draw_law = _enter(_array("Jᵛ", nonnegative=True), "J^{v}", "law of these draws", "(D,)")
lift = _enter(
    _array("ε", nonnegative=True),
    r"\varepsilon",
    "by how much the anchor's own score is above the positive's",
    "(D,)",
)
loss_2, loss_both, loss_self = (
    _enter(Symbol(name, real=True), latex, meaning)
    for name, latex, meaning in (
        ("𝓛′", r"\mathcal{L}'", "the loss with the second views as negatives"),
        ("𝓛ᵇ", r"\mathcal{L}^{b}", "the loss with both views as negatives: NT-Xent's"),
        ("𝓛ˢ", r"\mathcal{L}^{s}", "the same, the anchor itself among the candidates: D1's"),
    )
)
# The same law on finitely many values: a pair that occurs, and the others, drawn independently of it.
value_score = _enter(
    _array("φˣ", positive=True), r"\varphi^{x}", "score f(x, c) > 0 of a value of x and one of c", "(X, C)"
)
others_score = _enter(
    _array("σˣ", nonnegative=True), r"\sigma^{x}", "sum of the scores of the other candidates", "(C, Ω)"
)
all_scores = _enter(
    _array("Φˣ", positive=True),
    r"\Phi^{x}",
    "the same, with that of the x of one pair in the context of another",
    "(V, V, Ω)",
)
loss_apart = _enter(
    Symbol("𝓛ᵃ", real=True), r"\mathcal{L}^{a}", "the loss of a pair and others that are drawn apart from it"
)
mean_share = _enter(
    Symbol("P̄ˣ", real=True),
    r"\bar P^{x}",
    "mean share of the positive if it too is drawn apart from its context",
)
of_one, of_places = (
    _enter(_array(name), latex, meaning, shape)
    for name, latex, meaning, shape in (
        (
            "Fˣ",
            "F^{x}",
            "any number that depends on one candidate, on the others and on one more",
            "(V, Ω, V)",
        ),
        (
            "F̄ˣ",
            r"\bar F^{x}",
            "the mean of its sum over the places of a list, one more candidate being given",
            "(V,)",
        ),
    )
)
candidate = _enter(_array("φ′", positive=True), r"\varphi'", "score f(x_l, c) > 0 of each candidate", "(N,)")
g_of_c = _enter(Symbol("γ", positive=True), r"\gamma", "a factor g(c) > 0 that depends on the context alone")
log_p_x = _enter(_array("ϖ"), r"\varpi", "log p(x_l) of each candidate", "(N,)")
p_x_c = _enter(
    _array("ϖ′", nonnegative=True), r"\varpi'", "p(x_l | c) of each candidate, not its logarithm", "(N,)"
)
ratio = _enter(_array("r", positive=True), "r", "density ratio p(x|c)/p(x) of each candidate", "(N,)")
any_ratio = _enter(
    _array("r′", nonnegative=True), "r'", "the same of any sample, 0 where it cannot belong to c", "(N,)"
)

# The rest of the family. If two losses appear together, the loss of each row has its own mark.
ell_decoupled = _enter(
    _array("ℓᵈ"), r"\ell^{d}", "loss of one row, its positive in no denominator", "(N,)", word="losses"
)

# Several positives of one anchor: the other view and others of its class.
also_positive = _enter(
    _array("Y⁺", nonnegative=True), "Y^{+}", "1 where a candidate is one more positive of the row", "(N, A)"
)
count = _enter(_array("n⁺", positive=True), "n^{+}", "number of positives of a row", "(N,)")
ell_out, ell_in = (
    _enter(
        _array(name),
        latex,
        f"SupCon's loss of one row, the mean over its positives {where}",
        "(N,)",
        word="losses",
    )
    for name, latex, where in (
        ("ℓᵒᵘᵗ", r"\ell^{out}", "of the logarithms"),
        ("ℓⁱⁿ", r"\ell^{in}", "within the logarithm"),
    )
)
target_share = _enter(
    _array("Yᵗ"), "Y^{t}", "the probability that a candidate ought to have", "(N, A)", word="targets"
)
# A batch in groups: what each rank of a cluster holds, or each micro-batch.
groups = _enter(_size("Γ"), r"\Gamma", "number of ranks, or of micro-batches")
group = _enter(
    IndexedBase("ψ", integer=True),
    r"\psi",
    "ψ(i): the rank, or the micro-batch, of row or candidate i",
    "(N,)",
)
same_rank, mine = (
    _enter(_array(name), latex, f"1 where {where}, 0 elsewhere", shape)
    for name, latex, where, shape in (
        ("Yˢ", "Y^{s}", "two rows lie on one rank", "(N, N)"),
        ("Yʳ", "Y^{r}", "a row lies on the rank that computes", "(N,)"),
    )
)

rank_loss = _enter(
    _array("𝓛ʳ"), r"\mathcal{L}^{r}", "what a rank computes as its loss", "(Γ,)", word="losses"
)
ell_group = _enter(
    _array("ℓᵍ"),
    r"\ell^{g}",
    "loss of one row before the negatives of one group alone",
    "(N, Γ)",
    word="losses",
)
own_score = _enter(_array("s⁺"), "s^{+}", "score of each row's positive", "(N,)")
short = _enter(
    _array("δ", nonnegative=True),
    r"\delta",
    "by how much a candidate scores less than the positive",
    "(N, A)",
)
# Barlow Twins: features standardised over the batch, and assumptions on their correlations.
cross_correlation = _enter(
    _array("C"), "C", "correlation of a feature of view 1 with one of view 2", "(d, d)"
)
basis = _enter(_array("e"), "e", "orthonormal vectors in which every row of view 1 lies", "(M, d)")
coordinates = _enter(_array("R"), "R", "coordinates of the correlations in it", "(M, d)")
gram = _enter(_array("Γᵉ"), r"\Gamma^{e}", "inner products of these vectors", "(M, M)")
# The debiased loss: its estimate for a true negative, and the parts of the estimate.
true_negative = _enter(_array("g⁻"), "g^{-}", "estimate of the mean of e^L over true negatives", "(N,)")
mean_negative = _enter(_array("U"), "U", "mean of e^L over all negatives, weighed or not", "(N,)")
odds_of_class = _enter(Symbol("θ⁺", positive=True), r"\theta^{+}", "odds of the anchor's class: τ⁺/(1 − τ⁺)")
prior_of_class = _enter(
    Symbol("τ⁺", real=True), r"\tau^{+}", "probability of the anchor's class", word="prior"
)
# Several positives in one list: a draw is a list, with one of K places for all its positives.
places = _enter(_size("Kᵖ"), "K^{p}", "number of places that a list has for its positives")
positives_weight = _enter(_array("ωᵖ", positive=True), r"\omega^{p}", "positive weights of the draws", "(D,)")
positives_density = _enter(
    _array("ϱᵖ", positive=True), r"\varrho^{p}", "density of a draw to that of its list and any place", "(D,)"
)
each_density = _enter(
    _array("rᵖ", positive=True), "r^{p}", "density ratio of each positive of a draw", "(D, M)"
)
loss_in = _enter(
    Symbol("𝓛ⁱⁿ", real=True), r"\mathcal{L}^{in}", "SupCon's loss with the mean within the logarithm"
)
colder = _enter(Symbol("τ′", real=True), r"\tau'", "a temperature below τ", word="temperature")
slope_of_clip = _enter(
    Symbol("𝓛ᵝ", real=True), r"\mathcal{L}^{\beta}", "slope of CLIP's loss by the scale that its logits have"
)
(ell_before, odds_before, P_before), (ell_after, odds_after, P_after) = (
    (
        _enter(_array(f"ℓ{mark}"), rf"\ell^{{{which}}}", f"loss of one row {when} its logits change", "(N,)"),
        _enter(
            _array(f"O{mark}", positive=True),
            f"O^{{{which}}}",
            f"e^ℓ − 1, the odds against the positive, {when}",
            "(N,)",
        ),
        _enter(_array(f"P{mark}"), f"P^{{{which}}}", f"probability of each negative {when}", "(N, M)"),
    )
    for mark, which, when in (("₀", "0", "before"), ("₁", "1", "after"))
)
most = _enter(Symbol("ε̂", positive=True), r"\hat\varepsilon", "the most that something may be off by")
below_most = _enter(
    _array("δ̂", nonnegative=True), r"\hat\delta", "by how much less than the most each one is off", "(N, M)"
)
drift = _enter(
    _array("Δk"), r"\Delta k", "how far each key is from what the present encoder makes of it", "(M, d)"
)
lead, lead_mean, lead_least, lead_more = (
    _enter(symbol, latex, meaning, shape)
    for symbol, latex, meaning, shape in (
        (
            _array("E", positive=True),
            "E",
            "e to a negative's logit less the positive's, in each outcome",
            "(Ω, M)",
        ),
        (_array("Ē", positive=True), r"\bar E", "the mean of this over the outcomes", "(M,)"),
        (Symbol("E₀", positive=True), "E_0", "the least that this can be", ""),
        (_array("E⁺", nonnegative=True), "E^{+}", "what it is more than the least", "(Ω, M)"),
    )
)
odds_drawn, odds_mean = (
    _enter(_array("Oʳ", positive=True), "O", "odds against the positive in each outcome", "(Ω,)"),
    _enter(Symbol("Ō", positive=True), r"\bar O", "the mean of the odds over the outcomes"),
)
span = _enter(Symbol("Rˡ", real=True), r"\ell^{\max}", "the largest loss that a row of cosines can have")
doubt_margin = _enter(
    Symbol("tˡ", real=True), r"\hat t", "by how much a measured mean loss may be below its expectation"
)
joint_share = _enter(
    _array("Jˡ", positive=True),
    "J",
    "share of each pair in the sum of e^L over all rows and columns",
    "(B, B)",
)
(row_mass, unevenness_of_rows), (column_mass, unevenness_of_columns) = (
    (
        _enter(_array(f"m{mark}", positive=True), f"m^{{{mark_in_print}}}", f"share of each {line}", "(B,)"),
        _enter(
            Symbol(f"K{mark}", real=True),
            rf"\mathrm{{KL}}^{{{mark_in_print}}}",
            f"divergence of equal shares from those of the {line}s",
        ),
    )
    for mark, mark_in_print, line in (("ʳ", "r", "row"), ("ᶜ", "c", "column"))
)
siglip_bias = _enter(Symbol("b", real=True), "b", "SigLIP's bias, which is added to every logit", word="bias")
siglip_bias_gapped = _enter(Symbol("b′", real=True), "b'", "another bias", word="bias")
pair_chance = _enter(_array("J⁺", nonnegative=True), "J^{+}", "chance of two samples as a pair", "(X, X')")
partition = _enter(Symbol("Z°", positive=True), r"Z^{\circ}", "mean of e^u over x and c drawn independently")
elsewhere = _enter(
    Symbol("σ°", nonnegative=True), r"\sigma^{\circ}", "contribution to it of the pairs that never occur"
)
estimated = _enter(
    Symbol("ℐ̂", real=True),
    r"\hat{\mathcal{I}}",
    "estimate of the mutual information from scores",
    word="value",
)
inside_clip = _enter(
    _array("Yᶜ"), "Y^{c}", "1 where a score lies within SMILE's clip, 0 where beyond", "(N, N)", word="inside"
)
at_clip = _enter(_array("uᶜ"), "u^{c}", "the end of SMILE's clip on a score's side", "(N, N)", word="clip")
kernel, least_kernel = (
    _enter(Symbol(name, **signs), latex, meaning)
    for name, signs, latex, meaning in (
        ("Ξ", {"real": True}, r"\Xi", "mean of e^(−t‖z_i − z_j‖²) over the ordered pairs of rows i ≠ j"),
        ("Ξ₀", {"positive": True}, r"\Xi_0", "the least that this can be"),
    )
)
kept = _enter(
    _array("Yᵏ", nonnegative=True),
    "Y^{k}",
    "1 at each candidate that is kept in a row's denominator, 0 at one that is left out",
    "(N, A)",
    word="keep",
)
negative_here = _enter(_array("Y⁻"), "Y^{-}", "1 at each negative of a row", "(N, A)")
bar = _enter(_array("T⁺"), "T^{+}", "score at which a row's positive has the probability one half", "(N,)")
largest_score = _enter(_array("sᵐ"), r"s^{\max}", "largest score of a row's negatives", "(N,)")
effective = _enter(
    _array("M⁼", positive=True),
    "M^{=}",
    "negatives of an anchor in effect",
    "(N,)",
    word="effective_negatives",
)

# Losses of other papers, each stated on its own.
smoothing = _enter(Symbol("ε₀", real=True), r"\varepsilon_0", "weight that label smoothing spreads over all")
view1, view2 = (
    _enter(_array(f"Z{mark}"), f"{{Z^{{{which}}}}}", f"rows of view {which}", "(B, d)", word=f"z{which}")
    for mark, which in (("₁", 1), ("₂", 2))
)
pair_sign = _enter(_array("yˢ"), r"y^{\pm}", "1 for an image and its own text, −1 for any other", "(B, B)")
chance = _enter(_array("Σ̂"), r"\hat\sigma", "sigmoid of a logit and the bias: chance to be a pair", "(B, B)")
differing = _enter(
    _array("ψ°", nonnegative=True), r"\psi^{\circ}", "1 for a pair whose two rows differ, else 0", "(B,)"
)
squared = _enter(
    _array("‖Δ‖²"), r"\lVert \Delta{} \rVert^2", "squared distance of two rows, i and j", "(N, N)"
)
sharpness = _enter(
    Symbol("t₀", positive=True), "t_0", "how fast uniformity's kernel falls with distance", word="t"
)
closeness = _enter(
    _array("κ̂"), r"\hat\kappa", "share of each pair of rows in the sum of the kernel", "(N, N)"
)
mean1, mean2, centred1, centred2, deviation1, deviation2, standard1, standard2 = (
    _enter(_array(f"{name}{mark}"), f"{{{letter}^{{{which}}}}}", f"{meaning} of view {which}", shape)
    for name, letter, meaning, shape in (
        ("Z̄", r"\bar{Z}", "mean of each column", "(d,)"),
        ("Z̃", r"\tilde{Z}", "rows less the means of the columns", "(B, d)"),
        ("σ", r"\sigma", "standard deviation of each column", "(d,)"),
        ("Ẑ", r"\hat{Z}", "rows with every column of mean 0 and variance 1", "(B, d)"),
    )
    for mark, which in (("₁", 1), ("₂", 2))
)
redundancy = _enter(
    Symbol("λ₀", real=True), r"\lambda_0", "weight of Barlow Twins' second term", word="weight"
)
spread1, spread2, covariance1, covariance2, below1, below2 = (
    _enter(_array(f"{name}{mark}", **signs), f"{{{letter}^{{{which}}}}}", f"{meaning} of view {which}", shape)
    for name, letter, signs, meaning, shape in (
        ("S", "S", {}, "VICReg's regularised standard deviation of each column", "(d,)"),
        ("Γ", r"\Gamma", {}, "covariance of two columns, over B − 1,", "(d, d)"),
        ("η", r"\eta", {"nonnegative": True}, "1 where the hinge of a column is open, else 0,", "(d,)"),
    )
    for mark, which in (("₁", 1), ("₂", 2))
)
invariance_weight, variance_weight, covariance_weight = (
    _enter(Symbol(f"{name}₀", real=True), rf"{letter}_0", f"weight of VICReg's {word} term", word=word)
    for name, letter, word in (
        ("ι", r"\iota", "invariance"),
        ("μ", r"\mu", "variance"),
        ("ρ", r"\rho", "covariance"),
    )
)
limit = _enter(
    Symbol("γ₀", real=True), r"\gamma_0", "VICReg's least standard deviation of a column", word="margin"
)
epsilon = _enter(
    Symbol("ε⁺", positive=True),
    r"\varepsilon^{+}",
    "constant that VICReg adds to a variance, > 0",
    word="epsilon",
)
exponent = _enter(
    Symbol("αᵉ", positive=True), r"\alpha_0", "power of the distance, in alignment", word="exponent"
)
one_class = _enter(
    _array("𝒴", nonnegative=True),
    r"\mathcal{Y}",
    "1 where the rows i and j are of one class, else 0",
    "(N, N)",
    word="labels",
)
selected = _enter(
    _array("Yᶜ", nonnegative=True),
    "Y^{c}",
    "1 where row j is another of the class of row i, else 0",
    "(N, N)",
    word="labels",
)
counted = _enter(
    _array("ψ⁺", nonnegative=True), r"\psi^{+}", "1 for an anchor that has a positive, else 0", "(N,)"
)
number = _enter(_array("nᶜ"), "n^{c}", "number of positives of an anchor; 1 where there is none", "(N,)")
share_selected = _enter(
    _array("Rᶜ"), "R^{c}", "share of each positive in the sum of the positives of its row", "(N, N)"
)
label = _enter(IndexedBase("c̃", integer=True), r"\tilde c", "c(i): the class of row i", "(N,)", word="labels")
hardness_power = _enter(
    Symbol("β₀", nonnegative=True), r"\beta_0", "hardness of the weights of the negatives, ≥ 0", word="beta"
)
is_negative = _enter(
    _array("O⁻", nonnegative=True),
    "O^{-}",
    "1 for a negative, 0 for the row itself and its positive",
    "(N, N)",
)
reweighed = _enter(_array("R̂"), r"\hat R", "sum of the negatives of a row, as they are weighed", "(N,)")
floor = _enter(Symbol("φ₀", real=True), r"\varphi_0", "least that the estimate of the negatives may be")
estimated_negatives = _enter(
    _array("N⁻"), "N^{-}", "estimate of the negatives of a row, its class taken off", "(N,)"
)
floored = _enter(_array("φ⁻"), r"\varphi^{-}", "share of the floor, where it is taken, in e^ℓ", "(N,)")
above = _enter(
    _array("η⁻", nonnegative=True), r"\eta^{-}", "1 where that estimate is above its floor, else 0", "(N,)"
)


def _dot(name: str) -> str:
    """Compose the name and a combining dot into one letter, if Unicode has it."""
    return normalize("NFC", f"{name}\u0307")


# Derivatives along a direction and along a second one (marked ′): the directions, and the derivatives of
# quantities along them.
(
    (z_dot, z_dot2),
    (w_dot, w_dot2),
    (image_dot, image_dot2),
    (caption_dot, caption_dot2),
    (tau_dot, tau_dot2),
) = (
    tuple(
        _enter(
            Symbol(f"{_dot(name)}{mark}", real=True) if shape == "" else _array(f"{_dot(name)}{mark}"),
            rf"\dot {letter}{prime}",
            f"{which} direction of {meaning}",
            shape,
        )
        for mark, prime, which in (("", "", "a"), ("′", "'", "a second"))
    )
    for name, letter, meaning, shape in (
        ("z", "z", "the rows; for raw rows, the derivative of the unit rows", "(N, d)"),
        ("w", "w", "the raw rows", "(N, d)"),
        ("I", "I", "the images", "(B, d)"),
        ("T", "T", "the texts", "(B, d)"),
        ("τ", r"\tau", "the temperature", ""),
    )
)
(s_dot, s_dot2), (L_dot, L_dot2), (P_dot, P_dot2), (G_dot, G_dot2) = (
    tuple(
        _enter(
            _array(f"{_dot(name)}{mark}"),
            rf"\dot {name}{prime}",
            f"derivative of {name} along {which}",
            "(N, N)",
        )
        for mark, prime, which in (("", "", "a direction"), ("′", "'", "a second direction"))
    )
    for name in "sLPG"
)
(
    (product, product2),
    (product_image, product_image2),
    (product_text, product_text2),
    (product_tau, product_tau2),
) = (
    tuple(
        _enter(
            Symbol(f"H{name}{mark}", real=True) if shape == "" else _array(f"H{name}{mark}"),
            f"H{prime}{letter}",
            f"derivative of the gradient by {of} along {which}",
            shape,
        )
        for mark, prime, which in (("", "", "a direction"), ("′", "'", "a second direction"))
    )
    for name, letter, of, shape in (
        ("", "", "the rows", "(N, d)"),
        ("₁", "^{1}", "the images", "(B, d)"),
        ("₂", "^{2}", "the texts", "(B, d)"),
        ("₃", "^{3}", "the temperature", ""),
    )
)

# Indices, all counted from 0: rows, candidates, features.
i, j, k, l, m, n, a = (Symbol(name, integer=True, nonnegative=True) for name in "ijklmna")
f, g, h = (Symbol(name, integer=True, nonnegative=True) for name in "fgh")

_ENTERED = {entry.symbol for entry in TABLE}


def find_symbols(expression: Basic) -> set[Any]:
    """Return the table's symbols in an expression; the label of an indexed symbol is not one of its own."""
    indexed = {node.base for node in expression.atoms(Indexed)}
    return (indexed | (expression.atoms(Symbol) - {base.label for base in indexed})) & _ENTERED
