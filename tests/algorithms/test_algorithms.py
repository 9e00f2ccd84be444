"""Each algorithm's step: it changes no argument, is determined by the seed, and follows its pseudo-code."""

import numpy as np
import pytest

from infonce_ref import sphere
from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.parts import captions, networks
from infonce_ref.algorithms.parts.evaluate import measure
from infonce_ref.algorithms.train import advance, begin
from infonce_ref.arrays import leaves
from infonce_ref.losses import ntxent, query_key


def same(first, second):
    return all(np.array_equal(a, b) for a, b in zip(leaves(first), leaves(second), strict=True))


@pytest.mark.parametrize("name", ALL)
class TestEveryAlgorithm:
    def test_a_step_leaves_the_old_state_alone_and_follows_from_the_seed(self, name):
        run = begin(ALL[name], seed=3, batch=32)
        for leaf in leaves(run.state):
            leaf.flags.writeable = False
        first, second = (advance(begun, 2) for begun in (run, begin(ALL[name], seed=3, batch=32)))
        assert not same(first.state, run.state)
        assert first.losses == second.losses
        assert same(first.state, second.state)
        assert {leaf.dtype for leaf in leaves(first.state)} == {np.dtype(np.float32)}

    @pytest.mark.slow
    def test_the_loss_falls(self, name):
        """Once the bank or queue, random at first, holds features: while it fills, the task becomes harder."""
        filled = 40
        losses = advance(begin(ALL[name], batch=64), filled + 60).losses[filled:]
        assert np.mean(losses[-20:]) < np.mean(losses[:20])


class TestMoCo:
    def test_queue_is_first_in_first_out(self):
        """D3.37: the earliest minibatch leaves, the latest is at the end."""
        run = begin(ALL["moco"], batch=8, queue=20)
        queue = advance(run, 1).state.queue
        np.testing.assert_array_equal(queue[:12], run.state.queue[8:])
        np.testing.assert_allclose(np.linalg.norm(queue[12:], axis=1), 1, rtol=1e-6)

    def test_negatives_are_read_before_the_enqueue(self):
        """D3.40: the loss is that of the new queries and keys against the old queue, with no current key."""
        algorithm, run = ALL["moco"], begin(ALL["moco"], batch=8, queue=20)
        images, rng = algorithm.images(), np.random.default_rng((0, 0))
        x = images.train[rng.choice(len(images.train), 8, replace=False)]
        q, k = (
            sphere.forward(networks.forward(f, images.view(x, rng))[0])[0]
            for f in (run.state.f_q, run.state.f_k)
        )
        loss, _ = query_key.forward(q, k, run.state.queue, temperature=run.options.temperature)
        assert advance(run, 1).losses == (float(loss),)

    def test_key_network_drifts_by_one_minus_m(self):
        """D3.38: Δθ_k = (1 − m)(θ_q − θ_k)."""
        before = advance(begin(ALL["moco"], batch=8, queue=20), 1)
        now = advance(before, 1)
        for old, new, query in zip(*map(leaves, (before.state.f_k, now.state.f_k, now.state.f_q))):
            np.testing.assert_allclose(new - old, 0.01 * (query - old), atol=1e-7)  # eps of a weight near 1


class TestCollapse:
    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("name", "kept", "removed"),
        [("simsiam", {}, {"stop_gradient": False}), ("byol", {}, {"target": "trained"})],
    )
    def test_without_its_safeguard_the_encoder_collapses(self, name, kept, removed):
        """D3.46: the spread is 1 for an evenly filled sphere and 0 for a point; 100 steps are enough to
        distinguish them.
        """
        algorithm = ALL[name]
        spread = []
        for options in (kept, removed):
            state = advance(begin(algorithm, batch=64, **options), 100).state
            found = measure(algorithm.embedding(state), algorithm.images())
            spread.append(found.spread)
        assert spread[0] > 0.7
        assert spread[1] < 0.3

    def test_target_is_a_moving_average(self):
        """D3.41: ξ ← τ ξ + (1 − τ) θ."""
        before = begin(ALL["byol"], batch=8, average=0.9)
        now = advance(before, 1)
        for old, new, online in zip(*map(leaves, (before.state.target, now.state.target, now.state.online))):
            np.testing.assert_allclose(new, 0.9 * old + 0.1 * online, atol=1e-7)


class TestSupCon:
    def test_with_a_label_for_each_image_it_is_simclr(self):
        """F24: one positive for each view, the other of its image."""
        algorithm, run = ALL["supcon"], begin(ALL["supcon"], batch=8)
        images = algorithm.images()
        alone = images._replace(train_labels=np.arange(len(images.train)))
        _, loss = algorithm.step(run.state, alone, np.random.default_rng(0), run.options)
        rng = np.random.default_rng(0)
        x = images.train[rng.choice(len(images.train), 8, replace=False)]
        views = np.concatenate([images.view(x, rng), images.view(x, rng)])
        z, _ = networks.forward(run.state.f, views)
        expected, _ = ntxent.forward(z, temperature=run.options.temperature)
        np.testing.assert_allclose(loss, expected, rtol=1e-6)  # float32


class TestCaptions:
    def test_the_classifier_is_made_of_a_sentence_that_no_caption_has(self):
        images = ALL["clip"].images()
        prompts = {captions.PROMPT.format(name) for name in images.classes}
        assert not prompts & set(captions.list_all(images))

    @pytest.mark.slow
    @pytest.mark.parametrize("name", ["clip", "siglip"])
    def test_zero_shot_beats_guessing(self, name):
        run = advance(begin(ALL[name], batch=64), 100)
        assert ALL[name].score(run.state, run.algorithm.images()).value > 0.5


@pytest.mark.slow
def test_representation_beats_the_untrained_encoder():
    """With seed 0 and 150 steps of SimCLR: by more than 2 points, the resolution of 500 images."""
    algorithm, run = ALL["simclr"], begin(ALL["simclr"])
    untrained, trained = (
        measure(algorithm.embedding(state), algorithm.images()).accuracy
        for state in (run.state, advance(run, 150).state)
    )
    assert trained > untrained + 0.02
