"""Statements about a child, each with a bound on its chance of being wrong (docs/mastery.md)."""
