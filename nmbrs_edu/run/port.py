"""Tests whether the port is free. `make run` runs this with any Python 3, before it installs
anything."""

from __future__ import annotations

import os
import socket
import sys


def port_problem(host: str, port: str) -> str | None:
    """Why the site cannot listen on this port; None if it can."""
    if not port.isdecimal() or not 0 < int(port) < 65536:
        return f"PORT={port} is no port: say a number from 1 to 65535."
    try:
        family = socket.getaddrinfo(host, int(port), type=socket.SOCK_STREAM)[0][0]
    except OSError:
        return f"HOST={host} is no address of this machine."
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, int(port)))
        except PermissionError:
            return f"Port {port} needs more rights. Choose another: make run PORT=8123"
        except OSError as problem:
            if problem.errno == 98:
                return f"Port {port} is taken. Choose another: make run PORT={int(port) + 1}"
            return f"HOST={host} is no address of this machine."
    return None


def host_and_port() -> tuple[str, str]:
    return os.environ.get("HOST") or "127.0.0.1", os.environ.get("PORT") or "8000"


def complain(problem: str) -> int:
    print(f"nmbrs_edu: {problem}", file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    fault = port_problem(*host_and_port())
    sys.exit(complain(fault) if fault else 0)
