"""Keeps a post in a cookie, so that the next page can show the answer to it.

Without JavaScript, a post is answered by a redirect, so that the address bar has the page and not
the move. The page works out from the post again what to say: a refusal, or a choice of rows.
"""

from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse, QueryDict

from games.play.posted_move import PostedMove, UnreadableError, read

COOKIE: Final = "shown_once"
_LASTS: Final = 60
"""How many seconds the cookie is valid. The next page deletes it."""
_LONGEST: Final = 3_000
"""A browser may drop a longer cookie, so a longer one leaves out the cards and rows."""
_FIELDS: Final = ("seen", "key", "move", "card", "row", "cross", "play")


def cookie_flags() -> dict[str, Any]:
    """What every cookie of the site has in common, as arguments of `set_cookie`: no script reads
    it, no form of another site sends it."""
    return {"httponly": True, "samesite": "Lax", "secure": settings.SESSION_COOKIE_SECURE}


def show_on_next_page(response: HttpResponse, game_id: UUID, post: QueryDict) -> None:
    cookie = signing.dumps(_text(game_id, post, _FIELDS), salt=COOKIE, compress=True)
    if len(cookie) > _LONGEST:
        cookie = signing.dumps(_text(game_id, post, _FIELDS[:3]), salt=COOKIE)
    response.set_cookie(COOKIE, cookie, max_age=_LASTS, **cookie_flags())


def _text(game_id: UUID, post: QueryDict, names: tuple[str, ...]) -> str:
    fields = QueryDict(mutable=True)
    fields["game"] = str(game_id)
    for name in names:
        fields.setlist(name, post.getlist(name))
    return fields.urlencode()


def to_show(request: HttpRequest, game_id: UUID) -> PostedMove | None:
    """The post for this game that a page has yet to answer; None if there is none."""
    try:
        text = signing.loads(request.COOKIES.get(COOKIE, ""), salt=COOKIE, max_age=_LASTS)
        fields = QueryDict(text)
        return read(fields) if fields.get("game") == str(game_id) else None
    except (signing.BadSignature, UnreadableError):
        return None


def forget(response: HttpResponse) -> None:
    response.delete_cookie(COOKIE, samesite="Lax")
