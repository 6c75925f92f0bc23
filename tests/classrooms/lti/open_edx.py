"""Open edX's own LTI consumer (`lti-consumer-xblock`) as a platform. It runs in a Python
environment of its own, because it needs many packages that the site must not have and is under the
AGPL. Each line of input is a JSON request, each line of output its answer. Of the site it has only
the keys."""

import json
import sys
from typing import Any

import django
from django.conf import settings

settings.configure(
    CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}},
    INSTALLED_APPS=[],
    PLATFORM_NAME="Open edX",
    SECRET_KEY="only for a test",
    USE_TZ=True,
)
django.setup()

from lti_consumer.data import Lti1p3LaunchData  # noqa: E402
from lti_consumer.lti_1p3.consumer import LtiAdvantageConsumer  # noqa: E402

consumer: Any = None


def make(options: dict[str, Any]) -> None:
    global consumer
    consumer = LtiAdvantageConsumer(
        iss=options["iss"],
        lti_oidc_url=options["login"],
        lti_launch_url=options["launch"],
        client_id="client-1",
        deployment_id="1",
        rsa_key=options["key"],
        rsa_key_id="edx-1",
        redirect_uris=[options["launch"]],
        tool_key=options["tool_key"],
    )
    consumer.enable_ags(f"{options['iss']}/items", f"{options['iss']}/items/7")
    consumer.enable_nrps(f"{options['iss']}/members")
    consumer.enable_deep_linking(options["launch"], f"{options['iss']}/return")


def begin(options: dict[str, Any]) -> str:
    """The address to which the platform sends a browser."""
    data = Lti1p3LaunchData(
        user_id=options["user"],
        user_role=options["role"],
        config_id="x",
        resource_link_id="r1",
        message_type=options["kind"],
    )
    address: str = consumer.prepare_preflight_url(data)
    return address


def launch(options: dict[str, Any]) -> dict[str, str]:
    """The data that the platform's page posts for this person."""
    consumer.set_user_data(options["user"], options["role"], options["name"], "x@example.org")
    consumer.set_resource_link_claim("r1")
    consumer.set_context_claim("course-v1:x", context_title="Maths")
    consumer.set_custom_parameters(options.get("custom") or {})
    request: dict[str, str] = consumer.generate_launch_request(options["asked"])
    return request


DO = {
    "make": make,
    "begin": begin,
    "launch": launch,
    "keys": lambda options: consumer.get_public_keyset(),
    "token": lambda options: consumer.access_token(options["fields"]),
    "check": lambda options: bool(consumer.check_token(options["token"], options["scopes"])),
    "chosen": lambda options: consumer.check_and_decode_deep_linking_token(options["signed"]),
}

if __name__ == "__main__":
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(DO[asked.pop("do")](asked)), flush=True)
