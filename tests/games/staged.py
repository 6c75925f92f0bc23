"""Games put into a position that a test needs, to test the page and not the way there."""

from games.engine.cards import cards_in, deck, mask_of
from games.engine.layout.table_layout import Layout, layout
from games.engine.round import Phase
from games.engine.round import replace_fields as state_with
from games.engine.table import Table
from games.engine.text.notation import parse_cards, parse_table
from games.models import Game
from games.play import log


def stage(
    game: Game,
    hand: str,
    *lines: str,
    open_card: str = "",
    phase: Phase = "play",
) -> None:
    """Give seat 0 this hand and let it act, opened, with these lines on the table: `stage(game, "35
    40 45", "12-16-20")`. The rest of the deck goes to the others, as many cards as they hold, and
    to the closed pile."""
    table = parse_table(lines, game.ruleset)
    stage_table(game, hand, table, layout(table), open_card=open_card, phase=phase)


def stage_table(
    game: Game,
    hand: str,
    table: Table,
    placed: Layout,
    *,
    open_card: str = "",
    phase: Phase = "play",
) -> None:
    """As `stage`, with a table that already has its layout."""
    snapshot = log.snapshot_of(Game.objects.get(pk=game.pk), game.seats.count())
    state, ruleset = snapshot.state, game.ruleset
    own = parse_cards(hand.split(), ruleset)
    top = parse_cards(open_card.split(), ruleset)
    used = {*own, *top, *table.laid_cards}
    rest = [card for card in deck(ruleset.highest) if card not in used]
    hands = [mask_of(own)]
    for other in state.hands[1:]:
        count = len(cards_in(other))
        hands.append(mask_of(rest[:count]))
        rest = rest[count:]
    staged = state_with(
        state,
        phase=phase,
        turn=0 if phase in ("draw", "redraw", "play") else 1,
        to_act=0,
        hands=tuple(hands),
        table=table,
        open_pile=tuple(top),
        closed_pile=tuple(rest),
        opened_mask=(1 << len(hands)) - 1,
        passed_mask=0,
        play_count=0,
        turns=tuple(1 for _ in hands),
    )
    data = log.snapshot_data(log.GameSnapshot(staged, placed))
    Game.objects.filter(pk=game.pk).update(snapshot=data, phase=phase)
