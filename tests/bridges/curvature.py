"""Compare a framework's second derivatives with 50 digits.

The proved gradient is evaluated in balls and differentiated by the chain rule: so each entry of the Hessian comes
from the proved formula, not from the code. H v is compared, where H is the Hessian by all inputs together, the
temperature included, at three points of each loss, and at hard ones of some.
"""

from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any

import numpy as np
from flint import arb, ctx

from infonce_ref.bridges import find_stopped
from infonce_ref.registry import Loss
from infonce_ref.verify.case import Case
from infonce_ref.verify.precision import digits, to_ball
from infonce_ref.verify.proofs import FUNCTIONS, bind, evaluators, statement
from infonce_ref.verify.slopes import BALL_WORDS, Node, Slope, differentiate

OF_NODES = FUNCTIONS._replace(**{name: BALL_WORDS[name] for name in ("exp", "log", "sqrt")})
NOTHING = Slope(*[np.asarray(arb(0))] * 3)
# Rounding errors of a logit that the tolerance allows; each is a relative error of every result. infonce's
# ∂²𝓛/∂τ∂z needs most, 60, if views nearly coincide, because two large terms nearly cancel: the gradient
# divided by τ, and the derivative of the softmax. Others need 20.
ROUNDINGS = 256


def points(loss: Loss, dtype: str) -> Iterator[Case]:
    """Three points: the example; a low temperature with nearly equal views and large scores; ties."""
    yield Case.of(loss, loss.example(), "example", dtype)
    steep = next((options for options in loss.variants if "scale" in options), {})
    cold = loss.example(noise=1e-6, **steep)
    yield Case.of(loss, cold | ({"temperature": 0.02} if "temperature" in cold else {}), "cold", dtype)
    yield Case.of(loss, {name: tie(loss, name, x) for name, x in loss.example().items()}, "ties", dtype)
    for arguments in HARD.get(loss.name, ()):
        yield Case.of(loss, arguments, "hard", dtype)


RNG = np.random.default_rng(0)
ROWS = RNG.standard_normal((8, 3))
TWINS = np.concatenate([np.eye(4), np.eye(4) + 1e-3 * RNG.standard_normal((4, 4))])
HARD = {  # steep weights; positives beside which negatives are as good as absent, whose pushes are then tiny
    "hard_negative": [{"w": ROWS, "beta": 30.0, "prior": 0.1, "temperature": 0.1}],
    "supcon": [{"w": TWINS, "labels": np.arange(8) % 4, "temperature": 0.025}],
}


def tie(loss: Loss, name: str, x: Any) -> Any:
    """Make the second row equal to the first and, in two views, to its partner; make all scores equal."""
    if name not in loss.differentiable or np.ndim(x) != 2 or loss.varying or name in ("positive", "negative"):
        return x
    if name in loss.kinds or name.endswith("scores"):
        return np.full_like(x, x[0, 0])
    x = x.copy()
    x[1] = x[0]
    if name == loss.batch:
        x[len(x) // 2] = x[0]
    return x


def directions(case: Case) -> dict[str, np.ndarray]:
    """Draw v for each input that varies."""
    rng, held = np.random.default_rng(0), find_stopped(case.loss, case.arguments)
    inputs = [name for name in case.loss.differentiable if name not in held]
    return {name: rng.standard_normal(np.shape(case.arguments[name])).astype(case.dtype) for name in inputs}


def record_inputs(stated: Any, case: Case, names: Iterable[str]) -> tuple[dict, dict[str, np.ndarray]]:
    """Return the case's arguments as balls, with a node for each entry of these inputs, and arrays of the nodes."""
    environment, nodes = bind(stated, case), {}
    for name in names:
        variable = stated.gradients[name].variable
        balls = np.asarray(environment[variable], dtype=object)
        nodes[name] = np.asarray(np.frompyfunc(lambda x: Node(x, []), 1, 1)(balls))
        environment[variable] = nodes[name].tolist()
    return environment, nodes


def slopes_by(output: Any, nodes: dict[str, np.ndarray]) -> np.ndarray:
    """Return the derivatives of an output by each node, flat."""
    found = differentiate(output)
    read = np.frompyfunc(lambda x: arb(np.asarray(found.get(x, NOTHING).value)[()]), 1, 1)
    return np.concatenate([np.ravel(read(x)) for x in nodes.values()])


def exactly(case: Case, along: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return H v and |H| |v|, flat, one input after the other."""
    stated = statement(case.loss.name, case.arguments)
    with ctx.workdps(digits(case)):
        environment, nodes = record_inputs(stated, case, along)
        v = np.concatenate([to_ball(np.ravel(part).tolist()) for part in along.values()])
        found, sizes = [], []
        for name in along:
            gradient = stated.gradients[name]
            (at,) = evaluators([gradient.form], environment, OF_NODES, gradient.names)
            for index in np.ndindex(along[name].shape):
                value, _ = at(dict(zip(gradient.indices, index, strict=True)))
                by = slopes_by(value, nodes)
                found.append(float(by @ v))
                sizes.append(float(abs(by) @ abs(v)))
        return np.array(found), np.array(sizes)


def error(
    case: Case, product: Callable[[Case, dict[str, np.ndarray]], list[np.ndarray]]
) -> tuple[float, float]:
    """Return the largest error of H v for one input, relative to its largest entry of |H| |v|, and the tolerance.
    product: H v of a case along v, as a framework computes it.
    """
    along = directions(case)
    exact, sizes = exactly(case, along)
    ends = list(accumulate(v.size for v in along.values()))[:-1]
    found = [np.ravel(x).astype(np.float64) for x in product(case, along)]
    worst = 0.0
    for ours, theirs, size in zip(found, np.split(exact, ends), np.split(sizes, ends)):
        # an underflowing probability is lost, and so is its product in a second derivative
        difference = np.max(np.abs(ours - theirs)) - float(np.finfo(case.dtype).tiny) * case.magnified**2
        worst = max(worst, difference / np.max(size) if difference > 0 else 0.0)
    return worst, ROUNDINGS * float(np.finfo(case.dtype).eps) * case.sharpness
