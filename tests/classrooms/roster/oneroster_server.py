"""A OneRoster 1.2 server on this machine, over https. Its answers have exactly the form of the
specification (1EdTech Rostering Service 1.2, REST binding), and it can fail in many ways."""

import base64
import json
import re
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from classrooms import outgoing

BASE: Final = "/ims/oneroster/rostering/v1p2"
CLIENT: Final = ("the school", "a secret: with % and ü")
TOKEN: Final = "token.of.the-tests_1"
SCOPE: Final = "https://purl.imsglobal.org/spec/or/v1p2/scope/roster-core.readonly"
BEGAN: Final = datetime(2026, 2, 1, 3, 0, tzinfo=UTC)
PLURAL: Final = {"classes": "classes", "enrollments": "enrollments", "students": "users"}
Record = dict[str, Any]


def ref(sourced_id: str, kind: str) -> Record:
    return {
        "href": f"https://source.test{BASE}/{kind}s/{sourced_id}",
        "sourcedId": sourced_id,
        "type": kind,
    }


def moment(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03}Z"


@dataclass
class SourceData:
    """The data of a school's system. Every change moves its clock on by an hour."""

    classes: dict[str, Record] = field(default_factory=dict)
    enrollments: dict[str, Record] = field(default_factory=dict)
    students: dict[str, Record] = field(default_factory=dict)
    now: datetime = BEGAN

    def _changed(self) -> str:
        self.now += timedelta(hours=1)
        return moment(self.now)

    def add_class(self, sourced_id: str, title: str, **more: Any) -> None:
        self.classes[sourced_id] = {
            "sourcedId": sourced_id,
            "status": "active",
            "dateLastModified": self._changed(),
            "metadata": {},
            "title": title,
            "classCode": f"code-{sourced_id}",
            "classType": "homeroom",
            "grades": ["05"],
            "course": ref("course-1", "course"),
            "school": ref("school-1", "org"),
            "terms": [ref("year-1", "academicSession")],
            **more,
        }

    def add(self, sourced_id: str, given: str, family: str, *classes: str, **more: Any) -> None:
        """A pupil with everything that such a system knows about a child."""
        self.students[sourced_id] = {
            "sourcedId": sourced_id,
            "status": "active",
            "dateLastModified": self._changed(),
            "userMasterIdentifier": f"uuid-{sourced_id}",
            "username": f"{given}.{family}".lower(),
            "enabledUser": "true",
            "givenName": given,
            "familyName": family,
            "roles": [{"roleType": "primary", "role": "student", "org": ref("school-1", "org")}],
            "email": f"{given}.{family}@pupils.example".lower(),
            "phone": "+31 6 1234",
            "identifier": "9-8-7",
            "primaryOrg": ref("school-1", "org"),
            **more,
        }
        for class_id in classes:
            self.enrol(sourced_id, class_id)

    def enrol(self, pupil: str, class_id: str, **more: Any) -> None:
        key = f"{class_id}/{pupil}"
        self.enrollments[key] = {
            "sourcedId": key,
            "status": "active",
            "dateLastModified": self._changed(),
            "role": "student",
            "primary": "false",
            "user": ref(pupil, "user"),
            "class": ref(class_id, "class"),
            "school": ref("school-1", "org"),
            **more,
        }

    def leave(self, pupil: str, class_id: str) -> None:
        enrolment = self.enrollments[f"{class_id}/{pupil}"]
        enrolment |= {"status": "tobedeleted", "dateLastModified": self._changed()}

    def rename(self, pupil: str, given: str) -> None:
        self.students[pupil] |= {"givenName": given, "dateLastModified": self._changed()}


