"""A claim of each verdict."""

OF_EACH_VERDICT = ("D1.11", "D1.13", "D1.5", "D1.0", "D3.37", "P1", "D4.9", "P2")
