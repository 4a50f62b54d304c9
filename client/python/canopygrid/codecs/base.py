"""What a codec is, and the byte strings that end themselves."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from ..errors import CanopyError, ErrorCode

T = TypeVar("T")

_ZERO = b"\x00\xff"
_END = b"\x00\x01"


class Codec(ABC, Generic[T]):
    """A way to turn values into bytes and back.

    Two programs that use one id mean the same bytes. The bytes of an ordered codec have, as
    unsigned bytes, the order of the values, so that they can be keys.

    Attributes:
        id: The name that is stored with the index.
        fixed_length: The number of bytes of every value; None where they differ.
        ordered: Whether the order of the bytes is the order of the values.
        prefixes: Whether :meth:`prefix` works.

    """

    id: str
    fixed_length: int | None = None
    ordered: bool = True
    prefixes: bool = False

    @abstractmethod
    def encode(self, value: T) -> bytes:
        """The bytes of a value; CODEC_FAILURE if it has none."""

    @abstractmethod
    def decode(self, data: bytes) -> T:
        """The value of some bytes; CODEC_FAILURE if they are not those of one."""

    def prefix(self, value: T) -> bytes:
        """The bytes with which the bytes of all values begin that begin with this one."""
        if not self.prefixes:
            raise CanopyError(ErrorCode.INVALID_ARGUMENT, f"codec {self.id} knows no prefixes")
        return self.encode(value)

    def __repr__(self) -> str:
        return self.id

    # What concrete codecs use.

    def _refuse_value(self, why: str) -> CanopyError:
        return CanopyError(ErrorCode.CODEC_FAILURE, f"codec {self.id} cannot encode: {why}")

    def _refuse_bytes(self, why: str) -> CanopyError:
        return CanopyError(ErrorCode.CODEC_FAILURE, f"codec {self.id} cannot decode: {why}")

    def _check_length(self, data: bytes) -> None:
        if self.fixed_length is not None and len(data) != self.fixed_length:
            raise self._refuse_bytes(f"{self.fixed_length} bytes wanted, there are {len(data)}")


def type_name(value: object) -> str:
    """The type of a value, for errors."""
    return type(value).__name__


def turned_over(data: bytes) -> bytes:
    """The bytes with all bits turned over."""
    return bytes(byte ^ 0xFF for byte in data)


def escaped(data: bytes) -> bytes:
    """The bytes with each zero marked, which can be followed by others."""
    return data.replace(b"\x00", _ZERO)


def ended(data: bytes) -> bytes:
    """The bytes as a string that ends itself."""
    return escaped(data) + _END


def take_ended(data: bytes, start: int) -> tuple[bytes, int]:
    """The string that ends itself from a place on, and the place behind it.

    Raises:
        ValueError: There is none.

    """
    out = bytearray()
    at = start
    while True:
        zero = data.find(b"\x00", at)
        if zero < 0 or zero + 1 >= len(data):
            raise ValueError(f"the string from byte {start} on does not end")
        out += data[at:zero]
        mark = data[zero + 1]
        at = zero + 2
        if mark == 0x01:
            return bytes(out), at
        if mark != 0xFF:
            raise ValueError(f"unknown byte after a zero: {mark}")
        out.append(0)
