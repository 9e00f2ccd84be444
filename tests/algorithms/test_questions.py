"""The answers of the pretext tasks are right, and the images are as documented."""

import numpy as np
import pytest

from infonce_ref.algorithms import colourisation, context_prediction, jigsaw, rotation
from infonce_ref.algorithms.parts import images


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_rotation_turned_back_is_the_image(rng):
    x = images.digits().test[:20]
    parts, turns = rotation.ask(x, rng)
    for image, turned, k in zip(x, parts, turns):
        np.testing.assert_array_equal(np.rot90(turned.reshape(8, 8), -k), image)
    assert set(turns) == {0, 1, 2, 3}


def test_jigsaw_tiles_follow_their_permutation(rng):
    quarters = np.kron([[0, 1], [2, 3]], np.ones((4, 4)))
    parts, order = jigsaw.ask(np.repeat(quarters[None], 50, axis=0), rng)
    laid = parts.reshape(50, 8, 8)[:, ::4, ::4].reshape(50, 4)
    np.testing.assert_array_equal(laid, jigsaw.ORDERS[order])


def test_context_neighbour_is_the_requested_cell(rng):
    cells = np.kron(np.arange(9.0).reshape(3, 3), np.ones((context_prediction.CELL,) * 2))
    crops = np.repeat(np.repeat(cells[None, ..., None], 3, axis=3), 60, axis=0).astype(np.float32)
    parts, which = context_prediction.ask(crops, rng)
    np.testing.assert_allclose(parts[:, 0], 4, rtol=1e-6)
    neighbour = context_prediction.NEIGHBOURS[which][:, None]
    np.testing.assert_allclose(parts[:, 1], np.broadcast_to(neighbour, (60, 64)), rtol=1e-6)


def test_colourisation_grey_and_answer_make_the_colours_again(rng):
    colour = np.broadcast_to(rng.random((5, 1, 1, 3), np.float32), (5, images.CROP, images.CROP, 3))
    parts, answer = colourisation.ask(colour, rng)
    red_blue = answer.reshape(5, 64, 2) + parts[:, 0, :, None]
    np.testing.assert_allclose(
        red_blue, np.broadcast_to(colour[:, 0, :1][..., [0, 2]], (5, 64, 2)), atol=1e-6
    )


@pytest.mark.parametrize("load", [images.digits, images.photographs])
def test_held_out_images_are_of_every_class_and_not_trained_on(load, rng):
    """The encoder sees 64 pixels of each in float32."""
    data = load()
    for x in (data.plain(data.test), data.view(data.test, rng)):
        assert x.shape == (len(data.test), 64)
        assert x.dtype == np.float32
    for labels in (data.train_labels, data.test_labels):
        assert set(labels) == set(range(len(data.classes)))
    assert not {x.tobytes() for x in data.train} & {x.tobytes() for x in data.test}


def test_interpolation_at_a_pixel_returns_its_value(rng):
    x = rng.random((2, 8, 8))
    places = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0), indexing="ij"), axis=-1).reshape(1, -1, 2)
    np.testing.assert_allclose(images.bilinear(x, np.repeat(places, 2, axis=0)), x.reshape(2, -1), rtol=1e-12)