@dataclass
class SourceServer:
    data: SourceData
    address: str = ""
    token_address: str = ""
    trust: ssl.SSLContext | None = None
    most: int = 100
    """The largest page, in records, whatever is requested."""
    says_total: bool = True
    says_next: bool = True
    answer: Callable[["Handler", str, Mapping[str, str]], bool] = lambda *_all: False
    """Answers instead of the server, if it returns True."""
    asked: list[tuple[str, Mapping[str, str]]] = field(default_factory=list)
    headers: list[Mapping[str, str]] = field(default_factory=list)

    def paths(self) -> list[str]:
        return [path for path, _query in self.asked]


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    of: SourceServer

    def log_message(self, *_all: Any) -> None:
        pass

    def do_POST(self) -> None:
        size = int(self.headers.get("Content-Length", 0))
        body = {key: values[0] for key, values in parse_qs(self.rfile.read(size).decode()).items()}
        self._take(body)

    def do_GET(self) -> None:
        query = urlsplit(self.path).query
        self._take({key: values[0] for key, values in parse_qs(query).items()})

    def _take(self, query: Mapping[str, str]) -> None:
        path = unquote(urlsplit(self.path).path)
        self.of.asked.append((path, query))
        self.of.headers.append(dict(self.headers))
        if self.of.answer(self, path, query):
            return
        if path == "/token":
            self._give_token(query)
        elif self.headers.get("Authorization") != f"Bearer {TOKEN}":
            self.say(401, {"imsx_codeMajor": "failure", "imsx_severity": "error"})
        else:
            self._list(path.removeprefix(BASE).removeprefix("/schools/school-1"), query)

    def _give_token(self, query: Mapping[str, str]) -> None:
        kind, _space, pair = self.headers.get("Authorization", "").partition(" ")
        client, _colon, secret = base64.b64decode(pair).decode().partition(":")
        right = (unquote(client), unquote(secret)) == CLIENT and kind == "Basic"
        if not right or query != {"grant_type": "client_credentials", "scope": SCOPE}:
            self.say(401, {"error": "invalid_client"})
        else:
            self.say(200, {"access_token": TOKEN, "token_type": "bearer", "expires_in": 3600})

    def _list(self, path: str, query: Mapping[str, str]) -> None:
        name, _slash, sourced_id = path.strip("/").partition("/")
        if name not in PLURAL:
            self.say(404, {})
            return
        records: dict[str, Record] = getattr(self.of.data, name)
        if sourced_id:
            record = records.get(sourced_id)
            self.say(200 if record else 404, {"user": record} if record else {})
            return
        answer = list(records.values())
        if since := re.fullmatch(r"dateLastModified>'(.+)'", query.get("filter", "")):
            answer = [record for record in answer if record["dateLastModified"] > since[1]]
        if fields := query.get("fields"):
            answer = [
                {key: record[key] for key in fields.split(",") if key in record}
                for record in answer
            ]
        offset = int(query.get("offset", 0))
        size = min(int(query.get("limit", 100)), self.of.most)
        page = answer[offset : offset + size]
        headers = {}
        if self.of.says_total:
            headers["X-Total-Count"] = str(len(answer))
        if self.of.says_next:
            first = f'<https://source.test{BASE}/{name}?limit={size}&offset=0>; rel="first"'
            after = f'<https://elsewhere.test/{name}?offset={offset + size}>; rel="next"'
            headers["Link"] = first + (f", {after}" if offset + size < len(answer) else "")
        self.say(200, {PLURAL[name]: page}, headers)

    def say(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for key, value in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(key, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def certificate(folder: Path, name: str = "source.test") -> tuple[Path, ssl.SSLContext]:
    """A key with its certificate in one file, and a context that trusts only this certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    names = [x509.DNSName(name), x509.IPAddress(ip_address("127.0.0.1"))]
    built = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=4000))
        .not_valid_after(now + timedelta(days=4000))
        .add_extension(x509.SubjectAlternativeName(names[:1]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    public = built.public_bytes(serialization.Encoding.PEM)
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    file = folder / f"{name}.pem"
    file.write_bytes(private + public)
    return file, ssl.create_default_context(cadata=public.decode())


@contextmanager
def served(folder: Path, data: SourceData, name: str = "source.test") -> Iterator[SourceServer]:
    """A server that runs until the block ends."""
    file, trust = certificate(folder, name)
    server = SourceServer(data, trust=trust)
    handler = type("OwnHandler", (Handler,), {"of": server})
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    http.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    http.socket = context.wrap_socket(http.socket, server_side=True)
    server.address = f"https://{name}:{http.server_port}"
    server.token_address = f"{server.address}/token"
    thread = threading.Thread(target=http.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def known_here(monkeypatch: pytest.MonkeyPatch, server: SourceServer) -> None:
    monkeypatch.setattr(outgoing, "tls_context", lambda: server.trust)
    monkeypatch.setattr(outgoing, "is_public", lambda address: True)
    looked_up(monkeypatch, "127.0.0.1")


def looked_up(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> list[str]:
    """Let the name server answer with these addresses, and return the names that it is asked
    for."""
    hosts: list[str] = []

    def answer(host: str, port: int, **kind: Any) -> list[Any]:
        hosts.append(host)
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses
        ]

    monkeypatch.setattr(outgoing, "getaddrinfo", answer)
    return hosts
