"""Questions about facts: `short_questions` after a row or a round, `check_up_questions`, and
`recall`, what the answers say about a child."""
