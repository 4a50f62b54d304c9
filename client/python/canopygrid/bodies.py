"""Runs bodies as transactions, again after conflicts."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TypeVar

from .backoff import Backoff
from .errors import CanopyError, CommitState, ErrorCode
from .options import TransactionOptions
from .transaction import ReadTransaction

T = TypeVar("T")
X = TypeVar("X", bound=ReadTransaction)

_CONFLICTS = Backoff(0.0002, 0.1)

#: Errors after which the time is over, or the wait would be longer than callers expect.
_NOT_AGAIN = (ErrorCode.TIMEOUT, ErrorCode.SHARD_UNAVAILABLE, ErrorCode.DISK_FULL)


class _Running:
    """A body that runs. A task that it starts may outlive it, so that this has an end."""

    def __init__(self, handle: object) -> None:
        self.handle: object | None = handle


_bodies: ContextVar[tuple[_Running, ...]] = ContextVar("canopygrid_bodies", default=())


def check_not_in_body(handle: object) -> None:
    """Refuses what would be a transaction within a body of the same handle."""
    if any(running.handle is handle for running in _bodies.get()):
        raise CanopyError(
            ErrorCode.NESTED_TRANSACTION,
            "this task is in the body of another transaction",
        )


async def run(
    handle: object,
    begin: Callable[[], X],
    body: Callable[[X], Awaitable[T]],
    options: TransactionOptions,
    deadline: float,
) -> T:
    """Runs a body until it commits.

    It is run again only after errors of Canopy's own in this very transaction that say that this
    can help and that nothing was committed; never where the outcome is not known.
    """
    check_not_in_body(handle)
    running = _Running(handle)
    mark = _bodies.set((*_bodies.get(), running))
    try:
        attempt = 0
        while True:
            attempt += 1
            transaction = begin()
            try:
                result = await body(transaction)
                await transaction.finish()
                return result
            except CanopyError as error:
                if error.transaction != transaction.id or not error.retryable:
                    raise
                transaction.close()
                await _await_next(attempt, error, options, deadline)
            finally:
                transaction.close()
    finally:
        running.handle = None
        _bodies.reset(mark)


async def _await_next(
    attempt: int, error: CanopyError, options: TransactionOptions, deadline: float
) -> None:
    if attempt >= options.max_attempts:
        why = f"all {attempt} attempts failed"
        raise _failed(ErrorCode.RETRIES_EXHAUSTED, why, error) from error
    if error.code in _NOT_AGAIN:
        raise error
    await _CONFLICTS.pause(attempt, deadline)
    if deadline <= time.monotonic():
        why = f"the time was over after {attempt} attempts"
        raise _failed(ErrorCode.TIMEOUT, why, error) from error


def _failed(code: ErrorCode, why: str, last: CanopyError) -> CanopyError:
    return CanopyError(
        code,
        f"{why}, the last one: {last.detail}",
        CommitState.NOT_COMMITTED,
        last.transaction,
        last.facts,
    )
