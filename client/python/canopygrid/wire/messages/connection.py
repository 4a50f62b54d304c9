"""Messages about the connection as a whole, and the answer to what went wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...errors import CanopyError, CommitState, ErrorCode
from ..fields import (
    BYTES,
    FLAG,
    I64,
    ID16,
    NAME,
    TEXT,
    VAR,
    Record,
    choice,
    constant,
    many,
    optional,
    wire,
)
from ..frames import Message, message

#: The beginning of a Hello: CNPY.
MAGIC = 0x434E5059

#: The version from which on a Hello says of which grid the client knows something.
VERSION_OF_GRIDS = 2

#: The bit of a server that can drop indexes.
FEATURE_DROPS = 1

#: The bit of a server that looks at a caller's token by itself.
FEATURE_TOKENS = 16

#: The bit of a server that takes the place in a trace.
FEATURE_TRACES = 32


@message(0x01)
@dataclass(frozen=True)
class Ping(Message):
    """Asks whether the other side is there."""

    number: int = wire(I64)


@message(0x02)
@dataclass(frozen=True)
class Pong(Message):
    """Answers a Ping."""

    number: int = wire(I64)


@message(0x03)
@dataclass(frozen=True)
class Goodbye(Message):
    """The last message of either side, which says why."""

    code: int = wire(VAR)
    text: str = wire(NAME)


def _names_grid(before: dict[str, Any]) -> bool:
    return bool(before["version_max"] >= VERSION_OF_GRIDS)


@message(0x08)
@dataclass(frozen=True)
class Hello(Message):
    """The first message of a client."""

    magic: int = wire(constant(MAGIC))
    version_min: int = wire(VAR)
    version_max: int = wire(VAR)
    features: int = wire(I64)
    client: bytes = wire(ID16)
    software: str = wire(NAME)
    grid: bytes | None = wire(optional(ID16), when=_names_grid)


@message(0x09)
@dataclass(frozen=True)
class Authenticate(Message):
    """A message of the client's side of a login."""

    mechanism: str = wire(NAME)
    data: bytes = wire(BYTES)


@dataclass(frozen=True)
class Limits(Record):
    """The limits of a server for one connection."""

    frame_bytes_max: int = wire(VAR)
    requests_max: int = wire(VAR)
    transactions_max: int = wire(VAR)
    cursors_max: int = wire(VAR)
    transaction_bytes_max: int = wire(VAR)
    idle_millis: int = wire(VAR)


@dataclass(frozen=True)
class Grid(Record):
    """A grid: its id and the time of its founding, in milliseconds since 1970."""

    id: bytes = wire(ID16)
    founded: int = wire(I64)


@message(0x88)
@dataclass(frozen=True)
class Welcome(Message):
    """Answers a Hello."""

    version: int = wire(VAR)
    features: int = wire(I64)
    node: str = wire(NAME)
    cluster: str = wire(NAME)
    grid: Grid = wire(Grid.field())
    server_millis: int = wire(I64)
    shards: int = wire(VAR)
    limits: Limits = wire(Limits.field())
    mechanisms: tuple[str, ...] = wire(many(NAME))


@message(0x89)
@dataclass(frozen=True)
class Challenge(Message):
    """A message of the server's side of a login."""

    done: bool = wire(FLAG)
    data: bytes = wire(BYTES)


@message(0x8A)
@dataclass(frozen=True)
class Drain(Message):
    """The server is going to stop."""

    grace_millis: int = wire(VAR)


@dataclass(frozen=True)
class Fact(Record):
    """A part of an error's detail."""

    name: str = wire(NAME)
    value: str = wire(TEXT)


@message(0xFF)
@dataclass(frozen=True)
class Failure(Message):
    """Answers a request that was not carried out, or whose outcome is not known."""

    code: int = wire(VAR)
    retryable: bool = wire(FLAG)
    commit_state: CommitState = wire(choice(CommitState))
    transaction_id: str | None = wire(optional(NAME))
    detail: str = wire(TEXT)
    facts: tuple[Fact, ...] = wire(many(Fact.field()))

    def to_error(self) -> CanopyError:
        """The exception for it; a number that is not known is an internal error."""
        code = ErrorCode.of(self.code)
        return CanopyError(
            code or ErrorCode.INTERNAL_ERROR,
            self.detail if code else f"CNPY-{self.code}: {self.detail}",
            self.commit_state,
            self.transaction_id,
            {fact.name: fact.value for fact in self.facts},
        )
