"""nginx's own pages are those that the templates make."""

from scripts.proxy_pages import PAGES, differing, pages
from tests.documents import text_of


def test_they_are_as_the_templates_make_them() -> None:
    assert differing() == []


def test_they_need_nothing_but_what_nginx_has() -> None:
    conf = text_of("deploy/nginx.conf")
    for name, text in pages().items():
        assert "/static/" not in text, name
        assert "<script" not in text, name
        assert text.count("/-/css/nmbrs.css") == text.count("/-/icons/nmbrs.svg") == 1, name
    assert "css/nmbrs\\.css|icons/nmbrs\\.svg" in conf
    assert {path.suffix for path in PAGES.iterdir()} == {".html"}
