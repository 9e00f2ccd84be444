"""Exercise find_the_mistake: NT-Xent with one mistake in it."""

from .ntxent import EXERCISE as NTXENT

EXERCISE = NTXENT._replace(
    title="a loss with a mistake: find it, and mend it",
    hints=(
        "The loss runs, and its value looks plausible. Which of the two functions is wrong? A"
        " central difference of "
        "the loss tells whether the gradient is that of the loss.",
        "Take two pairs of rows (1, 0) and (0, 1), and compute one row by hand.",
        "Read the mask: which rows are in each anchor's denominator?",
    ),
    given="masked_with_zero",
)
