"""Messages for administrators: users, statistics, status and the shape of indexes.

The client sends none of them; they are here so that every frame of the protocol can be read.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from ..fields import BYTES, FLAG, I64, NAME, U8, VAR, Record, choice, many, optional, wire
from ..frames import Message, message


class ChangeKind(IntEnum):
    """The kinds of changes of an index's shape."""

    SPLIT = 0
    MERGE = 1
    MOVE = 2


class ChangeReason(IntEnum):
    """The reasons for such a change."""

    ASKED = 0
    FEW = 1
    MANY = 2
    HOT = 3
    SPREAD = 4
    NEAR = 5


class ChangeState(IntEnum):
    """The states of such a change."""

    RUNNING = 0
    DONE = 1
    IN_THE_WAY = 2
    IMPOSSIBLE = 3


class HotMode(IntEnum):
    """Whether a node has hot entries."""

    OFF = 0
    ON = 1


@dataclass(frozen=True)
class Credential(Record):
    """What a server keeps of a password."""

    salt: bytes = wire(BYTES)
    iterations: int = wire(VAR)
    stored_key: bytes = wire(BYTES)
    server_key: bytes = wire(BYTES)


@dataclass(frozen=True)
class Grant(Record):
    """A role for an index; an empty name stands for all."""

    index: str = wire(NAME)
    role: str = wire(NAME)


@message(0x19)
@dataclass(frozen=True)
class PutUser(Message):
    """Adds or changes a user."""

    name: str = wire(NAME)
    credential: Credential | None = wire(optional(Credential.field()))
    grants: tuple[Grant, ...] = wire(many(Grant.field()))


@message(0x1A)
@dataclass(frozen=True)
class RemoveUser(Message):
    """Removes a user."""

    name: str = wire(NAME)


@message(0x1B)
@dataclass(frozen=True)
class ListUsers(Message):
    """Asks for all users."""


@dataclass(frozen=True)
class User(Record):
    """A user and its rights."""

    name: str = wire(NAME)
    grants: tuple[Grant, ...] = wire(many(Grant.field()))


@message(0x99)
@dataclass(frozen=True)
class Users(Message):
    """All users."""

    users: tuple[User, ...] = wire(many(User.field()))


@message(0x15)
@dataclass(frozen=True)
class AskStats(Message):
    """Asks for the counts of a node."""


@dataclass(frozen=True)
class Aborts(Record):
    """The number of aborts with one code."""

    code: int = wire(VAR)
    aborts: int = wire(VAR)


@dataclass(frozen=True)
class Latency(Record):
    """The latency of transactions."""

    count: int = wire(VAR)
    p50_nanos: int = wire(VAR)
    p95_nanos: int = wire(VAR)
    p99_nanos: int = wire(VAR)
    max_nanos: int = wire(VAR)


@dataclass(frozen=True)
class Counts(Record):
    """Counts of transactions."""

    commits: int = wire(VAR)
    aborts: tuple[Aborts, ...] = wire(many(Aborts.field()))
    attempts: int = wire(VAR)
    remote_requests: int = wire(VAR)
    redirects: int = wire(VAR)
    latency: Latency = wire(Latency.field())


@dataclass(frozen=True)
class LabelCounts(Record):
    """Counts of the transactions of one label."""

    name: str = wire(NAME)
    counts: Counts = wire(Counts.field())


@dataclass(frozen=True)
class IndexCounts(Record):
    """Counts of one index."""

    name: str = wire(NAME)
    commits: int = wire(VAR)
    aborts: tuple[Aborts, ...] = wire(many(Aborts.field()))
    remote_requests: int = wire(VAR)
    redirects: int = wire(VAR)
    splits: int = wire(VAR)


@message(0x95)
@dataclass(frozen=True)
class Stats(Message):
    """The counts of a node."""

    total: Counts = wire(Counts.field())
    by_label: tuple[LabelCounts, ...] = wire(many(LabelCounts.field()))
    by_index: tuple[IndexCounts, ...] = wire(many(IndexCounts.field()))


@message(0x1D)
@dataclass(frozen=True)
class AskStatus(Message):
    """Asks for the state of the grid."""


@dataclass(frozen=True)
class NodeStatus(Record):
    """The state of a node."""

    node: str = wire(NAME)
    name: str = wire(NAME)
    version: str = wire(NAME)
    client_address: str = wire(NAME)
    node_address: str = wire(NAME)
    reachable: bool = wire(FLAG)
    ready: bool = wire(FLAG)
    up_millis: int = wire(VAR)
    heap_used_bytes: int = wire(VAR)
    heap_max_bytes: int = wire(VAR)
    primary_shards: int = wire(VAR)
    owned_shards: int = wire(VAR)


@dataclass(frozen=True)
class IndexStatus(Record):
    """The number of an index's entries, as far as nodes have told it."""

    name: str = wire(NAME)
    entries: int = wire(VAR)
    complete: bool = wire(FLAG)


@message(0x9D)
@dataclass(frozen=True)
class Status(Message):
    """The state of the grid."""

    node: str = wire(NAME)
    topology: int = wire(VAR)
    shards: int = wire(VAR)
    owners: int = wire(VAR)
    ready: bool = wire(FLAG)
    waiting: int = wire(VAR)
    nodes: tuple[NodeStatus, ...] = wire(many(NodeStatus.field()))
    indexes: tuple[IndexStatus, ...] = wire(many(IndexStatus.field()))


@message(0x30)
@dataclass(frozen=True)
class AskSubtrees(Message):
    """Asks for the subtrees of an index."""

    index: int = wire(VAR)
    from_: bytes = wire(BYTES)
    max: int = wire(VAR)


