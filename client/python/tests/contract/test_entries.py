"""Reads, writes, ranges and scans."""

from __future__ import annotations

import datetime as dt
import random
import unittest
from decimal import Decimal

from canopygrid import CanopyError, ErrorCode, Range, ReadTransaction, Transaction, codecs
from tests.contract.grid import GridTestCase


class SingleOperationsTest(GridTestCase):
    """Operations that are transactions of their own."""

    async def test_reads_and_writes(self) -> None:
        index = await self.new_index(codecs.string(), codecs.int64())
        self.assertIsNone(await index.get("a"))
        self.assertEqual(await index.get("a", 7), 7)
        await index.put("a", 1)
        self.assertEqual(await index.get("a"), 1)
        self.assertEqual(await index.put_if_absent("a", 2), 1)
        self.assertIsNone(await index.put_if_absent("b", 2))
        self.assertEqual(await index.replace("b", 3), 2)
        self.assertIsNone(await index.replace("c", 3))
        self.assertEqual(await index.get_all(["a", "b", "c"]), {"a": 1, "b": 3})
        self.assertTrue(await index.contains("a"))
        await index.remove("a")
        await index.remove("a")
        self.assertFalse(await index.contains("a"))
        await index.insert("a", 5)
        with self.assertRaises(CanopyError) as caught:
            await index.insert("a", 6)
        self.assertIs(caught.exception.code, ErrorCode.KEY_EXISTS)
        self.assertEqual(await index.count(), 2)

    async def test_empty_values_are_values(self) -> None:
        index = await self.new_index(codecs.bytes_(), codecs.bytes_())
        await index.put(b"", b"")
        self.assertEqual(await index.get(b""), b"")
        self.assertEqual([entry async for entry in index.scan()], [(b"", b"")])

    async def test_all_kinds_of_keys(self) -> None:
        keys = codecs.tuple_(
            codecs.string(),
            codecs.descending(codecs.instant()),
            codecs.optional(codecs.decimal()),
        )
        index = await self.new_index(keys, codecs.json("com.shop.Person"))
        early = dt.datetime(2026, 1, 1, tzinfo=dt.timezone.utc)
        late = early + dt.timedelta(microseconds=1)
        entries = [
            (("a\x00", late, None), {"name": "Ada"}),
            (("a\x00", late, Decimal("1.5")), [1, "ü"]),
            (("a\x00", early, None), "x"),
            (("b", late, None), 5),
        ]
        for key, value in random.sample(entries, len(entries)):
            await index.put(key, value)
        self.assertEqual([entry async for entry in index.scan()], entries)
        self.assertEqual(
            [key async for key, _ in index.scan(Range.prefix(("a\x00",)))],
            [key for key, _ in entries[:3]],
        )

    async def test_a_large_value(self) -> None:
        index = await self.new_index(codecs.int32(), codecs.bytes_())
        large = random.Random(1).randbytes(8 * 1024 * 1024)
        await index.put(1, large)
        self.assertEqual(await index.get(1), large)
        self.assertEqual([value async for _, value in index.scan()], [large])


class ScansTest(GridTestCase):
    """Ranges, in both directions."""

    async def test_ranges(self) -> None:
        index = await self.numbered(20)
        for range_, first, last in [
            (Range.all(), 0, 19),
            (Range.of(3, 7), 3, 6),
            (Range.closed(3, 7), 3, 7),
            (Range.at_least(15), 15, 19),
            (Range.more_than(15), 16, 19),
            (Range.at_most(4), 0, 4),
            (Range.less_than(4), 0, 3),
            (Range.of(7, 3), 0, -1),
        ]:
            with self.subTest(range_):
                expected = list(range(first, last + 1))
                keys = [key async for key, _ in index.scan(range_)]
                self.assertEqual(keys, expected)
                self.assertEqual(await index.count(range_), len(expected))
                keys = [key async for key, _ in index.scan(range_, reverse=True)]
                self.assertEqual(keys, expected[::-1])
                keys = [key async for key, _ in index.scan(range_, limit=2)]
                self.assertEqual(keys, expected[:2])

    async def test_many_pages(self) -> None:
        index = await self.numbered(3_000)
        keys = [key async for key, _ in index.scan()]
        self.assertEqual(keys, list(range(3_000)))
        keys = [key async for key, _ in index.scan(reverse=True, limit=1_700)]
        self.assertEqual(keys, list(range(2_999, 1_299, -1)))

    async def test_a_scan_that_is_left_early(self) -> None:
        index = await self.numbered(3_000)
        for _ in range(70):  # more than a server has cursors for one client
            async for key, _value in index.scan():
                if key == 1:
                    break
        self.assertEqual(await index.get(5), "n5")

    async def test_neighbours(self) -> None:
        index = await self.new_index(codecs.int64(), codecs.string())
        for key in (10, 20):
            await index.put(key, "x")

        async def neighbours(tx: ReadTransaction) -> list[int | None]:
            view = tx.on(index)
            found = [
                await view.first(),
                await view.last(),
                await view.floor(10),
                await view.lower(10),
                await view.ceiling(11),
                await view.higher(20),
            ]
            return [None if entry is None else entry[0] for entry in found]

        self.assertEqual(await self.db.read(neighbours), [10, 20, 10, None, 20, None])

    async def test_own_writes_are_seen(self) -> None:
        index = await self.numbered(300)
        model = {key: f"n{key}" for key in range(300)}
        chance = random.Random(7)

        async def body(tx: Transaction) -> None:
            view = tx.on(index)
            for _ in range(40):
                key = chance.randrange(-20, 320)
                if chance.random() < 0.5:
                    await view.put(key, f"w{key}")
                    model[key] = f"w{key}"
                else:
                    await view.remove(key)
                    model.pop(key, None)
            expected = sorted(model.items())
            self.assertEqual([entry async for entry in view.scan()], expected)
            reverse = [entry async for entry in view.scan(reverse=True, limit=50)]
            self.assertEqual(reverse, expected[::-1][:50])
            self.assertEqual(await view.count(), len(expected))
            written = 0
            async for key, _ in view.scan():
                await view.put(key + 1_000, "behind")
                written += 1
                if written == 100:
                    break
            self.assertEqual(await view.remove_range(Range.at_least(1_000)), 100)
            self.assertEqual(await view.get_all(model), model)

        await self.db.run(body)
        self.assertEqual([entry async for entry in index.scan()], sorted(model.items()))


if __name__ == "__main__":
    unittest.main()
