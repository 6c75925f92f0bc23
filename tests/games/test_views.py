"""The game's page and the moves posted to it, by htmx and by plain forms."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core import signing
from django.http import HttpRequest, QueryDict
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from classrooms.assignments.presets import FIRST, PRESETS
from classrooms.lesson.game_hooks import SchoolHost
from classrooms.models import Child
from games import shown_once
from games.engine.cards import card_text, is_joker
from games.engine.round import OVER_PHASES
from games.engine.text.game_text import read_game, write_game
from games.engine.text.record import EntryKind, replay, transitions
from games.models import Entry, Game, Seat
from games.play import hooks, log, services
from games.play.hooks import AfterRound, Host, Link, Speeds, Surroundings
from games.play.moves import AskHint, Lay
from games.play.news import seat_token
from games.play.signs import give_sign
from games.screen.help_pages import rules_page
from tests.classrooms.people import client_of_child, text_on
from tests.factories import ChildFactory
from tests.games.players import (
    EMIL,
    act,
    before_a_play,
    new_game,
    new_table,
    play_on,
    play_out,
    play_table,
    plays_of,
)

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}
QUERIES_OF_A_MOVE = {"discard": 6, "draw-closed": 7}
"""A move that nobody answers takes one more query, which reads the earlier moves of the others."""


@pytest.fixture
def game(dora: Child) -> Game:
    game = new_game(dora.player)
    play_on(game, lambda view: view.phase == "draw", dora.player)
    return game


def page(game: Game) -> str:
    return reverse("games:page", args=[game.pk])


def post(client: Client, game: Game, headers: dict[str, str] | None = None, **data: Any) -> Any:
    if "seen" not in data:
        data["seen"] = Game.objects.values_list("version", flat=True).get(pk=game.pk)
    data = {"key": uuid4()} | data
    address = reverse("games:act", args=[game.pk])
    return client.post(address, data, headers=headers, follow=headers is None)


def test_the_page_has_the_hand_as_named_checkboxes(dora: Child, game: Game) -> None:
    text = text_on(client_of_child(dora).get(page(game)))
    hand = services.look(game.pk, dora.player).view.hand
    assert text.count('name="card"') == len(hand)
    assert re.search(r'name="card" value="\w+"\s+id="hand-\w+"[^>]*\saria-label="[^"]+, \w+"', text)


def test_without_script_a_move_leads_to_the_whole_page(dora: Child, game: Game) -> None:
    answer = post(client_of_child(dora), game, move="draw-closed")
    assert answer.redirect_chain == [(page(game), 302)]
    assert "<!doctype html>" in text_on(answer)
    assert 'id="do-lay"' in text_on(answer)


def refused_row(game: Game) -> dict[str, Any]:
    """The post of a page without JavaScript, for three cards that make no row."""
    play_on(game, lambda view: view.phase == "play", player_of(game))
    hand = services.look(game.pk, player_of(game)).view.hand
    wrong = next(cards for cards in combinations(hand, 3) if max(cards) <= 50 and no_row(cards))
    return {"move": "lay", "card": [card_text(card) for card in wrong]}


def player_of(game: Game) -> UUID:
    player = game.seats.get(number=0).player
    assert player is not None
    return player


def no_row(cards: tuple[int, ...]) -> bool:
    return cards[1] - cards[0] != cards[2] - cards[1]


def test_a_card_of_the_market_is_taken_without_script(dora: Child) -> None:
    game = new_game(dora.player, market=3, refill=True, piles=2)
    own_view = play_on(game, lambda view: view.phase == "draw", dora.player).view
    card = card_text(own_view.market[1])
    client = client_of_child(dora)
    assert f'value="take-{card}"' in text_on(client.get(reverse("games:page", args=[game.pk])))
    assert post(client, game, move=f"take-{card}").status_code == 200
    after = services.look(game.pk, dora.player).view
    assert own_view.market[1] in after.hand
    assert (after.market[0], after.market[2]) == (own_view.market[0], own_view.market[2])
    assert len(after.market) == 3


@pytest.mark.parametrize(
    ("posted", "message"),
    [
        ({"move": "discard"}, "Choose one to put down."),
        ({"move": "lay"}, "Choose"),
        ({"move": "take-back"}, "told-refusal"),
        ({"move": "hint"}, "told-hint"),
        ({"move": "draw-closed", "seen": 0}, "told-stale"),
    ],
)
def test_an_answers_message_comes_with_the_page(
    dora: Child, game: Game, posted: dict[str, Any], message: str
) -> None:
    play_on(game, lambda view: view.phase == "play", dora.player)
    client = client_of_child(dora)
    answer = post(client, game, **posted)
    assert answer.redirect_chain == [(page(game), 302)]
    assert message in text_on(answer)
    version = Game.objects.get(pk=game.pk).version
    again = client.get(page(game))
    assert ("told-" in text_on(again)) == (posted["move"] == "hint")
    assert Game.objects.get(pk=game.pk).version == version


def test_a_hint_asked_for_too_soon_is_refused(dora: Child, game: Game, settings: Any) -> None:
    settings.HINT_WAIT_SECONDS = 600
    play_on(game, lambda view: view.phase == "play", dora.player)
    client = client_of_child(dora)
    first = post(client, game, move="hint")
    again = post(client, game, move="hint")
    assert "Read this hint once more" not in text_on(first)
    assert "Read this hint once more" in text_on(again)
    assert Entry.objects.filter(kind="hint").count() == 1


def test_only_posted_values_are_kept_for_the_page(dora: Child, game: Game) -> None:
    client, posted = client_of_child(dora), refused_row(game)
    address = reverse("games:act", args=[game.pk])
    data = {"seen": Game.objects.get(pk=game.pk).version, "key": uuid4(), **posted}
    answer = client.post(address, data)
    cookie = answer.cookies[shown_once.COOKIE]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["max-age"] == 60
    values = QueryDict(signing.loads(cookie.value, salt=shown_once.COOKIE))
    expected = {name: str(value) for name, value in data.items() if name != "card"}
    assert {name: values[name] for name in values if name not in ("card", "game")} == expected
    assert values.getlist("card") == posted["card"]
    assert values["game"] == str(game.pk)
    assert answer["Location"] == page(game)


def test_a_kept_post_belongs_to_one_game(dora: Child, game: Game) -> None:
    client, posted = client_of_child(dora), refused_row(game)
    other = new_game(dora.player)
    data = {"seen": Game.objects.get(pk=game.pk).version, "key": uuid4(), **posted}
    client.post(reverse("games:act", args=[game.pk]), data)
    assert "told-refusal" not in text_on(client.get(page(other)))
    client.cookies[shown_once.COOKIE] = "made:up:text"
    answer = client.get(page(game))
    assert answer.status_code == 200
    assert "told-refusal" not in text_on(answer)
    assert answer.cookies[shown_once.COOKIE]["max-age"] == 0


def test_a_very_long_post_is_answered_without_its_cards(dora: Child, game: Game) -> None:
    client, posted = client_of_child(dora), refused_row(game)
    rows = ["-".join(f"{random}" for random in range(low, low + 9)) for low in range(1, 90)]
    data = {"seen": Game.objects.get(pk=game.pk).version, "key": uuid4(), **posted, "row": rows}
    answer = client.post(reverse("games:act", args=[game.pk]), data)
    assert answer.status_code == 302
    assert len(answer.cookies[shown_once.COOKIE].value) < 4_000


def test_htmx_gets_the_board_alone(dora: Child, game: Game) -> None:
    answer = post(client_of_child(dora), game, HTMX, move="draw-closed")
    assert "<!doctype html>" not in text_on(answer)
    assert 'id="do-lay"' in text_on(answer)
    assert '<div id="live" hx-swap-oob="innerHTML">Lay a row' in text_on(answer)


def test_ticked_cards_are_laid_as_a_row(dora: Child) -> None:
    game = new_game(dora.player, tables=None)
    play = next(
        play
        for play in plays_of(before_a_play(game, dora.player).view)
        if not any(is_joker(card) for card, _ in play.hand)
    )
    cards = [card_text(card) for card, _ in play.hand]
    answer = post(client_of_child(dora), game, move="lay", card=cards)
    assert f'name="row" value="{"-".join(cards)}"' in text_on(answer)


@pytest.mark.parametrize("count", [0, 2])
def test_it_chooses_one_card_anew_to_put_down(dora: Child, game: Game, count: int) -> None:
    client = client_of_child(dora)
    post(client, game, move="draw-closed")
    before = Entry.objects.count()
    hand = services.look(game.pk, dora.player).view.hand
    cards = [card_text(card) for card in hand[:count]]
    answer = post(client, game, HTMX, move="discard", card=cards)
    assert "Choose one to put down." in text_on(answer)
    assert not re.search(r"<input[^>]* checked", text_on(answer))
    assert Entry.objects.count() == before


def test_an_old_page_gets_the_new_board_and_a_friendly_line(dora: Child, game: Game) -> None:
    client = client_of_child(dora)
    post(client, game, move="draw-closed")
    answer = post(client, game, HTMX, move="draw-closed", seen=1)
    assert "The game has already moved on." in text_on(answer)
    assert 'id="do-lay"' in text_on(answer)


def test_the_end_of_a_round_leads_to_the_next(dora: Child) -> None:
    game = new_game(dora.player, rounds=2)
    play_out(game, dora.player)
    client = client_of_child(dora)
    assert 'value="next-round"' in text_on(client.get(page(game)))
    post(client, game, move="next-round")
    assert Game.objects.get(pk=game.pk).round == 2


def test_the_end_of_the_match_leads_back_to_the_list(dora: Child) -> None:
    game = new_game(dora.player, rounds=1)
    play_out(game, dora.player)
    text = text_on(client_of_child(dora).get(page(game)))
    assert 'id="to-list"' in text
    assert "next-round" not in text


@pytest.mark.parametrize(
    "data",
    [
        {"move": "fly"},
        {"move": "lay", "card": "1000"},
        {"move": "hint", "seen": "many"},
        {"move": "hint", "key": "mine"},
        {"move": "lay", "card": "4", "row": "x-y"},
    ],
)
def test_a_post_that_none_of_our_pages_sends_is_answered_with_400(
    dora: Child, game: Game, data: dict[str, Any]
) -> None:
    assert post(client_of_child(dora), game, **data).status_code == 400


def test_another_child_finds_no_game(game: Game) -> None:
    client = client_of_child(ChildFactory.create(name="Finn"))
    assert client.get(page(game)).status_code == 404
    assert post(client, game, move="draw-closed").status_code == 404
    assert post(client, game, move="fly").status_code == 404


def test_getting_the_address_of_a_move_leads_to_the_page(dora: Child, game: Game) -> None:
    answer = client_of_child(dora).get(reverse("games:act", args=[game.pk]))
    assert answer.headers["Location"] == page(game)


def test_a_move_and_its_page_need_a_fixed_number_of_queries(
    dora: Child, django_assert_num_queries: Any
) -> None:
    """The queries read the child and the game with its seats, and make one short transaction,
    however full the table is."""
    game = new_game(dora.player, bots=3, tables=None, rounds=3)
    Child.objects.filter(pk=dora.pk).update(last_game=game)
    client = client_of_child(dora)

    def is_counted(**data: Any) -> None:
        data["seen"] = Game.objects.values_list("version", flat=True).get(pk=game.pk)
        with django_assert_num_queries(QUERIES_OF_A_MOVE[data["move"]]):
            answer = post(client, game, HTMX, key=uuid4(), **data)
        assert answer.status_code == 200

    for turns in (0, 2):
        play_on(game, lambda v, n=turns: v.turns[0] >= n and v.phase == "draw", dora.player)  # type: ignore[misc]
        is_counted(move="draw-closed")
        hand = services.look(game.pk, dora.player).view.hand
        is_counted(move="discard", card=card_text(hand[0]))


SEEDS = (20261121, 4)


@pytest.fixture
def old_game(dora: Child) -> Game:
    """Dora's game, in which she asked for a hint and tried cards that make no row."""
    game = new_game(dora.player, seed=SEEDS[0])
    play_on(game, lambda view: view.phase == "play", dora.player)
    act(game, AskHint(), dora.player)
    hand = services.look(game.pk, dora.player).view.hand
    act(game, Lay(hand[:2]), dora.player)
    assert {"hint", "refused"} <= set(game.entries.values_list("kind", flat=True))
    play_out(game, dora.player)
    game.refresh_from_db()
    assert game.finished_at is not None
    return game


