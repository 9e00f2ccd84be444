"""A user's own embeddings: two views of each thing, from files or arrays, read a block at a time."""
