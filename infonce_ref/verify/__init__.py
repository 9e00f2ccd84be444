"""`infonce-ref verify`: four independent checks of every gradient, one file each, and the report. Only this package
imports both the code and the proofs.
"""
