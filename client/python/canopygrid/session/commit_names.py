"""The names of a client's commits, by which their outcomes can be looked up."""

from __future__ import annotations

from collections import deque

from ..wire.messages.data import CommitName

#: Most names that one commit says are done with.
_FORGET_AT_ONCE_MAX = 64

#: Names beyond these are left to age.
_DONE_MAX = 10_000


class CommitNames:
    """Makes names, and remembers those that the client will not ask for any more."""

    def __init__(self, client: bytes) -> None:
        self._client = client
        self._number = 0
        self._done: deque[CommitName] = deque()

    def next(self, grid_millis: int, shard: int) -> CommitName:
        """A name for a commit that writes to a shard, where its record is kept."""
        self._number += 1
        return CommitName(self._client, grid_millis, self._number, shard)

    def answered(self, name: CommitName) -> None:
        """A commit was sent once, and answered."""
        if len(self._done) < _DONE_MAX:
            self._done.append(name)

    def forgettable(self) -> tuple[CommitName, ...]:
        """Some names that the servers can forget; each is given out once."""
        some = min(len(self._done), _FORGET_AT_ONCE_MAX)
        return tuple(self._done.popleft() for _ in range(some))

    def clear(self) -> None:
        """The grid has changed: it has no record of these."""
        self._done.clear()
