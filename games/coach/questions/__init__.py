"""Questions about facts: which ones a child gets, and what it knows by its answers."""
