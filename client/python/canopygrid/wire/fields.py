"""The fields of messages: how a value of each kind is written and read.

A message is a dataclass whose fields name their encoding with :func:`wire`; :class:`Record` writes
and reads all of them in their order.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import IntEnum
from typing import Any, Generic, TypeVar

from .buffers import MalformedBytesError, Reader, Writer

T = TypeVar("T")

#: Names, labels, addresses and codecs have at most so many characters.
NAME_MAX = 4096

#: Shards have numbers below this.
SHARDS_MAX = 1 << 16

#: The parts of a clock by shard.
Clock = dict[int, int]


class Field(Generic[T]):
    """One encoding, made of two functions."""

    def __init__(
        self,
        write: Callable[[Writer, T], None],
        read: Callable[[Reader], T],
        bytes_min: int = 1,
    ) -> None:
        self.write = write
        self.read = read
        #: The fewest bytes that a value takes, which bounds the length of lists.
        self.bytes_min = bytes_min


def _write_flag(out: Writer, value: bool) -> None:
    out.u8(1 if value else 0)


def _read_flag(source: Reader) -> bool:
    value = source.u8()
    if value > 1:
        raise MalformedBytesError(f"a flag is 0 or 1: {value}")
    return value == 1


def _write_text(out: Writer, value: str) -> None:
    out.sized(value.encode("utf-8"))


def _read_text(source: Reader) -> str:
    try:
        return source.sized().decode("utf-8")
    except UnicodeDecodeError as error:
        raise MalformedBytesError(f"text is not UTF-8: {error.reason}") from error


def _read_name(source: Reader) -> str:
    name = _read_text(source)
    if len(name) > NAME_MAX:
        raise MalformedBytesError(f"a name has at most {NAME_MAX} characters: {len(name)}")
    return name


def _write_clock(out: Writer, clock: Clock) -> None:
    out.var(len(clock))
    previous = -1
    for shard in sorted(clock):
        out.var(shard - previous - 1)
        out.var(clock[shard])
        previous = shard


def _read_clock(source: Reader) -> Clock:
    clock: Clock = {}
    previous = -1
    for _ in range(source.count(min(SHARDS_MAX, source.remaining // 2))):
        shard = previous + 1 + source.var()
        if shard >= SHARDS_MAX:
            raise MalformedBytesError(f"no shard has number {shard}")
        number = source.var()
        if number < 1:
            raise MalformedBytesError("a clock's number is 1 or more")
        clock[shard] = number
        previous = shard
    return clock


U8: Field[int] = Field(Writer.u8, Reader.u8)
U32: Field[int] = Field(Writer.u32, Reader.u32, 4)
I64: Field[int] = Field(Writer.i64, Reader.i64, 8)
VAR: Field[int] = Field(Writer.var, Reader.var)
FLAG: Field[bool] = Field(_write_flag, _read_flag)
BYTES: Field[bytes] = Field(Writer.sized, Reader.sized)
TEXT: Field[str] = Field(_write_text, _read_text)
NAME: Field[str] = Field(_write_text, _read_name)
CLOCK: Field[Clock] = Field(_write_clock, _read_clock)

#: The identity of a client, or the id of a grid.
ID16: Field[bytes] = Field(Writer.raw, lambda source: source.raw(16), 16)


def optional(field: Field[T]) -> Field[T | None]:
    """A flag, and the value if the flag is 1."""

    def write(out: Writer, value: T | None) -> None:
        _write_flag(out, value is not None)
        if value is not None:
            field.write(out, value)

    def read(source: Reader) -> T | None:
        return field.read(source) if _read_flag(source) else None

    return Field(write, read)


def many(field: Field[T]) -> Field[tuple[T, ...]]:
    """A count, and so many values."""

    def write(out: Writer, values: tuple[T, ...]) -> None:
        out.var(len(values))
        for value in values:
            field.write(out, value)

    def read(source: Reader) -> tuple[T, ...]:
        size = source.count(source.remaining // field.bytes_min)
        return tuple(field.read(source) for _ in range(size))

    return Field(write, read)


E = TypeVar("E", bound=IntEnum)


def choice(kind: type[E]) -> Field[E]:
    """A byte that is the number of an enum's member."""

    def read(source: Reader) -> E:
        value = source.u8()
        try:
            return kind(value)
        except ValueError as error:
            raise MalformedBytesError(f"no {kind.__name__} has number {value}") from error

    return Field(Writer.u8, read)


def constant(value: int) -> Field[int]:
    """Four bytes that are always the same."""

    def read(source: Reader) -> int:
        found = source.u32()
        if found != value:
            raise MalformedBytesError(f"{value:08x} wanted: {found:08x}")
        return found

    return Field(Writer.u32, read, 4)


def wire(
    field: Field[Any], when: Callable[[dict[str, Any]], bool] | None = None, **more: Any
) -> Any:
    """Declares a dataclass's field with its encoding.

    Args:
        field: The encoding.
        when: Whether the field is there, by the values of those before it; else it is None.
        more: Arguments of :func:`dataclasses.field`, such as a default.

    """
    return dataclasses.field(metadata={"wire": field, "when": when}, **more)


_Layout = tuple[tuple[str, Field[Any], Callable[[dict[str, Any]], bool] | None], ...]


_LAYOUTS: dict[type[Any], _Layout] = {}


def _layout_of(kind: type[Any]) -> _Layout:
    layout = _LAYOUTS.get(kind)
    if layout is None:
        layout = tuple(
            (declared.name, declared.metadata["wire"], declared.metadata["when"])
            for declared in dataclasses.fields(kind)
        )
        _LAYOUTS[kind] = layout
    return layout


class Record:
    """Something made of fields that are declared with :func:`wire`."""

    def write(self, out: Writer) -> None:
        """Appends all fields."""
        for name, field, when in _layout_of(type(self)):
            if when is None or when(self.__dict__):
                field.write(out, getattr(self, name))

    @classmethod
    def read(cls: type[R], source: Reader) -> R:
        """Takes all fields."""
        values: dict[str, Any] = {}
        for name, field, when in _layout_of(cls):
            present = when is None or when(values)
            values[name] = field.read(source) if present else None
        return cls(**values)

    @classmethod
    def field(cls: type[R]) -> Field[R]:
        """This record as a part of another one."""
        least = sum(field.bytes_min for _, field, when in _layout_of(cls) if when is None)
        return Field(lambda out, value: value.write(out), cls.read, max(1, least))


R = TypeVar("R", bound=Record)
