"""The cluster as one client knows it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Coroutine, Iterable
from typing import Any

from .. import clock as clocks
from ..backoff import Backoff
from ..causal import CausalToken
from ..errors import CanopyError, CommitState, ErrorCode
from ..net.connection import LostConnectionError
from ..net.connector import Address, ConnectSettings
from ..net.questions import Questions, answer
from ..net.servers import Servers
from ..uri import parse_address
from ..wire.fields import Clock
from ..wire.messages.catalog import AskCluster, Cluster
from ..wire.messages.connection import Grid
from ..wire.messages.data import CommitName, LookUp, Outcome
from .commit_names import CommitNames

#: The time that one server is given to tell an outcome.
_EACH_SECONDS = 5.0

_AGAIN = Backoff(0.02, 1.0)

_UNKNOWN = Outcome(CommitState.UNKNOWN, clocks.NOTHING, None)


class ClusterView:
    """The servers, and what all transactions of a handle share."""

    def __init__(
        self,
        seeds: tuple[Address, ...],
        settings: ConnectSettings,
        outcome_seconds: float,
    ) -> None:
        self.servers = Servers(seeds, settings, self._entered)
        self.questions = Questions(self.servers)
        self.names = CommitNames(settings.client)
        self._outcome_seconds = outcome_seconds
        self._identity = settings.client.hex()[:8]
        self._transactions = 0
        self._tasks: set[asyncio.Task[None]] = set()
        #: All that the handle's transactions have seen.
        self.seen: Clock = clocks.NOTHING
        #: Numbers up to this one are left out of it: a power cut took some of them.
        self._lost_up_to = 0

    def _entered(self, grid: Grid) -> None:
        self.seen = clocks.NOTHING
        self._lost_up_to = 0
        self.names.clear()

    async def connect(self, connect_seconds: float, seeds: int) -> None:
        """Connects to one server, which tells of the others."""
        deadline = time.monotonic() + connect_seconds * (seeds + 1)
        await self.servers.to("", deadline)
        # A server that stops just then is no reason to fail while others serve.
        cluster = await self.questions.ask(AskCluster(), Cluster, deadline=deadline)
        self.learn(member.address for member in cluster.members)

    def learn(self, addresses: Iterable[str]) -> None:
        """Remembers addresses that servers told of; what is none is passed over."""
        found = []
        for text in addresses:
            with contextlib.suppress(CanopyError):
                found.append(parse_address(text))
        self.servers.learn(found)

    def next_id(self) -> str:
        """The id of a new transaction."""
        self._transactions += 1
        return f"{self._identity}-{self._transactions}"

    def saw(self, grid: bytes, clock: Clock) -> None:
        """A transaction that began in a grid has seen this there."""
        if grid == self.servers.grid:
            self.seen = clocks.join(self.seen, clocks.above(clock, self._lost_up_to))

    def failed(self, grid: bytes, after: Clock, error: CanopyError) -> None:
        """A transaction that was to begin after a clock was refused, or has failed.

        Where a power cut took what this handle has seen, the handle has been told by that, and goes
        on without it. Where it was a token of the caller's, the handle keeps what it has seen.
        """
        if error.code is not ErrorCode.COMMITS_LOST or grid != self.servers.grid:
            return
        text = error.facts.get("upTo", "")
        up_to = int(text) if text.isdecimal() else 0
        self._lost_up_to = max(self._lost_up_to, up_to)
        if not clocks.beyond(after, self.seen):
            self.seen = clocks.above(self.seen, up_to) if up_to else clocks.NOTHING

    def token(self) -> CausalToken:
        """A token of all that was seen."""
        return CausalToken(self.servers.grid, self.seen)

    def later(self, task: Coroutine[Any, Any, None]) -> None:
        """Runs a coroutine beside the caller, until the handle is closed."""
        running = asyncio.create_task(task)
        self._tasks.add(running)
        running.add_done_callback(self._tasks.discard)

    async def outcome(self, name: CommitName, grid: bytes, avoid: str) -> Outcome:
        """Asks one server after the other what became of a commit, until one knows.

        Servers of another grid cannot tell: that they have no record means nothing.
        """
        until = time.monotonic() + self._outcome_seconds
        attempt = 0
        while True:
            attempt += 1
            each = min(until, time.monotonic() + _EACH_SECONDS)
            try:
                connection = await self.servers.other(avoid, each)
                if connection.welcome.grid.id != grid:
                    return _UNKNOWN
                avoid = connection.address
                outcome = await answer(connection, LookUp(name), Outcome, each)
                if outcome.state is not CommitState.UNKNOWN:
                    return outcome
            except LostConnectionError:
                pass
            except CanopyError as error:
                if error.code is ErrorCode.CANOPY_CLOSED:
                    return _UNKNOWN
            await _AGAIN.pause(attempt, until)
            if time.monotonic() >= until:
                return _UNKNOWN

    async def close(self) -> None:
        """Closes all connections."""
        for task in self._tasks:
            task.cancel()
        await self.servers.close()
