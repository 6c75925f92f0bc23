"""Values that no page sends: wrong types, sizes, encodings and dates, and ids of other people's
objects."""

import os
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final
from unittest.mock import patch
from urllib.parse import quote_plus

NUMBERS: Final = (
    "-1", "0", "1", "2", "99", "-0", "+5", " 7 ", "1_000", "007", "1e9", "1.5", "0x10", "NaN",
    "Infinity", "-Infinity", "٣", "½", "²", "５", "32768", "65536", "2147483647", "2147483648",
    "-2147483649", "4294967296", "9223372036854775807", "9223372036854775808", "1" * 30,
    "9" * 4300, "9" * 4301, "-" + "9" * 4301, "1,2,3", "1;2", "0b1", "true", "None", "null",
)  # fmt: skip
DATES: Final = (
    "2026-02-31", "2026-13-01", "0000-00-00", "0001-01-01", "9999-12-31", "10000-01-01",
    "-0001-01-01", "2026-2-3", "2026-11-22T25:61", "2026-W53-7", "2026-11-22T10:00:00+99:00",
    "2026-11-22 10:00", "2026-02-31T00:00:00Z", "20261122", "31.12.2026", "٢٠٢٦-١١-٢٢", "1e3-01-01",
    "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59.999999-23:59",
)  # fmt: skip
TEXTS: Final = (
    "", " ", "\x00", "a\x00b", "\ud800", "x\udfff", "\u202eabc\u202c", "\u200b", "\ufeff",
    "\r\nSet-Cookie: a=b", "\n", "\t", "\x85", "\u2028", "e" + "\u0301" * 500, "İ" * 40, "ß" * 40,
    "ŉ" * 40, "ﬃ" * 20, "ǰ" * 40, "👩‍👩‍👧‍👦" * 10, "𝟘𝟙", "a" * 41, "a" * 61, "a" * 255, "a" * 256,
    "a" * 10_000, "<script>alert(1)</script>", "\"'><img src=x>", "{{7*7}}", "{% debug %}",
    "%s%n%d", "%(name)s", "{0.__class__}", "'; DROP TABLE games_game; --", "../../etc/passwd",
    "=1+1", "@SUM(1)", "-2+3", "\\", "%", "%00", "%25", "%2e%2e%2f", "\x7f", "\x1b[31m", "[]",
    "{}", "[1,2]", '{"a":1}', "[" * 2000, "on", "off", "__all__", "self", "__proto__",
)  # fmt: skip
UUIDS: Final = (
    "00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "urn:uuid:00000000-0000-4000-8000-000000000000", "{00000000-0000-4000-8000-000000000000}",
    "00000000000040008000000000000000", "0000-0000", "g" * 36, "00000000-0000-4000-8000-000000",
)  # fmt: skip
ADDRESSES: Final = (
    "a@b", "a@b.example", "A@B.EXAMPLE", "a" * 250 + "@b.example", "a@" + "b" * 250 + ".example",
    "a\x00@b.example", "a@b.example\r\nBcc: c@d.example", "ä@ö.example", '"a b"@c.example',
    "a@[127.0.0.1]", "a@b.example,c@d.example", "@", "a@b@c.example", "İ@b.example",
)  # fmt: skip
PLACES: Final = (
    "/", "//evil.example/", "https://evil.example/", "javascript:alert(1)", "/\\evil.example",
    "http://[", "http:///x", "/me/", "/games/x", "\\\\evil.example", "https:evil.example", "?x",
    "http://testserver/", "http://testserver:99999/", "//[::1", "/%00", "/\x00", "word", "%",
)  # fmt: skip
SOURCES: Final = (
    "https://127.0.0.1/", "https://[::1]/", "https://localhost:6379/", "https://169.254.169.254/",
    "https://a:b@c.example/", "https://[", "https://x:99999/", "https://ä.example/", "file:///etc",
    "https://a.example/#x", "https://a.example/?x=1", "https://a.example/\r\nHost: b", "https://",
    "HTTPS://A.EXAMPLE", "https://a.example" + "/a" * 140, "https://2130706433/", "https:a.example",
)  # fmt: skip
CARDS: Final = (
    "27", "b", "c", "J", "27 15 41", "12,16,20", "12-16-20", "50", "100", "101", "0", "-3", "b45",
    "27b", "b=12", "12=b", "12 b 20", "[12 16 20]", "12@3", "a" * 3000, "1 " * 3000, "12-16-20+24",
    "b-c", "45 b 46 c", "b>12", "c:13", "٢٧", "27\x00",
)  # fmt: skip
_PASSKEY: Final = (
    '{"id":"eA","rawId":"eA","type":"public-key","response":{"clientDataJSON":"e30",'
    '"authenticatorData":"eA","attestationObject":"eA","signature":"eA","userHandle":"MQ"}}'
)
CREDENTIALS: Final = (
    _PASSKEY, "1", "null", '"x"', "[1]", "{}", '{"response":"x"}', "9" * 5000, "[" * 50_000,
    '{"a":' * 5000, _PASSKEY.replace('"eA"', "1"), _PASSKEY.replace('"eA"', '"=!"'),
    _PASSKEY.replace('"MQ"', "null"), _PASSKEY.replace('"e30"', '"W10"'),
    _PASSKEY.replace('"MQ"', '"\\ud800"'), _PASSKEY.replace("public-key", "\\u0000"),
    _PASSKEY.replace('"eA"', '"' + "A" * 300 + '"'), "NaN", '{"id":Infinity}',
)  # fmt: skip
WORDS: Final = (
    "en", "nl", "de", "sv", "xx", "en-us", "zh-hans", "EN", "UTC", "Europe/Amsterdam", "Mars/X",
    "../../etc/localtime", "owner", "co-teacher", "slow", "at-once", "normal", "all", "none",
    "classic", "simplified", "knock", "beginner", "expert", "companion", "next", "undo",
)  # fmt: skip
POOLS: Final[Sequence[tuple[int, Sequence[str]]]] = (
    (6, NUMBERS), (3, DATES), (6, TEXTS), (2, UUIDS), (1, ADDRESSES), (2, PLACES), (2, CARDS),
    (3, WORDS),
)  # fmt: skip
LANGUAGES: Final = (
    "nl", "de,sv;q=0.9", "xx", "*", "zh-hans", "a" * 600, ";q=", "en;q=nan", "sv-" * 200, "\xff",
    "en,,,;;", "nl;q=1e309", "de-\x00", "-", "nl_NL", "x" * 9000,
)  # fmt: skip


