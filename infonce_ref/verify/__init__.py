"""The judge. One file for each witness, one that runs them all, one that reports; the only room that sees both the
code and the proofs."""
