"""What a contender of the benchmark is asked, and the losses as a user of PyTorch or JAX writes them."""

from typing import NamedTuple

TEMPERATURE, BIAS = 0.1, -10.0
FEATURES = 128  # if no other number is asked for
PER_CLASS = 8  # rows of each label


class Case(NamedTuple):
    """The loss of n rows in each of its arrays: anchors, or pairs of an image and a text, or queries with as many
    keys in the queue.
    """

    n: int
    dtype: str
    features: int = FEATURES
    loss: str = "ntxent"

    def draw(self):
        """Draw the arrays of the loss, in NumPy: rows of length 1 if the loss does not make them so."""
        import numpy as np

        count = {"clip": 2, "siglip": 2, "query_key": 3}.get(self.loss, 1)
        arrays = np.random.default_rng(0).standard_normal((count, self.n, self.features))
        if self.loss not in ("ntxent", "dcl", "supcon"):
            arrays /= np.linalg.norm(arrays, axis=-1, keepdims=True)
        return [*arrays.astype(self.dtype)]

    def settings(self):
        """Return what the loss takes besides its arrays and the temperature."""
        import numpy as np

        every = {"supcon": {"labels": np.arange(self.n) // PER_CLASS}, "siglip": {"bias": BIAS}}
        return every.get(self.loss, {})


def declare_for_torch(case, device="cpu"):
    """Return the case's loss as a function of its tensors; its masks are made beforehand."""
    import torch
    from torch.nn.functional import cross_entropy, log_softmax, logsigmoid, normalize

    rows = torch.arange(case.n, device=device)
    partner, itself = rows.roll(case.n // 2), torch.eye(case.n, dtype=torch.bool, device=device)

    def cosines(w):
        z = normalize(w)
        return z @ z.T / TEMPERATURE

    def ntxent(w):
        return cross_entropy(cosines(w).masked_fill(itself, -torch.inf), partner)

    def infonce(z):
        return cross_entropy(z @ z.T / TEMPERATURE, partner)

    negatives = ~(itself | itself[partner])

    def dcl(w):
        logits = cosines(w)
        return (logits.where(negatives, -torch.inf).logsumexp(1) - logits[rows, partner]).mean()

    labels = rows // PER_CLASS
    positives = (labels[:, None] == labels) & ~itself

    def supcon(w):
        logp = log_softmax(cosines(w).masked_fill(itself, -torch.inf), 1)
        return -(logp.where(positives, 0).sum(1) / positives.sum(1)).mean()

    def clip(x, y):
        logits = x @ y.T / TEMPERATURE
        return (cross_entropy(logits, rows) + cross_entropy(logits.T, rows)) / 2

    signs = 2 * itself - 1

    def siglip(x, y):
        return -logsigmoid(signs * (x @ y.T / TEMPERATURE + BIAS)).sum() / case.n

    first = torch.zeros_like(rows)

    def query_key(query, positive, negatives):
        logits = torch.cat(((query * positive).sum(1, keepdim=True), query @ negatives.T), 1)
        return cross_entropy(logits / TEMPERATURE, first)

    return locals()[case.loss]


def declare_for_jax(case):
    """Return the case's loss as a function of its arrays, which makes its masks itself."""
    import jax.numpy as jnp
    from jax.nn import log_sigmoid, log_softmax, logsumexp

    rows = jnp.arange(case.n)
    partner = jnp.roll(rows, case.n // 2)

    def itself():
        return jnp.eye(case.n, dtype=bool)

    def cosines(w):
        z = w / jnp.linalg.norm(w, axis=1, keepdims=True)
        return z @ z.T / TEMPERATURE

    def cross_entropy(logits, target):
        return -jnp.mean(log_softmax(logits)[rows, target])

    def ntxent(w):
        return cross_entropy(jnp.where(itself(), -jnp.inf, cosines(w)), partner)

    def infonce(z):
        return cross_entropy(z @ z.T / TEMPERATURE, partner)

    def dcl(w):
        logits = cosines(w)
        left_out = itself() | (rows == partner[:, None])
        return jnp.mean(logsumexp(jnp.where(left_out, -jnp.inf, logits), axis=1) - logits[rows, partner])

    def supcon(w):
        labels = rows // PER_CLASS
        positives = (labels[:, None] == labels) & ~itself()
        logp = log_softmax(jnp.where(itself(), -jnp.inf, cosines(w)))
        return -jnp.mean(jnp.where(positives, logp, 0).sum(1) / positives.sum(1))

    def clip(x, y):
        logits = x @ y.T / TEMPERATURE
        return (cross_entropy(logits, rows) + cross_entropy(logits.T, rows)) / 2

    def siglip(x, y):
        return -log_sigmoid((2 * itself() - 1) * (x @ y.T / TEMPERATURE + BIAS)).sum() / case.n

    def query_key(query, positive, negatives):
        logits = jnp.concatenate(((query * positive).sum(1, keepdims=True), query @ negatives.T), 1)
        return cross_entropy(logits / TEMPERATURE, jnp.zeros_like(rows))

    return locals()[case.loss]
