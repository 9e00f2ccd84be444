"""Plant wrong functions in a loss: one in its place, or one that differs if the arguments meet a condition."""

from types import SimpleNamespace

import numpy as np

from infonce_ref.catalogue import differentiate
from infonce_ref.verify.definition import define
from infonce_ref.verify.judge import list_registered

REGISTERED = list_registered()
FORMS = {"supcon_in": "supcon", "supcon_pairs": "supcon", "dclw": "dcl"}  # of a loss, by an option


def find_loss(book):
    """The loss that a function of the textbook defines."""
    return REGISTERED[FORMS.get(book, book.replace("estimate_", "information."))]


def plant(book, function, value=None):
    """The loss with the gradient of a function like the textbook's, and with its value or another's."""
    loss = find_loss(book)

    def forward(*args, **options):
        _, kept = loss.forward(*args, **options)
        given = arguments_of(loss, args, options)
        case = SimpleNamespace(loss=loss, arguments=given, upstream=1.0)
        with np.errstate(all="ignore"):
            found = define(case, **{book: value or function})(given)
        return np.asarray(np.real(found)), (kept, case)

    def backward(cache, upstream=1.0):
        kept, case = cache
        right = loss.backward(kept, upstream)
        defined = define(case, **{book: function})
        with np.errstate(all="ignore"):
            slopes = {n: differentiate(lambda **at: defined(at), case.arguments, n) for n in right._fields}
        return right._replace(**{n: upstream * slope for n, slope in slopes.items()})

    return loss._replace(forward=forward, backward=backward)


def arguments_of(loss, args, arguments):
    """The arguments of a forward pass by name."""
    return dict(zip(loss.example(), args, strict=False)) | arguments


def spoil(loss, where=lambda arguments: True, how=lambda g: 1.01 * g):
    """Return the loss with gradients that are wrong if the condition holds."""

    def forward(*args, **arguments):
        value, cache = loss.forward(*args, **arguments)
        return value, (cache, where(arguments_of(loss, args, arguments)))

    def backward(cache, upstream=1.0):
        inner, wrong = cache
        gradients = loss.backward(inner, upstream)
        return type(gradients)(*map(how, gradients)) if wrong else gradients

    return loss._replace(forward=forward, backward=backward)


def with_value(loss, how):
    """Return the loss with right gradients and another value. how(value, arguments): what it returns."""

    def forward(*args, **arguments):
        value, cache = loss.forward(*args, **arguments)
        return how(value, arguments_of(loss, args, arguments)), cache

    return loss._replace(forward=forward)


def of_value(loss, where):
    """Return the loss with right gradients and a value that is wrong if the condition holds."""
    return with_value(
        loss, lambda value, arguments: value * value.dtype.type(1.01 if where(arguments) else 1)
    )


def rows(arguments):
    """Return the first array of rows or of scores."""
    return next(x for x in arguments.values() if getattr(x, "ndim", 0) == 2)
