"""Metrics of orders: FRS, Kendall's tau and others."""
