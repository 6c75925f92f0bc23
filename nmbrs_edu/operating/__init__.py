"""Keeps the site running, and tells its operator about it."""
