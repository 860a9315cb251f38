"""Fitting the parameters of metrics to human judgments."""
