"""The proofs: every equation of the InfoNCE family, checked by SymPy for every N and d.

`prover` proves, `symbols` is the one table of symbols, `losses` states each loss, and `theory` holds the results
that concern several. Nothing here imports `infonce_ref`: a proof and the code that it checks are written
independently, from the same equation.
"""
