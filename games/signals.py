"""The signals of a game for other apps, sent after commit."""

from django.dispatch import Signal

round_finished = Signal()
"""Sent when a round has ended, with `game_id`."""
move_made = Signal()
"""Sent when a player's move was stored."""
