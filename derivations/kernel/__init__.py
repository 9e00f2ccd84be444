"""The ledger's theorems in Coq: stated by the evidence itself, proved in the .v files."""
