"""Bring your own loss: which formula it computes, whether its gradient is right, where it loses its digits."""
