"""One connection to one server, on which any number of requests are under way at once."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import time
from collections.abc import Callable
from typing import NamedTuple

from .. import clock as clocks
from ..errors import ErrorCode
from ..wire import frames
from ..wire.buffers import MalformedBytesError
from ..wire.fields import Clock
from ..wire.frames import Message
from ..wire.messages import connection as says
from ..wire.messages import data

#: A server that answers nothing for so many pings is taken for dead.
_PINGS_MAX = 3

#: Leaves out of a clock what was said before on this connection; it counts as said then.
Say = Callable[[Clock], Clock]

#: Makes a request; what it tells of clocks has to go through the function that it gets.
MakeRequest = Callable[[Say], Message]


class LostConnectionError(Exception):
    """A connection ended, or there never was one.

    Attributes:
        code: The error for the caller: NOT_CONNECTED unless trying elsewhere cannot help.
        reason: What happened, in words.
        sent: Whether the request may have reached the server.

    """

    def __init__(self, code: ErrorCode, reason: str, sent: bool) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason
        self.sent = sent


class Reply(NamedTuple):
    """A server's answer, and all that had been said on the connection by then."""

    message: Message
    known: Clock


_Answer = Reply | LostConnectionError


class Pages:
    """The answers on one stream, in their order: of a cursor several, else one."""

    def __init__(self, stream: int) -> None:
        self.stream = stream
        self._answers: asyncio.Queue[_Answer] = asyncio.Queue()

    def put(self, answer: _Answer) -> None:
        """Adds an answer."""
        self._answers.put_nowait(answer)

    async def take(self) -> Reply:
        """The next answer; LostConnectionError where none will come."""
        answer = await self._answers.get()
        if isinstance(answer, LostConnectionError):
            self._answers.put_nowait(answer)
            raise answer
        return answer


def meaning(goodbye: says.Goodbye) -> LostConnectionError:
    """The error of a server's last message; most are no reason not to ask another server."""
    final = (
        ErrorCode.UNAUTHENTICATED,
        ErrorCode.FORBIDDEN,
        ErrorCode.PROTOCOL_ERROR,
        ErrorCode.GRID_CHANGED,
    )
    code = ErrorCode.of(goodbye.code)
    return LostConnectionError(
        code if code in final and code else ErrorCode.NOT_CONNECTED, goodbye.text, True
    )


def in_words(error: OSError) -> str:
    """The reason of the system why a connection cannot be had, or was lost."""
    if error.errno is None or isinstance(error, socket.gaierror):
        return error.strerror or str(error)
    return os.strerror(error.errno)


async def read_message(source: asyncio.StreamReader) -> tuple[int, Message]:
    """The next message of a server, and its stream."""
    length = frames.checked_length(await source.readexactly(frames.LENGTH_BYTES))
    return frames.decode(await source.readexactly(length))


