"""Parts of a board that are drawn once and cached, because a move changes few cards and rows.

The key of a part is its template, its data and the language, so a part is never out of date. When
the cache is full, the part that was used longest ago is dropped. `make bench` times a move with and
without these parts.
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
"""The bytes that count for each part besides its text. Its data, which is kept too, takes about
400."""


class DrawnParts:
    """A cache of drawn parts that threads may share."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.size = 0  # in bytes
        self._texts: OrderedDict[Hashable, SafeString] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._texts)

    def draw(self, template_name: str, data: Hashable) -> SafeString:
        """Draw a template with this data, or take it from the cache. The data has the name of the
        template: `table_card` in `_table_card.html`."""
        key = get_language(), template_name, data
        with self._lock:
            cached = self._texts.get(key)
            if cached is not None:
                self._texts.move_to_end(key)
                return cached
        name = PurePosixPath(template_name).stem.removeprefix("_")
        text = render_to_string(template_name, {name: data})
        with self._lock:
            self._keep(key, text)
        return text

    def _keep(self, key: Hashable, text: SafeString) -> None:
        """Keep a part, unless another thread was faster. The caller holds the lock."""
        if key in self._texts:
            return
        self._texts[key] = text
        self.size += _bytes_of(text)
        while self.size > self.most_bytes:
            _, oldest = self._texts.popitem(last=False)
            self.size -= _bytes_of(oldest)


def _bytes_of(text: SafeString) -> int:
    return getsizeof(text) + BYTES_OF_KEY


DRAWN_PARTS: Final = DrawnParts(MOST_BYTES)


@register.simple_tag
def drawn_once(template_name: str, data: Hashable) -> SafeString:
    """`{% drawn_once "games/_table_card.html" card %}` draws the template with `card` as
    `table_card`, or takes it from the cache."""
    return DRAWN_PARTS.draw(template_name, data)
