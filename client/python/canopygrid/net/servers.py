"""The servers that are known, and one connection to each that was needed so far."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Iterable, Sequence

from ..errors import CanopyError, ErrorCode
from ..grids import grid_text
from ..wire.messages.connection import Grid
from .connection import Connection, LostConnectionError
from .connector import Address, ConnectSettings, connect

#: A server that could not be reached is left alone for so long, unless there is no other one.
_PENALTY_SECONDS = 1.0

#: Servers beyond these are not remembered.
_KNOWN_MAX = 1000


class _Server:
    """One server: its connection, or the reason why there is none."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self.connection: Connection | None = None
        self.trouble: LostConnectionError | None = None
        self._troubled_at = 0.0
        self._opening = asyncio.Lock()

    @property
    def open(self) -> Connection | None:
        """The connection, if new transactions can begin on it."""
        connection = self.connection
        return connection if connection is not None and connection.usable else None

    @property
    def suspect(self) -> bool:
        """Whether it could not be reached just now, or is going to stop."""
        if self.connection is not None and self.connection.draining:
            return True
        return self.trouble is not None and time.monotonic() - self._troubled_at < _PENALTY_SECONDS

    @property
    def foreign(self) -> bool:
        """Whether it has said that it is of another grid."""
        return self.trouble is not None and self.trouble.code is ErrorCode.GRID_CHANGED

    async def connect(self, settings: ConnectSettings, grid: bytes | None) -> Connection:
        """The connection, which is opened where there is none; one caller opens for all."""
        async with self._opening:
            connection = self.open
            if connection is None:
                try:
                    connection = await connect(self.address, settings, grid)
                except LostConnectionError as error:
                    self.trouble = error
                    self._troubled_at = time.monotonic()
                    raise
                self.connection = connection
                self.trouble = None
            return connection


