"""What the losses share: the symbols' definitions, proved once, and the form in which a loss is stated."""
