"""The addresses of servers, as ``canopy://ada:secret@vm1:11444,vm2``."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from .errors import CanopyError, ErrorCode
from .net.connector import Address
from .wire.frames import DEFAULT_PORT

_WHOLE = re.compile(r"canopy(s?)://(?:([^:]+?)(?::(.*))?@)?([^@/?#]+)/?", re.DOTALL)
_SERVER = re.compile(r"(?:\[([^\]]+)\]|([^:\[\]\s]+))(?::(\d{1,5}))?")


@dataclass(frozen=True)
class ServerUri:
    """The parts of a URI."""

    servers: tuple[Address, ...]
    tls: bool
    user: str | None
    password: str | None = field(repr=False)


def _wrong(why: str) -> CanopyError:
    return CanopyError(ErrorCode.CONFIG_INVALID, why)


def parse_address(text: str) -> Address:
    """The address ``host:port``; a port that is left out is that of servers."""
    parts = _SERVER.fullmatch(text.strip())
    port = int(parts.group(3) or DEFAULT_PORT) if parts else 0
    if parts is None or not 0 < port < 65536:
        raise _wrong(f"an address is host:port, or [IPv6]:port: '{text}'")
    return Address(parts.group(1) or parts.group(2), port)


def parse(text: str) -> ServerUri:
    """The parts of a URI; an error prints no password."""
    parts = _WHOLE.fullmatch(text)
    if parts is None:
        shown = text if "@" not in text else "…" + text[text.rindex("@") :]
        raise _wrong(
            "a URI is canopy://host:port,host:port or canopys:// for TLS, with user:password@ in "
            f"front of the hosts where that is needed: '{shown}'"
        )
    tls, user, password, servers = parts.groups()
    return ServerUri(
        servers=tuple(parse_address(server) for server in servers.split(",")),
        tls=bool(tls),
        user=None if user is None else unquote(user),
        password=None if password is None else unquote(password),
    )
