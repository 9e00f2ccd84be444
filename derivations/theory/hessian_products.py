"""The Hessian of InfoNCE, NT-Xent and CLIP by a direction, from products of matrices of the gradient's size.

A dot is for what changes along the direction, a prime for a second direction and what changes along that.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sympy import Add, Expr, IndexedBase

from .. import losses
from ..evidence.claims import claim
from ..evidence.pieces import Piece
from ..evidence.verdicts import Verdict
from ..losses import clip, infonce, ntxent
from ..prover.evaluate import evaluator
from ..prover.notation import Definition, Partial, base_of, total
from ..prover.proof import DEFINITION, DERIVATIVE, Proof, derive
from ..prover.sums import Facts
from ..symbols import (
    B,
    G,
    G_dot,
    G_dot2,
    L,
    L_dot,
    L_dot2,
    N,
    P,
    P_dot,
    P_dot2,
    caption,
    caption_dot,
    caption_dot2,
    columns,
    d,
    f,
    g,
    h,
    i,
    image,
    image_dot,
    image_dot2,
    j,
    k,
    l,
    loss,
    m,
    norm,
    nu,
    product,
    product2,
    product_image,
    product_image2,
    product_tau,
    product_tau2,
    product_text,
    product_text2,
    s,
    s_dot,
    s_dot2,
    tau,
    tau_dot,
    tau_dot2,
    w,
    w_dot,
    w_dot2,
    z,
    z_dot,
    z_dot2,
)

SECOND = {
    z_dot: z_dot2,
    w_dot: w_dot2,
    image_dot: image_dot2,
    caption_dot: caption_dot2,
    tau_dot: tau_dot2,
    s_dot: s_dot2,
    L_dot: L_dot2,
    P_dot: P_dot2,
    G_dot: G_dot2,
    product: product2,
    product_image: product_image2,
    product_text: product_text2,
    product_tau: product_tau2,
}


class Product(NamedTuple):
    """The Hessian of a loss by a direction, a part for each input.

    rows: of an input, as it has rows. inputs: the name of an input → its entry, the direction's entry beside it.
    gradients, parts: the name of an input → the gradient by that entry, and that entry of the product.
    names: what the names of the loss stand for. dots: what the parts are made of.
    """

    rows: Expr
    inputs: Mapping[str, tuple[Expr, Expr]]
    gradients: Mapping[str, Expr]
    parts: Mapping[str, Definition]
    names: tuple[Definition, ...]
    dots: tuple[Definition, ...]
    facts: Facts

    def prove(self, first: Expr, last: Expr, *more: Definition) -> Proof:
        rule = DERIVATIVE if first.has(Partial) else DEFINITION
        names = (*self.names, *self.dots, *self.parts.values(), *more)
        return derive(first, (rule, last), names=names, facts=self.facts)

    def gradient(self, name: str) -> Proof:
        """The loss by the input."""
        return self.prove(Partial(loss, self.inputs[name][0]), self.gradients[name])

    def product(self, name: str) -> Proof:
        """The gradient by the input, differentiated by every entry of every input, summed with the direction."""
        return self.prove(self.along(self.gradients[name]), self.parts[name].head)

    def along(self, expression: Expr) -> Expr:
        """Return the derivative of an expression along the direction."""
        moved = [[entry.xreplace({k: l, f: h}) for entry in pair] for pair in self.inputs.values()]
        return Add(*(self.over_all(dot * Partial(expression, entry), l, h) for entry, dot in moved))

    def over_all(self, term: Expr, row: Expr, feature: Expr) -> Expr:
        """Sum a term over the entries of an input; a number counts as one entry."""
        return total(term, (feature, d), (row, self.rows)) if term.has(row) else term

    def symmetric(self) -> Proof:
        """A second direction times the product by the first is the first times the product by the second."""
        pairs = [(dot, self.parts[name].head) for name, (_, dot) in self.inputs.items()]
        there = Add(*(self.over_all(second(dot) * part, k, f) for dot, part in pairs))
        back = Add(*(self.over_all(dot * second(part), k, f) for dot, part in pairs))
        again = [
            Definition(second(name.head), second(name.body)) for name in (*self.dots, *self.parts.values())
        ]
        return self.prove(there, back, *again)


def second(expression: Expr) -> Expr:
    """The same along the second direction."""
    return expression.xreplace(SECOND)


def product_rule(
    left: IndexedBase, left_dot: IndexedBase, right: IndexedBase, right_dot: IndexedBase
) -> Expr:
    """The derivative of the inner product of row i of one array with row j of another."""
    return total(left_dot[i, f] * right[j, f] + left[i, f] * right_dot[j, f], (f, d))


# --- InfoNCE: the rows are free -------------------------------------------------------------------------

SHARES = Definition(P_dot[i, j], P[i, j] * (L_dot[i, j] - total(P[i, m] * L_dot[i, m], (m, N))))
PULL, PULL_DOT = G[k, j] + G[j, k], P_dot[k, j] + P_dot[j, k]

INFONCE = Product(
    rows=N,
    inputs={"z": (z[k, f], z_dot[k, f])},
    gradients={"z": infonce.PRINTED.read(infonce.BY_ROW)},
    parts={
        "z": Definition(product[k, f], total(PULL_DOT * z[j, f] + PULL * z_dot[j, f], (j, N)) / (nu * tau))
    },
    names=infonce.PRINTED.names,
    dots=(Definition(L_dot[i, j], product_rule(z, z_dot, z, z_dot) / tau), SHARES),
    facts=infonce.PRINTED.facts,
)


@claim(
    "M27",
    verdict=Verdict.PROVED,
    says=r"Where the gradient is «gradient», the Hessian times a direction $\dot z$ of the rows is what it"
    " changes by along it, «product», where «product.where H», «product.where Ṗ» and «product.where L̇»."
    " So the probabilities change: «shares». The gradient takes two products of matrices, each of $N^2"
    " d$ multiplications, this three more, and no matrix with $N d$ rows is made. The Hessian is"
    " symmetric: «symmetric», a prime for a second direction, «symmetric.where H′», «symmetric.where Ṗ′»"
    " and «symmetric.where L̇′». A direction times its own product is the curvature of M11: «curvature».",
)
def of_infonce() -> dict[str, Piece]:
    spread = total(P[i, j] * (L_dot[i, j] - total(P[i, m] * L_dot[i, m], (m, N))) ** 2, (j, N), (i, N))
    bend = total(G[i, j] * total(z_dot[i, f] * z_dot[j, f], (f, d)), (j, N), (i, N))
    itself = total(z_dot[k, f] * product[k, f], (f, d), (k, N))
    return {
        "gradient": INFONCE.gradient("z"),
        "product": INFONCE.product("z"),
        "shares": INFONCE.prove(INFONCE.along(P[i, j]), P_dot[i, j]),
        "symmetric": INFONCE.symmetric(),
        "curvature": INFONCE.prove(itself, (spread + 2 / tau * bend) / nu),
    }


# --- NT-Xent: through the lengths of the rows -----------------------------------------------------------

ALONG_ITSELF = total(z[k, g] * w_dot[k, g], (g, d))  # derivative of a row's length
TANGENT = z[j, f] - s[k, j] * z[k, f]
TANGENT_DOT = z_dot[j, f] - s_dot[k, j] * z[k, f] - s[k, j] * z_dot[k, f]

NTXENT = Product(
    rows=N,
    inputs={"w": (w[k, f], w_dot[k, f])},
    gradients={"w": ntxent.NTXENT.read(ntxent.BY_ROW)},
    parts={
        "w": Definition(
            product[k, f],
            total(PULL_DOT * TANGENT + PULL * TANGENT_DOT, (j, N)) / (nu * tau * norm[k])
            - ALONG_ITSELF / norm[k] * ntxent.NTXENT.read(ntxent.BY_ROW),
        )
    },
    names=tuple(infonce.ERROR if name is ntxent.ERROR else name for name in ntxent.NAMES),
    dots=(
        Definition(z_dot[i, f], (w_dot[i, f] - z[i, f] * total(z[i, g] * w_dot[i, g], (g, d))) / norm[i]),
        Definition(s_dot[i, j], product_rule(z, z_dot, z, z_dot)),
        Definition(L_dot[i, j], s_dot[i, j] / tau),
        SHARES,
    ),
    facts=ntxent.FACTS,
)


@claim(
    "M28",
    verdict=Verdict.PROVED,
    says=r"Along a direction $\dot w$ of the raw rows the unit rows turn, «turn», where «turn.where ż», and"
    " the probabilities change, «shares», where «shares.where Ṗ», «shares.where L̇» and «shares.where"
    " ṡ». Where the gradient is «gradient», the Hessian times the direction is «product», where"
    " «product.where H»: its last term is that a longer row has a smaller gradient. The cost is that of"
    " M27. The Hessian is symmetric: «symmetric», a prime for a second direction. Along the rows"
    " themselves nothing turns. With $c_k$ for how fast row $k$ grows, «outward.where ẇ», it gives the"
    " gradient back with the other sign, «outward»; and of any direction it leaves outward, along each"
    " row, «radial».",
)
def of_ntxent() -> dict[str, Piece]:
    growth = IndexedBase("c", real=True)
    outward = Definition(w_dot[i, f], growth[i] * w[i, f])
    radial = total(w[k, f] * product[k, f], (f, d))
    return {
        "turn": NTXENT.prove(NTXENT.along(z[i, f]), z_dot[i, f]),
        "shares": NTXENT.prove(NTXENT.along(P[i, j]), P_dot[i, j]),
        "gradient": NTXENT.gradient("w"),
        "product": NTXENT.product("w"),
        "symmetric": NTXENT.symmetric(),
        "outward": NTXENT.prove(product[k, f], -growth[k] * ntxent.NTXENT.read(ntxent.BY_ROW), outward),
        "radial": NTXENT.prove(radial, -total(w_dot[k, f] * ntxent.NTXENT.read(ntxent.BY_ROW), (f, d))),
    }


# --- CLIP: images, texts and the temperature at once ----------------------------------------------------

BY_ROWS = P[i, j] * (L_dot[i, j] - total(P[i, m] * L_dot[i, m], (m, B)))
BY_COLUMNS = columns[i, j] * (L_dot[i, j] - total(columns[m, j] * L_dot[m, j], (m, B)))
# the gradient by τ, minus that gradient over τ
FORMS = {name: clip.CLIP.by(said)[1] for name, said in clip.GRADIENTS.items()}
COLDER = {name: tau_dot / tau * form for name, form in FORMS.items()}
TO_IMAGES = total(G_dot[k, j] * caption[j, f] + G[k, j] * caption_dot[j, f], (j, B))
TO_TEXTS = total(G_dot[i, k] * image[i, f] + G[i, k] * image_dot[i, f], (i, B))
TO_TEMPERATURE = total(G_dot[i, j] * L[i, j] + G[i, j] * L_dot[i, j], (j, B), (i, B))

CLIP = Product(
    rows=B,
    inputs={
        "image": (image[k, f], image_dot[k, f]),
        "text": (caption[k, f], caption_dot[k, f]),
        "temperature": (tau, tau_dot),
    },
    gradients=FORMS,
    parts={
        "image": Definition(product_image[k, f], TO_IMAGES / (2 * B * tau) - COLDER["image"]),
        "text": Definition(product_text[k, f], TO_TEXTS / (2 * B * tau) - COLDER["text"]),
        "temperature": Definition(product_tau, -TO_TEMPERATURE / (2 * B * tau) - COLDER["temperature"]),
    },
    names=clip.NAMES,
    dots=(
        Definition(
            L_dot[i, j], (product_rule(image, image_dot, caption, caption_dot) - tau_dot * L[i, j]) / tau
        ),
        Definition(G_dot[i, j], BY_ROWS + BY_COLUMNS),
    ),
    facts=clip.FACTS,
)


@claim(
    "M29",
    verdict=Verdict.PROVED,
    says=r"Along a direction of all three, $\dot I$ of the images, $\dot T$ of the texts and $\dot \tau$ of"
    " the temperature, the errors change, «errors», where «errors.where Ġ» and «errors.where L̇». Where"
    " the gradients are «by image», «by text» and «by temperature», the Hessian times the direction is"
    " «image» by the images, «text» by the texts and «temperature» by the temperature: «image.where H₁»,"
    " «text.where H₂» and «temperature.where H₃». Where only one of the three moves, what is left is one"
    " block of it, or column of blocks. It is symmetric: «symmetric», a prime for a second direction."
    " The loss and its gradients take three products of matrices, each of $B^2 d$ multiplications, this"
    " six more.",
)
def of_clip() -> dict[str, Piece]:
    return {
        "errors": CLIP.prove(CLIP.along(G[i, j]), G_dot[i, j]),
        **{f"by {name}": CLIP.gradient(name) for name in CLIP.inputs},
        **{name: CLIP.product(name) for name in CLIP.inputs},
        "symmetric": CLIP.symmetric(),
    }


PRODUCTS = {"infonce": INFONCE, "ntxent": NTXENT, "clip": CLIP}


# --- as numbers -----------------------------------------------------------------------------------------


def evaluate(loss: str, direction: Mapping[str, Any], **arguments: Any) -> dict[str, Any]:
    """Evaluate the Hessian of a loss of `PRODUCTS` times a direction, by each input, in the arithmetic of the
    arguments.

    arguments: those of the loss reduced by mean or, except for CLIP, by sum; arrays as nested lists of
    numbers.
    direction: an array of the same shape for each input of the product.
    """
    proved = PRODUCTS[loss]
    if direction.keys() != proved.inputs.keys():
        raise ValueError(
            f"{loss}: the direction has a part for each of {', '.join(proved.inputs)}; got {[*direction]}"
        )
    if loss == "clip" and arguments.get("reduction", "mean") != "mean":
        raise ValueError(f"clip: the product is proved of the mean; got reduction={arguments['reduction']!r}")
    environment = losses.statement(loss, arguments).bind(**arguments)
    environment |= {base_of(dot): direction[name] for name, (_, dot) in proved.inputs.items()}
    names = (*proved.names, *proved.dots, *proved.parts.values())

    def by(name: str) -> Any:
        head = proved.parts[name].head
        at = evaluator(head, environment, names=names)
        if not head.has(k):
            return at({})[0]
        return [
            [at({k: row, f: column})[0] for column in range(environment[d])]
            for row in range(environment[proved.rows])
        ]

    return {name: by(name) for name in proved.inputs}
