"""The Hessian of InfoNCE, NT-Xent and CLIP by a direction, from products of matrices of the gradient's size.

A dot is for what changes along the direction, a prime for a second direction and what changes along that.
"""

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ..evidence.kinds import Evidence
from ..evidence.plain import Given, claim, given
from ..losses import clip, infonce, ntxent


class Input(NamedTuple):
    """An input of a loss: an entry such as z[k,f], or τ. dot: that entry of the direction. gradient: by the entry.
    product: that entry of the product.
    """

    entry: str
    dot: str
    gradient: str
    product: str

    def along(self, form: str) -> str:
        """The derivative of an expression along this part of the direction."""
        if "[" not in self.entry:
            return f"{self.dot} ∂({form})/∂{self.entry}"
        entry, dot = (one.replace("[k,f]", "[l,h]") for one in (self.entry, self.dot))
        return f"Σ_lh {dot} ∂({form})/∂{entry}"

    def times(self, direction: str, product: str) -> str:
        """Two entries multiplied, and summed if there are many."""
        return f"Σ_kf {direction} {product}" if "[" in self.entry else f"{direction} {product}"


class Product(NamedTuple):
    """The Hessian of a loss by a direction, a part for each input.

    loss: its definitions. dots: the definitions of the derivatives along the direction, and of the parts of the
    product.
    """

    loss: Given
    inputs: Mapping[str, Input]
    dots: tuple[str, ...]

    @property
    def here(self) -> Given:
        return self.loss.also(*self.dots)

    def gradient(self, name: str) -> Callable[[], Evidence]:
        """The loss by the input."""
        return self.here(f"∂𝓛/∂{self.inputs[name].entry} = {self.inputs[name].gradient}")

    def product(self, name: str) -> Callable[[], Evidence]:
        """The gradient by the input, differentiated by every entry of every input, summed with the direction."""
        return self.changes(self.inputs[name].gradient, self.inputs[name].product)

    def changes(self, form: str, dot: str) -> Callable[[], Evidence]:
        """The derivative of an expression along the direction."""
        return self.here(f"{' + '.join(one.along(form) for one in self.inputs.values())} = {dot}")

    def symmetric(self) -> Callable[[], Evidence]:
        """A second direction times the product by the first is the first times the product by the second."""
        inputs = self.inputs.values()
        there = " + ".join(one.times(second(one.dot), one.product) for one in inputs)
        back = " + ".join(one.times(one.dot, second(one.product)) for one in inputs)
        return self.here.also(*map(second, self.dots))(f"{there} = {back}")


def second(text: str) -> str:
    """The same along the second direction."""
    return re.sub("(ż|ẇ|ṡ|L̇|Ṗ|Ġ|İ|Ṫ|τ̇|H[₁₂₃]?)", r"\1′", text)


# --- InfoNCE: the rows are free -------------------------------------------------------------------------

ROWS = "i j k Σ_lm < N; f g Σ_h < d; p: N → N; p(i) ≠ i"
CHANGED = "(L̇[i,j] - Σ_m P[i,m] L̇[i,m])"
SHARES = f"Ṗ[i,j] := P[i,j] {CHANGED}"
PULL, PULL_DOT = "(G[k,j] + G[j,k])", "(Ṗ[k,j] + Ṗ[j,k])"
OF_SCORES = "Σ_f (ż[i,f] z[j,f] + z[i,f] ż[j,f])"  # the product rule

INFONCE = Product(
    loss=given(ROWS, *infonce.PRINTED.names),
    inputs={"z": Input("z[k,f]", "ż[k,f]", infonce.BY_ROW, "H[k,f]")},
    dots=(
        f"L̇[i,j] := ({OF_SCORES})/τ",
        SHARES,
        f"H[k,f] := (Σ_j ({PULL_DOT} z[j,f] + {PULL} ż[j,f]))/(ν τ)",
    ),
)

claim("M27", "proved", INFONCE.here)(
    checked=r"Where the gradient is «gradient», the Hessian times a direction $\dot z$ of the rows is what it"
    " changes by along it, «product», where «product.where H», «product.where Ṗ» and «product.where L̇»."
    " So the probabilities change: «shares». The gradient takes two products of matrices, each of $N^2"
    " d$ multiplications, this three more, and no matrix with $N d$ rows is made. The Hessian is"
    " symmetric: «symmetric», a prime for a second direction, «symmetric.where H′», «symmetric.where Ṗ′»"
    " and «symmetric.where L̇′». A direction times its own product is the curvature of M11: «curvature».",
    gradient=INFONCE.gradient("z"),
    product=INFONCE.product("z"),
    shares=INFONCE.changes("P[i,j]", "Ṗ[i,j]"),
    symmetric=INFONCE.symmetric(),
    curvature=f"Σ_kf ż[k,f] H[k,f] = (Σ_ij P[i,j] {CHANGED}^2 + (2/τ) (Σ_ij G[i,j] (Σ_f ż[i,f] ż[j,f])))/ν",
)

# --- NT-Xent: through the lengths of the rows -----------------------------------------------------------

