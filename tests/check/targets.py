"""Losses that cannot be checked, or that take their inputs in an unusual way."""

import sys

import numpy as np

memory = []


def right(x, y, temperature=0.15):
    x, y = (v / np.linalg.norm(v, axis=1, keepdims=True) for v in (x, y))
    e = np.exp(x @ y.T / temperature)
    return -np.log(np.diag(e) / e.sum(axis=1)).mean()


def raises(x, y):
    raise KeyError("the index of the epoch")


def of_take(x, y):
    raise ValueError("pass take=1, not inputs=2")


def exits(x, y):
    sys.exit(0)


def nan(x, y):
    return np.nan * x.sum()


def matrix(x, y):
    return x @ y.T


def nothing(x, y):
    return None


def needs_scale(x, y, logit_scale):
    return right(x, y, 1 / logit_scale)


def needs_softmax_temp(x, y, softmax_temp):
    return right(x, y, softmax_temp)


def needs_much(x, y, one, two, three, four):
    return x.sum()


def in_place(x, y):
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    return right(x, y)


def stateful(x, y):
    memory.append(len(memory))
    return right(x, y) + len(memory)


def random(x, y):
    return right(x + np.random.normal(size=x.shape), y)  # noqa: NPY002 - a user's loss that does


def in_single_precision(x, y):
    return right(x.astype(np.float32), y.astype(np.float32))


class Loss:
    def __init__(self, temperature, reduction="mean"):
        self.temperature, self.reduction = temperature, reduction

    def __call__(self, x, y):
        loss = right(x, y, self.temperature)
        return loss if self.reduction == "mean" else loss * len(x)


number = 3


class Trainer:
    def loss(self, x, y):
        return right(x, y)


async def awaited(x, y):
    return right(x, y)
