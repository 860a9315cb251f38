"""Statistics over the additive statistics of metrics."""
