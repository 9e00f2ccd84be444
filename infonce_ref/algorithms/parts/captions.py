"""Captions of the digits, for the algorithms that train an encoder of images together with one of texts.

A caption names the digit in one of several sentences; as in any caption data, images of one batch may share theirs,
and then count as each other's negatives. The zero-shot classifier uses a sentence that occurs in no caption.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ... import sphere
from . import networks
from .encoder import DIMENSIONS, backbone, head
from .evaluate import freeze, unit
from .images import Images, minibatch
from .networks import Network
from .registry import Score

CAPTIONS = ("{}", "a {}", "the digit {}", "a handwritten {}", "the number {} on paper", "someone wrote {}")
PROMPT = "a picture of the handwritten digit {}"  # its words "picture" and "of" are in no caption


def list_all(images: Images) -> list[str]:
    """Return every caption of every class, class by class."""
    return [caption.format(name) for name in images.classes for caption in CAPTIONS]


def vocabulary(images: Images) -> tuple[str, ...]:
    """Return the words of all captions."""
    return tuple(sorted({word for text in list_all(images) for word in text.split()}))


def counts(texts: list[str], images: Images) -> np.ndarray:
    """Count the words of the vocabulary in each text (n, words); other words are ignored."""
    words = vocabulary(images)
    return np.array([[text.split().count(word) for word in words] for text in texts], np.float32)


def pairs(images: Images, size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return views of random training images, and the word counts of a random caption of each."""
    index = minibatch(images, size, rng)
    pixels = images.view(images.train[index], rng)
    chosen = images.train_labels[index] * len(CAPTIONS) + rng.integers(len(CAPTIONS), size=len(index))
    return pixels, counts(list_all(images), images)[chosen]


def encoders(rng: np.random.Generator, images: Images) -> tuple[Network, Network]:
    """Draw both encoders at random; the input of the text encoder is the word counts."""
    words = len(vocabulary(images))
    return backbone(rng) + head(rng), head(rng, inputs=words, outputs=DIMENSIONS)


def embed(state: Any, pixels: np.ndarray, texts: np.ndarray) -> tuple[np.ndarray, np.ndarray, Callable]:
    """Return unit rows x, y, and the function from ∂𝓛/∂x, ∂𝓛/∂y to the gradients of both encoders of a state."""
    of_image, through_image = networks.forward(state.image_encoder, pixels)
    of_text, through_text = networks.forward(state.text_encoder, texts)
    (x, image_sphere), (y, text_sphere) = sphere.forward(of_image), sphere.forward(of_text)

    def back(dx: np.ndarray, dy: np.ndarray) -> tuple[Network, Network]:
        _, dimage = networks.backward(through_image, sphere.backward(image_sphere, dx))
        _, dtext = networks.backward(through_text, sphere.backward(text_sphere, dy))
        return dimage, dtext

    return x, y, back


def zero_shot(state: Any, images: Images) -> Score:
    """Return the held-out accuracy of a classifier made of the labels' texts, and the chance level."""
    # create dataset classifier from label text
    encode_text = freeze(state.text_encoder, counts(list_all(images), images))
    classifier = unit(encode_text(counts([PROMPT.format(name) for name in images.classes], images)))
    # use it: the label whose text lies nearest to the image
    encode_image = freeze(state.image_encoder, images.plain(images.train))
    nearest = np.argmax(encode_image(images.plain(images.test)) @ classifier.T, axis=1)
    return Score("zero-shot accuracy", float(np.mean(nearest == images.test_labels)), 1 / len(images.classes))
