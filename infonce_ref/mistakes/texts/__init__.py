"""A solution for each exercise, as a learner may write it: NumPy and nothing else."""