def test_the_record_of_a_finished_game_replays_to_how_it_ended(dora: Child, old_game: Game) -> None:
    record = read_game(services.game_file(old_game)[1])
    played = log.snapshot_of(old_game, 2).state
    ended = replay(record.setting, record.entries)
    assert (ended.hands, ended.table) == (played.hands, played.table)
    assert (ended.scores, ended.winners) == (played.scores, played.winners)


def test_the_records_first_lines_are_in_the_readers_language(old_game: Game) -> None:
    with override("de"):
        text = services.game_file(old_game)[1]
    assert text.startswith("; Ein Spiel nmbrs!, Zug für Zug.")
    lines = [line for line in text.splitlines() if line.startswith(";")]
    assert len(lines) == 4
    assert (
        read_game(text)
        == read_game(write_game(read_game(text)))
        == read_game(services.game_file(old_game)[1])
    )


def test_a_record_has_actions_and_no_hints_or_tries(dora: Child, old_game: Game) -> None:
    record = read_game(services.game_file(old_game)[1])
    entries = old_game.entries.exclude(kind__in=(EntryKind.HINT, EntryKind.REFUSED))
    assert [(e.kind, e.seat, e.text) for e in record.entries] == list(
        entries.order_by("number").values_list("kind", "seat", "text")
    )


