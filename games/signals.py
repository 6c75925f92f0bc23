"""Signals of a game for other apps, sent after commit with `game_id`."""

from django.dispatch import Signal

turn_finished = Signal()
"""A player (no bot) has ended a turn."""

round_finished = Signal()
"""A round has ended."""
