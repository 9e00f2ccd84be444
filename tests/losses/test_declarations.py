"""What a loss declares of itself in its LOSS."""

import sys

import pytest

from infonce_ref import losses
from infonce_ref.bridges import find_stopped


@pytest.mark.parametrize("loss", losses.ALL.values(), ids=losses.ALL)
def test_the_docstring_begins_with_the_usual_name_if_it_begins_with_the_loss(loss):
    said = sys.modules[loss.forward.__module__].__doc__
    letters = "".join(c for c in said if c.isalpha()).lower()
    if loss.title or letters.startswith(loss.name.replace("_", "")):
        usual = loss.title or " ".join(word.capitalize() for word in loss.name.split("_"))
        assert said.replace("'", " ").startswith(usual)


@pytest.mark.parametrize(
    ("name", "options", "stopped"),
    [
        ("clip", {}, set()),
        ("byol", {}, {"target"}),
        ("simsiam", {}, {"z1", "z2"}),
        ("simsiam", {"stop_gradient": False}, set()),
    ],
)
def test_the_inputs_at_which_the_gradient_stops(name, options, stopped):
    assert find_stopped(losses.ALL[name], options) == stopped
