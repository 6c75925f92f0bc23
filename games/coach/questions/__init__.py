"""Questions about facts: those that a child is asked, and what the answers say about the child."""
