"""Gets the site's certificate from an authority that speaks ACME (RFC 8555)."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import josepy
from acme import challenges, client, crypto_util, errors, messages
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID
from requests import RequestException

from nmbrs_edu.static import write

RENEWAL_TIME: Final = timedelta(days=30)
"""How long before its end a certificate is renewed."""
AUTHORITY_SECONDS: Final = 120
"""How long the authority may take to check the names and to issue a certificate."""


class NoCertificate(Exception):
    """The authority did not issue a certificate. The message says why."""


def certificate_in(folder: Path) -> x509.Certificate | None:
    """The proxy's certificate; None if there is none or it cannot be read."""
    try:
        return x509.load_pem_x509_certificate((folder / "site.crt").read_bytes())
    except (OSError, ValueError):
        return None


def is_self_signed(certificate: x509.Certificate) -> bool:
    return certificate.issuer == certificate.subject


def names_in(certificate: x509.Certificate) -> set[str]:
    """The host names for which the certificate is valid, in small letters."""
    try:
        extension = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName)
    except x509.ExtensionNotFound:
        return set()
    return {name.lower() for name in extension.value.get_values_for_type(x509.DNSName)}


def covers(certificate: x509.Certificate, host: str) -> bool:
    """Whether a browser accepts the certificate for this host."""
    return not names_in(certificate).isdisjoint({host, f"*.{host.partition('.')[2]}"})


def names_to_certify(hosts: Sequence[str]) -> list[str]:
    """The hosts for which an authority issues a certificate: those that are not patterns."""
    return [host for host in hosts if host[0] not in ".*"]


def is_due(folder: Path, names: Sequence[str], now: datetime) -> bool:
    """Whether a new certificate is needed: there is none, or it is self-signed, lacks one of these
    names or ends soon."""
    certificate = certificate_in(folder)
    if certificate is None or is_self_signed(certificate):
        return True
    renew_at = certificate.not_valid_after_utc - RENEWAL_TIME
    return not names_in(certificate).issuperset(names) or now > renew_at


def write_self_signed(folder: Path, host: str) -> None:
    """Write a self-signed certificate, without which the proxy could not start. A certificate that
    is there already stays, unless it is a self-signed one for another host."""
    present = certificate_in(folder)
    if present and (not is_self_signed(present) or covers(present, host)):
        return
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host[:64])])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=3650))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    _write_certificate(folder, _pem(key), certificate.public_bytes(serialization.Encoding.PEM))


def fetch(directory: str, names: Sequence[str], folder: Path, web_folder: Path) -> None:
    """Get a certificate for these names from the ACME authority whose directory has this address,
    and store it in `folder`. To check that the names lead here, the authority fetches files that
    the proxy serves from `web_folder`. Raises `NoCertificate`."""
    # A new account each time leaves the certificate's key as the only secret to keep.
    account = josepy.JWKRSA(key=rsa.generate_private_key(public_exponent=65537, key_size=2048))
    key = _pem(ec.generate_private_key(ec.SECP256R1()))
    answers: list[Path] = []
    try:
        network = client.ClientNetwork(account, user_agent="nmbrs_edu", timeout=30)
        authority = client.ClientV2(client.ClientV2.get_directory(directory, network), network)
        authority.new_account(messages.NewRegistration.from_data(terms_of_service_agreed=True))
        order = authority.new_order(crypto_util.make_csr(key, list(names)))
        for item in _http_challenges(order):
            answer, text = item.response_and_validation(account)
            answers.append(web_folder / item.chall.path.lstrip("/"))
            write(answers[-1], text.encode(), mode=0o644)
            authority.answer_challenge(item, answer)
        # The library compares the deadline with the local time, without a time zone.
        deadline = datetime.now() + timedelta(seconds=AUTHORITY_SECONDS)
        order = authority.poll_and_finalize(order, deadline)
    except errors.ValidationError as problem:
        failed = (name.body.challenges for name in problem.failed_authzrs)
        reasons = [challenge.error for challenges_of in failed for challenge in challenges_of]
        raise NoCertificate("; ".join(str(error.detail) for error in reasons if error)) from problem
    except (errors.Error, messages.Error, RequestException) as problem:
        raise NoCertificate(str(problem)) from problem
    finally:
        for answer_file in answers:
            answer_file.unlink(missing_ok=True)
    _write_certificate(folder, key, order.fullchain_pem.encode())


def _http_challenges(order: messages.OrderResource) -> list[messages.ChallengeBody]:
    """For each name that is not confirmed yet, the challenge that a file on port 80 meets."""
    return [
        next(body for body in name.body.challenges if isinstance(body.chall, challenges.HTTP01))
        for name in order.authorizations
        if name.body.status != messages.STATUS_VALID
    ]


def _pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write_certificate(folder: Path, key: bytes, chain: bytes) -> None:
    write(folder / "site.key", key, mode=0o600)
    write(folder / "site.crt", chain, mode=0o644)
