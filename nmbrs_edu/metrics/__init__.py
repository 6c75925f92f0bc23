"""Figures for Prometheus: `counting.py` counts, `figures.py` measures on request, `server.py`
publishes both.

Counts are kept in the database. Web, adults and workers run in several containers, perhaps on
several machines; if they shared files instead, each container would need a port.
"""
