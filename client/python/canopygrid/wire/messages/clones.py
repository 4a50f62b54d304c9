"""Messages about clones of indexes."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import FLAG, I64, NAME, VAR, Record, many, wire
from ..frames import Message, message


@message(0x38)
@dataclass(frozen=True)
class MakeClone(Message):
    """Makes a clone of an index; the snapshot is empty for the present."""

    name: str = wire(NAME)
    index: str = wire(NAME)
    snapshot: str = wire(NAME)


@message(0x39)
@dataclass(frozen=True)
class ListClones(Message):
    """Asks for all clones."""


@message(0x3A)
@dataclass(frozen=True)
class FlattenClone(Message):
    """Copies some of what a clone shares with its parents; the number is 0 at first."""

    name: str = wire(NAME)
    number: int = wire(VAR)


@dataclass(frozen=True)
class CloneBody(Record):
    """A clone, its parent, the moment of which it is, and the indexes below it."""

    name: str = wire(NAME)
    parent: str = wire(NAME)
    of_millis: int = wire(I64)
    depth: int = wire(VAR)


@message(0xB8)
@dataclass(frozen=True)
class Clones(Message):
    """Clones by name."""

    clones: tuple[CloneBody, ...] = wire(many(CloneBody.field()))


@message(0xBA)
@dataclass(frozen=True)
class Flattened(Message):
    """The index, the number of entries that were copied, and whether that was all."""

    number: int = wire(VAR)
    copied: int = wire(VAR)
    is_last: bool = wire(FLAG)
