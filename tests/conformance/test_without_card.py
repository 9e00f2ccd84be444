"""A loss that asks for a GPU runs on the CPU where there is none."""

import sys

import pytest

torch = pytest.importorskip("torch")

from infonce_ref.conformance import without_card  # noqa: E402
from infonce_ref.conformance.without_card import NOTE, lacks_card, replace_gpu, run  # noqa: E402


@pytest.fixture(autouse=True)
def no_card(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


class Loss:
    """It raises, or returns a number, and counts its calls."""

    def __init__(self, error=None):
        self.error, self.calls = error, 0

    def __call__(self):
        self.calls += 1
        if self.error is not None and torch.cuda.current_device() != torch.device("cpu"):
            raise self.error
        return 2.5


@pytest.fixture(autouse=True)
def card_number(monkeypatch):
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)


def test_a_loss_that_runs_is_called_once_and_gets_no_note():
    loss, notes = Loss(), {}
    assert run(loss, notes) == 2.5
    assert loss.calls == 1
    assert notes == {}


def test_a_loss_that_lacks_a_card_is_called_again_without_and_gets_a_note():
    loss, notes = Loss(RuntimeError("Found no NVIDIA driver")), {}
    assert run(loss, notes) == 2.5
    assert loss.calls == 2
    assert list(notes) == [NOTE]


def test_once_noted_it_is_called_without_a_card_at_once():
    loss = Loss(RuntimeError("Found no NVIDIA driver"))
    assert run(loss, {NOTE: None}) == 2.5
    assert loss.calls == 1


def test_another_error_is_raised():
    loss, notes = Loss(ValueError("the batch is odd")), {}
    with pytest.raises(ValueError, match="the batch is odd"):
        run(loss, notes)
    assert loss.calls == 1
    assert notes == {}


def test_a_loss_that_fails_without_a_card_too_gets_no_note():
    def loss():
        raise RuntimeError("cuda is needed")

    notes = {}
    with pytest.raises(RuntimeError, match="cuda is needed"):
        run(loss, notes)
    assert notes == {}


@pytest.mark.parametrize(
    ("message", "lacks"),
    [
        ("Torch not compiled with CUDA enabled", True),
        ("Found no NVIDIA driver on your system", True),
        ("Cannot access accelerator device when none is available", True),
        ("no accelerator", False),
        ("shapes do not match", False),
    ],
)
def test_the_errors_of_a_missing_card(message, lacks):
    assert lacks_card(RuntimeError(message)) is lacks


def test_with_a_card_none_is_missing(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert not lacks_card(RuntimeError("CUDA out of memory"))


def test_without_torch_no_card_is_missing(monkeypatch):
    monkeypatch.delitem(sys.modules, "torch")
    assert not without_card.lacks_card(RuntimeError("cuda"))


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x.cuda(),
        lambda x: x.cuda(0),
        lambda x: x.cuda(non_blocking=True),
        lambda x: x.to("cuda"),
        lambda x: x.to("cuda:1"),
        lambda x: x.to(torch.device("cuda")),
        lambda x: x.to(device="cuda"),
        lambda x: x.to(device=torch.device("cuda", 1)),
        lambda x: x.to(torch.device(type="cuda", index=1)),
        lambda x: x.to(torch.cuda.current_device()),
        lambda x: torch.full((2,), 3.0, device="cuda"),
        lambda x: torch.full((2,), 3.0, device=torch.device("cuda")),
    ],
)
def test_what_would_be_put_on_a_card_stays_on_the_cpu(make):
    with replace_gpu():
        found = make(torch.full((2,), 3.0))
    assert found.device == torch.device("cpu")
    assert found.tolist() == [3.0, 3.0]


def test_other_devices_and_arguments_are_left():
    with replace_gpu():
        assert torch.ones(2).to("meta").device == torch.device("meta")
        assert torch.ones(2, device="meta").device == torch.device("meta")
        assert torch.ones(2).to(torch.float64).dtype == torch.float64
        assert torch.ones(2, 3).sum(1, keepdim=True).shape == (2, 1)


def test_another_device_is_made_as_asked():
    with replace_gpu():
        assert torch.device("meta", 1) == torch.device("meta", 1)
        assert torch.device(type="meta").type == "meta"


def test_the_current_device_is_the_cpu_within_and_restored_after():
    before = torch.cuda.current_device
    with replace_gpu():
        assert torch.cuda.current_device() == torch.device("cpu")
    assert torch.cuda.current_device is before


def test_the_current_device_is_restored_after_an_error():
    before = torch.cuda.current_device

    def fail():
        with replace_gpu():
            raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        fail()
    assert torch.cuda.current_device is before
