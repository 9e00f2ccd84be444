"""What a claim is made of: sentences, pieces of evidence, the points where something is shown, a verdict."""
