"""Statements about a child, each with a limit on its chance of being wrong (docs/mastery.md)."""
