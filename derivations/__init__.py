"""The proofs: every equation of the InfoNCE family, checked by SymPy for every N and d.

`symbols` is the one table of symbols, `prover` the machine that proves, and each other file is one lesson:
its definitions, its derivations line by line, and its claims. Nothing here imports `infonce_ref`: a proof and
the code that it vouches for are written from the same equation, apart.
"""
