"""A bank: transfers of several tasks, while a server is killed."""

from __future__ import annotations

import asyncio
import os
import random
import sys
import unittest
from collections.abc import AsyncIterator
from functools import partial

from canopygrid import CanopyError, ErrorCode, Transaction, TransactionOptions, codecs
from tests.cases import until
from tests.contract.grid import GridTestCase

_ACCOUNTS = 40
_CENTS = 1_000
_TASKS = 6
_TRANSFERS = 60

#: The file at whose path a killer says that it has done it; the tasks go on for a while then.
_KILLED = os.environ.get("CANOPY_KILLED", "")

_PATIENT = TransactionOptions(label="transfer", timeout=60, max_attempts=10_000)


class BankTest(GridTestCase):
    """The sum stays what it was, and each transfer that was told is there."""

    async def test_transfers(self) -> None:
        accounts = await self.new_index(codecs.int64(), codecs.int64())
        journal = await self.new_index(codecs.int64(), codecs.int64())
        async with self.db.begin() as tx:
            for account in range(_ACCOUNTS):
                await tx.on(accounts).put(account, _CENTS)
        told: list[int] = []
        unknown: list[int] = []
        sums: list[int] = []
        over = asyncio.Event()

        async def transfer(number: int, tx: Transaction) -> None:
            payer, payee = random.sample(range(_ACCOUNTS), 2)
            view = tx.on(accounts)
            cents = await view.get(payer)
            assert cents is not None
            amount = random.randint(0, cents)
            await view.put(payer, cents - amount)
            await view.put(payee, (await view.get(payee) or 0) + amount)
            await tx.on(journal).put(number, amount)

        async def clerk(task: int) -> None:
            number = task
            while not over.is_set():
                number += _TASKS
                try:
                    await self.db.run(partial(transfer, number), _PATIENT)
                    told.append(number)
                except CanopyError as error:
                    if not error.outcome_unknown:
                        raise
                    unknown.append(number)

        async def auditor() -> None:
            while not over.is_set():
                sums.append(await self.db.read(lambda tx: _sum(tx.on(accounts).scan()), _PATIENT))

        async def clock() -> None:
            await until(lambda: len(told) >= _TRANSFERS)
            if _KILLED:
                print("READY TO KILL", flush=True)
                await until(lambda: os.path.exists(_KILLED))
                before = len(told)
                await until(lambda: len(told) >= before + _TRANSFERS)
                print(f"{before} transfers before the kill, {len(told)} in all", file=sys.stderr)
            over.set()

        tasks = [clerk(task) for task in range(_TASKS)]
        await asyncio.gather(clock(), auditor(), *tasks)

        self.assertEqual(set(sums), {_ACCOUNTS * _CENTS})
        self.assertEqual(await _sum(accounts.scan()), _ACCOUNTS * _CENTS)
        written = {number async for number, _ in journal.scan()}
        self.assertLessEqual(set(told), written)
        self.assertLessEqual(written, set(told) | set(unknown))
        self.assertEqual(unknown, [])

    async def test_a_scan_whose_server_is_lost_says_so(self) -> None:
        index = await self.numbered(2_000)
        seen = 0
        try:
            async for _ in index.scan():
                seen += 1
                if seen == 600:
                    for server in self.db.cluster.servers.connections():
                        await server.close("the test says so")
            self.fail("the scan went on without its server")
        except CanopyError as error:
            self.assertIs(error.code, ErrorCode.NOT_CONNECTED)
            self.assertTrue(error.retryable)
        self.assertEqual(await index.count(), 2_000)


async def _sum(entries: AsyncIterator[tuple[int, int]]) -> int:
    return sum([value async for _, value in entries])


if __name__ == "__main__":
    unittest.main()
