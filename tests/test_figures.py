"""The figures are drawn from the library, agree with their closed forms, and have the same bytes on every
run.
"""

import functools
import re
from pathlib import Path

import numpy as np
import pytest

from infonce_ref import figures
from infonce_ref.algorithms import ALL
from infonce_ref.algorithms.train import STEPS
from infonce_ref.figures import (
    barlow_twins_floor,
    bound_against_information,
    collapse,
    drift_of_keys,
    finite_differences,
    floor_of_the_loss,
    forces_on_a_circle,
    from_images_to_the_loss,
    gathered_gradient,
    gradient_against_similarity,
    hardness_weights,
    learned_temperature,
    matrix_of_forces,
    measurements,
    precision_against_temperature,
    streaming_scaling,
    weights_of_dhn_nce,
)
from infonce_ref.losses import ntxent
from infonce_ref.streaming import tiles

EPS = np.finfo(np.float64).eps


@pytest.fixture(scope="module")
def svg(tmp_path_factory):
    """The bytes of a figure as SVG; each figure is drawn once."""

    @functools.cache
    def write(name):
        folder = tmp_path_factory.mktemp(name)
        figures.build(folder, [name], formats=["svg"])
        return (folder / f"{name}.svg").read_bytes()

    return write


class TestBuild:
    @pytest.mark.nightly
    def test_same_bytes_on_every_run(self, svg, tmp_path):
        again = {path.name: path.read_bytes() for path in figures.build(tmp_path, formats=["png"])}
        for path in figures.build(tmp_path):
            if path.suffix != ".txt":
                before = again[path.name] if path.suffix == ".png" else svg(path.stem)
                assert path.read_bytes() == before, path.name
                assert path.suffix != ".png" or before.startswith(b"\x89PNG")

    def test_reader_settings_change_nothing(self, svg, tmp_path):
        import matplotlib

        with matplotlib.rc_context({"font.size": 23, "lines.linewidth": 7, "savefig.dpi": 31}):
            figures.build(tmp_path, ["gradient_against_similarity"], formats=["svg"])
        drawn = (tmp_path / "gradient_against_similarity.svg").read_bytes()
        assert drawn == svg("gradient_against_similarity")

    def test_only_and_progress(self, tmp_path):
        seen, name = [], "collapse"
        paths = figures.build(tmp_path / "new" / "folder", [name], lambda *step: seen.append(step))
        assert [p.name for p in paths] == [f"{name}.svg", f"{name}.png", f"{name}.txt"]
        assert seen == [(name, 1, 1)]

    def test_unknown_name_draws_nothing(self, tmp_path):
        with pytest.raises(ValueError, match="figures: unknown 'gradient'; known are"):
            figures.build(tmp_path / "out", ["collapse", "gradient"])
        assert not (tmp_path / "out").exists()

    @pytest.mark.slow
    def test_a_slide_in_the_dark(self, tmp_path):
        """A dark PDF for slides: text is TrueType, and the page is wider than high."""
        name = "collapse"
        (pdf, caption) = figures.build(tmp_path, [name], formats=["pdf"], theme="dark", size="slide")
        assert pdf.read_bytes().startswith(b"%PDF")
        assert b"/FontFile2" in pdf.read_bytes()
        assert b"/MediaBox [ 0 0 720 405 ]" in pdf.read_bytes()
        assert figures.load(name).title in caption.read_text(encoding="utf-8")

    def test_frames_build_up_to_the_slide(self, tmp_path):
        name = "gradient_against_similarity"
        frames, slide = (
            [
                path.read_text("utf-8")
                for path in figures.build(tmp_path / size, [name], formats=["svg"], size=size)
            ]
            for size in ("frames", "slide")
        )
        shown = [frame.count("<text") for frame in frames[::2]]  # after each the caption
        assert shown == sorted(set(shown))
        assert frames[-2:] == slide

    @pytest.mark.slow
    @pytest.mark.parametrize("size", ["page", "slide", "column"])
    @pytest.mark.parametrize("name", figures.NAMES)
    def test_nothing_is_cut(self, name, size):
        from infonce_ref.figures import style

        with style.apply(size=size):
            figure = figures.load(name).picture()
            figure.draw_without_rendering()
            drawn, paper = figure.get_tightbbox(), figure.bbox_inches
        assert np.all(drawn.min > -0.01)
        assert np.all(drawn.max < paper.max + 0.01)

    @pytest.mark.slow
    def test_a_theme_has_other_colours_and_the_same_curves(self):
        light, dark = (figures.load("finite_differences").svg(theme) for theme in ("light", "dark"))
        colour = re.compile("#[0-9a-f]{6}")
        assert light != dark
        assert not set(colour.findall(light)) & {"#17181b", "#e6e4df"}
        assert not set(colour.findall(dark)) & {"#ffffff", "#000000"}


