"""The lines of bots: each has a sound of its own, and says one thing at the end of a round."""

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy

from games.engine.cards import is_joker
from games.play.round_story import LaidRow, RoundStory

SOUNDS: Final[Mapping[str, Promise]] = {
    "owl": pgettext_lazy("an owl", "Hoo-hoo!"),
    "fox": pgettext_lazy("a fox", "Aha!"),
    "bear": pgettext_lazy("a bear", "Mmm!"),
    "hare": pgettext_lazy("a hare", "Hop!"),
    "cat": pgettext_lazy("a cat", "Purr!"),
    "frog": pgettext_lazy("a frog", "Ribbit!"),
    "penguin": pgettext_lazy("a penguin", "Flap!"),
}
"""The sound of a bot, by its face."""


def line_in_character(face: str, text: str, thanks_for: int = 0) -> str:
    """A bot's line after its sound. If the bot laid `thanks_for`, a card that the player had put
    down, it thanks the player instead."""
    if thanks_for:
        thanks = gettext("Thank you for the %(card)d!") % {"card": thanks_for}
        return f"{thanks} {text}"
    sound = SOUNDS.get(face)
    return text if sound is None else f"{sound} {text}"


def last_words(
    story: RoundStory,
    player: int,
    bot: int,
    winner: int | None,
    has_reached_goal: bool = False,
    row: str = "",
) -> str:
    """A bot's line at the end of a round. It is about a play that the player can learn from, if
    there is one that concerns both of them; else about the goal of the table, or about the winner
    and the player's best `row`."""
    if winner == player and story.turns == 1:
        return gettext("All your cards in one turn! I could only watch.")
    if crossed_number := _last_crossed(story.plays, player, bot):
        return gettext("You crossed my %(number)d! I did not see that coming.") % {
            "number": crossed_number
        }
    if card := _card_laid_for_thanks(story, bot):
        return gettext("Thank you for the %(card)d! It was just what I needed.") % {"card": card}
    if crossed_number := _last_crossed(story.plays, bot, player):
        return gettext("Your %(number)d was a good one to cross.") % {"number": crossed_number}
    if has_reached_goal:
        return gettext("We did it! Your rows made the bridge long.")
    # Two wordings, so that a bot seldom says the same after the next round.
    is_odd = len(story.plays) % 2
    if winner == player and row:
        liked = gettext("Well played! I liked your %(row)s best.")
        wished = gettext("You won! I wish I had found %(row)s.")
        return (liked if is_odd else wished) % {"row": row}
    if winner == bot and row:
        liked = gettext("I liked your %(row)s. Once more?")
        feared = gettext("Your %(row)s made it exciting. Once more?")
        return (liked if is_odd else feared) % {"row": row}
    if winner == bot:
        return gettext("I had good cards this time. Once more?")
    return gettext("That was a good round. Once more?")


def _last_crossed(plays: Sequence[LaidRow], crossing_seat: int, owner: int) -> int:
    """The last number that the `crossing_seat` crossed and the seat `owner` laid; 0 for none."""
    owners: dict[int, int] = {}
    number = 0
    for seat, _, reason in plays:
        owners |= dict.fromkeys((*reason.hand_numbers, *reason.swapped_numbers), seat)
        if seat == crossing_seat:
            number = next((n for n in reason.crossed_numbers if owners.get(n) == owner), number)
    return number


def _card_laid_for_thanks(story: RoundStory, bot: int) -> int:
    """The number of a card that the player put down and this bot laid; 0 for none."""
    numbers = [number for seat, _, r in story.plays if seat == bot for number in r.hand_numbers]
    return next((n for n in numbers if n in story.cards_given and not is_joker(n)), 0)