def test_a_record_has_a_seed_only_after_a_reshuffle(dora: Child) -> None:
    """The seed in the record is derived from the game's own, which cannot be derived from it."""
    with_seed = set()
    for seed in SEEDS:
        game = new_game(dora.player, seed=seed)
        play_out(game, dora.player)
        game.refresh_from_db()
        record = log.record_of(game, 2)
        states = [step.after for step in transitions(record.setting, record.entries)]
        reshuffled = any(state.reshuffles for state in states)
        assert record.setting.seed == (log.setting_of(game, 2).seed if reshuffled else 0)
        assert states[-1].scores == log.snapshot_of(game, 2).state.scores
        with_seed.add(reshuffled)
    assert with_seed == {True, False}


@pytest.mark.parametrize("rounds", [1, 2])
def test_a_running_game_has_no_record(dora: Child, rounds: int) -> None:
    game = new_game(dora.player, rounds=rounds)
    if rounds == 2:
        assert play_out(game, dora.player).view.phase == "round over"
    game.refresh_from_db()
    with pytest.raises(services.NotFound):
        services.game_file(game)


def test_no_page_of_a_child_offers_the_record(dora: Child, old_game: Game) -> None:
    """The teacher finds the record beside the replay."""
    page = text_on(client_of_child(dora).get(reverse("games:page", args=[old_game.pk])))
    assert "download" not in page


