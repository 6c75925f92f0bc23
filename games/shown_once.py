"""Keeps a post in a cookie, so that the next page can show the answer to it.

Without JavaScript, a post is answered by a redirect, so that the address bar has the page and not
the move. From the post, that page finds again what to say: a refusal, or a choice of rows.
"""

from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict

from games.play.posted_move import PostedMove, UnreadablePost, read_post

COOKIE: Final = "shown_once"
_MAX_AGE: Final = 60
"""For how many seconds the cookie is valid. The next page deletes it."""
_MOST_CHARACTERS: Final = 3_000
"""A longer cookie leaves out the cards and rows, because a browser may drop it."""
_FIELDS: Final = ("seen", "key", "move", "card", "row", "cross", "play")


def cookie_flags() -> dict[str, Any]:
    """The arguments of `set_cookie` that all cookies of the site share: no script can read them,
    and no form of another site sends them."""
    return {"httponly": True, "samesite": "Lax", "secure": settings.SESSION_COOKIE_SECURE}


def show_on_next_page(response: HttpResponse, game_id: UUID, post: QueryDict) -> None:
    cookie = signing.dumps(_text(game_id, post, _FIELDS), salt=COOKIE, compress=True)
    if len(cookie) > _MOST_CHARACTERS:
        cookie = signing.dumps(_text(game_id, post, _FIELDS[:3]), salt=COOKIE)
    response.set_cookie(COOKIE, cookie, max_age=_MAX_AGE, **cookie_flags())


def _text(game_id: UUID, post: QueryDict, names: tuple[str, ...]) -> str:
    fields = QueryDict(mutable=True)
    fields["game"] = str(game_id)
    for name in names:
        fields.setlist(name, post.getlist(name))
    return fields.urlencode()


def unanswered_post(request: HttpRequest, game_id: UUID) -> PostedMove | None:
    """The post for this game that no page has answered yet; None if there is none."""
    try:
        text = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=_MAX_AGE)
        fields = QueryDict(text)
        return read_post(fields) if fields.get("game") == str(game_id) else None
    except (signing.BadSignature, UnreadablePost):
        return None


def forget_post(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
