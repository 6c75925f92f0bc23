"""nginx's own pages are the ones that the templates make."""

from scripts.proxy import CONF, PAGES, conf, differing, pages
from tests.documents import text_of


def test_they_are_as_the_templates_make_them() -> None:
    assert differing() == []


def test_they_need_nothing_but_what_nginx_has() -> None:
    text_of_conf = text_of("deploy/nginx.conf")
    for name, text in pages().items():
        assert "/static/" not in text, name
        assert "<script" not in text, name
        assert text.count("/-/css/nmbrs.css") == text.count("/-/icons/nmbrs.svg") == 1, name
    assert "css/nmbrs\\.css|icons/nmbrs\\.svg" in text_of_conf
    assert {path.suffix for path in PAGES.iterdir()} == {".html"}


def test_the_configuration_has_the_sites_own_addresses() -> None:
    assert CONF.read_text(encoding="utf-8") == conf()
