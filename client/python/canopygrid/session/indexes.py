"""The indexes that a handle has opened, and the routes to their keys."""

from __future__ import annotations

import asyncio
import time

from ..errors import CanopyError, ErrorCode
from ..grids import grid_text
from ..net.connection import LostConnectionError
from ..net.questions import answer
from ..net.routes import NOWHERE, RouteMap
from ..wire.messages.catalog import AskRoutes, IndexOpened, OpenIndex, Routes
from .cluster import ClusterView

#: The time from an answer "moved" to the question for new routes: many such answers come at once.
_REFRESH_SECONDS = 0.02

#: Routes that were not confirmed for so long are asked for again.
_ROUTES_AGE_SECONDS = 5.0


class RemoteIndex:
    """An index as a server described it. In each grid it has another number."""

    def __init__(self, cluster: ClusterView, grid: bytes, opened: IndexOpened) -> None:
        self._cluster = cluster
        self.grid = grid
        self.opened = opened
        self.routes: RouteMap = NOWHERE
        self._learned = time.monotonic()
        self._refreshing = False

    @property
    def name(self) -> str:
        """The name, which stays the same in all grids."""
        return self.opened.name

    @property
    def number(self) -> int:
        """The number on the wire."""
        return self.opened.index

    def learn(self, told: Routes) -> None:
        """Takes an answer to a question for routes."""
        self._cluster.learn(told.addresses)
        self.routes = self.routes.updated(told)
        self._learned = time.monotonic()

    def address_of(self, key: bytes) -> str:
        """The address of the server that has a key; empty where that is not known."""
        if time.monotonic() - self._learned > _ROUTES_AGE_SECONDS:
            self.moved()
        return self.routes.address_of(key)

    def moved(self) -> None:
        """An answer said that another server has the key: the routes are asked for, soon."""
        if not self._refreshing:
            self._refreshing = True
            self._cluster.later(self._refresh())

    async def _refresh(self) -> None:
        try:
            await asyncio.sleep(_REFRESH_SECONDS)
            connection = self._cluster.servers.any_open()
            grid = self.grid
            if connection is None or connection.welcome.grid.id != grid:
                return
            question = AskRoutes(self.number, self.routes.version)
            deadline = time.monotonic() + _ROUTES_AGE_SECONDS
            told = await answer(connection, question, Routes, deadline)
            if grid == self.grid:
                self.learn(told)
        except (CanopyError, LostConnectionError):
            return  # the routes stay as they are, and the next "moved" asks again
        finally:
            self._refreshing = False

    async def require(self, grid: bytes) -> None:
        """Looks it up by its name where it was opened in a former grid.

        Raises:
            CanopyError: UNKNOWN_INDEX, CODEC_MISMATCH or GRID_CHANGED.

        """
        if self.grid == grid:
            return
        self._cluster.servers.check(grid)
        request = OpenIndex(self.name, self.opened.key_codec, self.opened.value_codec, False, 0)
        try:
            opened = await self._cluster.questions.ask(request, IndexOpened, grid)
        except CanopyError as error:
            if error.code is not ErrorCode.UNKNOWN_INDEX:
                raise
            raise CanopyError(
                error.code,
                f"index '{self.name}' was opened in a former grid, and is not in grid "
                f"{grid_text(grid)}: open it anew to create it",
            ) from error
        self.grid, self.opened, self.routes = grid, opened, NOWHERE
        self.moved()


async def open_index(cluster: ClusterView, request: OpenIndex) -> RemoteIndex:
    """Opens an index, and learns the places of its keys."""
    grid = cluster.servers.grid
    opened = await cluster.questions.ask(request, IndexOpened, grid)
    index = RemoteIndex(cluster, grid, opened)
    question = AskRoutes(opened.index, 0)
    index.learn(await cluster.questions.ask(question, Routes, grid))
    return index
