"""What the algorithms share: images, networks, encoders, updates, measures."""
