"""What metrics share: counting, matching and aligning in arrays, whole corpora at once."""
