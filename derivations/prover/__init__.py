"""The prover: finite sums in normal form, derivatives that refuse name capture, chains of proved lines."""
