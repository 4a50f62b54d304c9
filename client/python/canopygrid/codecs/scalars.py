"""The codecs of numbers, truth values, text, bytes and UUIDs."""

from __future__ import annotations

import math
import struct
import uuid as uuids
from decimal import Context, Decimal, InvalidOperation

from .base import Codec, turned_over, type_name

_SIGN_64 = 1 << 63


class IntegerCodec(Codec[int]):
    """Whole numbers in two's complement, with the sign bit turned over."""

    def __init__(self, bits: int) -> None:
        self.id = f"int{bits}"
        self.fixed_length = bits // 8
        self._bias = 1 << (bits - 1)

    def encode(self, value: int) -> bytes:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self._refuse_value(f"an int wanted, not {type_name(value)}")
        if not -self._bias <= value < self._bias:
            raise self._refuse_value(f"{value} is out of range")
        assert self.fixed_length is not None
        return (value + self._bias).to_bytes(self.fixed_length, "big")

    def decode(self, data: bytes) -> int:
        self._check_length(data)
        return int.from_bytes(data, "big") - self._bias


class FloatCodec(Codec[float]):
    """Floating-point numbers, -0.0 before 0.0, and what is not a number behind all others."""

    id = "float64"
    fixed_length = 8

    def encode(self, value: float) -> bytes:
        if not isinstance(value, (float, int)) or isinstance(value, bool):
            raise self._refuse_value(f"a float wanted, not {type_name(value)}")
        try:
            number = math.nan if math.isnan(value) else float(value)
        except OverflowError as error:
            raise self._refuse_value(f"{error}") from error
        if isinstance(value, int) and int(number) != value:
            raise self._refuse_value(f"no float is {value}")
        bits = int.from_bytes(struct.pack(">d", number), "big")
        turned = bits ^ (2 * _SIGN_64 - 1) if bits & _SIGN_64 else bits ^ _SIGN_64
        if math.isnan(number):
            turned = 0x7FF8000000000000 ^ _SIGN_64
        return turned.to_bytes(8, "big")

    def decode(self, data: bytes) -> float:
        self._check_length(data)
        turned = int.from_bytes(data, "big")
        bits = turned ^ _SIGN_64 if turned & _SIGN_64 else turned ^ (2 * _SIGN_64 - 1)
        number: float = struct.unpack(">d", bits.to_bytes(8, "big"))[0]
        if math.isnan(number) and bits != 0x7FF8000000000000:
            raise self._refuse_bytes(f"another encoding of NaN: {bits:016x}")
        return number


class BoolCodec(Codec[bool]):
    """False, then true."""

    id = "bool"
    fixed_length = 1

    def encode(self, value: bool) -> bytes:
        if not isinstance(value, bool):
            raise self._refuse_value(f"a bool wanted, not {type_name(value)}")
        return b"\x01" if value else b"\x00"

    def decode(self, data: bytes) -> bool:
        self._check_length(data)
        if data[0] > 1:
            raise self._refuse_bytes(f"0 or 1 wanted: {data[0]}")
        return data[0] == 1


class StringCodec(Codec[str]):
    """Text as UTF-8, in the order of code points."""

    id = "string"
    prefixes = True

    def encode(self, value: str) -> bytes:
        if not isinstance(value, str):
            raise self._refuse_value(f"a str wanted, not {type_name(value)}")
        try:
            return value.encode("utf-8")
        except UnicodeEncodeError as error:
            raise self._refuse_value(
                f"the text has an unpaired surrogate at index {error.start}"
            ) from error

    def decode(self, data: bytes) -> str:
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._refuse_bytes(f"the bytes are not UTF-8: {error}") from error


class BytesCodec(Codec[bytes]):
    """Bytes as they are."""

    id = "bytes"
    prefixes = True

    def encode(self, value: bytes) -> bytes:
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise self._refuse_value(f"bytes wanted, not {type_name(value)}")
        return bytes(value)

    def decode(self, data: bytes) -> bytes:
        return data


