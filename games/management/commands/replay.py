"""`manage.py replay FILE` writes each position of a game as text, or the error in the file."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.cards import card_text, cards_in
from games.engine.errors import TextError
from games.engine.round import State
from games.engine.text.game_text import read_game
from games.engine.text.notation import hand_text, position_text
from games.engine.text.record import EntryKind, Transition, transitions


class Command(BaseCommand):
    help = (
        "Replay a game from its text (docs/notation.md): each thing done, with the position that "
        "it led to, all hands open. Exit 1 with the line and the reason where it cannot be read."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--at", type=int, metavar="N", help="the Nth position alone, from 1")

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["file"]
        try:
            record = read_game(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, TextError) as problem:
            raise CommandError(f"{path}: {problem}") from problem
        positions = [
            "\n".join((f"{number}. {_entry_text(transition)}", *_position(transition.after)))
            for number, transition in enumerate(transitions(record.setting, record.entries), 1)
        ]
        if (at := options["at"]) is not None:
            if not 1 <= at <= len(positions):
                raise CommandError(f"{path}: has positions 1 to {len(positions)}")
            positions = [positions[at - 1]]
        self.stdout.write("\n\n".join(positions))


def _entry_text(transition: Transition) -> str:
    entry = transition.entry
    if entry.kind == EntryKind.DEAL:
        return f"deal of round {transition.after.round}"
    return f"seat {entry.seat}: {entry.text or entry.kind}"


def _position(state: State) -> Iterator[str]:
    """The lines about a state: the position of the seat whose turn it is, all hands, the piles."""
    yield f"   {position_text(state.position(state.turn))}"
    for seat, hand in enumerate(state.hands):
        cards = " ".join(hand_text(cards_in(hand))) or "none"
        yield f"   seat {seat}: score {state.scores[seat]}, hand {cards}"
    top = card_text(state.open_pile[-1]) if state.open_pile else "none"
    yield f"   open {top}, closed {len(state.closed_pile)}"
    to_act = "" if state.to_act is None else f", seat {state.to_act} to act"
    yield f"   phase {state.phase}{to_act}"
