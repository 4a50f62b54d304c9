"""The messages of one transaction and its server, and their errors."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from .. import clock as clocks
from ..backoff import Backoff
from ..errors import CanopyError, CommitState, ErrorCode
from ..net.connection import Connection, LostConnectionError, Pages, Reply, Say
from ..net.questions import checked, lost, next_answer
from ..wire.fields import Clock
from ..wire.frames import Message
from ..wire.messages.connection import FEATURE_TOKENS, FEATURE_TRACES, Failure
from ..wire.messages.data import (
    Answer,
    Begin,
    CloseCursor,
    Done,
    End,
    Mode,
    More,
    Page,
    ReadFrom,
    Stage,
    Step,
    Write,
)
from .cluster import ClusterView
from .indexes import RemoteIndex

M = TypeVar("M", bound=Message)

#: Writes of more bytes are sent ahead of the commit.
_PENDING_BYTES_MAX = 1 << 20

#: Requests of one transaction that are sent without waiting.
_TOGETHER_MAX = 64

_AGAIN = Backoff(0.002, 0.25)


@dataclass(frozen=True)
class How:
    """How a transaction begins.

    Attributes:
        mode: Its kind.
        seen: What its handle has seen.
        token: What it must see by its caller's word, too.
        deadline: When its time is over, by :func:`time.monotonic`.
        label: Its label.
        read_from: The copies that it reads.
        snapshot: The named snapshot that it reads; empty: the present.
        grid: The grid that it is in.
        trace_parent: The place in a trace to which the spans of servers belong; empty: none.

    """

    mode: Mode
    seen: Clock
    token: Clock
    deadline: float
    label: str
    read_from: ReadFrom
    snapshot: str
    grid: bytes
    trace_parent: str = ""

    @property
    def after(self) -> Clock:
        """All that it must see."""
        return clocks.join(self.seen, self.token)


class Conversation:
    """One transaction at one server, which is chosen by the first key that is touched.

    The server hears of the transaction with the first request; writes go along with the next
    request, or with the commit. A transaction that has seen nothing yet can begin again elsewhere.
    """

    def __init__(self, cluster: ClusterView, how: How) -> None:
        self.cluster = cluster
        self.how = how
        self.id = cluster.next_id()
        #: All that the transaction has seen.
        self.clock = how.after
        #: Writes that no server has been told of.
        self.pending: list[Write] = []
        #: Whether its server knows of it.
        self.begun = False
        self.connection: Connection | None = None
        self._number = 0
        self._pending_bytes = 0
        self._avoid = ""
        self._indexes: dict[int, RemoteIndex] = {}
        self._cursors: set[Pages] = set()
        self._turn = asyncio.Lock()

    # Requests.

    async def ask(
        self,
        index: RemoteIndex,
        key: bytes,
        make: Callable[[Step], Message],
        wanted: type[M],
    ) -> M:
        """Asks the transaction's server about a key.

        A server that told nothing and is lost is replaced by another one.
        """
        async with self._turn:
            await self._use(index)
            message, _ = await self._ask(index, key, make, wanted)
            return message

    async def open_cursor(
        self, index: RemoteIndex, key: bytes, make: Callable[[Step], Message]
    ) -> tuple[Page, Pages]:
        """Opens a cursor, and waits for its first page."""
        async with self._turn:
            await self._use(index)
            page, pages = await self._ask(index, key, make, Page)
            if not page.end:
                self._cursors.add(pages)
            return page, pages

    async def next_page(self, pages: Pages) -> Page:
        """The next page of a cursor; the writes since the last one go along."""
        async with self._turn:
            self.check_usable()
            assert self.connection is not None
            step = self._step(lambda clock: clock)
            self.connection.tell(pages.stream, More(step, 1))
            page = checked(self._took(await self._answer(pages)).message, Page)
            if page.end:
                self._cursors.discard(pages)
            return page

    async def ask_all(
        self,
        index: RemoteIndex,
        keys: Sequence[bytes],
        make: Callable[[Step, bytes], Message],
        wanted: type[M],
    ) -> list[M]:
        """Asks about several keys without waiting between them."""
        if not keys:
            return []
        found = [await self.ask(index, keys[0], lambda step: make(step, keys[0]), wanted)]
        for start in range(1, len(keys), _TOGETHER_MAX):
            async with self._turn:
                self.check_usable()
                some = keys[start : start + _TOGETHER_MAX]
                found += await self._ask_together(some, make, wanted)
        return found

    async def _ask_together(
        self,
        keys: Sequence[bytes],
        make: Callable[[Step, bytes], Message],
        wanted: type[M],
    ) -> list[M]:
        connection = self.connection
        assert connection is not None
        asked = []
        for key in keys:
            request = make(self._step(lambda clock: clock), key)
            asked.append(connection.ask_this(request))
            self._told_pending()
        try:
            replies = [self._took(await self._answer(pages)) for pages in asked]
            return [self._checked(reply, wanted) for reply in replies]
        finally:
            for pages in asked:
                connection.forget(pages)

    async def write(self, index: RemoteIndex, key: bytes, value: bytes | None) -> None:
        """Adds a write; sends those before it ahead where they have become many."""
        async with self._turn:
            self.check_usable()
            await self._use(index)
            size = len(key) + len(value or b"") + 16
            if self.pending and self._pending_bytes + size > _PENDING_BYTES_MAX:
                await self._ask(index, key, Stage, Done)
            self.pending.append(Write(index.number, key, value))
            self._pending_bytes += size

    async def _use(self, index: RemoteIndex) -> None:
        try:
            await index.require(self.how.grid)
        except CanopyError as error:
            raise self.named(error) from error
        self._indexes.setdefault(index.number, index)

    async def _ask(
        self,
        index: RemoteIndex,
        key: bytes,
        make: Callable[[Step], Message],
        wanted: type[M],
    ) -> tuple[M, Pages]:
        self.check_usable()
        attempt = 0
        while True:
            attempt += 1
            connection = await self.connect(index, key)
            first = not self.begun
            pages = connection.ask(lambda say: make(self._step(say)))
            self.begun = True
            try:
                await connection.flushed()
                reply = await self._reply(connection, pages)
            except LostConnectionError as error:
                if not first:
                    raise self.failed(error) from error
                await self.elsewhere(attempt, error)
                continue
            self.saw(reply.known)
            failure = reply.message
            if first and isinstance(failure, Failure):
                if failure.code != ErrorCode.NOT_CONNECTED.number:
                    self._unbegun()
                    raise self.counted(failure)
                await self.elsewhere(attempt, None)
                continue
            self._told_pending()
            if first:
                self.note_moved(index, reply.message)
            return self._checked(reply, wanted), pages

    async def _reply(self, connection: Connection, pages: Pages) -> Reply:
        try:
            return await next_answer(pages, self.how.deadline)
        except CanopyError as error:
            connection.forget(pages)
            raise self.named(error) from error
        except asyncio.CancelledError:
            connection.forget(pages)
            raise

    async def _answer(self, pages: Pages) -> Reply:
        assert self.connection is not None
        try:
            return await self._reply(self.connection, pages)
        except LostConnectionError as error:
            raise self.failed(error) from error

    def _took(self, reply: Reply) -> Reply:
        self.saw(reply.known)
        self._told_pending()
        if isinstance(reply.message, Failure):
            raise self.counted(reply.message)
        return reply

    def _checked(self, reply: Reply, wanted: type[M]) -> M:
        try:
            return checked(reply.message, wanted)
        except CanopyError as error:
            raise self.named(error) from error

    def counted(self, failure: Failure) -> CanopyError:
        """The error of a server's answer, of which the handle hears too."""
        error = failure.to_error().of_transaction(self.id)
        self.cluster.failed(self.how.grid, self.how.after, error)
        return error

    def _told_pending(self) -> None:
        if self.pending:
            self.pending = []
            self._pending_bytes = 0

    def note_moved(self, index: RemoteIndex, message: Message) -> None:
        """Notes a wrong choice of the server, which only the key of that choice can tell."""
        if isinstance(message, Answer) and message.seen.moved:
            index.moved()

    def saw(self, clock: Clock) -> None:
        """The transaction has seen this."""
        self.clock = clocks.join(self.clock, clock)

    def index_of(self, number: int) -> RemoteIndex:
        """The index with a number, of those that the transaction uses."""
        return self._indexes[number]

    def first_index(self) -> RemoteIndex:
        """The index by whose keys a commit without writes finds its server."""
        return next(iter(self._indexes.values()))

    # The server.

    async def connect(self, index: RemoteIndex, key: bytes) -> Connection:
        """The transaction's connection; chosen by a key as long as it has none."""
        chosen = self.connection
        if chosen is not None and (self.begun or chosen.usable):
            return chosen
        servers = self.cluster.servers
        nearest = self.how.read_from is ReadFrom.NEAREST
        attempt = 0
        while True:
            attempt += 1
            try:
                if self._avoid:
                    chosen = await servers.other(self._avoid, self.how.deadline)
                else:
                    wish = "" if nearest else index.address_of(key)
                    chosen = await servers.to(wish, self.how.deadline)
                servers.check(self.how.grid, chosen)
            except CanopyError as error:
                over = self.how.deadline <= time.monotonic()
                if error.code is not ErrorCode.NOT_CONNECTED:
                    raise self.named(error) from error
                if over:
                    raise
                await _AGAIN.pause(attempt, self.how.deadline)
                continue
            self._number = chosen.next_transaction()
            self.connection = chosen
            return chosen

    async def elsewhere(self, attempt: int, error: LostConnectionError | None) -> None:
        """Begins at another server, since this one is lost or leaves, and has told nothing."""
        if self.connection is not None:
            self._avoid = self.connection.address
        self.begun = False
        self.connection = None
        if error is not None and error.code is not ErrorCode.NOT_CONNECTED:
            raise lost(error, self.id) from error
        await _AGAIN.pause(attempt, self.how.deadline)
        if error is not None and self.how.deadline <= time.monotonic():
            raise lost(error, self.id) from error

    def step(self, say: Say) -> Step:
        """The part of the next request that says of which transaction it is."""
        return self._step(say)

    def _step(self, say: Say) -> Step:
        begin = None if self.begun else self._begin(say)
        return Step(self._number, begin, tuple(self.pending), False)

    def _begin(self, say: Say) -> Begin:
        left = self.how.deadline - time.monotonic()
        at = self.connection
        # Joined, what the handle has seen would hide that a power cut has taken what a token names.
        features = 0 if at is None else at.welcome.features
        apart = bool(features & FEATURE_TOKENS)
        return Begin(
            self.how.mode,
            self.how.read_from,
            max(1, int(left * 1000)),
            self.how.label,
            self.how.snapshot,
            say(self.how.seen if apart else self.how.after),
            self.how.token if apart else clocks.NOTHING,
            self.how.trace_parent if features & FEATURE_TRACES else "",
        )

    def _unbegun(self) -> None:
        self.end()
        if self.connection is not None:
            self._number = self.connection.next_transaction()

    def committing(self) -> None:
        """A commit was sent: the server ends the transaction, whatever becomes of it."""
        self.begun = False

    def end(self) -> None:
        """Ends the transaction at its server, without effect."""
        if self.begun and self.connection is not None:
            self.begun = False
            self.connection.tell(0, End(self._number))

    def close_cursor(self, pages: Pages) -> None:
        """Ends a cursor before its end."""
        self._cursors.discard(pages)
        if self.connection is not None and self.connection.forget(pages):
            self.connection.tell(pages.stream, CloseCursor())

    def forget_cursors(self) -> None:
        """Waits for no more pages, since the transaction has ended."""
        for pages in self._cursors:
            if self.connection is not None:
                self.connection.forget(pages)
        self._cursors.clear()

    # Errors.

    def check_usable(self) -> None:
        """Refuses what is asked for a transaction whose time is over, or whose handle is closed."""
        if self.cluster.servers.closed:
            raise self.error(ErrorCode.CANOPY_CLOSED, "the handle is closed")
        if self.how.deadline <= time.monotonic():
            raise self.error(ErrorCode.TIMEOUT, "the transaction's time was over")

    def failed(self, error: LostConnectionError) -> CanopyError:
        """The error for a lost connection, after which this attempt is over."""
        if self.cluster.servers.closed:
            return self.error(ErrorCode.CANOPY_CLOSED, "the handle is closed")
        return lost(error, self.id)

    def error(self, code: ErrorCode, detail: str) -> CanopyError:
        """An error of this transaction, which is not committed."""
        return CanopyError(code, detail, CommitState.NOT_COMMITTED, self.id)

    def named(self, error: CanopyError) -> CanopyError:
        """An error outside of transactions as one of this one, which is not committed."""
        if error.transaction is not None:
            return error
        return error.of_transaction(self.id, CommitState.NOT_COMMITTED)
