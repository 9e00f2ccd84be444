"""The prover: finite sums in normal form, derivatives that refuse capture, chains of proved lines."""
