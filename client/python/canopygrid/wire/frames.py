"""The frames of the protocol: a length, a type, a stream and a message."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import TypeVar

from .buffers import MalformedBytesError, Reader, Writer
from .fields import Record

#: The version of the protocol that this client speaks.
VERSION = 2

#: The port of servers for clients unless another one is given.
DEFAULT_PORT = 11444

#: The longest frame that a server sends: a key, a value and 64 KiB beside them.
FRAME_BYTES_MAX = 8 * 1024 * 1024 + 8 * 1024 + 65536

#: The bytes of the length, which does not count itself.
LENGTH_BYTES = 4

#: The bytes of type and stream.
HEADER_BYTES = 5


class Message(Record):
    """A message of either side."""

    #: The byte that stands for the type.
    TYPE: int


_TYPES: dict[int, type[Message]] = {}

M = TypeVar("M", bound=Message)


def message(number: int) -> Callable[[type[M]], type[M]]:
    """Registers a type of messages under its number."""

    def register(kind: type[M]) -> type[M]:
        if number in _TYPES:
            raise ValueError(f"type {number:02x} is {_TYPES[number].__name__}")
        kind.TYPE = number
        _TYPES[number] = kind
        return kind

    return register


def encode(stream: int, said: Message) -> bytes:
    """A whole frame, with its length."""
    body = Writer()
    said.write(body)
    data = body.to_bytes()
    return struct.pack(">IBI", HEADER_BYTES + len(data), said.TYPE, stream) + data


def checked_length(announced: bytes, most: int = FRAME_BYTES_MAX) -> int:
    """The length that the first four bytes of a frame announce, without themselves."""
    length = int.from_bytes(announced, "big")
    if not HEADER_BYTES <= length <= most:
        raise MalformedBytesError(f"a frame has from {HEADER_BYTES} to {most} bytes: {length}")
    return length


def decode(frame: bytes) -> tuple[int, Message]:
    """The stream and the message of a frame without its length."""
    source = Reader(frame)
    number = source.u8()
    kind = _TYPES.get(number)
    if kind is None:
        raise MalformedBytesError(f"no message has type {number:02x}")
    stream = source.u32()
    said = kind.read(source)
    source.end()
    return stream, said
