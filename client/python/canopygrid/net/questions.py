"""Questions outside of transactions, which any server can answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from ..backoff import Backoff
from ..errors import CanopyError, CommitState, ErrorCode
from ..wire.frames import Message
from ..wire.messages.connection import Failure
from .connection import Connection, LostConnectionError, Pages, Reply
from .servers import Servers

M = TypeVar("M", bound=Message)

#: The time that a question may take.
PATIENCE_SECONDS = 30.0

#: The client waits so much longer than the deadline, since the server says itself that it is over.
_GRACE_SECONDS = 1.0

_AGAIN = Backoff(0.005, 0.5)


async def next_answer(pages: Pages, deadline: float) -> Reply:
    """Waits for an answer; LostConnectionError, or TIMEOUT."""
    seconds = max(0.0, deadline - time.monotonic()) + _GRACE_SECONDS
    try:
        return await asyncio.wait_for(pages.take(), seconds)
    except asyncio.TimeoutError as error:
        raise CanopyError(ErrorCode.TIMEOUT, "the server did not answer in time") from error


def checked(message: Message, wanted: type[M]) -> M:
    """The message if it is of a type, else the error that it stands for."""
    if isinstance(message, wanted):
        return message
    if isinstance(message, Failure):
        raise message.to_error()
    raise CanopyError(
        ErrorCode.PROTOCOL_ERROR,
        f"the server answered with {type(message).__name__}",
        CommitState.NOT_COMMITTED,
    )


def lost(error: LostConnectionError, transaction: str | None = None) -> CanopyError:
    """The error for a connection that was lost before anything was sent to be committed."""
    return CanopyError(
        error.code,
        f"the connection was lost: {error.reason}",
        CommitState.NOT_COMMITTED,
        transaction,
    )


class Questions:
    """Asks any server, and another one where the connection is lost."""

    def __init__(self, servers: Servers) -> None:
        self._servers = servers

    async def ask(
        self,
        request: Message,
        wanted: type[M],
        grid: bytes | None = None,
        feature: int = 0,
        lost_once: Callable[[], None] = lambda: None,
        deadline: float | None = None,
    ) -> M:
        """Asks something that may be carried out twice.

        Args:
            request: What is asked.
            wanted: The type of the answer.
            grid: The grid in which the caller began; None: the present one.
            feature: The bit of what the server must be able to do.
            lost_once: Is called where a connection is lost, whose server may have done it.
            deadline: Until when; None: as long as a question may take.

        """
        wanted_grid = self._servers.grid if grid is None else grid
        if deadline is None:
            deadline = time.monotonic() + PATIENCE_SECONDS
        avoid = ""
        attempt = 0
        while True:
            attempt += 1
            connection = await self._servers.other(avoid, deadline)
            self._servers.check(wanted_grid, connection)
            if feature & ~connection.welcome.features:
                raise CanopyError(
                    ErrorCode.PROTOCOL_ERROR,
                    f"server {connection.address} is of an older release, which cannot do this",
                )
            try:
                return await answer(connection, request, wanted, deadline)
            except LostConnectionError as error:
                lost_once()
                avoid = connection.address
                await _AGAIN.pause(attempt, deadline)
                if error.code is not ErrorCode.NOT_CONNECTED or _over(deadline):
                    raise lost(error) from error

    async def ask_once(self, request: Message, wanted: type[M]) -> M:
        """Asks something that must not be carried out twice."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        connection = await self._servers.other("", deadline)
        try:
            return await answer(connection, request, wanted, deadline)
        except LostConnectionError as error:
            raise lost(error) from error


def _over(deadline: float) -> bool:
    return deadline <= time.monotonic()


async def answer(connection: Connection, request: Message, wanted: type[M], deadline: float) -> M:
    """Asks one server."""
    pages = connection.ask_this(request)
    try:
        return checked((await next_answer(pages, deadline)).message, wanted)
    finally:
        connection.forget(pages)