def nearly_right(kind: str, name: str) -> Sequence[str] | None:
    """Nearly right values for a field of this kind and name; None if there are none."""
    if kind == "number" or name in ("seen", "position", "step", "digits", "answer", "ms"):
        return NUMBERS
    if kind == "date" or name in ("at", "day", "week", "since", "until"):
        return DATES
    if name == "credential":
        return CREDENTIALS
    if kind == "email":
        return ADDRESSES
    if kind == "url" or name in ("address", "token_address"):
        return SOURCES
    if name in ("next", "back", "url"):
        return PLACES
    if name in ("card", "row", "cross", "play", "move"):
        return CARDS
    return None


def hostile_value(
    chance: Random, *, kind: str = "", name: str = "", known_values: Sequence[str] = ()
) -> str:
    """A hostile value: nearly right, of another kind, or somebody else's (from `known_values`)."""
    fitting = nearly_right(kind, name)
    draw = chance.random()
    if known_values and draw < 0.2:
        return chance.choice(known_values)
    if fitting and draw < 0.6:
        return chance.choice(fitting)
    if draw > 0.999:
        return "12 " * chance.choice((10_000, 200_000))
    pools = [pool for _, pool in POOLS]
    weights = [weight for weight, _ in POOLS]
    return chance.choice(chance.choices(pools, weights)[0])


def encoded(text: str) -> str:
    """The text as in a form's body or a query. Half a surrogate pair becomes three bytes."""
    return quote_plus(text.encode("utf-8", "surrogatepass"))


def urlencoded(fields: Sequence[tuple[str, str]]) -> str:
    return "&".join(f"{encoded(name)}={encoded(value)}" for name, value in fields)


@contextmanager
def repeatable(*seed: object) -> Iterator[random.Random]:
    """Let the keys, tokens and deals of the site follow from this seed."""
    inside = random.Random("site/" + "/".join(map(str, seed)))
    with patch.object(os, "urandom", inside.randbytes), patch("random._urandom", inside.randbytes):
        yield random.Random("/".join(map(str, seed)))
