"""Causal tokens: what a client has seen, to be handed to another one."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field

from . import clock as clocks
from .errors import CanopyError, ErrorCode
from .grids import grid_text
from .wire.buffers import MalformedBytesError, Reader, Writer
from .wire.fields import CLOCK, ID16, Clock, optional

_KIND = 0xC2
_CHECKSUM_BYTES = 4
_GRID = optional(ID16)


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC_TABLE = _crc_table()


def _crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC_TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def _wrong(why: str) -> CanopyError:
    return CanopyError(ErrorCode.INVALID_TOKEN, f"not a causal token: {why}")


@dataclass(frozen=True)
class CausalToken:
    """A mark of all that a handle's transactions have seen.

    A transaction that begins after it (:class:`TransactionOptions`), of whichever client in
    whichever language, sees at least that. Opaque; ``str(token)`` and :meth:`parse` keep it.
    """

    grid: bytes | None = None
    clock: Clock = field(default_factory=dict)

    def join(self, other: CausalToken) -> CausalToken:
        """The token of a client that has seen what both stand for."""
        if self.grid is None or other.grid is None:
            return other if self.grid is None else self
        if self.grid != other.grid:
            raise CanopyError(
                ErrorCode.INVALID_TOKEN,
                f"the tokens are of two grids: {grid_text(self.grid)} and "
                f"{grid_text(other.grid)}",
            )
        return CausalToken(self.grid, clocks.join(self.clock, other.clock))

    def check_of(self, grid: bytes) -> None:
        """Checks that the token means something in a grid."""
        if self.grid is not None and self.grid != grid:
            raise CanopyError(
                ErrorCode.INVALID_TOKEN,
                f"the token is of grid {grid_text(self.grid)}, not of this one, "
                f"{grid_text(grid)}: what it stands for is not here",
            )

    def to_bytes(self) -> bytes:
        """The token as bytes."""
        out = Writer()
        out.u8(_KIND)
        _GRID.write(out, self.grid)
        CLOCK.write(out, self.clock)
        out.u32(_crc32c(out.to_bytes()))
        return out.to_bytes()

    def __str__(self) -> str:
        return base64.urlsafe_b64encode(self.to_bytes()).decode("ascii").rstrip("=")

    @staticmethod
    def from_bytes(data: bytes) -> CausalToken:
        """The token of some bytes; INVALID_TOKEN if they are not those of one."""
        body, checksum = data[:-_CHECKSUM_BYTES], data[-_CHECKSUM_BYTES:]
        if body[:1] != bytes([_KIND]):
            raise _wrong("it does not begin or end like one")
        if int.from_bytes(checksum, "big") != _crc32c(body):
            raise _wrong("its checksum is wrong")
        try:
            source = Reader(body[1:])
            token = CausalToken(_GRID.read(source), CLOCK.read(source))
            source.end()
        except MalformedBytesError as error:
            raise _wrong(str(error)) from error
        return token

    @staticmethod
    def parse(text: str) -> CausalToken:
        """The token of some text; INVALID_TOKEN if it is not that of one."""
        try:
            data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
        except (binascii.Error, ValueError) as error:
            raise _wrong(str(error)) from error
        return CausalToken.from_bytes(data)


#: The token of a client that has seen nothing.
NO_TOKEN = CausalToken()
