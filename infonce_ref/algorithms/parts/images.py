"""Real images that scikit-learn ships, and the random views of them that suit each.

digits         1,797 handwritten digits of 8 × 8 grey pixels, 10 classes: views are small affine maps, with
               contrast and noise
photographs    crops of the two colour pictures china and flower, halved in size; the class is the picture,
               views are 8 × 8 grey windows. Held-out crops come from the right quarter of each picture.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

HELD_OUT = 500  # images
CROP, WINDOW = 30, 8  # a crop of a photograph, and the part that an encoder sees
CROPS = 1500  # crops of both photographs, to train on


class Images(NamedTuple):
    """train, test: images, rows first · their labels · plain(x): pixels (n, 64) as an encoder takes them ·
    view(x, rng): the pixels of a random view of each · classes: the names of the labels."""

    train: np.ndarray
    train_labels: np.ndarray
    test: np.ndarray
    test_labels: np.ndarray
    plain: Callable[[np.ndarray], np.ndarray]
    view: Callable[[np.ndarray, np.random.Generator], np.ndarray]
    classes: tuple[str, ...]


def minibatch(images: Images, size: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the indices of distinct training images."""
    return rng.choice(len(images.train), size, replace=False)


@cache
def digits() -> Images:
    """Return the handwritten digits, 0 … 1, shuffled once."""
    data = datasets().load_digits()
    order = np.random.default_rng(0).permutation(len(data.target))
    x, labels = (data.images[order] / 16).astype(np.float32), data.target[order]
    rest = slice(HELD_OUT, None)
    names = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
    return Images(x[rest], labels[rest], x[:HELD_OUT], labels[:HELD_OUT], flat, affine_view, names)


@cache
def photographs() -> Images:
    """Return random crops of the photographs in colour, 0 … 1, (n, CROP, CROP, 3)."""
    rng = np.random.default_rng(0)
    names = ("china", "flower")
    train, test = [], []
    for name in names:
        picture = datasets().load_sample_image(f"{name}.jpg").astype(np.float32) / 255
        rows, columns = (size // 2 for size in picture.shape[:2])
        picture = picture[: 2 * rows, : 2 * columns].reshape(rows, 2, columns, 2, 3).mean(axis=(1, 3))
        border = 3 * columns // 4
        train.append(windows(picture[None, :, :border], CROP, rng, CROPS // 2))
        test.append(windows(picture[None, :, border:], CROP, rng, HELD_OUT // 2))
    labels = [np.repeat([0, 1], len(part[0])) for part in (train, test)]
    return Images(
        np.concatenate(train), labels[0], np.concatenate(test), labels[1], central_window, grey_window, names
    )


def datasets():
    """Import scikit-learn's data sets; raise ImportError if the extra [lab] is missing."""
    try:
        from sklearn import datasets
    except ImportError:
        raise ModuleNotFoundError(
            'the images come with scikit-learn, which is not installed: pip install "infonce_ref[lab]"',
            name="sklearn",
        ) from None
    return datasets


def flat(x: np.ndarray) -> np.ndarray:
    """Return each image as one row."""
    return x.reshape(len(x), -1)


def affine_view(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Each image (n, s, s) turned up to 20°, sheared, scaled by up to e^±¼, shifted by up to 1.2 pixels; then
    contrast and noise."""
    n, s = len(x), x.shape[1]
    angle, shear = rng.uniform(-0.35, 0.35, n), rng.uniform(-0.3, 0.3, n)
    scale = np.exp(rng.uniform(-0.25, 0.25, (2, n)))
    cosine, sine, zero = np.cos(angle), np.sin(angle), np.zeros(n)
    turn = np.moveaxis(np.array([[cosine, -sine], [sine, cosine]]), 2, 0)
    stretch = np.moveaxis(np.array([[scale[0], shear], [zero, scale[1]]]), 2, 0)
    centre = (s - 1) / 2
    grid = np.stack(np.meshgrid(np.arange(s), np.arange(s), indexing="ij"), axis=-1).reshape(-1, 2) - centre
    places = grid @ np.swapaxes(turn @ stretch, 1, 2) + centre + rng.uniform(-1.2, 1.2, (n, 1, 2))
    seen = bilinear(x, places) * rng.uniform(0.7, 1.3, (n, 1)) + 0.1 * rng.standard_normal((n, s * s))
    return seen.astype(np.float32)


def bilinear(x: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Interpolate each image at places (n, p, 2) between its pixels; 0 outside."""
    border = 2
    inside = np.clip(places + border, 0, x.shape[1] + 2 * border - 1.001)
    padded = np.pad(x, [(0, 0), (border, border), (border, border)])
    low = inside.astype(int)
    image, (i, j) = np.arange(len(x))[:, None], np.moveaxis(low, 2, 0)
    a, b = np.moveaxis(inside - low, 2, 0)
    upper = (1 - b) * padded[image, i, j] + b * padded[image, i, j + 1]
    lower = (1 - b) * padded[image, i + 1, j] + b * padded[image, i + 1, j + 1]
    return (1 - a) * upper + a * lower


def windows(x: np.ndarray, side: int, rng: np.random.Generator, n: int | None = None) -> np.ndarray:
    """Cut a square at a random place from each image (n, s, s', …); from a single picture, n squares."""
    count = n or len(x)
    i, j = (rng.integers(0, size - side + 1, count)[:, None, None] for size in x.shape[1:3])
    image = np.arange(len(x))[:, None, None]
    return x[image, i + np.arange(side)[:, None], j + np.arange(side)]


def grey(x: np.ndarray) -> np.ndarray:
    """Return the luminance (…) of colours (…, 3), with the weights of ITU-R BT.601."""
    return x @ np.array([0.299, 0.587, 0.114], np.float32)


def grey_window(x: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the grey pixels of a random window of each crop."""
    return flat(grey(windows(x, WINDOW, rng)))


def central_window(x: np.ndarray) -> np.ndarray:
    """Return the grey pixels in the middle of each crop."""
    edge = (CROP - WINDOW) // 2
    return flat(grey(x[:, edge : edge + WINDOW, edge : edge + WINDOW]))