TANGENT = "(z[j,f] - s[k,j] z[k,f])"
TANGENT_DOT = "(ż[j,f] - ṡ[k,j] z[k,f] - s[k,j] ż[k,f])"
BY_ROW = f"({ntxent.BY_ROW})"

NTXENT = Product(
    loss=given(f"{ROWS}; c[] real", *ntxent.NTXENT.also(infonce.ERROR).names),
    inputs={"w": Input("w[k,f]", "ẇ[k,f]", ntxent.BY_ROW, "H[k,f]")},
    dots=(
        "ż[i,f] := (ẇ[i,f] - z[i,f] (Σ_g z[i,g] ẇ[i,g]))/‖w[i]‖",
        f"ṡ[i,j] := {OF_SCORES}",
        "L̇[i,j] := ṡ[i,j]/τ",
        SHARES,
        f"H[k,f] := (Σ_j ({PULL_DOT} {TANGENT} + {PULL} {TANGENT_DOT}))/(ν τ ‖w[k]‖)"
        f" - ((Σ_g z[k,g] ẇ[k,g])/‖w[k]‖) {BY_ROW}",  # the derivative of the row's length
    ),
)

claim("M28", "proved", NTXENT.here)(
    checked=r"Along a direction $\dot w$ of the raw rows the unit rows turn, «turn», where «turn.where ż», and"
    " the probabilities change, «shares», where «shares.where Ṗ», «shares.where L̇» and «shares.where"
    " ṡ». Where the gradient is «gradient», the Hessian times the direction is «product», where"
    " «product.where H»: its last term is that a longer row has a smaller gradient. The cost is that of"
    " M27. The Hessian is symmetric: «symmetric», a prime for a second direction. Along the rows"
    " themselves nothing turns. With $c_k$ for how fast row $k$ grows, «outward.where ẇ», it gives the"
    " gradient back with the other sign, «outward»; and of any direction it leaves outward, along each"
    " row, «radial».",
    turn=NTXENT.changes("z[i,f]", "ż[i,f]"),
    shares=NTXENT.changes("P[i,j]", "Ṗ[i,j]"),
    gradient=NTXENT.gradient("w"),
    product=NTXENT.product("w"),
    symmetric=NTXENT.symmetric(),
    outward=NTXENT.here.also("ẇ[i,f] := c[i] w[i,f]")(f"H[k,f] = -c[k] {BY_ROW}"),
    radial=f"Σ_f w[k,f] H[k,f] = -Σ_f ẇ[k,f] {BY_ROW}",
)

# --- CLIP: images, texts and the temperature at once ----------------------------------------------------

FORMS = {name: said.partition(" = ")[2] for name, said in clip.GRADIENTS.items()}
# the gradient by τ, minus that gradient over τ
COLDER = {name: f"(τ̇/τ) ({form})" for name, form in FORMS.items()}

CLIP = Product(
    loss=given("i j k Σ_lm < B; f g Σ_h < d", *clip.NAMES),
    inputs={
        "image": Input("I[k,f]", "İ[k,f]", FORMS["image"], "H₁[k,f]"),
        "text": Input("T[k,f]", "Ṫ[k,f]", FORMS["text"], "H₂[k,f]"),
        "temperature": Input("τ", "τ̇", FORMS["temperature"], "H₃"),
    },
    dots=(
        "L̇[i,j] := (Σ_f (İ[i,f] T[j,f] + I[i,f] Ṫ[j,f]) - τ̇ L[i,j])/τ",
        f"Ġ[i,j] := P[i,j] {CHANGED} + Pᶜ[i,j] (L̇[i,j] - Σ_m Pᶜ[m,j] L̇[m,j])",
        f"H₁[k,f] := (Σ_j (Ġ[k,j] T[j,f] + G[k,j] Ṫ[j,f]))/(2 B τ) - {COLDER['image']}",
        f"H₂[k,f] := (Σ_i (Ġ[i,k] I[i,f] + G[i,k] İ[i,f]))/(2 B τ) - {COLDER['text']}",
        f"H₃ := -(Σ_ij (Ġ[i,j] L[i,j] + G[i,j] L̇[i,j]))/(2 B τ) - {COLDER['temperature']}",
    ),
)

claim("M29", "proved", CLIP.here)(
    checked=r"Along a direction of all three, $\dot I$ of the images, $\dot T$ of the texts and $\dot \tau$ of"
    " the temperature, the errors change, «errors», where «errors.where Ġ» and «errors.where L̇». Where"
    " the gradients are «by image», «by text» and «by temperature», the Hessian times the direction is"
    " «image» by the images, «text» by the texts and «temperature» by the temperature: «image.where H₁»,"
    " «text.where H₂» and «temperature.where H₃». Where only one of the three moves, what is left is one"
    " block of it, or column of blocks. It is symmetric: «symmetric», a prime for a second direction."
    " The loss and its gradients take three products of matrices, each of $B^2 d$ multiplications, this"
    " six more.",
    errors=CLIP.changes("G[i,j]", "Ġ[i,j]"),
    **{f"by {name}": CLIP.gradient(name) for name in CLIP.inputs},
    **{name: CLIP.product(name) for name in CLIP.inputs},
    symmetric=CLIP.symmetric(),
)