class UuidCodec(Codec[uuids.UUID]):
    """UUIDs, in the order of their text."""

    id = "uuid"
    fixed_length = 16

    def encode(self, value: uuids.UUID) -> bytes:
        if not isinstance(value, uuids.UUID):
            raise self._refuse_value(f"a UUID wanted, not {type_name(value)}")
        return value.bytes

    def decode(self, data: bytes) -> uuids.UUID:
        self._check_length(data)
        return uuids.UUID(bytes=data)


class DecimalCodec(Codec[Decimal]):
    """Decimal numbers; 1.0 and 1.00 are one, which reads back as 1."""

    id = "decimal"

    #: Most digits, leading and trailing zeros not counted.
    DIGITS_MAX = 1000

    #: Greatest exponent of the first digit, and with a minus sign the least.
    EXPONENT_MAX = 32767

    _ZERO = b"\x80"
    _POSITIVE = 0xC0
    _NEGATIVE = 0x40
    _BIAS = 32768

    def encode(self, value: Decimal) -> bytes:
        if isinstance(value, int) and not isinstance(value, bool):
            value = Decimal(value)
        if not isinstance(value, Decimal):
            raise self._refuse_value(f"a Decimal wanted, not {type_name(value)}")
        if not value.is_finite():
            raise self._refuse_value(f"{value} is not finite")
        if not value:
            return self._ZERO
        exponent = value.adjusted()
        if abs(exponent) > self.EXPONENT_MAX:
            raise self._refuse_value(
                f"the exponent must be from -{self.EXPONENT_MAX} to {self.EXPONENT_MAX}: "
                f"{exponent}"
            )
        digits = "".join(map(str, value.as_tuple().digits)).lstrip("0").rstrip("0")
        if len(digits) > self.DIGITS_MAX:
            raise self._refuse_value(f"at most {self.DIGITS_MAX} digits: has {len(digits)}")
        pairs = digits + "0" * (len(digits) % 2)
        body = (exponent + self._BIAS).to_bytes(2, "big")
        body += bytes(int(pairs[i : i + 2]) + 1 for i in range(0, len(pairs), 2))
        body += b"\x00"
        if value.is_signed():
            return bytes([self._NEGATIVE]) + turned_over(body)
        return bytes([self._POSITIVE]) + body

    def decode(self, data: bytes) -> Decimal:
        if data == self._ZERO:
            return Decimal(0)
        if len(data) < 5 or data[0] not in (self._POSITIVE, self._NEGATIVE):
            raise self._refuse_bytes("no decimal number begins or ends like this")
        negative = data[0] == self._NEGATIVE
        body = turned_over(data[1:]) if negative else data[1:]
        exponent = int.from_bytes(body[:2], "big") - self._BIAS
        pairs = body[2:-1]
        if not all(1 <= pair <= 100 for pair in pairs):
            raise self._refuse_bytes("a byte that is no pair of digits")
        digits = "".join(f"{pair - 1:02d}" for pair in pairs).rstrip("0")
        try:
            number = Decimal(
                (
                    1 if negative else 0,
                    tuple(map(int, digits)),
                    exponent - len(digits) + 1,
                )
            )
            same = self.encode(number) == data
        except (ValueError, InvalidOperation) as error:
            raise self._refuse_bytes("no digits") from error
        if not same:
            raise self._refuse_bytes(f"not the one encoding of the number {number}")
        return self._plain(number)

    def _plain(self, number: Decimal) -> Decimal:
        """The same number without an exponent above 0 where that is short, as 100 for 1E+2."""
        exponent = number.as_tuple().exponent
        if isinstance(exponent, int) and 0 < exponent <= 20:
            context = Context(prec=self.DIGITS_MAX + 20)
            return number.quantize(Decimal(1), context=context)
        return number