SLOW = {"bound_against_information", "precision_against_temperature", "pull_on_the_positive"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in SLOW else ()) for name in figures.NAMES]
)
def test_caption_and_claims(name, svg):
    entry = figures.load(name)
    assert entry.title[-1] in ".?"
    assert len(entry.text) > 100
    assert 40 < len(entry.setting) < 300  # the last paragraph alone, for a slide
    assert entry.claims
    assert b"<svg" in svg(name)[:1000]
    assert f"Claims: {', '.join(entry.claims)}".encode() in svg(name)


@pytest.mark.parametrize("figure", [gradient_against_similarity, gathered_gradient])
def test_a_closed_form_that_is_not_the_library_is_not_drawn(figure, monkeypatch):
    right = figure.closed_form
    monkeypatch.setattr(figure, "closed_form", lambda *at: (1 + 1e-9) * right(*at))
    with pytest.raises(ValueError, match="figures: the library gives"):
        figures.load(figure.__name__.rpartition(".")[2]).draw()


# --- what captions say --------------------------------------------------------------------------------------


@pytest.mark.parametrize("tau", gradient_against_similarity.TEMPERATURES)
def test_the_push_turns_at_s_star(tau):
    peak = gradient_against_similarity.turning_point(tau)
    near = peak + np.array([-0.9, -0.1, -1e-3, 0, 1e-3, 0.1]) * (1 - peak)
    assert np.argmax(gradient_against_similarity.library("negative", near, tau)) == 3


@pytest.mark.parametrize("dimension", hardness_weights.DIMENSIONS)
def test_hardness_weights_have_their_limit_for_many_negatives(dimension):
    effective = 1 / np.sum(hardness_weights.library(hardness_weights.random_negatives(dimension), 0.5) ** 2)
    # a mean over 256 random rows: a relative standard error of a few hundredths
    assert effective == pytest.approx(hardness_weights.many(dimension, 0.5), rel=0.1, abs=0)


def test_rows_of_a_trained_encoder_have_fewer_effective_negatives_than_their_pixels():
    figure, kept = hardness_weights, measurements.read(hardness_weights.__file__)
    pixels, trained = np.array(list(kept.values()))
    assert np.all(trained < pixels)
    assert 11.5 < trained[np.isclose(figure.AT, 0.1)] < 12.5
    images = ALL["simclr"].images()
    rows = images.plain(images.test[: figure.NEGATIVES + 1]).astype(float)
    again = figure.measure(rows / np.linalg.norm(rows, axis=1, keepdims=True))
    np.testing.assert_allclose(again, pixels, atol=0.01)


def test_finite_differences_have_their_orders_and_lose_digits():
    # errors of order h and h²: a tenth of the step divides them by about 10 and 100
    for method, order in (("forward difference", 1), ("central difference", 2), ("complex step", 2)):
        ratio = finite_differences.error(method, 1e-2) / finite_differences.error(method, 1e-3)
        assert np.log10(ratio) == pytest.approx(order, abs=0.05)
    # a complex step has no subtraction: a few roundings at any step
    steps = 10.0 ** np.arange(-100, -8, 7)
    assert max(finite_differences.error("complex step", h) for h in steps) < 16 * EPS
    # truncation h² and rounding ε/h are equal near ε^(2/3) = 4e-11
    assert min(finite_differences.error("central difference", h) for h in np.logspace(-8, -2, 25)) > 1e-13


@pytest.mark.parametrize("tau", precision_against_temperature.TEMPERATURES[::4])
def test_the_library_stays_in_the_shaded_part(tau):
    figure = precision_against_temperature
    assert max(figure.errors(figure.library(tau), figure.exact(tau))) < 64 * EPS * max(1, 1 / tau)  # [S3]
    first = figure.TEMPERATURES[0]
    assert figure.textbook(first)[0] == 0 < figure.library(first)[0]


