"""The servers of the contract tests."""

from __future__ import annotations

import itertools
import os
import unittest
from typing import TypeVar

import canopygrid
from canopygrid import Canopy, Index, codecs
from canopygrid.codecs import Codec
from tests.cases import AsyncTestCase

K = TypeVar("K")
V = TypeVar("V")

SERVERS = os.environ.get("CANOPY_SERVERS", "")

_NUMBERS = itertools.count(1)


@unittest.skipUnless(SERVERS, "CANOPY_SERVERS names no servers")
class GridTestCase(AsyncTestCase):
    """A test with a handle, whose indexes have names of their own."""

    db: Canopy

    async def asyncSetUp(self) -> None:
        await super().asyncSetUp()
        self.db = await canopygrid.connect(f"canopy://{SERVERS}")

    async def asyncTearDown(self) -> None:
        await self.db.close()

    async def new_index(self, keys: Codec[K], values: Codec[V]) -> Index[K, V]:
        """An empty index."""
        name = f"py{os.getpid()}.n{next(_NUMBERS)}"
        return await self.db.index(name, keys, values)

    async def numbered(self, count: int) -> Index[int, str]:
        """An index with the keys from 0 on, with their texts."""
        index = await self.new_index(codecs.int64(), codecs.string())

        async def fill(tx: canopygrid.Transaction) -> None:
            for key in range(count):
                await tx.on(index).put(key, f"n{key}")

        await self.db.run(fill)
        return index
