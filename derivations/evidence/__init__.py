"""The parts of a claim: sentences, pieces of evidence, the points where something is shown, a verdict."""
