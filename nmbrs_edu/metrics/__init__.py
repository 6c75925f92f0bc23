"""Figures for Prometheus: what is counted (`counting.py`), what is measured on request
(`figures.py`), and the separate server that publishes both (`server.py`).

Counts are kept in the database. Web, adults and workers are processes in several containers or on
several machines. Files that the processes of one container share would need a port for each
container.
"""
