"""Captions of the digits, for the algorithms that train an encoder of images together with one of texts.

A caption names the digit in one of several sentences; as in any caption data, images of one batch may share
theirs, and then count as each other's negatives. A classifier made of nothing but label text takes a sentence that
occurs in no caption.
"""

import numpy as np

from .evaluate import in_use, unit
from .images import Images, minibatch
from .networks import Network
from .registry import Score

CAPTIONS = ("{}", "a {}", "the digit {}", "a handwritten {}", "the number {} on paper", "someone wrote {}")
PROMPT = "a picture of the handwritten digit {}"  # its words "picture" and "of" are in no caption


def every(images: Images) -> list[str]:
    """Every caption of every class, class by class."""
    return [caption.format(name) for name in images.classes for caption in CAPTIONS]


def vocabulary(images: Images) -> tuple[str, ...]:
    """The words of all captions."""
    return tuple(sorted({word for text in every(images) for word in text.split()}))


def counts(texts: list[str], images: Images) -> np.ndarray:
    """How often each word of the vocabulary occurs in each text (n, words); other words count for nothing."""
    words = vocabulary(images)
    return np.array([[text.split().count(word) for word in words] for text in texts], np.float32)


def pairs(images: Images, size: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A view of each of that many training images, and the counts of the words of a caption of each."""
    index = minibatch(images, size, rng)
    pixels = images.view(images.train[index], rng)
    chosen = images.train_labels[index] * len(CAPTIONS) + rng.integers(len(CAPTIONS), size=len(index))
    return pixels, counts(every(images), images)[chosen]


def zero_shot(image_encoder: Network, text_encoder: Network, images: Images) -> Score:
    """The accuracy on held-out images of a classifier that is the texts of the labels, and of guessing."""
    # create dataset classifier from label text
    encode_text = in_use(text_encoder, counts(every(images), images))
    classifier = unit(encode_text(counts([PROMPT.format(name) for name in images.classes], images)))
    # use it: the label whose text lies nearest to the image
    encode_image = in_use(image_encoder, images.plain(images.train))
    nearest = np.argmax(encode_image(images.plain(images.test)) @ classifier.T, axis=1)
    return Score("zero-shot accuracy", float(np.mean(nearest == images.test_labels)), 1 / len(images.classes))
