"""Questions about facts: which ones a child gets, and what they know by their answers."""