class Connection:
    """A connection that has been welcomed, and whose user is known where that is needed."""

    def __init__(
        self,
        address: str,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        welcome: says.Welcome,
        ping_seconds: float,
    ) -> None:
        self.address = address
        self.welcome = welcome
        self._source = source
        self._sink = sink
        self._offset = welcome.server_millis - time.monotonic() * 1000
        self._waiting: dict[int, Pages] = {}
        self._streams = 0
        self._transactions = 0
        self._known = clocks.NOTHING
        self._ended: LostConnectionError | None = None
        self._draining = False
        self._heard = False
        interval = max(1.0, min(ping_seconds, welcome.limits.idle_millis / 3000))
        self._tasks = [
            asyncio.create_task(self._listen()),
            asyncio.create_task(self._ping(interval)),
        ]

    @property
    def server_millis(self) -> int:
        """The time of the grid, in which names of commits are made."""
        return int(time.monotonic() * 1000 + self._offset)

    @property
    def usable(self) -> bool:
        """Whether new transactions can begin here."""
        return self._ended is None and not self._draining

    @property
    def draining(self) -> bool:
        """Whether the server has said that it is going to stop, and has not done so yet."""
        return self._draining and self._ended is None

    def next_transaction(self) -> int:
        """A number that no other transaction of this connection has."""
        self._transactions = (self._transactions + 1) & 0x7FFFFFFF
        return self._transactions

    def ask(self, make: MakeRequest) -> Pages:
        """Sends a request; its answers come on what is returned."""
        self._streams = self._streams % 0xFFFFFFFF + 1
        pages = Pages(self._streams)
        if self._ended is not None:
            pages.put(LostConnectionError(self._ended.code, self._ended.reason, False))
            return pages
        request = make(self._say)
        self._waiting[pages.stream] = pages
        self._write(pages.stream, request)
        return pages

    def ask_this(self, request: Message) -> Pages:
        """Sends a request that tells of no clock."""
        return self.ask(lambda say: request)

    def tell(self, stream: int, message: Message) -> None:
        """Sends something that has no answer of its own; stream 0: on a new stream."""
        if self._ended is None:
            if stream == 0:
                self._streams = self._streams % 0xFFFFFFFF + 1
                stream = self._streams
            self._write(stream, message)

    def forget(self, pages: Pages) -> bool:
        """Waits for no more answers; whether any were to come."""
        return self._waiting.pop(pages.stream, None) is not None

    async def flushed(self) -> None:
        """Waits while the server takes less than was sent."""
        with contextlib.suppress(ConnectionError):
            await self._sink.drain()

    def _write(self, stream: int, message: Message) -> None:
        self._sink.write(frames.encode(stream, message))

    def _say(self, clock: Clock) -> Clock:
        more = clocks.beyond(clock, self._known)
        self._known = clocks.join(self._known, clock)
        return more

    async def _listen(self) -> None:
        try:
            while self._ended is None:
                stream, message = await read_message(self._source)
                self._heard = True
                self._received(stream, message)
        except MalformedBytesError as error:
            self._write(0, says.Goodbye(ErrorCode.PROTOCOL_ERROR.number, str(error)))
            self._end(
                LostConnectionError(
                    ErrorCode.PROTOCOL_ERROR,
                    f"it does not speak the protocol: {error}",
                    True,
                )
            )
        except EOFError:
            self._lost("the server closed the connection")
        except OSError as error:
            self._lost(in_words(error))

    def _lost(self, reason: str) -> None:
        self._end(LostConnectionError(ErrorCode.NOT_CONNECTED, reason, True))

    def _received(self, stream: int, message: Message) -> None:
        if isinstance(message, says.Ping):
            self._write(0, says.Pong(message.number))
        elif isinstance(message, says.Drain):
            self._draining = True
        elif isinstance(message, says.Goodbye):
            self._end(meaning(message))
        elif message.TYPE >= 0x80:
            if isinstance(message, data.Answer):
                self._known = clocks.join(self._known, message.seen.clock)
            elif isinstance(message, data.Outcome):
                self._known = clocks.join(self._known, message.seen)
            pages = self._waiting.get(stream)
            if pages is not None:
                if not isinstance(message, data.Page) or message.end:
                    del self._waiting[stream]
                pages.put(Reply(message, self._known))
        elif not isinstance(message, says.Pong):
            raise MalformedBytesError(f"a server does not say {type(message).__name__}")

    async def _ping(self, interval: float) -> None:
        unanswered = 0
        while self._ended is None:
            self._heard = False
            await asyncio.sleep(interval)
            unanswered = 0 if self._heard else unanswered + 1
            if unanswered > _PINGS_MAX:
                self._lost("it has not answered for a while")
            else:
                self._write(0, says.Ping(unanswered))

    def _end(self, why: LostConnectionError) -> None:
        if self._ended is not None:
            return
        self._ended = why
        self._sink.close()
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        waiting, self._waiting = self._waiting, {}
        for pages in waiting.values():
            pages.put(LostConnectionError(why.code, f"{self.address} ({why.reason})", True))

    async def close(self, reason: str) -> None:
        """Ends it from this side."""
        self._end(LostConnectionError(ErrorCode.NOT_CONNECTED, reason, False))
        with contextlib.suppress(Exception):
            await asyncio.wait_for(self._sink.wait_closed(), 1)
