"""The signal of a game for other apps, sent after commit with `game_id`."""

from django.dispatch import Signal

round_finished = Signal()
"""A round has ended."""
