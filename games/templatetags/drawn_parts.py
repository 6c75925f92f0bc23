"""Parts of a board that are drawn once and kept: a move leaves most cards and rows as they were.

View models hold data only; HTML is kept here and nowhere else in the game, because it pays: `make
bench` times a move with these parts and without. A part is found by its template, its data and the
language, so it is never out of date. There is a bound in bytes: the least recently
used part goes first.
"""

from collections import OrderedDict
from collections.abc import Hashable
from sys import getsizeof
from threading import Lock
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

MOST_BYTES: Final = 8 * 1024 * 1024
"""In each process."""
BESIDES: Final = 512
"""Bytes counted for each part beside its text: its data is kept too, and takes about 400."""


class DrawnParts:
    """Parts with their texts, at most `most` bytes of them. Threads may share it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._texts: OrderedDict[Hashable, SafeString] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._texts)

    def drawn(self, page: str, shown: Hashable) -> SafeString:
        """The template `page` with this data as `shown`."""
        key = get_language(), page, shown
        with self._lock:
            kept = self._texts.get(key)
            if kept is not None:
                self._texts.move_to_end(key)
                return kept
        text = render_to_string(page, {"shown": shown})
        with self._lock:
            self._keep(key, text)
        return text

    def _keep(self, key: Hashable, text: SafeString) -> None:
        """Unless another thread was faster."""
        if key in self._texts:
            return
        self._texts[key] = text
        self.size += _bytes_of(text)
        while self.size > self.most:
            _, oldest = self._texts.popitem(last=False)
            self.size -= _bytes_of(oldest)


def _bytes_of(text: SafeString) -> int:
    return getsizeof(text) + BESIDES


KEPT: Final = DrawnParts(MOST_BYTES)


@register.simple_tag
def drawn_once(page: str, shown: Hashable) -> SafeString:
    """`{% drawn_once "games/_table_card.html" card %}`: the template with `card` as its `shown`,
    drawn now or before."""
    return KEPT.drawn(page, shown)
