"""What the game teaches, in pure Python: hints, refusals, kind deals, chances and mastery; short
questions and check-ups (`questions`); what is said about a child (`statements`)."""
