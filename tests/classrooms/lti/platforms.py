"""A learning platform for tests, built on `lti1p3platform` by other authors. It answers the site's
requests (`outgoing.ask`), and its pages are requested with Django's clients."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qsl, urlsplit

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.message_launch import LTIAdvantageMessageLaunchAbstract
from lti1p3platform.oidc_login import OIDCLoginAbstract
from lti1p3platform.registration import Registration
from lti1p3platform.request import Request
from lti1p3platform.service_connector import NamesRoleProvisioningService

from classrooms.audit import What
from classrooms.lti import messages
from classrooms.lti.messages import subject_hash
from classrooms.lti.models import Platform, PlatformPerson
from classrooms.lti.outgoing import Unreachable
from classrooms.models import AuditEntry, Child, School
from classrooms.outgoing import HttpAnswer
from classrooms.signin.children_only import SESSION_COOKIE

AT: Final = "https://moodle.example"
LEARNER: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
INSTRUCTOR: Final = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
RETURN: Final = f"{AT}/return"
LINE_ITEM: Final = f"{AT}/items/7"


@cache
def key_pair(number: int = 0, bits: int = 2048) -> tuple[str, str]:
    """A private and a public key, as PEM, different for each number."""
    private = rsa.generate_private_key(public_exponent=65537, key_size=bits)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    return pem.decode(), public.decode()


class _Asked(Request):
    def build_metadata(self, request: Any) -> Any:
        return request


class _Platform(LTI1P3PlatformConfAbstract):
    def init_platform_config(self, **kwargs: Any) -> None:
        self._registration = kwargs["registration"]

    def get_registration_by_params(self, **kwargs: Any) -> Registration:
        return self._registration


class _Login(OIDCLoginAbstract):
    def set_lti_message_hint(self, **kwargs: Any) -> None:
        self._lti_message_hint = kwargs["hint"]

    def get_redirect(self, url: str) -> str:
        return url


class _Launch(LTIAdvantageMessageLaunchAbstract):
    def render_launch_form(self, launch_data: Any, **kwargs: Any) -> Any:
        return launch_data


class _Members(NamesRoleProvisioningService):
    people: list[dict[str, Any]]

    def get_member_data_page(self, page: Any = 1, limit: Any = None, **more: Any) -> Any:
        first = (int(page) - 1) * int(limit or 1000)
        part = self.people[first : first + int(limit or 1000)]
        return {"content": part, "has_next": first + len(part) < len(self.people)}

    def get_context_by_id(self) -> Any:
        from lti1p3platform.membership import Context

        return Context(id="c1", title="Maths", label="M")


@dataclass
class FakePlatform:
    """The platform, its pupils, and the scores that it was sent."""

    platform: Platform
    registration: Registration
    members: list[dict[str, Any]] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    is_down: bool = False
    return_url: str = RETURN

    @classmethod
    def create(cls, school: School) -> "FakePlatform":
        platform = Platform.objects.create(
            school=school,
            name="Moodle",
            issuer=AT,
            client_id="client-1",
            deployment="d1",
            auth_url=f"{AT}/auth",
            token_url=f"{AT}/token",
            keyset_url=f"{AT}/keys",
        )
        private, public = key_pair()
        registration = Registration()
        registration.set_iss(AT)
        registration.set_client_id("client-1")
        registration.set_deployment_id("d1")
        registration.set_oidc_login_url(f"/lti/{platform.pk}/login/")
        registration.set_launch_url(f"http://localhost:8000/lti/{platform.pk}/launch/")
        registration.set_deeplink_launch_url(f"http://localhost:8000/lti/{platform.pk}/launch/")
        registration.set_platform_private_key(private)
        registration.set_platform_public_key(public)
        return cls(platform, registration)

    # Requests of the site

    def ask(
        self,
        url: str,
        *,
        fields: Mapping[str, str] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> HttpAnswer:
        self.asked.append(url)
        if self.is_down:
            raise Unreachable("unreached")
        config = _Platform(registration=self.registration)
        parts = urlsplit(url)
        match parts.path:
            case "/keys":
                return _json(config.get_jwks())
            case "/token":
                self.registration.set_tool_key_set(messages.public_keys())
                return _json(config.get_access_token(dict(fields or {})))
            case "/members":
                request = {
                    "method": "GET",
                    "get_data": {name: int(value) for name, value in parse_qsl(parts.query)},
                    "headers": _bearer(headers),
                    "content_type": (headers or {}).get("Accept"),
                }
                service = _Members(_Asked(request), config, f"{AT}/members")
                service.people = [dict(member) for member in self.members]
                answer = service.handle_get_members()
                assert answer.code == 200, answer.message
                return _json(answer.result)
            case "/items/7/scores":
                token = _bearer(headers)["Authorization"].removeprefix("Bearer ")
                assert config.validate_token(token, [messages.SCORE_SCOPE])
                self.scores.append(body)
                return _json({})
        raise AssertionError(url)

    # A browser's way

    def login(self, client: Client, subject: str = "7", **headers: Any) -> Any:
        """Begin a launch in the browser, in a tab unless `headers` say otherwise."""
        begin = _Login(None, _Platform(registration=self.registration))
        begin.set_lti_message_hint(hint="resource 1")
        return client.get(
            begin.initiate_login(subject), headers=headers or {"Sec-Fetch-Dest": "document"}
        )

    def launch(self, client: Client, subject: str = "7", **person: Any) -> Any:
        """Go through a launch in the browser, and return the page that the site shows at its
        end."""
        return self.post(client, self.token(self.login(client, subject), subject, **person))

    def post(self, client: Client, answer: Mapping[str, str]) -> Any:
        """Post the platform's form in the browser, and follow to the next page."""
        url = urlsplit(answer["launch_url"]).path
        posted = {name: answer[name] for name in ("state", "id_token") if name in answer}
        response = client.post(url, posted)
        if response.status_code != 302:
            return response
        return client.get(response["Location"])

    def token(
        self,
        login: Any,
        subject: str = "7",
        *,
        name: str = "Dora Bakker",
        roles: tuple[str, ...] = (LEARNER,),
        course: str = "c1",
        custom: Mapping[str, str] | None = None,
        deep_link: bool = False,
        claims: Mapping[str, Any] | None = None,
    ) -> dict[str, str]:
        """The data that the platform's page posts after the site has sent the browser there."""
        assert login.status_code == 302, login.content
        assert login["Location"].startswith(f"{AT}/auth?"), login["Location"]
        query = dict(parse_qsl(urlsplit(login["Location"]).query))
        return self.answer(
            query,
            subject,
            name=name,
            roles=roles,
            course=course,
            custom=custom,
            deep_link=deep_link,
            claims=claims,
        )

    def answer(
        self,
        query: Mapping[str, str],
        subject: str = "7",
        *,
        name: str = "Dora Bakker",
        roles: tuple[str, ...] = (LEARNER,),
        course: str = "c1",
        custom: Mapping[str, str] | None = None,
        deep_link: bool = False,
        claims: Mapping[str, Any] | None = None,
    ) -> dict[str, str]:
        """The data that the page posts for the query with which the site sent the browser there."""
        launch = _Launch(
            _Asked({"get_data": dict(query), "form_data": {}}),
            _Platform(registration=self.registration),
        )
        launch.set_user_data(subject, list(roles), name, "dora@example.org")
        launch.set_launch_context_claim(course, context_title="Maths")
        launch.set_resource_link_claim("r1")
        launch.set_custom_parameters_claim(dict(custom or {}))
        launch.set_nrps(f"{AT}/members")
        launch.set_ags(f"{AT}/items", LINE_ITEM)
        if deep_link:
            launch.set_dl(self.return_url, accept_types={"ltiResourceLink"}, extra_data={"a": 1})
        launch.set_extra_claims(dict(claims or {}))
        form: dict[str, str] = launch.lti_launch()
        return form


