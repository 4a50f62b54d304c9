"""Connections: what breaks them, and what a program hears of it."""

from __future__ import annotations

import asyncio
import unittest

import canopygrid
from canopygrid import Canopy, CanopyError, ErrorCode, Index, codecs
from canopygrid.errors import CommitState
from canopygrid.wire import frames
from canopygrid.wire.frames import Message
from canopygrid.wire.messages import connection as says
from canopygrid.wire.messages import data
from tests.cases import AsyncTestCase, until
from tests.fake import (
    GRID,
    NO_NEWS,
    FakeClient,
    FakeServer,
    Handler,
    answer_reads_and_writes,
)

#: A client that waited for more bytes would take so long.
_PATIENT = canopygrid.TransactionOptions(timeout=600)


async def open_names(db: Canopy) -> Index[int, str]:
    """An index."""
    return await db.index("names", codecs.int64(), codecs.string())


def sends(sent: bytes) -> Handler:
    """A server that answers reads with some bytes."""

    async def handler(client: FakeClient, stream: int, message: Message) -> bool:
        if isinstance(message, data.Get):
            client.say_bytes(sent)
        return False

    return handler


class ConnectTest(AsyncTestCase):
    """A handle is opened while servers stop."""

    async def test_another_server_is_asked(self) -> None:
        async with FakeServer(answer_reads_and_writes) as one:
            async with FakeServer(answer_reads_and_writes) as two:
                one.stops = 1
                two.stops = 1
                async with canopygrid.connect([one.address, two.address]):
                    self.assertLess(one.stops + two.stops, 2)


