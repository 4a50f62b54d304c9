"""Transactions: conflicts, retries, their ends, snapshots and sessions."""

from __future__ import annotations

import asyncio
import os
import unittest

import canopygrid
from canopygrid import (
    CanopyError,
    CausalToken,
    ErrorCode,
    ReadTransaction,
    Transaction,
    TransactionOptions,
    codecs,
)
from tests.contract.grid import SERVERS, GridTestCase


class BodiesTest(GridTestCase):
    """Bodies that are run."""

    async def test_increments_of_several_tasks_are_not_lost(self) -> None:
        index = await self.new_index(codecs.string(), codecs.int64())

        async def increment(tx: Transaction) -> int:
            value = (await tx.on(index).get("n", 0) or 0) + 1
            await tx.on(index).put("n", value)
            return value

        async def task() -> list[int]:
            options = TransactionOptions(label="increment", timeout=60, max_attempts=1000)
            return [await self.db.run(increment, options) for _ in range(10)]

        results = await asyncio.gather(*(task() for _ in range(5)))
        self.assertEqual(sorted(sum(results, [])), list(range(1, 51)))
        self.assertEqual(await index.get("n"), 50)

    async def test_an_exception_rolls_back(self) -> None:
        index = await self.numbered(1)

        async def body(tx: Transaction) -> None:
            await tx.on(index).put(0, "changed")
            raise KeyError("mine")

        with self.assertRaises(KeyError):
            await self.db.run(body)
        self.assertEqual(await index.get(0), "n0")

    async def test_one_snapshot(self) -> None:
        index = await self.numbered(10)

        async def body(tx: ReadTransaction) -> list[str | None]:
            first = await tx.on(index).get(0)
            await asyncio.create_task(self.change(index))
            return [first, await tx.on(index).get(0), await tx.on(index).get(9)]

        self.assertEqual(await self.db.read(body), ["n0", "n0", "n9"])
        self.assertEqual(await index.get(9), "changed")

    async def change(self, index: canopygrid.Index[int, str]) -> None:
        """Changes entries by another handle."""
        async with canopygrid.connect(f"canopy://{SERVERS}") as other:
            theirs = await other.index(index.name, codecs.int64(), codecs.string())
            async with other.begin() as tx:
                await tx.on(theirs).put(0, "changed")
                await tx.on(theirs).put(9, "changed")

    async def test_nested_ones_are_refused(self) -> None:
        index = await self.numbered(1)

        async def body(tx: Transaction) -> None:
            await index.get(0)

        with self.assertRaises(CanopyError) as caught:
            await self.db.run(body)
        self.assertIs(caught.exception.code, ErrorCode.NESTED_TRANSACTION)

    async def test_writes_of_many_bytes(self) -> None:
        index = await self.new_index(codecs.int64(), codecs.bytes_())

        async def body(tx: Transaction) -> None:
            for key in range(30):
                await tx.on(index).put(key, bytes(200_000))

        await self.db.run(body)
        self.assertEqual(await index.count(), 30)


class OwnEndsTest(GridTestCase):
    """Transactions that the caller begins and ends."""

    async def test_ends(self) -> None:
        index = await self.numbered(1)
        async with self.db.begin() as tx:
            await tx.on(index).put(1, "committed at the end")
        async with self.db.begin() as tx:
            await tx.on(index).put(2, "committed")
            await tx.commit()
        async with self.db.begin() as tx:
            await tx.on(index).put(3, "rolled back")
            await tx.rollback()
        with self.assertRaises(ValueError):
            async with self.db.begin() as tx:
                await tx.on(index).put(4, "raised")
                raise ValueError
        self.assertEqual([key async for key, _ in index.scan()], [0, 1, 2])
        with self.assertRaises(CanopyError) as caught:
            await tx.on(index).get(1)
        self.assertIs(caught.exception.code, ErrorCode.TRANSACTION_CLOSED)

    async def test_a_conflict_is_the_callers(self) -> None:
        index = await self.numbered(1)
        with self.assertRaises(CanopyError) as caught:
            async with self.db.begin() as tx:
                await tx.on(index).get(0)
                await index.put(0, "theirs")
                await tx.on(index).put(0, "mine")
        error = caught.exception
        self.assertIs(error.code, ErrorCode.WRITE_CONFLICT)
        self.assertTrue(error.retryable)
        self.assertEqual(error.facts["index"], index.name)
        self.assertEqual(await index.get(0), "theirs")

    async def test_serializable_reads_are_validated(self) -> None:
        index = await self.numbered(2)
        with self.assertRaises(CanopyError) as caught:
            async with self.db.begin(TransactionOptions(serializable=True)) as tx:
                await tx.on(index).get(0)
                await index.put(0, "theirs")
        self.assertIs(caught.exception.code, ErrorCode.WRITE_CONFLICT)