@pytest.mark.torch
@pytest.mark.slow
def test_measurements_of_pytorch_can_be_repeated():
    pytest.importorskip("torch", reason="PyTorch is not installed")
    kept = precision_against_temperature.read()
    assert tuple(kept) == precision_against_temperature.TEMPERATURES
    for tau, (value, gradient) in kept.items():
        again, gradient_again = precision_against_temperature.pytorch(tau)
        # another version may round differently: cancellation leaves an absolute error of order ε/τ in ℓ
        assert again == pytest.approx(value, abs=64 * EPS * max(1, 1 / tau))
        np.testing.assert_allclose(gradient_again, gradient, rtol=0, atol=64 * EPS * max(1, 1 / tau) ** 2)


@pytest.mark.parametrize("candidates", bound_against_information.CANDIDATES)
def test_the_bound_is_below_the_logarithm_of_the_candidates_and_follows_the_truth(candidates):
    # because the loss is positive, this holds for every sample, not only on average
    assert bound_against_information.gaussian(candidates, 8.0) < np.log(candidates)
    # one nat, 256 candidates: the bound's gap of about 0.02, and three standard errors of 3000 samples
    assert bound_against_information.gaussian(256, 1.0) == pytest.approx(1.0, abs=0.1)
    # the wrong bound passes the truth
    assert np.log(9) - bound_against_information.library_bit_loss(5, 0.1) > np.log(2) + 2e-3


@pytest.mark.parametrize("beta", weights_of_dhn_nce.BETAS[1:])
def test_weights_of_dhn_nce_attract_left_of_the_star(beta):
    attracted = weights_of_dhn_nce.library(beta, "differentiated")[1] < 0
    np.testing.assert_array_equal(attracted, weights_of_dhn_nce.turning_point(beta) > weights_of_dhn_nce.S)
    assert np.all(weights_of_dhn_nce.library(beta, "constant")[1] > 0)


# --- what was measured ----------------------------------------------------------------------------------------

TILED = {"tile by tile, float32": 4, "tile by tile, float64": 8}  # bytes of a number
WHOLE = ("plain, float32", "PyTorch, eager, float32")


def test_time_of_tiles_grows_as_the_square_and_memory_linearly():
    for name, size in TILED.items():
        rows, seconds, megabytes = zip(*streaming_scaling.read()[name])
        # every row is compared with every other: exponent 2, plus 0.05 because the machine is shared
        assert np.polyfit(np.log(rows), np.log(seconds), 1)[0] < 2.05
        # arrays as large as the input: X, the gradient, its transposed half, a copy in the caller's order
        assert megabytes[-1] < (5 * rows[-1] * 128 * size + tiles.KEPT) / 2**20


def test_the_caption_and_docs_speed_list_the_measurements():
    curves = {name: {n: run for n, *run in curve} for name, curve in streaming_scaling.read().items()}
    tiled, plain, eager = (curves[name] for name in (next(iter(TILED)), *WHOLE))
    slower = [n for n in plain if tiled[n][0] >= min(plain[n][0], eager[n][0])]
    since = min(n for n in plain if n > max(slower, default=0))
    caption = " ".join(streaming_scaling.__doc__.split())
    assert f"tile by tile from {since:,} rows on" in caption
    needed = [curve[2**14][1] * 2**20 * (2**16 / 2**14) ** 2 / 1e9 for curve in (plain, eager)]
    assert f"some {needed[0]:.0f} and {needed[1]:.0f} gigabytes" in caption
    shown = (Path(figures.__path__[0]).parent / "docs" / "speed.md").read_text()
    assert all(
        f"{seconds * 1e3:,.1f} ms" in shown for curve in curves.values() for seconds, _ in curve.values()
    )


@pytest.mark.parametrize("name", collapse.RUNS)
def test_the_first_steps_of_a_collapse_can_be_repeated(name):
    again = list(collapse.spreads(name, 6))
    # four digits are kept; another BLAS sums float32 in another order, which six steps amplify little
    np.testing.assert_allclose(
        again, measurements.read(collapse.__file__)[name][: len(again)], rtol=0, atol=5e-4
    )


