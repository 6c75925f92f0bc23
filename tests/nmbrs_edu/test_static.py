import gzip
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.test import override_settings

from classrooms import http
from nmbrs_edu.static import small
from tests.repository import text_of

OURS = "nmbrs_edu.static.SmallStaticFilesStorage"


def test_names_inside_a_function_are_short_and_those_of_the_page_stay() -> None:
    sent = small(
        "js/x.js", "const shared = (number) => { const twice = 2 * number; return twice; };"
    )
    assert sent.startswith("const shared=")
    assert "number" not in sent
    assert "twice" not in sent


def test_collected_files_are_small_named_by_what_is_in_them_and_compressed(
    tmp_path: Path,
) -> None:
    storages = {**settings.STORAGES, "staticfiles": {"BACKEND": OURS}}
    with override_settings(STORAGES=storages, STATIC_ROOT=tmp_path):
        for _ in range(2):
            call_command("collectstatic", interactive=False, verbosity=0)
    (script,) = tmp_path.glob("js/page.*.js")
    source = text_of("static/js/page.js")
    assert script.read_text() == small("js/page.js", source)
    packed = script.with_suffix(".js.gz").read_bytes()
    assert gzip.decompress(packed) == script.read_bytes()


def test_what_the_proxy_serves_is_whole_and_earlier_files_stay(tmp_path: Path) -> None:
    collected, folder = tmp_path / "collected", tmp_path / "served"
    (collected / "js").mkdir(parents=True)
    (collected / "js" / "new.js").write_text("new")
    (folder / "js").mkdir(parents=True)
    (folder / "js" / "old.js").write_text("old")
    with override_settings(STATIC_ROOT=collected):
        for _ in range(2):
            call_command("lay_out_static", str(folder))
    files = {path.name: path.read_text() for path in folder.rglob("*") if path.is_file()}
    assert files == {"new.js": "new", "old.js": "old"}


def test_the_proxy_learns_the_sites_names_and_nobody_else_the_key(tmp_path: Path) -> None:
    (tmp_path / "collected").mkdir()
    with override_settings(
        STATIC_ROOT=tmp_path / "collected", ALLOWED_HOSTS=["school.example", ".schools.example"]
    ):
        call_command("lay_out_static", str(tmp_path / "served"), school=tmp_path / "school")
    written = tmp_path / "school" / "school.conf"
    assert written.stat().st_mode & 0o777 == 0o600
    assert 'hostnames; default 0; "school.example" 1; ".schools.example" 1;' in written.read_text()
    assert http.pass_key() in written.read_text()
    assert http.pass_key() not in http.pass_for("adult 1")
