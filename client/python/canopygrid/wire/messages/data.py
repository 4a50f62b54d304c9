"""Messages of transactions, cursors and functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum

from ...errors import CommitState
from ..buffers import MalformedBytesError, Reader, Writer
from ..fields import (
    BYTES,
    CLOCK,
    FLAG,
    I64,
    ID16,
    NAME,
    U32,
    VAR,
    Clock,
    Field,
    Record,
    choice,
    many,
    optional,
    wire,
)
from ..frames import Message, message

#: The limit of a scan that has none.
NO_LIMIT = (1 << 63) - 1


class Mode(IntEnum):
    """The kinds of transactions."""

    READ_ONLY = 0
    UPDATE = 1
    SERIALIZABLE = 2


class ReadFrom(IntEnum):
    """The copies that a transaction reads."""

    PRIMARY = 0
    NEAREST = 1


@dataclass(frozen=True)
class CommitName(Record):
    """A name by which the outcome of a commit can be looked up."""

    client: bytes = wire(ID16)
    millis: int = wire(I64)
    number: int = wire(VAR)
    shard: int = wire(VAR)


@dataclass(frozen=True)
class Begin:
    """The part of a transaction's first request that begins it; most have no token and no trace."""

    mode: Mode
    read_from: ReadFrom
    timeout_millis: int
    label: str
    snapshot: str
    after: Clock
    token: Clock = field(default_factory=dict)
    trace_parent: str = ""


_READ_FROM = choice(ReadFrom)


def _write_begin(out: Writer, begin: Begin) -> None:
    kind = (1 if begin.token else 0) + (2 if begin.trace_parent else 0)
    out.u8(begin.mode + kind * len(Mode))
    _READ_FROM.write(out, begin.read_from)
    VAR.write(out, begin.timeout_millis)
    NAME.write(out, begin.label)
    NAME.write(out, begin.snapshot)
    CLOCK.write(out, begin.after)
    if begin.token:
        CLOCK.write(out, begin.token)
    if begin.trace_parent:
        NAME.write(out, begin.trace_parent)


def _read_begin(source: Reader) -> Begin:
    number = source.u8()
    kind = number // len(Mode)
    if kind >= 4:
        raise MalformedBytesError(f"no mode has number {number}")
    begin = Begin(
        Mode(number % len(Mode)),
        _READ_FROM.read(source),
        VAR.read(source),
        NAME.read(source),
        NAME.read(source),
        CLOCK.read(source),
        CLOCK.read(source) if kind % 2 else {},
        NAME.read(source) if kind >= 2 else "",
    )
    if kind % 2 and not begin.token:
        raise MalformedBytesError("a token that is there must not be empty")
    if kind >= 2 and not begin.trace_parent:
        raise MalformedBytesError("a place in a trace that is there must not be empty")
    return begin


#: With a token the number of the mode is greater by that of modes, with a place in a trace by twice
#: that; both come last, in this order.
BEGIN: Field[Begin] = Field(_write_begin, _read_begin, 6)


@dataclass(frozen=True)
class Write(Record):
    """A new value of a key; None: the key is removed."""

    index: int = wire(VAR)
    key: bytes = wire(BYTES)
    value: bytes | None = wire(optional(BYTES))


@dataclass(frozen=True)
class Step(Record):
    """The part of each request that says of which transaction it is."""

    transaction: int = wire(U32)
    begin: Begin | None = wire(optional(BEGIN))
    writes: tuple[Write, ...] = wire(many(Write.field()))
    last: bool = wire(FLAG)


@dataclass(frozen=True)
class KeyBounds(Record):
    """A range of keys: the first one, and the one behind the last; None: to the end."""

    from_: bytes = wire(BYTES)
    to: bytes | None = wire(optional(BYTES))


@dataclass(frozen=True)
class Place(Record):
    """A key of an index, to whose server something goes."""

    index: int = wire(VAR)
    key: bytes = wire(BYTES)


@message(0x18)
@dataclass(frozen=True)
class LookUp(Message):
    """Asks what became of a commit, and prevents one that is still on its way."""

    commit: CommitName = wire(CommitName.field())


