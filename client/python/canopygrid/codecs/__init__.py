"""The codecs of keys and values.

Each function makes the codec of the same name in Canopy's other clients; two programs that open an
index with the same codecs understand each other. The page on codecs says what bytes they make.
"""

from __future__ import annotations

import datetime as dt
import uuid as uuids
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any, TypeVar

from .base import Codec
from .composite import DescendingCodec, EnumCodec, OptionalCodec, TupleCodec
from .json_text import JsonCodec
from .scalars import (
    BoolCodec,
    BytesCodec,
    DecimalCodec,
    FloatCodec,
    IntegerCodec,
    StringCodec,
    UuidCodec,
)
from .times import (
    DATE,
    DATE_TIME,
    EXACT_DATE,
    EXACT_DATE_TIME,
    EXACT_INSTANT,
    EXACT_OFFSET_DATE_TIME,
    INSTANT,
    OFFSET_DATE_TIME,
    Instant,
    LocalDate,
    LocalDateTime,
    OffsetDateTime,
)

__all__ = [
    "Codec",
    "Instant",
    "LocalDate",
    "LocalDateTime",
    "OffsetDateTime",
    "bool_",
    "bytes_",
    "date",
    "date_time",
    "decimal",
    "descending",
    "enumeration",
    "exact_date",
    "exact_date_time",
    "exact_instant",
    "exact_offset_date_time",
    "float64",
    "instant",
    "int32",
    "int64",
    "json",
    "offset_date_time",
    "optional",
    "string",
    "tuple_",
    "uuid",
]

T = TypeVar("T")
E = TypeVar("E", bound=Enum)

_INT32 = IntegerCodec(32)
_INT64 = IntegerCodec(64)
_FLOAT64 = FloatCodec()
_BOOL = BoolCodec()
_STRING = StringCodec()
_BYTES = BytesCodec()
_UUID = UuidCodec()
_DECIMAL = DecimalCodec()


def int32() -> Codec[int]:
    """Whole numbers of 32 bits."""
    return _INT32


def int64() -> Codec[int]:
    """Whole numbers of 64 bits."""
    return _INT64


def float64() -> Codec[float]:
    """Floating-point numbers."""
    return _FLOAT64


def bool_() -> Codec[bool]:
    """False and True."""
    return _BOOL


def string() -> Codec[str]:
    """Text, in the order of code points; knows prefixes."""
    return _STRING


def bytes_() -> Codec[bytes]:
    """Bytes as they are; knows prefixes."""
    return _BYTES


def uuid() -> Codec[uuids.UUID]:
    """UUIDs, in the order of their text."""
    return _UUID


def decimal() -> Codec[Decimal]:
    """Decimal numbers; 1.0 and 1.00 are one key."""
    return _DECIMAL


def instant() -> Codec[dt.datetime]:
    """Points in time, as datetimes in UTC with microseconds."""
    return INSTANT


def exact_instant() -> Codec[Instant]:
    """Points in time with nanoseconds."""
    return EXACT_INSTANT


def date() -> Codec[dt.date]:
    """Dates of the years 1 to 9999."""
    return DATE


def exact_date() -> Codec[LocalDate]:
    """Dates of all years."""
    return EXACT_DATE


def date_time() -> Codec[dt.datetime]:
    """Dates with times of day, as datetimes without a time zone."""
    return DATE_TIME


def exact_date_time() -> Codec[LocalDateTime]:
    """Dates of all years with times of day in nanoseconds."""
    return EXACT_DATE_TIME


def offset_date_time() -> Codec[dt.datetime]:
    """Points in time with the offset from UTC, as datetimes with a time zone."""
    return OFFSET_DATE_TIME


def exact_offset_date_time() -> Codec[OffsetDateTime]:
    """Points in time with nanoseconds, and with the offset from UTC."""
    return EXACT_OFFSET_DATE_TIME


def enumeration(kind: type[E], name: str) -> Codec[E]:
    """The members of an enum, in the order in which its class has them.

    Args:
        kind: The enum; its members have the names and places of the Java enum's constants.
        name: The full name of the Java enum, ``com.shop.State``.

    """
    return EnumCodec(kind, name)


def tuple_(*components: Codec[Any]) -> Codec[tuple[Any, ...]]:
    """Tuples of 2 to 16 components; knows prefixes: the first few components."""
    return TupleCodec(components)


def optional(values: Codec[T]) -> Codec[T | None]:
    """Values that may be absent: None comes first."""
    return OptionalCodec(values)


def descending(ascending: Codec[T]) -> Codec[T]:
    """The values of an ordered codec in the opposite order."""
    return DescendingCodec(ascending)


def json(name: str, fractions: Callable[[str], Any] = Decimal) -> Codec[Any]:
    """Dicts, lists, text, numbers and truth values as JSON; for values only.

    Args:
        name: The full name of the Java class whose objects they are, ``com.shop.Person``, or any
            name where no Java program uses the index.
        fractions: What numbers with a fraction become, made of their text.

    """
    return JsonCodec(name, fractions)
