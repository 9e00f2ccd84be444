"""Plant a fault that occurs only if the arguments of the forward pass meet a condition."""


def arguments_of(loss, args, arguments):
    """The arguments of a forward pass by name."""
    return dict(zip(loss.example(), args, strict=False)) | arguments


def spoil(loss, where, how=lambda g: 1.01 * g):
    """Return the loss with gradients that are wrong if the condition holds."""

    def forward(*args, **arguments):
        value, cache = loss.forward(*args, **arguments)
        return value, (cache, where(arguments_of(loss, args, arguments)))

    def backward(cache, upstream=1.0):
        inner, wrong = cache
        gradients = loss.backward(inner, upstream)
        return type(gradients)(*map(how, gradients)) if wrong else gradients

    return loss._replace(forward=forward, backward=backward, held=None)


def of_value(loss, where):
    """Return the loss with right gradients and a value that is wrong if the condition holds."""

    def forward(*args, **arguments):
        value, cache = loss.forward(*args, **arguments)
        wrong = where(arguments_of(loss, args, arguments))
        return value * value.dtype.type(1.01 if wrong else 1), cache

    return loss._replace(forward=forward, held=None)


def rows(arguments):
    """Return the first array of rows or of scores."""
    return next(x for x in arguments.values() if getattr(x, "ndim", 0) == 2)
