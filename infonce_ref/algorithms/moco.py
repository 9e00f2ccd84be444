"""MoCo, Algorithm 1 (D3): a queue of keys from earlier minibatches, encoded by a slowly moving network.

    𝓛_q = −log e^{q·k₊/τ} / Σ_{i=0…K} e^{q·k_i/τ}                       [D3.34]
    θ_k ← m θ_k + (1 − m) θ_q                                           [D3.38]

The comments are the lines of the slide. The slide omits that q and k are rows of unit length, and that bmm gives N
× 1 × 1, to be squeezed before cat [D3.40]; cat and CrossEntropyLoss with labels 0 compute `query_key`. Negatives
are read before the enqueue: the queue holds the last K keys, and none of this minibatch [D3.37].
Source: D3; He et al. (2020), "Momentum contrast for unsupervised visual representation learning".
"""

from typing import NamedTuple

import numpy as np

from .. import sphere
from ..floors import least
from ..losses import query_key
from .parts import networks, updates
from .parts.encoder import DIMENSIONS, backbone, head
from .parts.images import Images, minibatch
from .parts.registry import Algorithm


class Options(NamedTuple):
    """batch: N · temperature: t · rate: learning rate · queue: K keys, at least a minibatch · momentum: m."""

    batch: int = 128
    temperature: float = 0.2
    rate: float = 0.5
    queue: int = 1024
    momentum: float = 0.99


class State(NamedTuple):
    """f_q, f_k: encoder networks for query and key · queue (K, C), the earliest key first · velocity of f_q."""

    f_q: networks.Network
    f_k: networks.Network
    queue: np.ndarray
    velocity: tuple[networks.Network]


def start(rng: np.random.Generator, images: Images, options: Options) -> State:
    """Start with random keys in the queue."""
    if options.queue < options.batch:
        raise ValueError(
            f"queue must hold at least a minibatch, {options.batch} keys; got {options.queue}: lengthen it"
        )
    f_q = backbone(rng) + head(rng)
    queue, _ = sphere.forward(rng.standard_normal((options.queue, DIMENSIONS)).astype(np.float32))
    # f_k.params = f_q.params  # initialize
    return State(f_q, f_q, queue, updates.zero_velocities((f_q,)))


def step(state: State, images: Images, rng: np.random.Generator, options: Options) -> tuple[State, float]:
    """Run one pass through the loop; return the new state and the loss in nats."""
    # for x in loader:  # load a minibatch x with N samples
    x = images.train[minibatch(images, options.batch, rng)]
    # x_q = aug(x)  # a randomly augmented version
    x_q = images.view(x, rng)
    # x_k = aug(x)  # another randomly augmented version
    x_k = images.view(x, rng)
    # q = f_q.forward(x_q)  # queries: NxC
    w, through_f = networks.forward(state.f_q, x_q)
    q, to_sphere = sphere.forward(w)
    # k = f_k.forward(x_k)  # keys: NxC
    k, _ = sphere.forward(networks.forward(state.f_k, x_k)[0])
    # l_pos = bmm(q.view(N, 1, C), k.view(N, C, 1))      # positive logits: Nx1
    # l_neg = mm(q.view(N, C), queue.view(C, K))         # negative logits: NxK
    # logits = cat([l_pos, l_neg], dim=1);  labels = zeros(N)  # positives are the 0-th
    # loss = CrossEntropyLoss(logits/t, labels)                               [D3.34, D3.40]
    loss, cache = query_key.forward(q, k, state.queue, temperature=options.temperature)
    # k = k.detach()  # no gradient to keys
    # loss.backward()
    _, df = networks.backward(through_f, sphere.backward(to_sphere, query_key.backward(cache).query))
    # update(f_q.params)  # SGD update: query network
    state = updates.descend(state, options.rate, f_q=df)
    # f_k.params = m*f_k.params + (1-m)*f_q.params  # momentum update         [D3.38]
    f_k = updates.moving_average(state.f_k, state.f_q, options.momentum)
    # enqueue(queue, k)  # enqueue the current minibatch
    # dequeue(queue)  # dequeue the earliest minibatch                        [D3.37]
    queue = np.concatenate([state.queue, k])[len(k) :]
    return state._replace(f_k=f_k, queue=queue), float(loss)


ALGORITHM = Algorithm(
    "moco",
    "MoCo, Algorithm 1",
    Options,
    start,
    step,
    lambda state: state.f_q,
    floor=lambda options: least("query_key", negatives=options.queue, temperature=options.temperature),
)
