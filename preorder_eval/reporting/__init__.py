"""Results as pages and pictures; computes no scores."""
