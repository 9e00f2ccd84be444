"""The ledger's theorems in Coq: stated by the evidence, proved by a tactic of their kind or in the .v files."""