# Table of several


def table(dora: Child) -> Game:
    return new_table(dora.player, EMIL, bots=1)


def test_looking_again_gives_the_board_and_keeps_chosen_cards(dora: Child) -> None:
    game, client = table(dora), client_of_child(dora)
    cards = services.look(game.pk, dora.player).view.hand
    version = Game.objects.get(pk=game.pk).version
    answer = client.post(
        f"/games/{game.pk}/act",
        {"seen": version, "key": uuid4(), "move": "look", "card": card_text(cards[0])},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 200
    assert f'value="{card_text(cards[0])}" id="hand-{card_text(cards[0])}"' in text_on(answer)
    assert text_on(answer).count("checked") == 1
    assert Game.objects.get(pk=game.pk).version == version


def test_a_move_and_a_page_read_the_game_and_the_round_once(
    dora: Child, django_assert_num_queries: Any
) -> None:
    """A page also reads the name of its assignment."""
    game, client = table(dora), client_of_child(dora)
    Child.objects.filter(pk=dora.pk).update(last_game=game)
    for is_own_turn in (True, False):
        play_table(game, lambda view, own=is_own_turn: view.may_act == own)  # type: ignore[misc]
        with django_assert_num_queries(4):
            client.get(page(game))
        with django_assert_num_queries(4):
            post(client, game, HTMX, move="look")
    play_table(game, lambda view: view.phase == "draw" and view.may_act)
    with django_assert_num_queries(8):
        post(client, game, HTMX, move="draw-closed")


def test_a_page_has_the_address_of_its_own_seat_only(dora: Child) -> None:
    game = table(dora)
    page = text_on(client_of_child(dora).get(f"/games/{game.pk}/"))
    assert f"/games/{game.pk}/news/0/{seat_token(game.pk, 0)}/" in page
    assert str(seat_token(game.pk, 1)) not in page


@pytest.mark.parametrize("on", [True, False])
def test_signs_are_offered_and_shown_only_where_the_site_has_them(
    dora: Child, on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    around = SchoolHost.around_game
    monkeypatch.setattr(
        SchoolHost,
        "around_game",
        lambda self, request, **game: replace(around(self, request, **game), may_give_signs=on),
    )
    game, client = table(dora), client_of_child(dora)
    give_sign(game.pk, EMIL, "thank-you")
    page = text_on(client.get(f"/games/{game.pk}/"))
    assert ("Thank you!" in page) == on
    post = {"seen": Game.objects.get(pk=game.pk).version, "key": uuid4(), "sign": "thank-you"}
    assert client.post(f"/games/{game.pk}/act", post).status_code == 302
    assert Seat.objects.get(game=game, number=0).sign == ("thank-you" if on else "")


def test_signs_are_shown_at_the_end(dora: Child) -> None:
    game = new_table(dora.player, EMIL, seed=7)
    play_table(game, lambda view: view.phase in OVER_PHASES)
    client = client_of_child(dora)
    for player in (EMIL, dora.player):
        give_sign(game.pk, player, "good-game")
        page = text_on(client.get(f"/games/{game.pk}/"))
        over = page.partition('id="over"')[2].partition('class="players')[0]
        assert over.count('class="sign"') == 1 + (player != EMIL)


def test_the_end_places_nobody_before_anybody(dora: Child) -> None:
    game = new_table(dora.player, EMIL, seed=7)
    play_table(game, lambda view: view.phase in OVER_PHASES)
    page = text_on(client_of_child(dora).get(f"/games/{game.pk}/"))
    assert "over-scores" in page
    assert "over-winner" not in page
    assert "Emil won" not in page


# The page knows nothing of the school: everything about it comes from the host


class Elsewhere(Host):
    """Another site than the school's."""

    def around_game(self, request: HttpRequest, **game: object) -> Surroundings:
        speeds = Speeds((("slow", "calm"), ("fast", "quick")), "fast", "/speed-of-mine/")
        return Surroundings(
            leave=Link("Home again", "/mine/"), speeds=speeds, has_larger_cards=True
        )

    def around_rules(self, request: HttpRequest) -> Surroundings:
        return Surroundings(learn_url="/learn-of-mine/")


@pytest.fixture
def hosted_by(monkeypatch: pytest.MonkeyPatch) -> Callable[[Host], None]:
    return lambda host: monkeypatch.setattr(hooks, "_host", host)


def texts(client: Client, game: Game) -> Iterator[str]:
    """The page and the answer to a move."""
    page = reverse("games:page", args=[game.pk])
    yield text_on(client.get(page))
    move = {"seen": game.version, "key": uuid4(), "move": "draw-closed"}
    yield text_on(client.post(f"{page}act", move, follow=True))


def test_without_an_adviser_a_game_can_be_played(
    dora: Child, hosted_by: Callable[[Host], None]
) -> None:
    hosted_by(Host())
    game, client = new_game(dora.player), client_of_child(dora)
    for text in texts(client, game):
        assert 'id="board"' in text
        assert 'id="round"' in text
        assert 'id="live"' in text
        assert "Bot 1</strong>" in text
        assert "/me/" not in text
        assert 'name="speed"' not in text
    assert Game.objects.get(pk=game.pk).version > game.version


def test_an_adviser_gives_the_ways_out_and_the_settings(
    dora: Child, hosted_by: Callable[[Host], None]
) -> None:
    hosted_by(Elsewhere())
    game, client = new_game(dora.player), client_of_child(dora)
    for text in texts(client, game):
        assert 'class="playing speed-fast larger"' in text
        assert 'href="/mine/">Home again</a>' in text
    game.refresh_from_db()
    play_out(game, dora.player)
    over = text_on(client.get(reverse("games:page", args=[game.pk])))
    assert re.search(r'id="to-list" href="/mine/">\s*Home again\s*</a>', over)
    rules = text_on(client.get(reverse("rules", args=["simplified"])))
    assert 'action="/learn-of-mine/"' in rules


def test_another_match_needs_no_choice_of_speeds(
    dora: Child, hosted_by: Callable[[Host], None]
) -> None:
    class WithoutSpeeds(Host):
        def after_round(self, *_round: object) -> AfterRound:
            return AfterRound(again=Link("Once more", "/again-at-mine/"))

    hosted_by(WithoutSpeeds())
    game = new_game(dora.player)
    play_out(game, dora.player)
    text = text_on(client_of_child(dora).get(page(game)))
    button = re.search(r'id="to-again"\s+form="(.+?)" formaction="/again-at-mine/"', text)
    assert button
    form = re.search(f'<form id="{button[1]}" method="post".*?</form>', text, re.DOTALL)
    assert form
    assert "csrfmiddlewaretoken" in form[0]


def test_the_front_page_leads_to_the_rules_of_the_first_game(client: Client) -> None:
    page = text_on(client.get(reverse("classrooms:home")))
    (address,) = set(re.findall(r'href="(/rules/[^"]+)"', page))
    rules = client.get(address).context["rules"]
    assert rules == rules_page(PRESETS[FIRST].choice.ruleset(), is_game=True)
    assert rules != client.get(reverse("rules", args=[rules.edition])).context["rules"]