class IndexesTest(GridTestCase):
    """Indexes and snapshots come and go."""

    async def test_indexes(self) -> None:
        index = await self.numbered(3)
        self.assertIn(canopygrid.IndexInfo(index.name, "int64", "string"), await self.db.indexes())
        with self.assertRaises(CanopyError) as caught:
            await self.db.index(index.name, codecs.string(), codecs.string())
        self.assertIs(caught.exception.code, ErrorCode.CODEC_MISMATCH)
        self.assertTrue(await self.db.drop_index(index.name))
        self.assertFalse(await self.db.drop_index(index.name))
        with self.assertRaises(CanopyError) as caught:
            await index.get(1)
        self.assertIs(caught.exception.code, ErrorCode.UNKNOWN_INDEX)
        with self.assertRaises(CanopyError) as caught:
            await self.db.index(index.name, codecs.int64(), codecs.string(), create=False)
        self.assertIs(caught.exception.code, ErrorCode.UNKNOWN_INDEX)
        again = await self.db.index(index.name, codecs.string(), codecs.string())
        self.assertEqual(await again.count(), 0)

    async def test_parts_of_tables_are_not_written(self) -> None:
        for attempt in (
            lambda: self.db.index("people.rows", codecs.int64(), codecs.string()),
            lambda: self.db.drop_index("people.index.1"),
        ):
            with self.assertRaises(CanopyError) as caught:
                await attempt()
            self.assertIn(caught.exception.code, (ErrorCode.PART_OF_TABLE, ErrorCode.UNKNOWN_INDEX))

    async def test_named_snapshots(self) -> None:
        index = await self.numbered(2)
        name = index.name
        await self.db.take_snapshot(name)
        await index.put(0, "later")
        self.assertIn(name, await self.db.snapshots())
        then = TransactionOptions(snapshot=name)
        self.assertEqual(await index.get(0, options=then), "n0")
        self.assertTrue(await self.db.drop_snapshot(name))
        with self.assertRaises(CanopyError) as caught:
            await index.get(0, options=then)
        self.assertIs(caught.exception.code, ErrorCode.UNKNOWN_SNAPSHOT)


class SessionsTest(GridTestCase):
    """What one client has seen, another one sees."""

    async def test_a_token_of_another_handle(self) -> None:
        index = await self.numbered(1)
        for round_ in range(5):
            await index.put(0, f"round {round_}")
            token = CausalToken.parse(str(self.db.token()))
            for server in SERVERS.split(","):
                async with canopygrid.connect([server]) as other:
                    theirs = await other.index(index.name, codecs.int64(), codecs.string())
                    options = TransactionOptions(after=token, nearest=True)
                    self.assertEqual(await theirs.get(0, options=options), f"round {round_}")

    @unittest.skipUnless(os.environ.get("CANOPY_TOKEN"), "there is no token of a Java client")
    async def test_entries_and_token_of_a_java_client(self) -> None:
        token = CausalToken.parse(os.environ["CANOPY_TOKEN"])
        keys = codecs.tuple_(codecs.string(), codecs.descending(codecs.exact_instant()))
        index = await self.db.index("of-java", keys, codecs.decimal(), create=False)
        options = TransactionOptions(after=token, nearest=True)
        entries = [entry async for entry in index.scan(options=options)]
        self.assertEqual(
            [(key[0], key[1].seconds, key[1].nanos, str(value)) for key, value in entries],
            [("a", 2, 5, "1.5"), ("a", 1, 0, "-3"), ("b", 0, 0, "100")],
        )


if __name__ == "__main__":
    unittest.main()
