"""The signals of a game for other apps, sent after commit."""

from django.dispatch import Signal

round_finished = Signal()
"""A round has ended; with `game_id`."""
move_made = Signal()
"""A player's move was stored."""
