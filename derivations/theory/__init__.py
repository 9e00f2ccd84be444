"""Results beyond one loss: bounds on information, curvature, ranges, hard negatives, queues, matrices."""
