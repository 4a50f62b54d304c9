"""A server that does what a test says, in this process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from types import TracebackType

from canopygrid.errors import CommitState, ErrorCode
from canopygrid.wire import frames
from canopygrid.wire.fields import Clock
from canopygrid.wire.frames import Message
from canopygrid.wire.messages import catalog, data
from canopygrid.wire.messages import connection as says

GRID = bytes(range(16))

NO_NEWS = data.Seen(False, {})


class FakeClient:
    """The server's side of one connection."""

    def __init__(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        self.source = source
        self.sink = sink

    async def hear(self) -> tuple[int, Message]:
        """The next message of the client."""
        length = frames.checked_length(await self.source.readexactly(4))
        return frames.decode(await self.source.readexactly(length))

    def say(self, stream: int, message: Message) -> None:
        """Sends a message."""
        self.sink.write(frames.encode(stream, message))

    def say_bytes(self, sent: bytes) -> None:
        """Sends bytes as they are."""
        self.sink.write(sent)


#: Takes a request other than those that every server answers; True: the connection ends.
Handler = Callable[[FakeClient, int, Message], Awaitable[bool]]


def failure(code: ErrorCode, state: CommitState) -> says.Failure:
    """What a server says of a request that failed."""
    return says.Failure(code.number, code.retryable, state, "n1-1", "so it is", ())


class FakeServer:
    """Welcomes clients, knows one index, and hands all else to a handler."""

    def __init__(self, handler: Handler, grid: bytes = GRID) -> None:
        self._handler = handler
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.grid = grid
        #: Bits of what it can do.
        self.features = says.FEATURE_DROPS
        self.heard: list[Message] = []
        #: So many connections end at their question for the cluster.
        self.stops = 0
        self.address = ""
        #: The addresses of all servers, for the routes.
        self.all: list[str] = []
        self.clock: Clock = {}

    async def __aenter__(self) -> FakeServer:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port = self._server.sockets[0].getsockname()[1]
        self.address = f"127.0.0.1:{port}"
        self.all = [self.address]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    async def stop(self) -> None:
        """Ends all connections, and accepts no more."""
        if self._server is not None:
            self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with contextlib.suppress(EOFError, OSError, asyncio.CancelledError):
            await self._serve(FakeClient(source, sink))
        sink.close()
        with contextlib.suppress(OSError, asyncio.CancelledError):
            await sink.wait_closed()
        self._tasks.discard(task)

    async def _serve(self, client: FakeClient) -> None:
        while True:
            stream, message = await client.hear()
            self.heard.append(message)
            if isinstance(message, catalog.AskCluster) and self.stops > 0:
                self.stops -= 1
                return
            answer = self._usual(message)
            if answer is not None:
                client.say(stream, answer)
            elif await self._handler(client, stream, message):
                await client.sink.drain()
                return

    def _usual(self, message: Message) -> Message | None:
        if isinstance(message, says.Hello):
            if message.grid not in (None, self.grid):
                return says.Goodbye(ErrorCode.GRID_CHANGED.number, "of another grid")
            limits = says.Limits(1 << 20, 256, 256, 64, 1 << 26, 300_000)
            grid = says.Grid(self.grid, 0)
            return says.Welcome(2, self.features, "n1", "fake", grid, 1000, 32, limits, ())
        if isinstance(message, catalog.AskCluster):
            members = tuple(catalog.Member("n", a, 1, 1) for a in self.all)
            return catalog.Cluster(1, members)
        if isinstance(message, catalog.OpenIndex):
            return catalog.IndexOpened(
                5, message.name, message.key_codec, message.value_codec, 1024
            )
        if isinstance(message, catalog.AskRoutes):
            return catalog.Routes(1, (self.address,), (catalog.Route(b"", 0, 7),))
        return None

    def count(self, kind: type[Message]) -> int:
        """How many messages of a type have come."""
        return sum(isinstance(message, kind) for message in self.heard)


async def answer_reads_and_writes(client: FakeClient, stream: int, message: Message) -> bool:
    """A server that has no entries, and where all commits succeed."""
    if isinstance(message, data.Get):
        client.say(stream, data.Value(NO_NEWS, None))
    elif isinstance(message, data.Commit):
        client.say(stream, data.Done(data.Seen(False, {7: 3})))
    return False
