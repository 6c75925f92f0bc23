"""The rules of an edition as a page, and what the “?” of a game shows."""