class Servers:
    """Chooses servers, goes to others when one is lost, and follows the grid."""

    def __init__(
        self,
        seeds: Sequence[Address],
        settings: ConnectSettings,
        enters: Callable[[Grid], None],
    ) -> None:
        """Creates the pool without a connection.

        Args:
            seeds: The servers that the program named.
            settings: How connections are opened.
            enters: Hears of the grid, and of each one that takes its place.

        """
        self._settings = settings
        self._enters = enters
        self._seeds = random.sample(list(seeds), len(seeds))
        self._known = {str(seed): _Server(seed) for seed in self._seeds}
        self._grid: Grid | None = None
        self._untold: Grid | None = None
        self._changing = asyncio.Lock()
        self.closed = False

    @property
    def grid(self) -> bytes:
        """The id of the grid; known from the first connection on."""
        assert self._grid is not None
        return self._grid.id

    def learn(self, addresses: Iterable[Address]) -> None:
        """Remembers servers that others told of."""
        for address in addresses:
            if len(self._known) < _KNOWN_MAX:
                self._known.setdefault(str(address), _Server(address))

    def check_told(self) -> None:
        """Tells the caller once that the grid has changed."""
        if self._untold is not None:
            former, self._untold = self._untold, None
            raise self._changed(former.id)

    def check(self, wanted: bytes, connection: Connection | None = None) -> None:
        """Checks that a caller's grid, and that of a connection, is the present one."""
        if wanted != self.grid or (connection is not None and connection.welcome.grid.id != wanted):
            self._untold = None
            raise self._changed(wanted)

    def _changed(self, former: bytes) -> CanopyError:
        return CanopyError(
            ErrorCode.GRID_CHANGED,
            f"the servers are of grid {grid_text(self.grid)} now: no server of grid "
            f"{grid_text(former)} can be reached any more",
            facts={"grid": grid_text(self.grid)},
        )

    async def to(self, address: str, deadline: float) -> Connection:
        """A connection to the server of an address if that can be had, else to any other.

        Args:
            address: Empty: whichever.
            deadline: When to give up, by :func:`time.monotonic`.

        Raises:
            CanopyError: NOT_CONNECTED, which names all that was tried; UNAUTHENTICATED and the
                like where a server said so.

        """
        why: dict[str, str] = {}
        wanted = self._known.get(address)
        if wanted is not None and not wanted.suspect:
            connection = await self._try(wanted, deadline, why)
            if connection is not None:
                return connection
        return await self.other(address, deadline, why)

    async def other(
        self, avoid: str, deadline: float, why: dict[str, str] | None = None
    ) -> Connection:
        """A connection to any server but one, where there is another."""
        why = {} if why is None else why
        order: list[_Server] = []
        last: list[_Server] = []
        for server in self._in_order():
            name = str(server.address)
            if name in why:
                continue
            avoided = name == avoid or server.suspect
            if not avoided and server.open is not None:
                return server.open
            (last if avoided else order).append(server)
        for server in order + last:
            connection = await self._try(server, deadline, why)
            if connection is not None:
                return connection
        return await self._elsewhere(deadline, why)

    def connections(self) -> list[Connection]:
        """All connections that are open now."""
        return [server.open for server in self._in_order() if server.open is not None]

    def any_open(self) -> Connection | None:
        """A connection that is open now."""
        return next(iter(self.connections()), None)

    def _in_order(self) -> list[_Server]:
        seeds = [str(seed) for seed in self._seeds]
        return [self._known[seed] for seed in seeds if seed in self._known] + [
            server for name, server in self._known.items() if name not in seeds
        ]

    async def _try(
        self, server: _Server, deadline: float, why: dict[str, str]
    ) -> Connection | None:
        if self.closed:
            raise CanopyError(ErrorCode.CANOPY_CLOSED, "the handle is closed")
        name = str(server.address)
        grid = None if self._grid is None else self._grid.id
        try:
            connection = await asyncio.wait_for(
                server.connect(self._settings, grid),
                max(0.0, deadline - time.monotonic()),
            )
        except asyncio.TimeoutError:
            why[name] = "not connected in time"
            return None
        except LostConnectionError as error:
            if error.code not in (ErrorCode.NOT_CONNECTED, ErrorCode.GRID_CHANGED):
                raise CanopyError(error.code, f"{name}: {error.reason}") from error
            why[name] = error.reason
            return None
        if self.closed:
            await connection.close("the handle was closed")
            raise CanopyError(ErrorCode.CANOPY_CLOSED, "the handle is closed")
        if self._grid is None:
            self._grid = connection.welcome.grid
            self._enters(self._grid)
        if connection.welcome.grid.id != self._grid.id:
            why[name] = f"it is of grid {grid_text(connection.welcome.grid.id)}"
            return None
        return connection

    async def _elsewhere(self, deadline: float, why: dict[str, str]) -> Connection:
        """A connection to a server of another grid, which becomes this handle's."""
        former = self._grid
        async with self._changing:
            servers = self._in_order()
            if former is not None and former == self._grid:
                lost = all(server.trouble is not None for server in servers)
                for server in servers if lost else []:
                    if server.foreign and await self._adopt(server):
                        connection = await self._try(server, deadline, why)
                        if connection is not None:
                            return connection
        raise self._unreachable(why)

    async def _adopt(self, server: _Server) -> bool:
        try:
            connection = await connect(server.address, self._settings, None)
        except LostConnectionError:
            return False
        former = self._grid
        self._grid = connection.welcome.grid
        if former is not None and former.id != self._grid.id:
            self._untold = former
            self._enters(self._grid)
        # Addresses that servers of the former grid told of are those of nobody now.
        kept = {str(address) for address in self._seeds} | {str(server.address)}
        for name in [name for name in self._known if name not in kept]:
            del self._known[name]
        for other in self._known.values():
            if other.connection is not None:
                await other.connection.close("it is of a former grid")
            other.connection = other.trouble = None
        server.connection = connection
        return True

    def _unreachable(self, why: dict[str, str]) -> CanopyError:
        reasons = ", ".join(f"{name} ({reason})" for name, reason in why.items())
        return CanopyError(ErrorCode.NOT_CONNECTED, f"no server can be reached: {reasons}")

    async def close(self) -> None:
        """Closes all connections."""
        self.closed = True
        for server in self._known.values():
            if server.connection is not None:
                await server.connection.close("the handle was closed")