def test_the_first_steps_of_a_drift_can_be_repeated():
    (again,) = drift_of_keys.runs(0.99, 8)
    # four digits are kept; another BLAS sums float32 in another order, which eight steps amplify little
    np.testing.assert_allclose(again, drift_of_keys.read()[0.99][0], rtol=5e-3)


def test_the_first_steps_of_runs_with_their_floor_can_be_repeated():
    for tau, kept in measurements.read(floor_of_the_loss.__file__).items():
        assert len(kept) == STEPS / floor_of_the_loss.MEAN
        # four digits are kept; another BLAS sums float32 in another order, which the steps amplify
        (again,) = floor_of_the_loss.run(float(tau), floor_of_the_loss.MEAN)
        assert again == pytest.approx(kept[0], abs=5e-3)


def test_five_rows_of_six_are_nearest_to_their_partner_and_the_images_are_the_digits():
    kept = from_images_to_the_loss.read()
    loss, cosines = from_images_to_the_loss.library(kept["rows"])
    nearest = np.argmax(cosines - 2 * np.eye(6), axis=1)
    assert np.sum(nearest == (np.arange(6) + 3) % 6) == 5
    assert 0.5 < loss < 0.6
    held_out = ALL["simclr"].images().test
    for image in kept["images"]:
        assert np.isclose(held_out, image, atol=1e-3).all(axis=(1, 2)).any()


# --- theorems that figures show ---------------------------------------------------------------------------------


@pytest.mark.parametrize("exchanged", learned_temperature.EXCHANGED)
def test_the_learned_scale_rests_where_r1_says(exchanged):
    at, (least, most) = learned_temperature.find_rest(exchanged), learned_temperature.limits(exchanged)
    slopes = [learned_temperature.library(exchanged, scale)[1] for scale in learned_temperature.SCALES]
    rows = learned_temperature.directions(exchanged)
    right = all(np.all(np.argmax(s, axis=1) == np.arange(len(s))) for s in rows)
    assert right is (exchanged == 0)
    if exchanged == 0:
        assert at is None
        assert max(slopes) < 0
    elif least <= 0:
        assert at is None
        assert min(slopes) > 0
    else:
        assert least <= at <= most
        # the slope is 0 there, within the root finder's tolerance
        assert abs(learned_temperature.library(exchanged, at)[1]) < 1e-10


def test_all_three_cases_of_a_learned_scale_are_shown():
    rests = [learned_temperature.find_rest(exchanged) for exchanged in learned_temperature.EXCHANGED]
    assert [at is None for at in rests] == [True, False, False, True]


def test_a_step_against_the_remaining_gradient_raises_the_loss_at_the_star():
    """R2: for batches other than the star it lowers the loss. With one rank nothing is missing."""
    cases = [(gathered_gradient.WITNESS, gathered_gradient.WITNESS_TEMPERATURE, 2)]
    cases += [(gathered_gradient.batch(name), 0.1, 64) for name in gathered_gradient.BATCHES]
    changes = []
    for z, tau, ranks in cases:
        left = gathered_gradient.library(z, tau, ranks)
        before, after = (ntxent.forward(x, temperature=tau)[0] for x in (z, z - 1e-4 * left))
        changes.append(after - before)
    assert changes[0] > 0
    assert max(changes[1:]) < 0
    full = ntxent.backward(ntxent.forward(z, temperature=tau)[1]).w
    np.testing.assert_allclose(gathered_gradient.library(z, tau, 1), full, rtol=0, atol=1e-15)


def test_the_papers_setting_cannot_be_below_121():
    rows, features, weight = barlow_twins_floor.PAPER
    assert 121 < features * barlow_twins_floor.floor(features / (rows - 1), weight) < 122


def test_the_matrix_of_forces_has_the_force_of_the_backward_pass():
    """−(G + Gᵀ) Z along the sphere; the logits' error [S3]."""
    z = forces_on_a_circle.rows()
    for tau in forces_on_a_circle.TEMPERATURES:
        g = matrix_of_forces.library(z, tau)
        force = -(g + g.T) @ z
        along = force - np.sum(force * z, axis=1, keepdims=True) * z
        np.testing.assert_allclose(forces_on_a_circle.library(z, tau), along, rtol=0, atol=16 * EPS / tau)
