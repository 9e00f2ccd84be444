"""A solution for each exercise, as a learner may write it, with NumPy only."""
