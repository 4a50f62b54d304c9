"""Messages about prepared transactions."""

from __future__ import annotations

from dataclasses import dataclass

from ..fields import BYTES, FLAG, I64, NAME, U8, U32, VAR, Record, many, wire
from ..frames import Message, message


@message(0x3F)
@dataclass(frozen=True)
class ListPrepared(Message):
    """Asks for all prepared transactions."""


@message(0x40)
@dataclass(frozen=True)
class ResolvePrepared(Message):
    """Decides a prepared transaction by hand."""

    format: int = wire(U32)
    global_id: bytes = wire(BYTES)
    branch: bytes = wire(BYTES)
    commits: bool = wire(FLAG)


@dataclass(frozen=True)
class PreparedBody(Record):
    """A prepared transaction: its id, its state, since when, its label, indexes and writes."""

    format: int = wire(U32)
    global_id: bytes = wire(BYTES)
    branch: bytes = wire(BYTES)
    state: int = wire(U8)
    since_millis: int = wire(I64)
    label: str = wire(NAME)
    indexes: tuple[str, ...] = wire(many(NAME))
    writes: int = wire(VAR)


@message(0xBF)
@dataclass(frozen=True)
class Prepared(Message):
    """Prepared transactions by id."""

    transactions: tuple[PreparedBody, ...] = wire(many(PreparedBody.field()))
