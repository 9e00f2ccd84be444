"""Measure embeddings of held-out images: similarity, alignment, uniformity, spread, and a linear probe.

    alignment   E ‖z − z'‖²                over two views of one image
    uniformity  log E e^{−2‖z_i − z_j‖²}   over two images
    spread      √d · std(z)                mean over the d units; 1 on a sphere evenly filled, 0 at a collapse
    accuracy    logistic regression on 5 labelled features of each class, mean over 10 draws of the labels
    supervised  the same on every label

All z are rows of unit length. Alignment and uniformity: Wang and Isola (2020).
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ... import sphere
from . import networks
from .encoder import keep_backbone
from .images import Images
from .networks import Network

LABELS, DRAWS = 5, 10  # labelled images of each class, and how often they are drawn


class Measures(NamedTuple):
    """The measures of one encoder; similarities are cosines."""

    positive: float
    negative: float
    alignment: float
    uniformity: float
    spread: float
    accuracy: float
    supervised: float


def measure(embedding: Network, images: Images) -> Measures:
    """Every measure of an encoder; () is the pixels themselves. The linear probe sees its backbone's features."""
    rng = np.random.default_rng(0)
    train = images.plain(images.train)
    z, h = freeze(embedding, train), freeze(keep_backbone(embedding), train)
    first, second = (unit(z(images.view(images.test, rng))) for _ in range(2))
    similarity = first @ second.T
    positive = float(np.mean(np.diag(similarity)))
    apart = ~np.eye(len(first), dtype=bool)
    squares = 2 - 2 * (first @ first.T)[apart]
    return Measures(
        positive=positive,
        negative=float(np.mean(similarity[apart])),
        alignment=2 - 2 * positive,
        uniformity=float(np.log(np.mean(np.exp(-2 * squares)))),
        spread=float(np.sqrt(first.shape[1]) * np.mean(np.std(first, axis=0))),
        accuracy=float(np.mean([accuracy(h, images, draw_few(images, draw)) for draw in range(DRAWS)])),
        supervised=accuracy(h, images, np.arange(len(images.train))),
    )


def freeze(network: Network, reference: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """The network as a function of rows, normalised with the statistics of the reference rows."""
    _, cache = networks.forward(network, reference)
    known = networks.statistics(cache)
    return lambda rows: networks.forward(network, rows, known)[0]


def unit(rows: np.ndarray) -> np.ndarray:
    """Return rows of length 1, in float64."""
    return sphere.forward(rows.astype(np.float64))[0]


def draw_few(images: Images, draw: int) -> np.ndarray:
    """Draw LABELS training images of each class."""
    rng = np.random.default_rng(draw)
    classes = range(len(images.classes))
    own = (np.flatnonzero(images.train_labels == c) for c in classes)
    return np.concatenate([rng.choice(index, LABELS, replace=False) for index in own])


def accuracy(encode: Callable[[np.ndarray], np.ndarray], images: Images, seen: np.ndarray) -> float:
    """The share of held-out images that a linear classifier gets right, fitted to the labels of the training images
    `seen`."""
    from sklearn.linear_model import LogisticRegression

    train, test = (encode(images.plain(x)).astype(np.float64) for x in (images.train, images.test))
    mean, deviation = train.mean(axis=0), train.std(axis=0) + 1e-6
    classifier = LogisticRegression(max_iter=1000)
    classifier.fit((train[seen] - mean) / deviation, images.train_labels[seen])
    return float(classifier.score((test - mean) / deviation, images.test_labels))
