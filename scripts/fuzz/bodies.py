"""Makes a body from the fields of a form: correctly, or in ways that no browser would use."""

import gzip
import json
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from scripts.fuzz.asking import FORM
from scripts.fuzz.pages import FILE
from scripts.fuzz.values import urlencoded

Fields = Sequence[tuple[str, str]]
Body = tuple[bytes, str]
MARK: Final = "the-mark"


def plain(fields: Fields) -> Body:
    return urlencoded(fields).encode(), FORM


def multipart(fields: Fields, files: Sequence[tuple[str, str, bytes]] = ()) -> Body:
    """A multipart body. Each of `files` has the name of the field, the name of the file and its
    content."""
    parts = [
        _part(f'form-data; name="{_quoted(name)}"', value.encode("utf-8", "surrogatepass"))
        for name, value in fields
    ]
    parts += [
        _part(f'form-data; name="{_quoted(name)}"; filename="{_quoted(title)}"', content)
        for name, title, content in files
    ]
    return b"".join(parts) + f"--{MARK}--\r\n".encode(), f"multipart/form-data; boundary={MARK}"


def _part(disposition: str, content: bytes, more: str = "") -> bytes:
    head = f"--{MARK}\r\nContent-Disposition: {disposition}\r\n{more}\r\n"
    return head.encode("utf-8", "surrogatepass") + content + b"\r\n"


def _quoted(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _in_charset(random: Random, fields: Fields) -> Body:
    charset = random.choice(
        ("utf-16", "utf-32", "utf-7", "latin-1", "ascii", "nonsense", "idna", "punycode", "rot13",
         "base64", "hex", "zip", "utf-8-sig", "undefined", "", "unicode_escape", "cp037",
         "utf-8; charset=utf-16", "utf-16le", '"utf-16"', "x" * 3000)
    )  # fmt: skip
    try:
        body = urlencoded(fields).encode(charset)
    except (LookupError, ValueError, TypeError):
        body = urlencoded(fields).encode()
    return body, f"{FORM}; charset={charset}"


def _broken_multipart(random: Random, fields: Fields) -> Body:
    body, kind = multipart(fields, [("file", "names.csv", FILE)])
    first = f"--{MARK}\r\n".encode()
    base64 = "Content-Transfer-Encoding: base64\r\n"
    wrong: list[Body] = [
        (body, "multipart/form-data"),
        (body, "multipart/form-data; boundary="),
        (body, "multipart/form-data; boundary=another"),
        (body, f"multipart/form-data; boundary={'x' * 300}"),
        (body, "multipart/form-data; boundary=\xff"),
        (body, f"{kind}; charset=utf-16"),
        (body, f"{kind}; charset=nonsense"),
        (body[: random.randrange(len(body))], kind),
        (body.replace(b"form-data", b"attachment"), kind),
        (body.replace(b'name="', b'name="\x00'), kind),
        (body.replace(b'filename="', b"filename*=utf-16''\xff%ff"), kind),
        (body.replace(b'filename="', b'filename="../../\x00'), kind),
        (body.replace(b"\r\n\r\n", b"\n\n"), kind),
        (body.replace(b"\r\n\r\n", b"\r\nX: " + b"y" * 5000 + b"\r\n\r\n"), kind),
        (first + b"\r\n" + body, kind),
        (_part('form-data; name="a"', b"\xff!!!", base64) + body, kind),
        (_part('form-data; name="file"; filename="x"', b"!!!=", base64) + body, kind),
        (_part("form-data; name=" + "a" * 2000, b"1") + body, kind),
        (_part("form-data; name*=nonsense''x", b"1") + body, kind),
        (_part("form-data; name*=utf-8''%ff", b"1") + body, kind),
        (_part('form-data; name="x"', b"\xff\xfe\x00", "Content-Type: x; charset=y\r\n"), kind),
        (b"", kind),
    ]
    return random.choice(wrong)


def _other_kinds(random: Random, fields: Fields) -> Body:
    data = dict(fields)
    wrong: list[Body] = [
        (json.dumps(data).encode(), "application/json"),
        (b"[" * 100_000, "application/json"),
        (b'{"a":' * 5000, "application/json"),
        (json.dumps(data).encode(), FORM),
        (urlencoded(fields).encode(), "text/plain"),
        (urlencoded(fields).encode(), ""),
        (urlencoded(fields).encode(), "\xff/\xfe"),
        (urlencoded(fields).encode(), ";;;"),
        (urlencoded(fields).encode(), FORM.upper()),
        (gzip.compress(urlencoded(fields).encode()), FORM),
        (b"\x00" * 100, FORM),
        (bytes(random.randrange(256) for _ in range(200)), FORM),
        (b"%" * 50 + b"&" * 50 + b"=" * 50 + b"%zz%", FORM),
        (urlencoded(fields).encode().replace(b"=", b"=%ED%A0%80"), FORM),
        (urlencoded(fields).encode().replace(b"&", b";"), FORM),
        (urlencoded(fields).encode("utf-16"), FORM),
        (b"<?xml version='1.0'?><a/>", "application/xml"),
    ]
    return random.choice(wrong)


def _too_much(random: Random, fields: Fields) -> Body:
    good = urlencoded(fields)
    name = random.choice([name for name, _ in fields] or ["a"])
    wrong: list[Callable[[], str]] = [
        lambda: good + "&a=1" * random.choice((990, 1001, 100_000)),
        lambda: good + f"&{urlencoded([(name, '1')])}" * 900,
        lambda: good + "&" + urlencoded([(name, "9" * random.choice((4301, 100_000, 2_400_000)))]),
        lambda: good + "&" + "a" * 100_000 + "=1",
        lambda: good + "&" + urlencoded([(name, random.choice(("12 ", "é", "\x00")) * 100_000)]),
    ]
    return random.choice(wrong)().encode(), FORM


def unreadable(random: Random, fields: Fields) -> Body:
    """The fields as an unreadable or nearly unreadable body."""
    makers = (_in_charset, _broken_multipart, _other_kinds, _too_much)
    return random.choices(makers, (6, 8, 6, 1))[0](random, fields)


def file_of(random: Random) -> tuple[str, bytes]:
    """A file for a form that takes one; it is rarely a good one."""
    wrong: list[tuple[str, bytes]] = [
        ("names.csv", FILE),
        ("names.csv", FILE.decode().encode("utf-16")),
        ("names.csv", b"\xff\xfe" + FILE),
        ("names.csv", b"\x00" * 500),
        ("names.csv", b"PK\x03\x04" + b"\x00" * 50),
        ("names.zip", b"PK\x05\x06" + b"\x00" * 18),
        ("names.xlsx", b"PK\x03\x04\xff\xff"),
        ("names.csv", b"a" * 200_000),
        ("names.csv", b"," * 20_000),
        ("names.csv", b'"' * 1001),
        ("names.csv", b"First name;Last name\n" + b'"Zoe\n' * 50),
        ("names.csv", "name\n\ud800\n\u202eZoe\n".encode("utf-8", "surrogatepass")),
        ("names.csv", b"name\n" + b"9" * 4301 + b"\n"),
        ("n" * 300 + ".csv", FILE),
        ("../../names.csv", FILE),
        ("\x00.csv", FILE),
        ("", b""),
        ("names.csv", b""),
        ("names.csv", b"name\n" + b"".join(b"Zoe %d\n" % n for n in range(600))),
    ]
    return random.choice(wrong)