class MalformedFramesTest(AsyncTestCase):
    """Bytes that are no frames are a coded error at once, and not a wait for more."""

    async def assert_refused(self, sent: bytes, why: str) -> None:
        """Checks what a read says to which a server answers with some bytes."""
        async with FakeServer(sends(sent)) as server:
            async with canopygrid.connect([server.address]) as db:
                names = await open_names(db)
                with self.assertRaises(CanopyError) as caught:
                    await names.get(1, options=_PATIENT)
                self.assertIs(caught.exception.code, ErrorCode.PROTOCOL_ERROR)
                self.assertFalse(caught.exception.retryable)
                self.assertRegex(str(caught.exception), why)
                await until(lambda: isinstance(server.heard[-1], says.Goodbye))

    async def test_too_long(self) -> None:
        await self.assert_refused(b"\x7f\xff\xff\xff", "a frame has from 5 to")

    async def test_too_short(self) -> None:
        await self.assert_refused(b"\x00\x00\x00\x04", "a frame has from 5 to")

    async def test_unknown_kind(self) -> None:
        await self.assert_refused(bytes.fromhex("000000057700000001"), "no message has type 77")

    async def test_cut_message(self) -> None:
        whole = frames.encode(1, data.Value(NO_NEWS, b"abc"))
        cut = (len(whole) - 5).to_bytes(4, "big") + whole[4:-1]
        await self.assert_refused(cut, "3 bytes wanted, 2 left")

    async def test_message_of_a_client(self) -> None:
        await self.assert_refused(
            frames.encode(1, data.CloseCursor()), "a server does not say CloseCursor"
        )

    async def test_another_answer(self) -> None:
        async def handler(client: FakeClient, stream: int, message: Message) -> bool:
            if isinstance(message, data.Get):
                client.say(stream, data.Count(NO_NEWS, 1))
            return False

        async with FakeServer(handler) as server:
            async with canopygrid.connect([server.address]) as db:
                names = await open_names(db)
                with self.assertRaisesRegex(CanopyError, "answered with Count"):
                    await names.get(1)

    async def test_something_else_at_the_port(self) -> None:
        async def http(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
            sink.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            sink.close()

        server = await asyncio.start_server(http, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        with self.assertRaises(CanopyError) as caught:
            await canopygrid.connect([f"127.0.0.1:{port}"])
        self.assertIs(caught.exception.code, ErrorCode.PROTOCOL_ERROR)
        server.close()
        await server.wait_closed()


class EndsTest(AsyncTestCase):
    """Connections that end while requests are under way."""

    async def test_a_read_goes_on_at_another_server(self) -> None:
        async def dies(client: FakeClient, stream: int, message: Message) -> bool:
            return isinstance(message, data.Get)

        async with FakeServer(dies) as dead, FakeServer(answer_reads_and_writes) as other:
            async with canopygrid.connect([dead.address]) as db:
                names = await open_names(db)
                dead.all = []
                db.cluster.learn([other.address])
                self.assertIsNone(await names.get(1))
            self.assertEqual((dead.count(data.Get), other.count(data.Get)), (1, 1))

    async def test_a_server_that_drains_gets_no_new_transaction(self) -> None:
        async def drains(client: FakeClient, stream: int, message: Message) -> bool:
            if isinstance(message, data.Get):
                client.say(0, says.Drain(10_000))
                client.say(stream, data.Value(NO_NEWS, None))
            return False

        async with FakeServer(drains) as leaving, FakeServer(answer_reads_and_writes) as other:
            async with canopygrid.connect([leaving.address]) as db:
                names = await open_names(db)
                db.cluster.learn([other.address])
                await names.get(1)
                await names.get(1)
            self.assertEqual((leaving.count(data.Get), other.count(data.Get)), (1, 1))

    async def test_a_ping_is_answered(self) -> None:
        async def pings(client: FakeClient, stream: int, message: Message) -> bool:
            if isinstance(message, data.Get):
                client.say(0, says.Ping(17))
                self.assertEqual(await client.hear(), (0, says.Pong(17)))
                client.say(stream, data.Value(NO_NEWS, b"yes"))
            return False

        async with FakeServer(pings) as server, canopygrid.connect([server.address]) as db:
            self.assertEqual(await (await open_names(db)).get(1), "yes")

    async def test_a_request_has_its_time(self) -> None:
        async def silent(client: FakeClient, stream: int, message: Message) -> bool:
            return False

        async with FakeServer(silent) as server, canopygrid.connect([server.address]) as db:
            names = await open_names(db)
            with self.assertRaises(CanopyError) as caught:
                await names.get(1, options=canopygrid.TransactionOptions(timeout=0.5))
            self.assertIs(caught.exception.code, ErrorCode.TIMEOUT)
            self.assertFalse(caught.exception.outcome_unknown)
            await until(lambda: isinstance(server.heard[-1], data.End))

    async def test_no_server_at_all(self) -> None:
        with self.assertRaises(CanopyError) as caught:
            await canopygrid.connect("canopy://127.0.0.1:1,127.0.0.1:2")
        self.assertIs(caught.exception.code, ErrorCode.NOT_CONNECTED)
        for server in ("127.0.0.1:1 (Connection", "127.0.0.1:2 (Connection"):
            self.assertIn(server, str(caught.exception))

    async def test_another_grid_is_told_once(self) -> None:
        async with (
            FakeServer(answer_reads_and_writes) as first,
            FakeServer(answer_reads_and_writes, GRID[::-1]) as second,
        ):
            async with canopygrid.connect([first.address, second.address]) as db:
                if db.cluster.servers.grid != GRID:
                    first, second = second, first
                names = await open_names(db)
                await names.put(1, "Ada")
                self.assertTrue(db.token().clock)
                await first.stop()
                with self.assertRaises(CanopyError) as caught:
                    await names.get(1)
                self.assertIs(caught.exception.code, ErrorCode.GRID_CHANGED)
                self.assertFalse(db.token().clock)
                self.assertIsNone(await names.get(1))
                self.assertEqual(db.cluster.servers.grid, second.grid)


class ClocksTest(AsyncTestCase):
    """What was said on a connection is not said again, and is said on another one."""

    async def test_clocks(self) -> None:
        async with (
            FakeServer(answer_reads_and_writes) as first,
            FakeServer(answer_reads_and_writes) as other,
        ):
            async with canopygrid.connect([first.address]) as db:
                names = await open_names(db)
                await names.put(1, "Ada")
                self.assertEqual(db.token().clock, {7: 3})
                await names.get(1)
                await first.stop()
                db.cluster.learn([other.address])
                await names.get(1)
                await names.get(1)
            told = [m.step.begin for m in first.heard if isinstance(m, data.Get)]
            self.assertEqual([begin.after for begin in told if begin], [{}])
            told = [m.step.begin for m in other.heard if isinstance(m, data.Get)]
            self.assertEqual([begin.after for begin in told if begin], [{7: 3}, {}])

    async def test_a_token_is_said_apart_where_the_server_knows_that(self) -> None:
        token = canopygrid.CausalToken(GRID, {7: 2, 8: 5})
        options = canopygrid.TransactionOptions(after=token)
        for features, said in (
            (says.FEATURE_DROPS | says.FEATURE_TOKENS, ({7: 3}, {7: 2, 8: 5})),
            (says.FEATURE_DROPS, ({7: 3, 8: 5}, {})),
        ):
            async with (
                FakeServer(answer_reads_and_writes) as first,
                FakeServer(answer_reads_and_writes) as other,
            ):
                other.features = features
                async with canopygrid.connect([first.address]) as db:
                    names = await open_names(db)
                    await names.put(1, "Ada")
                    await first.stop()
                    db.cluster.learn([other.address])
                    await names.get(1, options=options)
                    begins = [m.step.begin for m in other.heard if isinstance(m, data.Get)]
                    self.assertEqual([(b.after, b.token) for b in begins if b], [said])

    async def test_a_place_in_a_trace_is_said_where_the_server_knows_that(self) -> None:
        parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
        options = canopygrid.TransactionOptions(traceparent=parent)
        for features, said in ((says.FEATURE_TRACES, parent), (0, "")):
            async with FakeServer(answer_reads_and_writes) as server:
                server.features = features
                async with canopygrid.connect([server.address]) as db:
                    names = await open_names(db)
                    await names.get(1, options=options)
                    await names.get(1)
                    begins = [m.step.begin for m in server.heard if isinstance(m, data.Get)]
                    self.assertEqual([b.trace_parent for b in begins if b], [said, ""])
        with self.assertRaises(canopygrid.CanopyError):
            canopygrid.TransactionOptions(traceparent="0" * 513)

    async def test_lost_commits_are_told_once(self) -> None:
        lost = says.Failure(
            ErrorCode.COMMITS_LOST.number,
            False,
            CommitState.NOT_COMMITTED,
            None,
            "lost",
            (says.Fact("upTo", "100"),),
        )

        async def handler(client: FakeClient, stream: int, message: Message) -> bool:
            if isinstance(message, data.Get):
                begin = message.step.begin
                if begin is not None and begin.after.get(7) == 3:
                    client.say(stream, lost)
                    client.say(0, says.Goodbye(lost.code, "lost"))
                    return True
                client.say(stream, data.Value(data.Seen(False, {7: 2, 8: 101}), None))
                return False
            return await answer_reads_and_writes(client, stream, message)

        async with FakeServer(answer_reads_and_writes) as first, FakeServer(handler) as other:
            async with canopygrid.connect([first.address]) as db:
                names = await open_names(db)
                await names.put(1, "Ada")
                token = db.token()
                await first.stop()
                db.cluster.learn([other.address])
                with self.assertRaises(CanopyError) as caught:
                    await names.get(1)
                self.assertIs(caught.exception.code, ErrorCode.COMMITS_LOST)
                self.assertFalse(db.token().clock)
                self.assertIsNone(await names.get(1))
                self.assertEqual(db.token().clock, {8: 101})
                after = canopygrid.TransactionOptions(after=token)
                for _ in range(2):
                    with self.assertRaises(CanopyError) as caught:
                        await names.get(1, options=after)
                    self.assertIs(caught.exception.code, ErrorCode.COMMITS_LOST)
                    self.assertEqual(db.token().clock, {8: 101})


if __name__ == "__main__":
    unittest.main()
