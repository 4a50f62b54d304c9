"""Messages about prepared transactions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from ..fields import BYTES, FLAG, I64, NAME, U32, VAR, Record, choice, many, wire
from ..frames import Message, message


class State(IntEnum):
    """What has become of a prepared transaction."""

    IN_DOUBT = 0
    COMMITTED_BY_HAND = 1
    ROLLED_BACK_BY_HAND = 2


@dataclass(frozen=True)
class Branch(Record):
    """The id of a branch, as its transaction manager gave it."""

    format: int = wire(U32)
    global_id: bytes = wire(BYTES)
    branch: bytes = wire(BYTES)


@message(0x3F)
@dataclass(frozen=True)
class ListPrepared(Message):
    """Asks for all prepared transactions."""


@message(0x40)
@dataclass(frozen=True)
class ResolvePrepared(Message):
    """Decides a prepared transaction by hand."""

    id: Branch = wire(Branch.field())
    commits: bool = wire(FLAG)


@dataclass(frozen=True)
class PreparedBody(Record):
    """A prepared transaction: its id, its state, since when, its label, indexes and writes."""

    id: Branch = wire(Branch.field())
    state: State = wire(choice(State))
    since: int = wire(I64)
    label: str = wire(NAME)
    indexes: tuple[str, ...] = wire(many(NAME))
    writes: int = wire(VAR)


@message(0xBF)
@dataclass(frozen=True)
class Prepared(Message):
    """Prepared transactions by id."""

    transactions: tuple[PreparedBody, ...] = wire(many(PreparedBody.field()))
