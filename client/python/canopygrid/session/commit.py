"""The commit of one transaction, also where the connection is lost meanwhile."""

from __future__ import annotations

import time

from .. import clock as clocks
from ..errors import CanopyError, CommitState, ErrorCode
from ..net.connection import Connection, LostConnectionError
from ..net.questions import checked, next_answer
from ..wire.fields import Clock
from ..wire.messages.connection import Failure
from ..wire.messages.data import Commit, CommitName, Done
from .conversation import Conversation
from .indexes import RemoteIndex


class CommitRun:
    """Sends the commit, and asks for the outcome where no answer comes.

    The question also prevents a commit that is still on its way, so that what is reported stays
    true. A commit of a transaction that no server knows, since it has read nothing, can be sent to
    another server once it is certain that it has not happened and never will.
    """

    def __init__(self, transaction: Conversation, named: bool) -> None:
        """Prepares the commit.

        Args:
            transaction: What is committed.
            named: Whether anything was written, so that the outcome matters.

        """
        self._transaction = transaction
        self._cluster = transaction.cluster
        self._named = named

    async def run(self) -> Clock:
        """The clock of the commit; or the error that says why it is not committed."""
        transaction = self._transaction
        attempt = 0
        while True:
            attempt += 1
            writes = transaction.pending
            index = transaction.index_of(writes[0].index) if writes else transaction.first_index()
            key = writes[0].key if writes else b""
            movable = not transaction.begun
            connection = await transaction.connect(index, key)
            committed = await self._attempt(connection, index, key, movable)
            if committed is not None:
                return committed
            await transaction.elsewhere(attempt, None)
            if transaction.how.deadline <= time.monotonic():
                raise transaction.error(
                    ErrorCode.TIMEOUT,
                    f"the time was over after {attempt} servers were lost or left",
                )

    async def _attempt(
        self, connection: Connection, index: RemoteIndex, key: bytes, movable: bool
    ) -> Clock | None:
        """The clock; None: certainly not committed, and another server can be asked."""
        transaction = self._transaction
        names = self._cluster.names
        name = (
            names.next(connection.server_millis, index.routes.shard_of(key))
            if self._named
            else None
        )
        forget = names.forgettable()
        pages = connection.ask(lambda say: Commit(transaction.step(say), name, forget))
        transaction.committing()
        try:
            await connection.flushed()
            reply = await next_answer(pages, transaction.how.deadline)
        except LostConnectionError as error:
            why = transaction.failed(error)
            if error.sent and name is not None:
                return await self._resolved(connection, name, movable, why)
            return self._unhappened(movable, why)
        except CanopyError as error:
            why = transaction.named(error)
            return await self._settled(connection, name, why)
        finally:
            connection.forget(pages)
        if movable:
            transaction.note_moved(index, reply.message)
        if isinstance(reply.message, Done):
            if name is not None:
                names.answered(name)
            return reply.known
        if isinstance(reply.message, Failure):
            why = transaction.counted(reply.message)
            if why.outcome_unknown and name is not None:
                return await self._settled(connection, name, why)
            return self._unhappened(movable, why)
        try:
            checked(reply.message, Done)
        except CanopyError as error:
            return await self._settled(connection, name, transaction.named(error))
        return reply.known

    async def _settled(
        self, connection: Connection, name: CommitName | None, why: CanopyError
    ) -> Clock | None:
        """Looks up a commit that is not sent again, whatever became of it."""
        if name is None:
            raise why
        return await self._resolved(connection, name, False, why)

    @staticmethod
    def _unhappened(movable: bool, why: CanopyError) -> None:
        """Lets the commit be sent elsewhere if it may be, and otherwise tells the caller."""
        if not (movable and why.code is ErrorCode.NOT_CONNECTED):
            raise why

    async def _resolved(
        self,
        connection: Connection,
        name: CommitName,
        movable: bool,
        otherwise: CanopyError,
    ) -> Clock | None:
        """Asks for the outcome; ``otherwise`` is raised if nothing was committed."""
        transaction = self._transaction
        grid = transaction.how.grid
        if self._cluster.servers.closed:
            raise CanopyError(
                ErrorCode.CANOPY_CLOSED,
                "the handle was closed during the commit",
                CommitState.UNKNOWN,
                transaction.id,
            ) from otherwise
        outcome = await self._cluster.outcome(name, grid, connection.address)
        if outcome.state is CommitState.COMMITTED:
            return clocks.join(transaction.clock, outcome.seen)
        if outcome.state is CommitState.NOT_COMMITTED:
            return self._unhappened(movable, self._not_committed(otherwise))
        elsewhere = (
            ""
            if grid == self._cluster.servers.grid
            else "; the servers are of another grid now, where nothing of this transaction is"
        )
        raise CanopyError(
            ErrorCode.COMMIT_UNKNOWN,
            f"the connection to {connection.address} was lost during the commit, and nobody could "
            f"tell its outcome{elsewhere}",
            CommitState.UNKNOWN,
            transaction.id,
        ) from otherwise

    def _not_committed(self, error: CanopyError) -> CanopyError:
        if error.commit_state is CommitState.NOT_COMMITTED:
            return error
        code = ErrorCode.NOT_CONNECTED if error.code is ErrorCode.COMMIT_UNKNOWN else error.code
        return CanopyError(
            code,
            f"{error.detail}; it was not committed",
            CommitState.NOT_COMMITTED,
            self._transaction.id,
            error.facts,
        )
