"""The site gets and renews a certificate, and the proxy has another one until then. `make images`
gets one from an authority."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from django.conf import LazySettings
from django.core.management import call_command

from nmbrs_edu import certificates
from nmbrs_edu.certificates import NoCertificate, certificate_in, is_due, write_self_signed
from tests.counts import for_each
from tests.proxy.nginx import write_certificate

NOW = datetime.now(UTC)


def test_the_proxy_begins_with_a_certificate_that_is_replaced(tmp_path: Path) -> None:
    write_self_signed(tmp_path, "nmbrs.school.nl")
    before = certificate_in(tmp_path)
    assert before is not None
    assert certificates.is_self_signed(before)
    assert is_due(tmp_path, ["nmbrs.school.nl"], NOW)
    assert (tmp_path / "site.key").stat().st_mode & 0o777 == 0o600
    write_self_signed(tmp_path, "nmbrs.school.nl")
    assert certificate_in(tmp_path) == before
    write_self_signed(tmp_path, "other.school.nl")
    assert certificate_in(tmp_path) != before


@for_each(
    [
        ("nmbrs.school.nl", "nmbrs.school.nl", True),
        ("NMBRS.school.nl", "nmbrs.school.nl", True),
        ("*.school.nl", "nmbrs.school.nl", True),
        ("*.school.nl", ".school.nl", True),
        ("school.nl", "nmbrs.school.nl", False),
        ("*.nl", "nmbrs.school.nl", False),
    ]
)
def test_a_certificate_is_for_its_names(named: str, host: str, fits: bool) -> None:
    with TemporaryDirectory() as folder:
        write_self_signed(Path(folder), named)
        certificate = certificate_in(Path(folder))
    assert certificate is not None
    assert certificates.covers(certificate, host) is fits


def test_a_certificate_is_renewed_before_its_end_and_for_a_new_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert is_due(tmp_path, ["localhost"], NOW)
    write_certificate(tmp_path)  # for a day
    monkeypatch.setattr(certificates, "is_self_signed", lambda _: False)
    end = NOW + timedelta(days=1)
    assert is_due(tmp_path, ["localhost"], end - timedelta(days=29))
    assert not is_due(tmp_path, ["localhost"], end - timedelta(days=31))
    assert is_due(tmp_path, ["localhost", "b.nl"], end - timedelta(days=31))


def test_a_refusing_authority_leaves_the_old_certificate(
    tmp_path: Path,
    settings: LazySettings,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refuse(*_: object) -> None:
        raise NoCertificate("the name leads elsewhere")

    monkeypatch.setattr("nmbrs_edu.management.commands.keep_certificate.fetch", refuse)
    settings.ALLOWED_HOSTS = ["nmbrs.school.nl", ".school.nl"]
    write_self_signed(tmp_path, "nmbrs.school.nl")
    before = certificate_in(tmp_path)
    call_command("keep_certificate", tmp_path, tmp_path, once=True)
    assert "the name leads elsewhere" in capsys.readouterr().out
    assert certificate_in(tmp_path) == before


def test_an_authority_that_does_not_answer_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoCertificate, match="refused"):
        certificates.fetch("https://127.0.0.1:1/dir", ["a.nl"], tmp_path, tmp_path)
    assert list(tmp_path.iterdir()) == []
