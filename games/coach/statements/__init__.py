"""What is said of a child, each held to its chance of being wrong (docs/mastery.md)."""