@message(0x1C)
@dataclass(frozen=True)
class Execute(Message):
    """Runs a function that the servers have."""

    begin: Begin = wire(BEGIN)
    attempts_max: int = wire(VAR)
    function: str = wire(NAME)
    place: Place | None = wire(optional(Place.field()))
    arguments: bytes = wire(BYTES)
    commit: CommitName = wire(CommitName.field())
    forget: tuple[CommitName, ...] = wire(many(CommitName.field()))


@message(0x20)
@dataclass(frozen=True)
class Get(Message):
    """Reads one key."""

    step: Step = wire(Step.field())
    index: int = wire(VAR)
    key: bytes = wire(BYTES)


@message(0x21)
@dataclass(frozen=True)
class Scan(Message):
    """Opens a cursor."""

    step: Step = wire(Step.field())
    index: int = wire(VAR)
    range: KeyBounds = wire(KeyBounds.field())
    reverse: bool = wire(FLAG)
    keys_only: bool = wire(FLAG)
    limit: int = wire(VAR)
    page_entries: int = wire(VAR)
    page_bytes: int = wire(VAR)
    credits: int = wire(VAR)


@message(0x22)
@dataclass(frozen=True)
class More(Message):
    """Asks for more pages of a cursor."""

    step: Step = wire(Step.field())
    credits: int = wire(VAR)


@message(0x23)
@dataclass(frozen=True)
class CloseCursor(Message):
    """Ends a cursor before its end."""


@message(0x24)
@dataclass(frozen=True)
class CountRange(Message):
    """Counts the keys of a range."""

    step: Step = wire(Step.field())
    index: int = wire(VAR)
    range: KeyBounds = wire(KeyBounds.field())


@message(0x25)
@dataclass(frozen=True)
class RemoveRange(Message):
    """Removes the keys of a range."""

    step: Step = wire(Step.field())
    index: int = wire(VAR)
    range: KeyBounds = wire(KeyBounds.field())


@message(0x26)
@dataclass(frozen=True)
class Stage(Message):
    """Sends writes ahead."""

    step: Step = wire(Step.field())


@message(0x27)
@dataclass(frozen=True)
class Commit(Message):
    """Commits a transaction."""

    step: Step = wire(Step.field())
    commit: CommitName | None = wire(optional(CommitName.field()))
    forget: tuple[CommitName, ...] = wire(many(CommitName.field()))


@message(0x28)
@dataclass(frozen=True)
class End(Message):
    """Ends a transaction without effect."""

    transaction: int = wire(U32)


@message(0x29)
@dataclass(frozen=True)
class GetDefinitions(Message):
    """Asks for the indexes of a table."""

    step: Step = wire(Step.field())
    definitions: int = wire(VAR)
    rows: int = wire(VAR)


@message(0x98)
@dataclass(frozen=True)
class Outcome(Message):
    """What became of a commit."""

    state: CommitState = wire(choice(CommitState))
    seen: Clock = wire(CLOCK)
    result: bytes | None = wire(optional(BYTES))


@dataclass(frozen=True)
class Seen(Record):
    """Whether another server had to be asked, and the part of the clock that is new."""

    moved: bool = wire(FLAG)
    clock: Clock = wire(CLOCK)


class Answer(Message):
    """An answer within a transaction."""

    seen: Seen


@message(0xA0)
@dataclass(frozen=True)
class Value(Answer):
    """The value of a key; None: there is none."""

    seen: Seen = wire(Seen.field())
    value: bytes | None = wire(optional(BYTES))


@dataclass(frozen=True)
class Entry(Record):
    """A key and its value."""

    key: bytes = wire(BYTES)
    value: bytes = wire(BYTES)


@message(0xA1)
@dataclass(frozen=True)
class Page(Answer):
    """Some entries of a cursor."""

    seen: Seen = wire(Seen.field())
    end: bool = wire(FLAG)
    entries: tuple[Entry, ...] = wire(many(Entry.field()))


@message(0xA4)
@dataclass(frozen=True)
class Count(Answer):
    """A number of entries, or of what was done."""

    seen: Seen = wire(Seen.field())
    count: int = wire(VAR)


@message(0xA6)
@dataclass(frozen=True)
class Done(Answer):
    """What was asked is done."""

    seen: Seen = wire(Seen.field())


@message(0xA7)
@dataclass(frozen=True)
class Result(Answer):
    """The result of a function."""

    seen: Seen = wire(Seen.field())
    result: bytes = wire(BYTES)
    remote_requests: int = wire(VAR)
