"""Helpers for the tests of the exercises."""

import numpy as np

from infonce_ref.mistakes.entry import convert_to_arrays, run_text


def asked(exercise, text):
    """Check a file's text in this process."""
    own = dict(zip(exercise.functions, run_text(text, exercise.functions)))

    def ask(name, arguments):
        with np.errstate(all="ignore"):
            return convert_to_arrays(own[name](*arguments))

    return ask
