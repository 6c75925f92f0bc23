"""The 24 pictures, of which each child has three. Their order on the screen never changes."""

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PICTURES: Final[Mapping[str, Promise]] = {
    "sun": _("sun"),
    "moon": _("moon"),
    "star": _("star"),
    "cloud": _("cloud"),
    "tree": _("tree"),
    "flower": _("flower"),
    "mushroom": _("mushroom"),
    "apple": _("apple"),
    "fish": _("fish"),
    "cat": _("cat"),
    "bird": _("bird"),
    "snail": _("snail"),
    "butterfly": _("butterfly"),
    "boat": _("boat"),
    "car": _("car"),
    "bicycle": _("bicycle"),
    "rocket": _("rocket"),
    "house": _("house"),
    "key": _("key"),
    "umbrella": _("umbrella"),
    "ball": _("ball"),
    "kite": _("kite"),
    "drum": _("drum"),
    "cup": _("cup"),
}
"""From the name in the sprite to the word for it."""

PICTURES_PER_CHILD: Final = 3
"""How many pictures a child taps, in order, to sign in."""


def labelled(names: Iterable[str]) -> list[tuple[str, str]]:
    """Each picture with its word in the active language."""
    return [(name, str(PICTURES[name])) for name in names]
