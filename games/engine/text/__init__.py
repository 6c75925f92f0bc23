"""Cards, positions, rulesets and whole games as text and as JSON, and back (docs/notation.md)."""
