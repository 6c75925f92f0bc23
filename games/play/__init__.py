"""A game in play: its log, its moves, the services, and the hooks for the school."""
