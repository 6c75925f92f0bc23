"""deploy/nginx.conf with other addresses, so that it runs on this machine beside others."""

import datetime
import os
import shutil
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from nmbrs_edu.static import school_conf, write
from tests.plugins.servers import free_port
from tests.repository import ROOT

CONF = ROOT / "deploy" / "nginx.conf"
PLACES = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def command(conf: Path) -> list[str]:
    """The command for nginx in the foreground. For root its workers stay root, because the tests'
    folder is root's."""
    user = "user root;" if os.geteuid() == 0 else ""
    return [_program(), "-c", str(conf), "-g", f"daemon off;{user}"]


def _program() -> str:
    path = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if path is None:
        pytest.fail("There is no nginx: run `make nginx`.")
    return path


def write_conf(folder: Path, *, http: int, https: int, upstreams: dict[str, int]) -> Path:
    """Write the school's own file into `folder`, with only ports, paths and names replaced.

    `upstreams` has the port of each service. Fails if a text to be replaced is missing, because
    then the file has changed, and this function must change with it.
    """
    text = CONF.read_text()
    replaced = {
        "listen 80;": f"listen {http};",
        "listen 443 ssl http2;": f"listen {https} ssl http2;",
        "127.0.0.1:8443;": f"127.0.0.1:{free_port()};",
        "pid /run/nginx.pid;": f"pid {folder}/nginx.pid;",
        "resolver 127.0.0.11 valid=10s;": "",
        "/etc/nginx/certificates/": f"{folder}/",
        "/etc/nginx/pages": f"{folder}/etc/nginx/pages",
        "/etc/nginx/school": f"{folder}/etc/nginx/school",
        "root /etc/nginx;": f"root {folder}/etc/nginx;",
        "root /etc/nginx/static;": f"root {folder}/served;",
        # Debian's nginx 1.22 does not look names up while it runs; here there are none.
        **{
            f"server {name}:8000 resolve ": f"server 127.0.0.1:{port} "
            for name, port in upstreams.items()
        },
    }
    for old, new in replaced.items():
        assert old in text, f"deploy/nginx.conf has no {old!r}"
        text = text.replace(old, new)
    temporary = "".join(f"{name}_temp_path {folder}/{name};\n" for name in PLACES)
    text = text.replace("http {", "http {\n" + temporary, 1)
    conf = folder / "nginx.conf"
    conf.write_text(text)
    return conf


def lay_out(folder: Path, volumes: list[str]) -> None:
    """Put into `folder` the files that docker-compose.yml gives to nginx, except conf and
    certificates, and the files that the service `static` writes."""
    write(folder / "etc/nginx/school/school.conf", school_conf(["localhost"]).encode(), mode=0o600)
    for volume in volumes:
        here, there, _ = volume.rsplit(":", 2)
        if there.startswith(("/etc/nginx/pages", "/etc/nginx/static")):
            link = folder / there.lstrip("/")
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(ROOT / "staticfiles" if here == "static" else (ROOT / here).resolve())


def write_certificate(folder: Path) -> Path:
    """Write site.crt and site.key for localhost, valid for a day. Return the path of site.crt."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(hours=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "site.crt"
    path.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "site.key").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return path
