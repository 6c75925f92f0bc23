"""The page with the rules of an edition, and what the “?” of a game shows."""
