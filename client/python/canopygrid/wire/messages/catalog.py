"""Messages about indexes, snapshots, members and routes."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from ..fields import BYTES, FLAG, I64, NAME, VAR, Record, choice, many, wire
from ..frames import Message, message


class Dropped(IntEnum):
    """The kinds of things that can be dropped."""

    INDEX = 0
    TABLE = 1
    ENTRIES = 2


@message(0x10)
@dataclass(frozen=True)
class OpenIndex(Message):
    """Asks for an index, and creates it where that is wanted."""

    name: str = wire(NAME)
    key_codec: str = wire(NAME)
    value_codec: str = wire(NAME)
    create: bool = wire(FLAG)
    subtree_entries_max: int = wire(VAR)


@message(0x11)
@dataclass(frozen=True)
class ListIndexes(Message):
    """Asks for all indexes."""


@message(0x12)
@dataclass(frozen=True)
class TakeSnapshot(Message):
    """Takes a named snapshot."""

    name: str = wire(NAME)


@message(0x13)
@dataclass(frozen=True)
class ListSnapshots(Message):
    """Asks for all named snapshots."""


@message(0x14)
@dataclass(frozen=True)
class DropSnapshot(Message):
    """Drops a named snapshot."""

    name: str = wire(NAME)


@message(0x16)
@dataclass(frozen=True)
class AskCluster(Message):
    """Asks for the members."""


@message(0x17)
@dataclass(frozen=True)
class AskRoutes(Message):
    """Asks for the places of an index's keys."""

    index: int = wire(VAR)
    known_version: int = wire(I64)


@message(0x1E)
@dataclass(frozen=True)
class FindDropped(Message):
    """Asks for the last index that had a name and was dropped."""

    name: str = wire(NAME)


@message(0x1F)
@dataclass(frozen=True)
class Drop(Message):
    """Drops what has a name, if its number is not greater than one."""

    what: Dropped = wire(choice(Dropped))
    name: str = wire(NAME)
    up_to: int = wire(VAR)


@dataclass(frozen=True)
class IndexBody(Record):
    """An index as servers describe it."""

    index: int = wire(VAR)
    name: str = wire(NAME)
    key_codec: str = wire(NAME)
    value_codec: str = wire(NAME)
    subtree_entries_max: int = wire(VAR)


@message(0x90)
@dataclass(frozen=True)
class IndexOpened(IndexBody, Message):
    """Describes one index."""


@message(0x91)
@dataclass(frozen=True)
class Indexes(Message):
    """Describes all indexes."""

    indexes: tuple[IndexBody, ...] = wire(many(IndexBody.field()))


@dataclass(frozen=True)
class SnapshotBody(Record):
    """A named snapshot and its time."""

    name: str = wire(NAME)
    taken_millis: int = wire(I64)


@message(0x92)
@dataclass(frozen=True)
class Snapshots(Message):
    """Named snapshots."""

    snapshots: tuple[SnapshotBody, ...] = wire(many(SnapshotBody.field()))


@dataclass(frozen=True)
class Member(Record):
    """A node and its share of the data."""

    node: str = wire(NAME)
    address: str = wire(NAME)
    primary_shards: int = wire(VAR)
    owned_shards: int = wire(VAR)


@message(0x96)
@dataclass(frozen=True)
class Cluster(Message):
    """The members."""

    topology: int = wire(VAR)
    members: tuple[Member, ...] = wire(many(Member.field()))


@dataclass(frozen=True)
class Route(Record):
    """The lowest key of a part of an index, its server's place in the addresses, its shard."""

    from_: bytes = wire(BYTES)
    address: int = wire(VAR)
    shard: int = wire(VAR)


@message(0x97)
@dataclass(frozen=True)
class Routes(Message):
    """The places of an index's keys."""

    version: int = wire(I64)
    addresses: tuple[str, ...] = wire(many(NAME))
    routes: tuple[Route, ...] = wire(many(Route.field()))
