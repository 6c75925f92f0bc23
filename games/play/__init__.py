"""A game being played: its log, the moves, the services, and the hooks for the school."""
