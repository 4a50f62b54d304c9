"""The codecs of points in time and dates, and types that hold all that these can say.

Python's own types know years 1 to 9999 and microseconds; Canopy knows a billion years and
nanoseconds. The plain codecs use Python's types and refuse what does not fit; the exact ones use
the types of this module, and lose nothing.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from .base import Codec, type_name

_NANOS = 1_000_000_000
_DAY_NANOS = 86_400 * _NANOS
_SIGN_64 = 1 << 63
_DAYS_SIGN = 1 << 39
_SIGN_32 = 1 << 31
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.timezone.utc)
_EPOCH_DAY = dt.date(1970, 1, 1).toordinal()

# The ranges of the Java types of the same names.
_DAYS_MIN = -365_243_219_162
_DAYS_MAX = 365_241_780_471
_SECONDS_MIN = -31_557_014_167_219_200
_SECONDS_MAX = 31_556_889_864_403_199
_OFFSET_MAX = 18 * 3600


@dataclass(frozen=True, order=True)
class Instant:
    """A point in time: seconds since 1970 in UTC, and nanoseconds from 0 to 999,999,999."""

    seconds: int
    nanos: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.nanos < _NANOS:
            raise ValueError(f"nanoseconds must be from 0 to 999999999: {self.nanos}")
        if not _SECONDS_MIN <= self.seconds <= _SECONDS_MAX:
            raise ValueError(f"seconds out of range: {self.seconds}")

    @staticmethod
    def of(time: dt.datetime) -> Instant:
        """The instant of a datetime, which must have a time zone."""
        if time.tzinfo is None:
            raise ValueError("the datetime has no time zone")
        since = time - _EPOCH
        return Instant(since.days * 86_400 + since.seconds, since.microseconds * 1000)

    def to_datetime(self) -> dt.datetime:
        """The same as a datetime in UTC; ValueError where it has none."""
        _check_micros(self.nanos)
        try:
            return _EPOCH + dt.timedelta(seconds=self.seconds, microseconds=self.nanos // 1000)
        except OverflowError as error:
            raise ValueError(f"no datetime has {self.seconds} s since 1970") from error


@dataclass(frozen=True, order=True)
class LocalDate:
    """A date, as the number of days since 1970-01-01."""

    epoch_day: int

    def __post_init__(self) -> None:
        if not _DAYS_MIN <= self.epoch_day <= _DAYS_MAX:
            raise ValueError(f"days out of range: {self.epoch_day}")

    @staticmethod
    def of(date: dt.date) -> LocalDate:
        """The same date."""
        return LocalDate(date.toordinal() - _EPOCH_DAY)

    def to_date(self) -> dt.date:
        """The same as a date; ValueError before year 1 or after year 9999."""
        try:
            return dt.date.fromordinal(self.epoch_day + _EPOCH_DAY)
        except OverflowError as error:
            raise ValueError(f"no date is {self.epoch_day} days from 1970-01-01") from error


@dataclass(frozen=True, order=True)
class LocalDateTime:
    """A date and a time of day in nanoseconds since midnight, without a time zone."""

    date: LocalDate
    nano_of_day: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.nano_of_day < _DAY_NANOS:
            raise ValueError(f"nanoseconds out of a day's range: {self.nano_of_day}")

    @staticmethod
    def of(time: dt.datetime) -> LocalDateTime:
        """The same as a datetime, which must have no time zone."""
        if time.tzinfo is not None:
            raise ValueError("the datetime has a time zone")
        seconds = time.hour * 3600 + time.minute * 60 + time.second
        return LocalDateTime(LocalDate.of(time.date()), seconds * _NANOS + time.microsecond * 1000)

    def to_datetime(self) -> dt.datetime:
        """The same as a datetime without a time zone; ValueError where it has none."""
        _check_micros(self.nano_of_day)
        midnight = dt.datetime.combine(self.date.to_date(), dt.time())
        return midnight + dt.timedelta(microseconds=self.nano_of_day // 1000)


@dataclass(frozen=True, order=True)
class OffsetDateTime:
    """A point in time, and the offset from UTC in seconds with which it was written."""

    instant: Instant
    offset_seconds: int = 0

    def __post_init__(self) -> None:
        if abs(self.offset_seconds) > _OFFSET_MAX:
            raise ValueError(f"the offset is at most 18 hours: {self.offset_seconds} s")

    @staticmethod
    def of(time: dt.datetime) -> OffsetDateTime:
        """The same as a datetime, which must have a time zone."""
        offset = time.utcoffset()
        if offset is None:
            raise ValueError("the datetime has no time zone")
        seconds = offset / dt.timedelta(seconds=1)
        if seconds != int(seconds):
            raise ValueError(f"the offset must be whole seconds: {offset}")
        return OffsetDateTime(Instant.of(time), int(seconds))

    def to_datetime(self) -> dt.datetime:
        """The same as a datetime with this offset; ValueError where it has none."""
        zone = dt.timezone(dt.timedelta(seconds=self.offset_seconds))
        try:
            return self.instant.to_datetime().astimezone(zone)
        except OverflowError as error:
            raise ValueError("no datetime is so early or late") from error


def _check_micros(nanos: int) -> None:
    if nanos % 1000:
        raise ValueError(f"Python's time has microseconds, not {nanos % _NANOS} ns")


class ExactInstantCodec(Codec[Instant]):
    """Points in time with nanoseconds, as :class:`Instant`."""

    id = "instant"
    fixed_length = 12

    def encode(self, value: Instant) -> bytes:
        if not isinstance(value, Instant):
            raise self._refuse_value(f"an Instant wanted, not {type_name(value)}")
        return (value.seconds + _SIGN_64).to_bytes(8, "big") + value.nanos.to_bytes(4, "big")

    def decode(self, data: bytes) -> Instant:
        self._check_length(data)
        try:
            return Instant(
                int.from_bytes(data[:8], "big") - _SIGN_64,
                int.from_bytes(data[8:], "big"),
            )
        except ValueError as error:
            raise self._refuse_bytes(str(error)) from error


class ExactDateCodec(Codec[LocalDate]):
    """Dates of all years, as :class:`LocalDate`."""

    id = "date"
    fixed_length = 5

    def encode(self, value: LocalDate) -> bytes:
        if not isinstance(value, LocalDate):
            raise self._refuse_value(f"a LocalDate wanted, not {type_name(value)}")
        return (value.epoch_day + _DAYS_SIGN).to_bytes(5, "big")

    def decode(self, data: bytes) -> LocalDate:
        self._check_length(data)
        try:
            return LocalDate(int.from_bytes(data, "big") - _DAYS_SIGN)
        except ValueError as error:
            raise self._refuse_bytes(str(error)) from error


class ExactDateTimeCodec(Codec[LocalDateTime]):
    """Dates with times of day in nanoseconds, as :class:`LocalDateTime`."""

    id = "datetime"
    fixed_length = 11

    def encode(self, value: LocalDateTime) -> bytes:
        if not isinstance(value, LocalDateTime):
            raise self._refuse_value(f"a LocalDateTime wanted, not {type_name(value)}")
        return EXACT_DATE.encode(value.date) + value.nano_of_day.to_bytes(6, "big")

    def decode(self, data: bytes) -> LocalDateTime:
        self._check_length(data)
        try:
            return LocalDateTime(EXACT_DATE.decode(data[:5]), int.from_bytes(data[5:], "big"))
        except ValueError as error:
            raise self._refuse_bytes(str(error)) from error


class ExactOffsetDateTimeCodec(Codec[OffsetDateTime]):
    """Points in time with an offset, as :class:`OffsetDateTime`."""

    id = "offsetdatetime"
    fixed_length = 16

    def encode(self, value: OffsetDateTime) -> bytes:
        if not isinstance(value, OffsetDateTime):
            raise self._refuse_value(f"an OffsetDateTime wanted, not {type_name(value)}")
        offset = (value.offset_seconds + _SIGN_32).to_bytes(4, "big")
        return EXACT_INSTANT.encode(value.instant) + offset

    def decode(self, data: bytes) -> OffsetDateTime:
        self._check_length(data)
        try:
            return OffsetDateTime(
                EXACT_INSTANT.decode(data[:12]),
                int.from_bytes(data[12:], "big") - _SIGN_32,
            )
        except ValueError as error:
            raise self._refuse_bytes(str(error)) from error


EXACT_INSTANT = ExactInstantCodec()
EXACT_DATE = ExactDateCodec()
EXACT_DATE_TIME = ExactDateTimeCodec()
EXACT_OFFSET_DATE_TIME = ExactOffsetDateTimeCodec()


class _PlainCodec(Codec[Any]):
    """An exact codec for values of one of Python's types."""

    def __init__(self, exact: Codec[Any], python: type, kind: Any, back: str) -> None:
        self.id = exact.id
        self.fixed_length = exact.fixed_length
        self._exact = exact
        self._python = python
        self._kind = kind
        self._back = back

    def encode(self, value: Any) -> bytes:
        wrong_date = self._python is dt.date and isinstance(value, dt.datetime)
        if not isinstance(value, self._python) or wrong_date:
            raise self._refuse_value(f"a {self._python.__name__} wanted, not {type_name(value)}")
        try:
            return self._exact.encode(self._kind.of(value))
        except ValueError as error:
            raise self._refuse_value(str(error)) from error

    def decode(self, data: bytes) -> Any:
        exact = self._exact.decode(data)
        try:
            return getattr(exact, self._back)()
        except ValueError as error:
            raise self._refuse_bytes(
                f"{error}: use codecs.exact_{_PYTHON_NAMES[self.id]}()"
            ) from error


_PYTHON_NAMES = {
    "instant": "instant",
    "date": "date",
    "datetime": "date_time",
    "offsetdatetime": "offset_date_time",
}

INSTANT: Codec[dt.datetime] = _PlainCodec(EXACT_INSTANT, dt.datetime, Instant, "to_datetime")
DATE: Codec[dt.date] = _PlainCodec(EXACT_DATE, dt.date, LocalDate, "to_date")
DATE_TIME: Codec[dt.datetime] = _PlainCodec(
    EXACT_DATE_TIME, dt.datetime, LocalDateTime, "to_datetime"
)
OFFSET_DATE_TIME: Codec[dt.datetime] = _PlainCodec(
    EXACT_OFFSET_DATE_TIME, dt.datetime, OffsetDateTime, "to_datetime"
)
