"""Instance discrimination as public libraries have got it wrong."""

import numpy as np

from .bug import bug
from .tape import logsumexp, where


def textbook(v, bank, index, temperature):
    x = v @ bank.T / temperature
    return (logsumexp(x, 1) - x[np.arange(len(index)), index]).sum()


@bug("symbolic", of="softmax_over_the_batch", named=("softmax over the batch",))
def log_softmax_over_the_batch_axis(v, bank, index, temperature):
    """The softmax runs over the batch, not over the classes."""
    x = v @ bank.T / temperature
    return (logsumexp(x, 0)[index] - x[np.arange(len(index)), index]).sum()


@bug("symbolic", of="diagonal_masked", named=("diagonal masked",))
def self_mask_applied_to_memory_columns(v, bank, index, temperature):
    """The mask for a row's pair with itself clears column i of a memory, where column i is another sample."""
    x = v @ bank.T / temperature
    kept = ~np.eye(*x.shape, dtype=bool)
    return (logsumexp(where(kept, x, -np.inf), 1) - x[np.arange(len(index)), index]).sum()