@message(0x31)
@dataclass(frozen=True)
class AskChanges(Message):
    """Asks for the changes of an index's shape."""

    index: int = wire(VAR)


@message(0x32)
@dataclass(frozen=True)
class AskCutOff(Message):
    """Asks how finely an index is cut, or fixes it."""

    index: int = wire(VAR)
    fix: bool = wire(FLAG)
    subtrees_per_node: int = wire(VAR)


@message(0x33)
@dataclass(frozen=True)
class Reshape(Message):
    """Splits, merges or moves subtrees."""

    index: int = wire(VAR)
    kind: ChangeKind = wire(choice(ChangeKind))
    key: bytes = wire(BYTES)
    node: str = wire(NAME)


@message(0x34)
@dataclass(frozen=True)
class AskDisks(Message):
    """Asks where nodes keep their data."""


@message(0x3C)
@dataclass(frozen=True)
class AskZones(Message):
    """Asks in which zones nodes are."""


@message(0x3D)
@dataclass(frozen=True)
class AskHotEntries(Message):
    """Asks which entries of an index are hot; 0 stands for all indexes."""

    index: int = wire(VAR)


@message(0x3E)
@dataclass(frozen=True)
class AskWork(Message):
    """Asks what takes long in the cluster."""


@message(0x35)
@dataclass(frozen=True)
class Leave(Message):
    """Tells a node to leave for good."""

    node: str = wire(NAME)
    abandons: bool = wire(FLAG)


@dataclass(frozen=True)
class Subtree(Record):
    """A subtree; its reads and writes are per 1000 seconds."""

    from_: bytes = wire(BYTES)
    node: str = wire(NAME)
    shard: int = wire(VAR)
    entries: int = wire(VAR)
    size: int = wire(VAR)
    reads: int = wire(VAR)
    writes: int = wire(VAR)
    cuts: tuple[bytes, ...] = wire(many(BYTES))


@message(0xB0)
@dataclass(frozen=True)
class Subtrees(Message):
    """Subtrees of an index."""

    end: bool = wire(FLAG)
    subtrees: tuple[Subtree, ...] = wire(many(Subtree.field()))


@dataclass(frozen=True)
class Change(Record):
    """A change of an index's shape."""

    kind: ChangeKind = wire(choice(ChangeKind))
    reason: ChangeReason = wire(choice(ChangeReason))
    state: ChangeState = wire(choice(ChangeState))
    by: str = wire(NAME)
    from_: bytes = wire(BYTES)
    target: str = wire(NAME)
    started_millis: int = wire(I64)
    took_millis: int = wire(VAR)
    moved: int = wire(VAR)
    entries: int = wire(VAR)
    eta_millis: int = wire(VAR)


@message(0xB1)
@dataclass(frozen=True)
class Changes(Message):
    """Changes of an index's shape."""

    changes: tuple[Change, ...] = wire(many(Change.field()))


@message(0xB2)
@dataclass(frozen=True)
class CutOffIs(Message):
    """How finely an index is cut."""

    subtrees: int = wire(VAR)
    wanted: int = wire(VAR)
    subtrees_per_node: int = wire(VAR)
    fixed: bool = wire(FLAG)
    balanced: bool = wire(FLAG)


@dataclass(frozen=True)
class NodeDisk(Record):
    """Where a node keeps its data: 0 memory, 1 disk with async, 2 disk with fsync."""

    node: str = wire(NAME)
    durability: int = wire(U8)
    total_bytes: int = wire(VAR)
    free_bytes: int = wire(VAR)


@message(0xB4)
@dataclass(frozen=True)
class Disks(Message):
    """Where nodes keep their data."""

    nodes: tuple[NodeDisk, ...] = wire(many(NodeDisk.field()))


@dataclass(frozen=True)
class NodeZone(Record):
    """The zone of a node."""

    node: str = wire(NAME)
    zone: str = wire(NAME)


@message(0xBC)
@dataclass(frozen=True)
class Zones(Message):
    """In which zones nodes are, and in words that copies share one."""

    problem: str = wire(NAME)
    nodes: tuple[NodeZone, ...] = wire(many(NodeZone.field()))


@dataclass(frozen=True)
class HotNode(Record):
    """The hot entries of a node in numbers."""

    node: str = wire(NAME)
    mode: HotMode = wire(choice(HotMode))
    keys: int = wire(VAR)
    copies: int = wire(VAR)
    reads: int = wire(VAR)
    pushes: int = wire(VAR)


@dataclass(frozen=True)
class HotEntry(Record):
    """A hot entry; its reads are per 1000 seconds."""

    index: int = wire(VAR)
    key: bytes = wire(BYTES)
    node: str = wire(NAME)
    reads: int = wire(VAR)
    copy_reads: int = wire(VAR)
    copies: tuple[str, ...] = wire(many(NAME))


@message(0xBD)
@dataclass(frozen=True)
class HotEntries(Message):
    """The hot entries that the user may read, and how many others there are."""

    nodes: tuple[HotNode, ...] = wire(many(HotNode.field()))
    entries: tuple[HotEntry, ...] = wire(many(HotEntry.field()))
    hidden: int = wire(VAR)


@dataclass(frozen=True)
class RunningJob(Record):
    """A long job of a client; a total of 0 is not known."""

    kind: str = wire(NAME)
    name: str = wire(NAME)
    done: int = wire(VAR)
    total: int = wire(VAR)


@message(0xBE)
@dataclass(frozen=True)
class Work(Message):
    """The long jobs under way, and what holds the horizon back."""

    jobs: tuple[RunningJob, ...] = wire(many(RunningJob.field()))
    held_millis: int = wire(VAR)
    holder: str = wire(NAME)
