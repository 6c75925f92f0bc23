"""Figures for Prometheus: `counting.py` counts events, `figures.py` measures on request,
`server.py` publishes both.

Counts are in the database, because web and workers run in several containers, perhaps on several
machines. With files instead, each container would need a port of its own.
"""
