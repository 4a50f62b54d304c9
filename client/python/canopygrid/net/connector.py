"""Opens connections: TCP or TLS, Hello, and the login."""

from __future__ import annotations

import asyncio
import ssl
from dataclasses import dataclass, field

from ..errors import ErrorCode
from ..wire import frames
from ..wire.buffers import MalformedBytesError
from ..wire.frames import Message
from ..wire.messages import connection as says
from .connection import Connection, LostConnectionError, in_words, meaning, read_message
from .scram import MECHANISM, LoginError, ScramClient

#: How this client names itself to servers.
SOFTWARE = "canopy-python"

#: All features that this client makes use of.
FEATURES = says.FEATURE_DROPS | says.FEATURE_TOKENS | says.FEATURE_TRACES


@dataclass(frozen=True)
class ConnectSettings:
    """How connections are opened."""

    client: bytes
    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: ssl.SSLContext | None = None
    connect_seconds: float = 5.0
    ping_seconds: float = 10.0


@dataclass(frozen=True)
class Address:
    """Where a server is."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


async def connect(address: Address, settings: ConnectSettings, grid: bytes | None) -> Connection:
    """Opens a connection to a server.

    Args:
        address: Where it is.
        settings: How.
        grid: The grid of which the server has to be, or it refuses; None: any.

    Raises:
        LostConnectionError: There is none.

    """
    try:
        return await asyncio.wait_for(_connect(address, settings, grid), settings.connect_seconds)
    except asyncio.TimeoutError as error:
        millis = round(settings.connect_seconds * 1000)
        raise _unreachable(f"no answer within {millis} ms") from error
    except ssl.SSLCertVerificationError as error:
        raise _unreachable(_of_certificate(error)) from error
    except ssl.SSLError as error:
        raise LostConnectionError(
            ErrorCode.PROTOCOL_ERROR,
            "the port does not speak TLS: say canopy:// instead of canopys://, or leave out tls "
            f"({error.reason or error})",
            False,
        ) from error
    except EOFError as error:
        raise _unreachable("the server closed the connection") from error
    except OSError as error:
        raise _unreachable(in_words(error)) from error
    except MalformedBytesError as error:
        raise LostConnectionError(
            ErrorCode.PROTOCOL_ERROR, f"it does not speak the protocol: {error}", False
        ) from error


def _unreachable(reason: str) -> LostConnectionError:
    return LostConnectionError(ErrorCode.NOT_CONNECTED, reason, False)


def _of_certificate(error: ssl.SSLCertVerificationError) -> str:
    if "expired" in error.verify_message:
        return f"the server's certificate has expired: {error.verify_message}"
    return f"the server's certificate is not trusted: {error.verify_message}"


async def _connect(address: Address, settings: ConnectSettings, grid: bytes | None) -> Connection:
    source, sink = await asyncio.open_connection(address.host, address.port, ssl=settings.tls)
    try:
        welcome = await _hello(source, sink, settings, grid)
        if welcome.mechanisms:
            await _login(source, sink, settings, welcome)
    except BaseException:
        sink.transport.abort()  # the end of TLS would be waited for
        raise
    return Connection(str(address), source, sink, welcome, settings.ping_seconds)


async def _hello(
    source: asyncio.StreamReader,
    sink: asyncio.StreamWriter,
    settings: ConnectSettings,
    grid: bytes | None,
) -> says.Welcome:
    hello = says.Hello(
        magic=says.MAGIC,
        version_min=frames.VERSION,
        version_max=frames.VERSION,
        features=FEATURES,
        client=settings.client,
        software=SOFTWARE,
        grid=grid,
    )
    message = await _answer(source, sink, hello)
    if not isinstance(message, says.Welcome):
        raise MalformedBytesError(f"it said {type(message).__name__} in place of Welcome")
    if message.version != frames.VERSION:
        raise MalformedBytesError(f"it chose version {message.version} of the protocol")
    return message


async def _login(
    source: asyncio.StreamReader,
    sink: asyncio.StreamWriter,
    settings: ConnectSettings,
    welcome: says.Welcome,
) -> None:
    if settings.user is None or settings.password is None:
        raise _refused("the server wants to know a user")
    if MECHANISM not in welcome.mechanisms:
        raise _refused(f"the server knows {', '.join(welcome.mechanisms)}, this client {MECHANISM}")
    try:
        scram = ScramClient(settings.user, settings.password)
        said = scram.first()
        while True:
            challenge = await _answer(source, sink, says.Authenticate(MECHANISM, said))
            if not isinstance(challenge, says.Challenge):
                raise MalformedBytesError(
                    f"it said {type(challenge).__name__} in place of Challenge"
                )
            if challenge.done:
                scram.check(challenge.data)
                return
            said = scram.final(challenge.data)
    except LoginError as error:
        raise _refused(f"the login failed: {error}") from error


def _refused(why: str) -> LostConnectionError:
    return LostConnectionError(ErrorCode.UNAUTHENTICATED, why, False)


async def _answer(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, said: Message
) -> Message:
    sink.write(frames.encode(0, said))
    await sink.drain()
    _, message = await read_message(source)
    if isinstance(message, says.Goodbye):
        raise meaning(message)
    if isinstance(message, says.Failure):
        error = message.to_error()
        raise meaning(says.Goodbye(error.code.number, error.detail))
    return message
