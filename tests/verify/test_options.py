"""An identity uses only options that a loss declares."""

from inspect import signature

import pytest

from infonce_ref.losses import ALL
from infonce_ref.verify import laws
from infonce_ref.verify.case import Case


def without_options(loss):
    """The loss written for the default options only: any other option is a TypeError."""
    optional = {k for k, x in signature(loss.forward).parameters.items() if isinstance(x.default, str | bool)}
    example = {k: x for k, x in loss.example().items() if k not in optional}

    def plain_example(*args, **options):
        return {k: x for k, x in loss.example(*args, **options).items() if k in example}

    def forward(**arguments):
        unknown = set(arguments) - set(example)
        if unknown:
            raise TypeError(f"unexpected {unknown}")
        if any(getattr(x, "ndim", 0) != getattr(example[k], "ndim", 0) for k, x in arguments.items()):
            raise TypeError("another number of axes")
        return loss.forward(**arguments)

    return loss._replace(example=plain_example, forward=forward, variants=(), held=None)


@pytest.mark.parametrize("loss", ALL.values(), ids=ALL)
def test_a_loss_without_options_holds(loss):
    bare = without_options(loss)
    case = Case.of(bare, bare.example(3), "", "float64")
    checks = list(laws.check(case))
    assert {check.input for check in checks} == set(loss.differentiable)
    assert [check for check in checks if not check.holds] == []
