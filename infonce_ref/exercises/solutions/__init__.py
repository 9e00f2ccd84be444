"""The solution of each exercise: the loss and its gradient in NumPy."""
