"""Measures speed as ratios to something that runs beside it: `make bench`."""
