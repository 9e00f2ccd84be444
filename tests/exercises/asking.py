"""What the tests of the exercises share."""

import numpy as np

from infonce_ref.exercises.exercise import functions
from infonce_ref.exercises.recognise import returned


def asked(exercise, text):
    """A file's text as it is asked, in this process."""
    own = dict(zip(exercise.functions, functions(text, exercise.functions)))

    def ask(name, arguments):
        with np.errstate(all="ignore"):
            return returned(own[name](*arguments))

    return ask
