"""Figures for Prometheus: what is counted (`counting.py`), what is measured when somebody asks
(`figures.py`), and the server of its own that tells both (`server.py`).

Counts are kept in the database. Web, adults and workers are processes in several containers, or on
several machines; files that processes of one container share would need a port in each of them.
"""
