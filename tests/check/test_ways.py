"""How a stranger's loss is called: what it takes, what it returns, and what it may not do to the process."""

import random

import numpy as np
import pytest
from check.plain import cpc

from infonce_ref.check import check

OF_VALUE = {"tiers": ("formula",)}


def chatty(x, y):
    print("shapes", x.shape, y.shape)
    return cpc(x, y)


def seeding(x, y):
    np.random.seed(3)  # noqa: NPY002
    random.seed(3)
    return cpc(x, y)


def of_batch(x, y, batch_size):
    assert batch_size == len(x)
    return cpc(x, y)


class Built:
    def __init__(self, batch_size, temperature=0.2):
        self.size, self.temperature = batch_size, temperature

    def __call__(self, x, y):
        assert len(x) == self.size
        return cpc(x, y, self.temperature)


class Remembers:
    def __init__(self):
        self.seen = 0

    def __call__(self, x, y):
        self.seen += 1
        return cpc(x, y) + self.seen


def by_keyword(*, anchor, positive, tau=0.2):
    return cpc(anchor, positive, tau)


def three(x, y):
    return {"acc": 1.0, "loss": cpc(x, y), "rows": len(x)}


@pytest.mark.parametrize(
    ("loss", "asked", "words"),
    [
        (chatty, {}, ["it is cpc", "it prints while it is called"]),
        (of_batch, {}, ["it is cpc", "it is given each batch size"]),
        (Built, {}, ["it is cpc", "it is given each batch size"]),
        (Built, {"temperature": 0.5}, ["it is cpc, τ = 0.5"]),
        (Remembers, {}, ["cpc", "a state between calls, which is restored"]),
        (by_keyword, {"tau": 0.3}, ["it is cpc, τ = 0.3"]),
        (three, {}, ["it is cpc"]),
        (lambda x, y: (cpc(x, y), 3), {"take": 0}, ["it is cpc"]),
        (None, {"per_batch": lambda size: lambda x, y: cpc(x[:size], y)}, ["it is cpc"]),
        (cpc, {"dtype": "float32"}, ["it is cpc", "has the precision of float32"]),
        (cpc, {"inputs": "two"}, ["it is cpc"]),
    ],
)
def test_a_loss_is_called_as_it_takes_its_inputs(loss, asked, words, capsys):
    text = check(loss, **OF_VALUE, **asked).text()
    assert capsys.readouterr().out == ""
    assert all(word in text for word in words), text


def test_the_users_random_numbers_go_on_as_if_nothing_had_been_drawn():
    np.random.seed(1)  # noqa: NPY002
    random.seed(1)
    state, other = np.random.get_state()[1].tolist(), random.getstate()  # noqa: NPY002
    check(seeding, **OF_VALUE)
    assert np.random.get_state()[1].tolist() == state  # noqa: NPY002
    assert random.getstate() == other


@pytest.mark.slow
def test_numbers_of_pytorch_may_be_tensors_or_pythons_own():
    torch = pytest.importorskip("torch")

    def scaled(x, y, logit_scale):
        x, y = (torch.nn.functional.normalize(v) for v in (x, y))
        return torch.nn.functional.cross_entropy(logit_scale.exp() * x @ y.T, torch.arange(len(x)))

    text = check(scaled, logit_scale=1.5, tiers=("formula",)).text()
    assert "it is cpc, τ = 0.22313" in text
    text = check(lambda x, y: scaled(x, y, torch.tensor(1.5).double()).item(), tiers=("formula",)).text()
    assert "it is cpc, τ = 0.22313" in text
    assert "has the precision of float64" in text
