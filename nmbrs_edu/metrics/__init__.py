"""Figures for Prometheus: `counting.py` counts events, `figures.py` measures when it is asked,
`server.py` publishes both.

Counts are in the database, because web and workers run in several containers, perhaps on several
machines. With counts in memory or files, each container would need a port of its own.
"""
