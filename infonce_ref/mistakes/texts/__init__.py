"""A solution of each exercise, as a learner may write it, with NumPy only."""
