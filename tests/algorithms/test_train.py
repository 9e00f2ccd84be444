"""A run can be begun, interrupted, saved, resumed and refused; the command reports each in one line."""

import errno
import os
import signal

import numpy as np
import pytest

from infonce_ref import output
from infonce_ref.algorithms import ALL, saved, train
from infonce_ref.algorithms.train import advance
from infonce_ref.arrays import leaves


@pytest.fixture
def state_file(tmp_path):
    path = tmp_path / "moco.run"
    saved.save(path, advance(train.begin(ALL["moco"], seed=5, batch=16, queue=32), 2))
    return path


class TestStateFile:
    @pytest.mark.parametrize("name", ALL)
    def test_a_resumed_run_is_the_run_that_was_not_interrupted(self, name, tmp_path):
        run = advance(train.begin(ALL[name], seed=2, batch=16), 2)
        saved.save(tmp_path / "run.run", run)
        resumed, whole = advance(saved.load(tmp_path / "run.run"), 2), advance(run, 2)
        assert resumed.losses == whole.losses
        assert resumed.options == whole.options
        for a, b in zip(leaves(resumed.state), leaves(whole.state), strict=True):
            np.testing.assert_array_equal(a, b)

    @pytest.mark.parametrize("other", [0.0, 0.3, 0.6, 0.999, b"", b"text", saved.FORMAT, b"PK\x03\x04"])
    def test_a_changed_byte_or_another_kind_of_file_is_refused(self, state_file, other):
        content = bytearray(state_file.read_bytes())
        if isinstance(other, float):
            content[int(other * len(content))] ^= 0xFF
        state_file.write_bytes(other if isinstance(other, bytes) else content)
        with pytest.raises(
            ValueError, match="is not a state file of this version, or it is damaged: train again"
        ):
            saved.load(state_file)


class TestOptions:
    def test_words_become_the_types_of_the_defaults(self):
        words = ["batch=64", "rate=0.1", "stop_gradient=false"]
        assert train.parse(ALL["simsiam"], words) == {"batch": 64, "rate": 0.1, "stop_gradient": False}

    @pytest.mark.parametrize("name", ["simclr", "colourisation"])
    def test_a_descent_that_diverges_says_so(self, name):
        with pytest.raises(ValueError, match="lower the option rate"):
            advance(train.begin(ALL[name], batch=16, rate=1e30), 5)


class TestCommand:
    SHORT = ("train", "rotation", "--steps", "2", "--option", "batch=16", "--out")

    @pytest.mark.slow
    def test_trains_measures_saves_and_resumes_in_place(self, tmp_path, command):
        status, printed, _ = command(*self.SHORT, tmp_path)
        assert status == 0
        made = {path.name for path in tmp_path.iterdir()}
        assert made == {"rotation.run", "rotation.svg", "rotation.png", output.RECORD}
        assert "raw pixels" in printed
        assert "guessing reaches 0.250" in printed
        state = tmp_path / "rotation.run"
        more = ("train", "rotation", "--steps", "3", "--resume", state, "--out", tmp_path)
        assert command(*more)[0] == 0
        assert len(saved.load(state).losses) == 3

    @pytest.mark.usefixtures("default_signals")
    def test_an_interrupt_saves_what_was_trained(self, tmp_path, command, monkeypatch):
        """Even if a second Ctrl-C comes before the save."""
        steps, save = train.steps, saved.save

        def interrupted(run, count):
            yield from steps(run, 2)
            os.kill(os.getpid(), signal.SIGINT)

        def interrupted_again(path, run):
            if run.losses:
                os.kill(os.getpid(), signal.SIGINT)
            save(path, run)

        monkeypatch.setattr(train, "steps", interrupted)
        monkeypatch.setattr(saved, "save", interrupted_again)
        status, _, err = command(*self.SHORT, tmp_path)
        assert status == 130
        assert "interrupted after 2 steps" in err
        assert len(saved.load(tmp_path / "rotation.run").losses) == 2

    @pytest.mark.slow
    def test_a_disk_that_fills_up_does_not_end_the_training(self, tmp_path, command, monkeypatch):
        from infonce_ref.cli import train as of_command

        whole = train.steps

        def full(_):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def filling(run, count):
            first, second = whole(run, count)
            yield first
            with monkeypatch.context() as patch:
                patch.setattr(output.os, "fsync", full)
                yield second

        monkeypatch.setattr(of_command, "EVERY", 0.0)
        monkeypatch.setattr(train, "steps", filling)
        status, _, err = command(*self.SHORT, tmp_path)
        assert status == 0
        assert "No space left on device; nothing there was changed; training goes on" in err
        assert len(saved.load(tmp_path / "rotation.run").losses) == 2

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            ("other", "algorithm: unknown 'other'; known are simclr, "),
            ("simclr --steps 0", "--steps must be at least 1; got 0"),
            ("moco --out FOLDER", "moco.run exists: --resume"),
            ("simclr --seed -1", "seed must not be negative; got -1"),
            ("simclr --resume FILE", "holds a run of moco, not of simclr"),
            ("moco --steps 1 --resume FILE", "has done 2, more than 1; ask for at least as many"),
            ("moco --seed 1 --resume FILE", "leave --seed and --option out"),
            ("simclr --option queue=64", "simclr has no option 'queue'; it has batch, temperature, rate\n"),
            ("simclr --option batch=many", "option batch must be of type int, such as 128; got 'many'"),
            ("simclr --option batch", "an option is NAME=VALUE; got 'batch'"),
            ("simclr --option batch=2000", "batch must lie in 2 … 1297, the number of images; got 2000"),
            ("moco --option batch=32 queue=16", "queue must hold at least a minibatch, 32 keys; got 16"),
            ("instance_discrimination --option loss=other", "must be one of 'softmax', 'nce'; got 'other'"),
            ("siglip --option scale=0", "scale must be positive and finite; got 0"),
            ("simclr --option rate=nan", "option rate must be finite; got nan"),
            ("simclr --option rate=-1", "option rate must be positive"),
            ("moco --option momentum=7", "option momentum must lie in 0 … 1"),
        ],
    )
    def test_errors_are_one_line(self, words, message, state_file, tmp_path, refused):
        filled = words.replace("FILE", str(state_file)).replace("FOLDER", str(tmp_path)).split()
        assert message in refused("train", "--out", tmp_path / "out", *filled)

    @pytest.mark.slow
    @pytest.mark.parametrize("name", [name for name, entry in ALL.items() if entry.floor])
    def test_no_step_is_below_the_floor_that_the_figure_draws(self, name):
        from infonce_ref.algorithms import picture

        run = advance(train.begin(ALL[name], batch=16), 2)
        curve, floor = picture.draw(run).axes[0].lines
        rounding = 1e-5  # of float32 losses
        assert floor.get_ydata()[0] == run.algorithm.floor(run.options).value
        assert min(curve.get_ydata()) >= floor.get_ydata()[0] - rounding
