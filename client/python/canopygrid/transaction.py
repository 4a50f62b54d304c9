"""Transactions: what a body gets, and what a caller begins and ends."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, TypeVar

from .errors import CanopyError, CommitState, ErrorCode
from .index import Index, ReadView, View
from .session.commit import CommitRun
from .session.conversation import Conversation
from .session.indexes import RemoteIndex
from .session.own_writes import OwnWrites
from .wire.messages.data import Mode

if TYPE_CHECKING:
    from .database import Canopy

K = TypeVar("K")
V = TypeVar("V")


class ReadTransaction:
    """A transaction that only reads: it sees one snapshot, and never conflicts."""

    def __init__(self, db: Canopy, conversation: Conversation) -> None:
        self._db = db
        self._conversation = conversation
        self._own: dict[RemoteIndex, OwnWrites] = {}
        self._open = True

    @property
    def id(self) -> str:
        """The id, which errors name."""
        return self._conversation.id

    def on(self, index: Index[K, V]) -> ReadView[K, V]:
        """The entries of an index in this transaction."""
        self._check(index)
        return ReadView(self, index)

    def _check(self, index: Index[K, V]) -> None:
        self.check_open()
        if index.handle is not self._db:
            raise CanopyError(ErrorCode.FOREIGN_INDEX, f"{index!r} is of another handle")

    # What views and handles use.

    def check_open(self) -> None:
        """Refuses what is asked for a transaction that has ended."""
        if not self._open:
            raise CanopyError(
                ErrorCode.TRANSACTION_CLOSED,
                "the transaction has ended",
                CommitState.NOT_COMMITTED,
                self.id,
            )

    def open_conversation(self) -> Conversation:
        """The conversation with the transaction's server, as long as it is open."""
        self.check_open()
        return self._conversation

    def own_writes(self, index: RemoteIndex) -> OwnWrites:
        """What the transaction has written to an index."""
        return self._own.setdefault(index, OwnWrites())

    def saw(self) -> None:
        """The handle has seen now what the transaction has seen."""
        how = self._conversation.how
        self._db.cluster.saw(how.grid, self._conversation.clock)

    def close(self) -> None:
        """Ends it without effect; does nothing where it has ended."""
        if self._open:
            self._open = False
            self._conversation.end()
            self._conversation.forget_cursors()

    async def finish(self) -> None:
        """Ends it in order."""
        self.check_open()
        self.saw()
        self.close()


class Transaction(ReadTransaction):
    """A transaction that writes: all of it takes effect at its commit, or nothing.

    As an async context manager it commits at the end of the block, unless the block raises, or has
    called :meth:`rollback`.
    """

    def __init__(self, db: Canopy, conversation: Conversation, of_caller: bool) -> None:
        super().__init__(db, conversation)
        self._of_caller = of_caller
        self._writes = False

    def on(self, index: Index[K, V]) -> View[K, V]:
        """The entries of an index in this transaction."""
        self._check(index)
        return View(self, index)

    def wrote(self) -> None:
        """The transaction has something to commit."""
        self._writes = True

    async def commit(self) -> None:
        """Makes the writes take effect.

        Raises:
            CanopyError: They have not taken effect, unless its ``outcome_unknown`` is true.

        """
        self.check_open()
        self._check_of_caller("commit")
        await self.finish()

    async def rollback(self) -> None:
        """Ends the transaction without effect; does nothing where it has ended."""
        self._check_of_caller("rollback")
        self.close()

    def _check_of_caller(self, what: str) -> None:
        if not self._of_caller:
            raise CanopyError(
                ErrorCode.INVALID_ARGUMENT,
                f"{what} was called on a transaction that its body ends",
                CommitState.NOT_COMMITTED,
                self.id,
            )

    async def finish(self) -> None:
        """Commits."""
        self.check_open()
        conversation = self._conversation
        serializable = conversation.how.mode is Mode.SERIALIZABLE
        try:
            if self._writes or (serializable and conversation.begun):
                conversation.check_usable()
                self._open = False
                conversation.saw(await CommitRun(conversation, self._writes).run())
            self.saw()
        finally:
            self._open = False
            conversation.end()
            conversation.forget_cursors()

    async def __aenter__(self) -> Transaction:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is not None:
            self.close()
        elif self._open:
            await self.finish()
