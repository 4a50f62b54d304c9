"""Messages about change feeds."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import BYTES, CLOCK, FLAG, ID16, NAME, VAR, Clock, Record, many, optional, wire
from ..frames import Message, message
from .data import KeyBounds


@dataclass(frozen=True)
class Told(Record):
    """The position of a feed: all that it has told, and the grid."""

    grid: bytes | None = wire(optional(ID16))
    clock: Clock = wire(CLOCK)


@message(0x36)
@dataclass(frozen=True)
class ReadChanges(Message):
    """Asks for the next changes of an index; with ``bytes_max`` 0 it only opens the feed."""

    feed: int = wire(VAR)
    index: int = wire(VAR)
    range: KeyBounds = wire(KeyBounds.field())
    snapshot: str = wire(NAME)
    after: Told | None = wire(optional(Told.field()))
    parts: int = wire(VAR)
    bytes_max: int = wire(VAR)


@message(0x37)
@dataclass(frozen=True)
class CloseFeed(Message):
    """Frees a feed; there is no answer."""

    feed: int = wire(VAR)


@message(0xB6)
@dataclass(frozen=True)
class FeedChanges(Message):
    """A part of a group of transactions; the clock comes with the last part."""

    feed: int = wire(VAR)
    first: bool = wire(FLAG)
    more: bool = wire(FLAG)
    continued: bool = wire(FLAG)
    clock: Clock = wire(CLOCK)
    pieces: tuple[bytes, ...] = wire(many(BYTES))
