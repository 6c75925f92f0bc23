"""Parts of a board that are drawn once and cached, because a move changes few cards and rows.

View models have only data. This is the only place in the game that keeps HTML. It is worth it:
`make bench` times a move with and without these parts. The key of a part is its template, its data
and the language, so a part is never out of date. The size is limited: the part that was not used
for the longest time is dropped first.
"""

from collections import OrderedDict
from collections.abc import Hashable
from pathlib import PurePosixPath
from sys import getsizeof
from threading import Lock
from typing import Final

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

MOST_BYTES: Final = 8 * 1024 * 1024
"""The most bytes of cached parts in each process."""
BYTES_OF_KEY: Final = 512
"""Bytes counted for each part in addition to its text: its data, which is kept too, takes about
400."""


class DrawnParts:
    """A cache of drawn parts of at most `most` bytes. Threads may share it."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = 0
        self._texts: OrderedDict[Hashable, SafeString] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._texts)

    def drawn(self, page: str, data: Hashable) -> SafeString:
        """The template, drawn with this data, which it has under its own name: `_table_card.html`
        as `table_card`."""
        key = get_language(), page, data
        with self._lock:
            cached = self._texts.get(key)
            if cached is not None:
                self._texts.move_to_end(key)
                return cached
        name = PurePosixPath(page).stem.removeprefix("_")
        text = render_to_string(page, {name: data})
        with self._lock:
            self._keep(key, text)
        return text

    def _keep(self, key: Hashable, text: SafeString) -> None:
        """Keep a part, unless another thread was faster. The caller holds the lock."""
        if key in self._texts:
            return
        self._texts[key] = text
        self.size += _bytes_of(text)
        while self.size > self.most:
            _, oldest = self._texts.popitem(last=False)
            self.size -= _bytes_of(oldest)


def _bytes_of(text: SafeString) -> int:
    return getsizeof(text) + BYTES_OF_KEY


KEPT: Final = DrawnParts(MOST_BYTES)


@register.simple_tag
def drawn_once(page: str, data: Hashable) -> SafeString:
    """`{% drawn_once "games/_table_card.html" card %}` draws the template with `card` as
    `table_card`, or takes it from the cache."""
    return KEPT.drawn(page, data)
