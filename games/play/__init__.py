"""A game being played: its log, the moves, the services, and what the school may hook in."""