def _bearer(headers: Mapping[str, str] | None) -> dict[str, str]:
    return {"Authorization": (headers or {}).get("Authorization", "")}


def _json(value: Any) -> HttpAnswer:
    return HttpAnswer(200, {}, json.dumps(value).encode())


def forged(answer: Mapping[str, str], **changes: Any) -> dict[str, str]:
    """The same answer with other claims, signed again by the platform. None removes a claim."""
    return signed(answer, key_pair()[0], **changes)


def signed(
    answer: Mapping[str, str],
    key: Any,
    algorithm: str = "RS256",
    header: Mapping[str, Any] | None = None,
    **changes: Any,
) -> dict[str, str]:
    """The same answer, signed with another key or algorithm."""
    claims = jwt.decode(answer["id_token"], options={"verify_signature": False})
    claims |= {name.replace("__", "/"): value for name, value in changes.items()}
    present = {name: value for name, value in claims.items() if value is not None}
    kid = jwt.get_unverified_header(answer["id_token"])["kid"]
    token = jwt.encode(present, key, algorithm, {"kid": kid, **(header or {})})
    return {**answer, "id_token": token}


def long_ago() -> int:
    return int(time.time()) - 3600


def link_to(child: Child, moodle: FakePlatform, subject: str = "7") -> PlatformPerson:
    """Link this person of the platform to the child."""
    return PlatformPerson.objects.create(
        platform=moodle.platform, subject_hash=subject_hash(moodle.platform, subject), child=child
    )


def is_signed_in(client: Client) -> bool:
    return bool(client.cookies.get(SESSION_COOKIE) and client.cookies[SESSION_COOKIE].value)


def refusals() -> list[str]:
    """The reasons of refused launches in the log, the latest first."""
    entries = AuditEntry.objects.filter(what=What.LAUNCH_REFUSED)
    return [entry.detail["why"] for entry in entries.order_by("-at", "-pk")]
