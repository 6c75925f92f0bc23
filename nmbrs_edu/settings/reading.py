"""Reads settings as people write them. An error names the setting but never shows its value, which
is often a secret."""

import os
import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit
from zoneinfo import available_timezones

from django.core.exceptions import ImproperlyConfigured

YES: Final = ("true", "yes", "on", "y", "ok", "1")
NO: Final = ("false", "no", "off", "n", "0")
QUOTES: Final = "'\"\u2018\u2019\u201c\u201d"
_URL: Final = re.compile(r"(?P<scheme>[a-z][a-z0-9+.-]*)://(?P<where>[^/?#\s]*)(?P<rest>\S*)", re.I)
_NAME: Final = re.compile(
    r"(?P<host>\*|(?:\*?\.)?[^\W_][\w.-]*|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}))?"
)
_LISTED: Final = re.compile(
    rf"(?:[a-z]+://)?\[[0-9a-f:.]*:[0-9a-f:.]*\][^\s,;]*|[^\s,;\[\](){QUOTES}]+"
)
"""An address, perhaps IPv6, in a list with any separators."""
_DOMAIN: Final = re.compile(
    r"(?:[a-z]+://)?[*@.]*(?:www\.)?([\w-]+(?:\.[\w-]+)+)\.?(?::\d+)?(?:/.*)?"
)
_MAIL: Final = r'[^<>@\s"]+@[^<>@\s"]+'
_SENDER: Final = re.compile(rf'(?:[^<>@",;:()\[\]\\]|\([\w\s.]*\)|"[^<>@"\\]*")*<{_MAIL}>|{_MAIL}')
_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")  # from copied text


class SiteName(NamedTuple):
    """A host name of the site, with its port if that is not 443."""

    host: str
    port: str

    @property
    def origin(self) -> str:
        return f"https://{self.host.lstrip('.')}{self.port}"


def site_names(text: str) -> list[SiteName]:
    """The names in ALLOWED_HOSTS, even if people write them as addresses or as a list.

    >>> site_names("https://nmbrs.school.nl:8443/, 'www.school.nl'")
    [SiteName(host='nmbrs.school.nl', port=':8443'), SiteName(host='www.school.nl', port='')]
    >>> site_names("*.our-school.nl")
    [SiteName(host='.our-school.nl', port='')]
    """
    names = []
    for part in _LISTED.findall(_UNSEEN.sub("", text).lower()):
        address = re.sub("^[a-z]+://", "", part).partition("/")[0].removesuffix(".")
        if not address:
            continue
        if not (match := _NAME.fullmatch(address)):
            raise ImproperlyConfigured(
                "ALLOWED_HOSTS cannot be read. Write names with commas between, such as"
                " nmbrs.our-school.nl,www.our-school.nl (see .env.example)."
            )
        host, port = match["host"], match["port"]
        is_usual = port in (None, "443", "80")
        if not host.isascii():  # the form in which browsers send it
            host = host.encode("idna").decode()
        names.append(SiteName(host.removeprefix("*") or host, "" if is_usual else f":{port}"))
    if not names:
        raise ImproperlyConfigured("Set ALLOWED_HOSTS in the environment (see .env.example).")
    return names


def word(name: str, default: str) -> str:
    """The text of this setting, without quotation marks, Windows line ends and the invisible
    characters that editors and tools add."""
    text = _UNSEEN.sub("", os.environ.get(name, ""))
    return text.strip().strip(QUOTES).strip() or default


def words(name: str) -> list[str]:
    """The texts in this setting, separated by commas, semicolons or spaces."""
    return _LISTED.findall(word(name, ""))


def number(name: str, default: int, *, least: int = 0, most: int = 10**9) -> int:
    text = word(name, str(default))
    if not (text.isascii() and text.isdigit() and least <= int(text[:20]) <= most):
        raise ImproperlyConfigured(
            f"{name} cannot be read. Write a whole number from {least} to {most}, and nothing else"
            " on the line (see .env.example)."
        )
    return int(text)


def seconds(name: str, default: float) -> float:
    """The number of seconds in this setting, perhaps with a decimal comma."""
    try:
        return float(word(name, str(default)).replace(",", "."))
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} cannot be read. Write a number of seconds (see .env.example)."
        ) from None


def zone(name: str, default: str) -> str:
    """The time zone in this setting, in any case."""
    zone_text = word(name, default).lower().replace(" ", "_")
    zones = {zone_name.lower(): zone_name for zone_name in available_timezones()}
    if zone_text not in zones:
        raise ImproperlyConfigured(
            f"{name} cannot be read. Write a time zone such as Europe/Amsterdam (see .env.example)."
        )
    return zones[zone_text]


def domains(name: str) -> list[str]:
    """The mail domains in this setting, perhaps written as addresses of sites. Raises
    `ImproperlyConfigured` for a whole mail address, which would let in all of its domain."""
    matches = [_DOMAIN.fullmatch(text.lower()) for text in words(name)]
    if None in matches:
        raise ImproperlyConfigured(
            f"{name} cannot be read. Write what follows the @ in mail addresses, with commas"
            " between, such as our-school.nl,other-school.nl (see .env.example)."
        )
    return [match[1] for match in matches if match]


def sender(name: str, default: str) -> str:
    """The mail address in this setting, perhaps with a name before it."""
    # `word` takes away the first quotation mark, which may belong to the name.
    text = re.sub('^([^"<]*?)["\u201c\u201d]\\s*<', r'"\1" <', word(name, default))
    if not _SENDER.fullmatch(text):
        raise ImproperlyConfigured(
            f"{name} cannot be read. Write a mail address such as nmbrs@our-school.nl or"
            ' "Our school" <nmbrs@our-school.nl> (see .env.example).'
        )
    return text


def flag(name: str, *, default: bool) -> bool:
    """Whether this setting says yes, in any of the usual words."""
    text = word(name, str(default)).lower()
    if text not in (*YES, *NO):
        raise ImproperlyConfigured(f"{name} is true or false (see .env.example).")
    return text in YES


def address(name: str, text: str, *schemes: str) -> str:
    """The address of a database, Redis or a mail server in this setting. Raises
    `ImproperlyConfigured` if it has none of these schemes or cannot be read. A password may contain
    a character that ends the host, so that the rest would name another one."""
    url = text.strip().strip(QUOTES).strip()
    match = _URL.fullmatch(url)
    try:
        if not match or (match["where"] and "@" in match["rest"]):
            raise ValueError
        urlsplit(url).port  # noqa: B018
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} cannot be read as an address (scheme://user:password@host:port/name)."
            " In its password write / as %2F, ? as %3F, # as %23, @ as %40, : as %3A, % as %25"
            " and a space as %20 (see .env.example)."
        ) from None
    scheme = match["scheme"].lower()
    if schemes and scheme not in schemes:
        raise ImproperlyConfigured(f"{name} must begin with {schemes[0]}:// (see .env.example).")
    return scheme + url[len(scheme) :]


def site_url(text: str) -> str:
    """The site's own address in SITE_URL, with its scheme. It has no path."""
    url = (text if "://" in text else f"https://{text}").lower()
    match = re.fullmatch(r"(https?://([^/?#]*))/?", url)
    if not match or not _NAME.fullmatch(match[2]) or "*" in match[2]:
        raise ImproperlyConfigured(
            "Set SITE_URL to the address of the site, such as https://nmbrs.our-school.nl. It"
            " has no path: the site is not below another (see .env.example)."
        )
    return match[1]
