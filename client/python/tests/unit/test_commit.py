"""Commits whose connection is lost: what is asked, what is sent again, and what never is."""

from __future__ import annotations

import unittest

import canopygrid
from canopygrid import CanopyError, CommitState, ErrorCode, Transaction, codecs
from canopygrid.wire.frames import Message
from canopygrid.wire.messages import data
from tests.cases import AsyncTestCase
from tests.fake import NO_NEWS, FakeClient, FakeServer, Handler, failure


def loses_first_commit(state: CommitState, commits: list[data.Commit]) -> Handler:
    """Servers of which one dies at the first commit; they know what became of it."""

    async def handler(client: FakeClient, stream: int, message: Message) -> bool:
        if isinstance(message, data.Get):
            client.say(stream, data.Value(NO_NEWS, b"7"))
        elif isinstance(message, data.Commit):
            commits.append(message)
            if len(commits) == 1:
                return True
            client.say(stream, data.Done(NO_NEWS))
        elif isinstance(message, data.LookUp):
            client.say(stream, data.Outcome(state, {7: 9}, None))
        return False

    return handler


class LostCommitTest(AsyncTestCase):
    """The connection is lost after a commit was sent."""

    async def run_body(
        self, state: CommitState, reads: bool
    ) -> tuple[int, list[data.Commit], list[data.CommitName], canopygrid.CausalToken]:
        """Runs a body that writes; how often it ran, what was sent and asked, and the token."""
        commits: list[data.Commit] = []
        runs = 0

        async def body(tx: Transaction) -> None:
            nonlocal runs
            runs += 1
            if reads:
                await tx.on(names).get(1)
            await tx.on(names).put(1, "Ada")

        handler = loses_first_commit(state, commits)
        async with FakeServer(handler) as one, FakeServer(handler) as two:
            options = canopygrid.ClientOptions(
                outcome_seconds=0.5 if state is CommitState.UNKNOWN else 60
            )
            servers = [one.address, two.address]
            async with canopygrid.connect(servers, options) as db:
                names = await db.index("names", codecs.int64(), codecs.string())
                try:
                    await db.run(body)
                finally:
                    asked = [
                        message.commit
                        for message in one.heard + two.heard
                        if isinstance(message, data.LookUp)
                    ]
                    self.runs, self.commits = runs, commits
                return runs, commits, asked, db.token()

    async def test_committed_is_success(self) -> None:
        runs, commits, asked, token = await self.run_body(CommitState.COMMITTED, False)
        self.assertEqual((runs, len(commits)), (1, 1))
        self.assertEqual(asked, [commits[0].commit])
        self.assertEqual(token.clock, {7: 9})

    async def test_not_committed_is_sent_again_under_another_name(self) -> None:
        runs, commits, _, _ = await self.run_body(CommitState.NOT_COMMITTED, False)
        self.assertEqual((runs, len(commits)), (1, 2))
        self.assertNotEqual(commits[0].commit, commits[1].commit)
        self.assertEqual(commits[0].step.writes, commits[1].step.writes)

    async def test_not_committed_after_reads_runs_the_body_again(self) -> None:
        runs, commits, _, _ = await self.run_body(CommitState.NOT_COMMITTED, True)
        self.assertEqual((runs, len(commits)), (2, 2))

    async def test_unknown_is_told_and_nothing_is_repeated(self) -> None:
        for reads in (False, True):
            with self.subTest(reads=reads):
                with self.assertRaises(CanopyError) as caught:
                    await self.run_body(CommitState.UNKNOWN, reads)
                error = caught.exception
                self.assertIs(error.code, ErrorCode.COMMIT_UNKNOWN)
                self.assertTrue(error.outcome_unknown)
                self.assertFalse(error.retryable)
                self.assertEqual((self.runs, len(self.commits)), (1, 1))


class RefusedCommitTest(AsyncTestCase):
    """A server answers a commit with an error."""

    async def refused(self, code: ErrorCode, times: int) -> tuple[int, int]:
        """Runs a body whose commits fail for some times; its runs, and the commits."""
        commits = 0
        runs = 0

        async def handler(client: FakeClient, stream: int, message: Message) -> bool:
            nonlocal commits
            if isinstance(message, data.Commit):
                commits += 1
                state = CommitState.NOT_COMMITTED
                answer = failure(code, state) if commits <= times else data.Done(NO_NEWS)
                client.say(stream, answer)
            return False

        async def body(tx: Transaction) -> None:
            nonlocal runs
            runs += 1
            await tx.on(names).put(1, "Ada")

        async with FakeServer(handler) as server:
            async with canopygrid.connect([server.address]) as db:
                names = await db.index("names", codecs.int64(), codecs.string())
                try:
                    options = canopygrid.TransactionOptions(max_attempts=3)
                    await db.run(body, options)
                finally:
                    self.runs = runs
        return runs, commits

    async def test_a_conflict_runs_the_body_again(self) -> None:
        self.assertEqual(await self.refused(ErrorCode.WRITE_CONFLICT, 2), (3, 3))

    async def test_the_attempts_have_an_end(self) -> None:
        with self.assertRaises(CanopyError) as caught:
            await self.refused(ErrorCode.WRITE_CONFLICT, 99)
        self.assertIs(caught.exception.code, ErrorCode.RETRIES_EXHAUSTED)
        self.assertIn("so it is", caught.exception.detail)
        self.assertEqual(self.runs, 3)

    async def test_other_errors_are_told_at_once(self) -> None:
        for code in (ErrorCode.FORBIDDEN, ErrorCode.TIMEOUT, ErrorCode.DISK_FULL):
            with self.subTest(code), self.assertRaises(CanopyError) as caught:
                await self.refused(code, 99)
            self.assertIs(caught.exception.code, code)
            self.assertEqual(self.runs, 1)


if __name__ == "__main__":
    unittest.main()
