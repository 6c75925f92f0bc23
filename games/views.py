"""The views of games: the page of a game, its moves, and the rules of an edition."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe
from django.views.decorators.vary import vary_on_headers

from games import shown_once
from games.engine.ruleset import EDITIONS, Ruleset
from games.marks import marked
from games.play import presence, shared_table, signs
from games.play import services as play
from games.play.hooks import PlayerRequest, host
from games.play.news import HEADERS, news_for
from games.play.posted_move import PostedMove, UnreadablePost, read_post
from games.play.posted_values import parse_uuid
from games.screen.board import board
from games.screen.help_pages import playing_help, rules_page
from games.screen.hint_pictures import FOR_THE_SCRIPT
from games.screen.round_end import next_buttons
from games.screen.view_models import Board

PAGE = "games/page.html"


@require_safe
@never_cache
@vary_on_headers("HX-Request")
def page(request: PlayerRequest, game_id: UUID) -> HttpResponse:
    """Show the game as it stands, with the answer to a post that was redirected here."""
    player = _player(request)
    posted = shown_once.unanswered_post(request, game_id)
    host().check_may_play(request, game_id)
    if posted is None:
        game_board = board(play.look(game_id, player))
    else:
        game_board = _board_after(posted, game_id, player, play.answer_again)
    response = render(request, PAGE, _context(request, game_board))
    if shown_once.COOKIE in request.COOKIES:
        shown_once.forget_post(response)
    return response


@require_safe
def rules(request: PlayerRequest, edition: str) -> HttpResponse:
    """Show the rules of an edition, or the rules of it that the site names. A player who comes from
    a game of theirs sees the rules of that game."""
    if edition not in EDITIONS:
        raise Http404
    around = host().around_rules(request)
    ruleset = _ruleset_of_game(request)
    if ruleset is None and around.rules and around.rules.edition == edition:
        ruleset = around.rules
    context = {
        "rules": rules_page(ruleset or EDITIONS[edition], is_game=ruleset is not None),
        "around": around,
    }
    return render(request, "games/rules.html", context)


def _ruleset_of_game(request: PlayerRequest) -> Ruleset | None:
    """The rules of the game that the address names, if it is the player's own; otherwise None."""
    game_id = parse_uuid(request.GET.get("game"))
    if game_id is None or request.player is None:
        return None
    with suppress(play.NotFound):
        return play.look(game_id, request.player).view.ruleset
    return None


@require_http_methods(["GET", "POST"])
@never_cache
@vary_on_headers("HX-Request")
def act(request: PlayerRequest, game_id: UUID) -> HttpResponse:
    """Carry out what a page posts: a move, a sign, or a word on a long turn. htmx
    gets the board. Any other browser gets a redirect to the page, which shows the result once."""
    if request.method == "GET":
        return redirect("games:page", game_id)
    player = _player(request)
    host().check_may_play(request, game_id)
    try:
        posted = read_post(request.POST)
    except UnreadablePost:
        play.look(game_id, player)  # a 404 for another player's game
        return render(request, "400.html", status=400)
    if posted.sign and host().around_game(request, game_id=game_id, is_hand=False).may_give_signs:
        signs.give_sign(game_id, player, posted.sign)
    if posted.asks_for_bot:
        shared_table.ask_for_bot(game_id, player)
    if posted.goes_on:
        shared_table.go_on(game_id, player)
    game_board = _board_after(posted, game_id, player, play.act)
    if game_board.several is not None and not request.htmx:
        presence.note_presence_without_script(game_id, player)
    if request.htmx:
        return render(request, f"{PAGE}#board", _context(request, game_board))
    response = redirect("games:page", game_id)
    if game_board.speech.notice is not None:
        shown_once.show_on_next_page(response, game_id, request.POST)
    return response


@marked(person="game", during_pause=True)
@require_safe
def news(request: HttpRequest, game_id: UUID, seat: int, mark: UUID, number: int) -> HttpResponse:
    """Say whether there is news for a page of a table of several players. Anybody who has the
    address may ask (`games.play.news`)."""
    answer = news_for(str(game_id), seat, str(mark), number)
    if answer is None:
        raise Http404
    return HttpResponse(answer, headers=HEADERS)


def _context(request: PlayerRequest, game_board: Board) -> dict[str, Any]:
    around = host().around_game(request, game_id=game_board.game_id, is_hand=game_board.is_hand)
    pauses = {"put_down": settings.PUT_DOWN_PAUSE_MS, "second_tap": settings.SECOND_TAP_MS}
    return {
        "board": game_board,
        "around": around,
        "next": list(next_buttons(game_board, around.leave)),
        "number_line": FOR_THE_SCRIPT,
        "pauses": pauses,
        "playing_help": partial(playing_help, game_board.edition, game_board.hand.top.tables),
    }


def _board_after(
    posted: PostedMove, game_id: UUID, player: UUID, make_move: Callable[..., play.Outcome]
) -> Board:
    if posted.move is None:
        outcome = play.look(game_id, player, since=posted.version)
        return board(outcome, taps=posted.taps, missing_choice=posted.missing_choice)
    outcome = make_move(game_id, player, version=posted.version, key=posted.key, move=posted.move)
    return board(outcome, taps=posted.taps)


def _player(request: PlayerRequest) -> UUID:
    """The player that the site's middleware has found. Raises `Http404` if there is none."""
    player = request.player
    if player is None:
        raise Http404
    return player
