"""The elementary encodings of the protocol: numbers, byte strings and text."""

from __future__ import annotations

import struct


class MalformedBytesError(ValueError):
    """Bytes that are not what they should be."""


class Writer:
    """Appends encoded values to a growing byte string."""

    __slots__ = ("_out",)

    def __init__(self) -> None:
        self._out = bytearray()

    def u8(self, value: int) -> None:
        """Appends one byte."""
        self._out.append(value)

    def u32(self, value: int) -> None:
        """Appends four bytes, most significant first."""
        self._out += struct.pack(">I", value)

    def i64(self, value: int) -> None:
        """Appends eight bytes in two's complement, most significant first."""
        self._out += struct.pack(">q", value)

    def var(self, value: int) -> None:
        """Appends a number that is not negative, seven bits a byte."""
        if value < 0 or value >= 1 << 63:
            raise ValueError(f"must be from 0 to 2^63-1: {value}")
        while value >= 0x80:
            self._out.append(value & 0x7F | 0x80)
            value >>= 7
        self._out.append(value)

    def raw(self, value: bytes) -> None:
        """Appends bytes as they are."""
        self._out += value

    def sized(self, value: bytes) -> None:
        """Appends a length and so many bytes."""
        self.var(len(value))
        self._out += value

    def to_bytes(self) -> bytes:
        """All that was appended."""
        return bytes(self._out)


class Reader:
    """Takes encoded values from bytes that may come from anywhere."""

    __slots__ = ("_at", "_bytes")

    def __init__(self, data: bytes) -> None:
        self._bytes = data
        self._at = 0

    @property
    def remaining(self) -> int:
        """The number of bytes that were not taken yet."""
        return len(self._bytes) - self._at

    def raw(self, length: int) -> bytes:
        """Takes so many bytes."""
        if length > self.remaining:
            raise MalformedBytesError(
                f"{length} bytes wanted, {self.remaining} left at byte {self._at}"
            )
        start = self._at
        self._at += length
        return self._bytes[start : self._at]

    def u8(self) -> int:
        """Takes one byte."""
        return self.raw(1)[0]

    def u32(self) -> int:
        """Takes four bytes, most significant first."""
        return int.from_bytes(self.raw(4), "big")

    def i64(self) -> int:
        """Takes eight bytes in two's complement, most significant first."""
        return int.from_bytes(self.raw(8), "big", signed=True)

    def var(self) -> int:
        """Takes a number of seven bits a byte, in its shortest form only."""
        value = 0
        for shift in range(0, 70, 7):
            byte = self.u8()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if (byte == 0 and shift > 0) or value >= 1 << 63:
                    raise MalformedBytesError(
                        "number not in its shortest form, or negative, " f"before byte {self._at}"
                    )
                return value
        raise MalformedBytesError(f"number of more than ten bytes before byte {self._at}")

    def count(self, most: int) -> int:
        """Takes a number from 0 to a maximum."""
        value = self.var()
        if value > most:
            raise MalformedBytesError(f"must be from 0 to {most} before byte {self._at}: {value}")
        return value

    def sized(self) -> bytes:
        """Takes a length and so many bytes."""
        return self.raw(self.count(self.remaining))

    def end(self) -> None:
        """Checks that nothing is left."""
        if self.remaining:
            raise MalformedBytesError(f"{self.remaining} bytes too many from byte {self._at}")
