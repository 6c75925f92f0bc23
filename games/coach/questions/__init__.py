"""Questions about facts: which ones a child gets, and what the answers say about them."""
