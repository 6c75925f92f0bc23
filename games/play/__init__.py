"""A game that is being played: its log, its moves, the services, and the hooks for the school."""
