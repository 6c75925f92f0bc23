"""A client of the site under test."""

import re
from typing import Any
from urllib.parse import urljoin

import requests
from requests.adapters import HTTPAdapter
from urllib3 import Retry

from tests.factories import PASSWORD

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')
SECONDS = 180
WHILE_BUSY = Retry(
    total=None,
    connect=0,
    read=False,
    other=0,
    status=20,
    status_forcelist=[503],
    allowed_methods=None,
    raise_on_status=False,
)
"""Ask a busy site again after the stated time, as its pages do."""


class _From(HTTPAdapter):
    """An adapter that connects from this address of this machine."""

    def __init__(self, address: str, retries: Retry | int) -> None:
        self.address = address
        super().__init__(pool_maxsize=50, max_retries=retries)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs, source_address=(self.address, 0))


class Browser(requests.Session):
    """A client that takes paths, trusts the site's certificate, and follows no redirect
    elsewhere."""

    def __init__(
        self, site: str, certificate: str, address: str, retries: Retry | int = WHILE_BUSY
    ) -> None:
        super().__init__()
        self.site = site
        self.verify = certificate
        self.trust_env = False
        self.mount("https://", _From(address, retries))
        self.mount("http://", _From(address, retries))

    def request(self, method: Any, url: Any, *args: Any, **kwargs: Any) -> requests.Response:
        """Send a request with the Referer of a browser at port 443, because nginx passes on no
        port."""
        kwargs.setdefault("timeout", SECONDS)
        kwargs["headers"] = {"Referer": "https://localhost/", **(kwargs.get("headers") or {})}
        return super().request(method, urljoin(self.site, url), *args, **kwargs)

    def token(self, path: str) -> str:
        """The CSRF token of the first form on this page."""
        answer = self.get(path)
        match = TOKEN.search(answer.text)
        assert match, f"no form at {path}: {answer.status_code}"
        return match[1]

    def post_form(
        self, path: str, data: dict[str, Any] | None = None, *, page: str = "", **kwargs: Any
    ) -> requests.Response:
        """Post to `path` with the token of the form at `page`, or at `path` itself."""
        token = self.token(page or path)
        return self.post(path, data={"csrfmiddlewaretoken": token, **(data or {})}, **kwargs)

    def sign_in(self, email: str, password: str = PASSWORD) -> requests.Response:
        return self.post_form("/accounts/login/", {"login": email, "password": password})
