"""The codecs: the vectors of the project, and values and bytes that they refuse."""

from __future__ import annotations

import datetime as dt
import math
import re
import unittest
import uuid
from collections.abc import Callable
from decimal import Decimal
from enum import Enum
from typing import Any

from canopygrid import CanopyError, ErrorCode, Range, codecs
from canopygrid.codecs import (
    Codec,
    Instant,
    LocalDate,
    LocalDateTime,
    OffsetDateTime,
)
from tests import vectors

State = Enum("State", ["NEW", "PAID", "SENT"])

_PLAIN: dict[str, Codec[Any]] = {
    "int32": codecs.int32(),
    "int64": codecs.int64(),
    "float64": codecs.float64(),
    "bool": codecs.bool_(),
    "string": codecs.string(),
    "bytes": codecs.bytes_(),
    "uuid": codecs.uuid(),
    "instant": codecs.exact_instant(),
    "date": codecs.exact_date(),
    "datetime": codecs.exact_date_time(),
    "offsetdatetime": codecs.exact_offset_date_time(),
    "decimal": codecs.decimal(),
    "enum(com.shop.State)": codecs.enumeration(State, "com.shop.State"),
}


def codec_of(name: str) -> Codec[Any]:
    """The codec with an id."""
    if name in _PLAIN:
        return _PLAIN[name]
    kind, _, inner = name[:-1].partition("(")
    if kind == "optional":
        return codecs.optional(codec_of(inner))
    if kind == "descending":
        return codecs.descending(codec_of(inner))
    parts = re.findall(r"[^,(]+(?:\([^)]*\))?", inner)
    return codecs.tuple_(*(codec_of(part) for part in parts))


def epoch_day(text: str) -> int:
    """The days since 1970 of a date of any year: Howard Hinnant's days_from_civil."""
    found = re.fullmatch(r"([+-]?\d+)-(\d\d)-(\d\d)", text)
    assert found is not None
    year, month, day = map(int, found.groups())
    year -= month <= 2
    era = year // 400
    of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    of_era = (year - era * 400) * 365 + (year - era * 400) // 4
    of_era += -((year - era * 400) // 100) + of_year
    return era * 146097 + of_era - 719468


def day_and_nanos(text: str) -> tuple[int, int]:
    """The days since 1970, and the nanoseconds since midnight."""
    date, _, time = text.partition("T")
    clock, _, fraction = time.partition(".")
    hours, minutes, seconds = (clock + ":00" if clock.count(":") == 1 else clock).split(":")
    of_day = int(hours) * 3600 + int(minutes) * 60 + int(seconds)
    nanos = int(fraction.ljust(9, "0")) if fraction else 0
    return epoch_day(date), of_day * 10**9 + nanos


def local(text: str) -> LocalDateTime:
    """A date and time of any year."""
    day, nanos = day_and_nanos(text)
    return LocalDateTime(LocalDate(day), nanos)


def instant(text: str, offset: int = 0) -> Instant:
    """A point in time, written with an offset in seconds."""
    day, of_day = day_and_nanos(text)
    seconds, nanos = divmod(of_day, 10**9)
    return Instant(day * 86400 + seconds - offset, nanos)


def with_offset(text: str) -> OffsetDateTime:
    """A point in time with its offset."""
    if text.endswith("Z"):
        return OffsetDateTime(instant(text[:-1]))
    sign = -1 if text[-6] == "-" else 1
    offset = sign * (int(text[-5:-3]) * 3600 + int(text[-2:]) * 60)
    return OffsetDateTime(instant(text[:-6], offset), offset)


def value_of(codec: str, text: str) -> Any:
    """A value as the vectors write it."""
    if codec.startswith("optional("):
        return None if text == "none" else value_of(codec[9:-1], text[1:])
    if codec.startswith("descending("):
        return value_of(codec[11:-1], text)
    if codec.startswith("tuple("):
        parts = re.findall(r"[^,(]+(?:\([^)]*\))?", codec[6:-1])
        return tuple(map(value_of, parts, text.split(",")))
    kinds: dict[str, Callable[[str], Any]] = {
        "int32": int,
        "int64": int,
        "float64": float,
        "bool": lambda t: t == "true",
        "string": str,
        "bytes": lambda t: bytes.fromhex(t[2:]),
        "uuid": uuid.UUID,
        "instant": lambda t: instant(t[:-1]),
        "date": lambda t: LocalDate(epoch_day(t)),
        "datetime": local,
        "offsetdatetime": with_offset,
        "decimal": Decimal,
        "enum(com.shop.State)": lambda t: State[t.partition(":")[2]],
    }
    return kinds[codec](text)


class VectorsTest(unittest.TestCase):
    """Each value makes its bytes, each bytes their value, and the order is that of the values."""

    def test_vectors(self) -> None:
        known = vectors.load(vectors.CODECS)
        self.assertGreater(len(known), 15)
        for vector in known:
            name = vector["codec"]
            codec = codec_of(name)
            self.assertEqual(codec.id, name)
            for pair in vector["values"]:
                with self.subTest(name, text=pair["text"]):
                    value = value_of(name, pair["text"])
                    self.assertEqual(codec.encode(value).hex(), pair["bytes"])
                    decoded = codec.decode(bytes.fromhex(pair["bytes"]))
                    self.assertEqual(repr(decoded), repr(value_of_same(codec, value)))

    def test_order(self) -> None:
        for vector in vectors.load(vectors.CODECS):
            made = [pair["bytes"] for pair in vector["values"]]
            with self.subTest(vector["codec"]):
                self.assertEqual(made, sorted(made))

    def test_cut_bytes_are_refused_or_others(self) -> None:
        for vector in vectors.load(vectors.CODECS):
            codec = codec_of(vector["codec"])
            for pair in vector["values"]:
                data = bytes.fromhex(pair["bytes"])
                for end in range(len(data)):
                    with self.subTest(codec.id, data=data[:end].hex()):
                        try:
                            value = codec.decode(data[:end])
                        except CanopyError as error:
                            self.assertIs(error.code, ErrorCode.CODEC_FAILURE)
                        else:
                            self.assertEqual(codec.encode(value), data[:end])


def value_of_same(codec: Codec[Any], value: Any) -> Any:
    """The value in the form in which it is read back, which differs for decimals."""
    if codec.id == "decimal":
        return codecs.decimal().decode(codec.encode(value))
    return value if "decimal" not in codec.id else codec.decode(codec.encode(value))


class RefusedTest(unittest.TestCase):
    """Values of other types or ranges, and bytes that no value has."""

    def test_values(self) -> None:
        naive = dt.datetime(2026, 11, 27)
        cases: list[tuple[Codec[Any], Any]] = [
            (codecs.int32(), 1 << 31),
            (codecs.int32(), True),
            (codecs.int64(), -(1 << 63) - 1),
            (codecs.int64(), 1.0),
            (codecs.int64(), None),
            (codecs.float64(), "1"),
            (codecs.float64(), 2**53 + 1),
            (codecs.float64(), 10**400),
            (codecs.bool_(), 1),
            (codecs.string(), b"a"),
            (codecs.string(), "\ud800"),
            (codecs.bytes_(), "a"),
            (codecs.uuid(), "a"),
            (codecs.decimal(), Decimal("NaN")),
            (codecs.decimal(), Decimal("1E+40000")),
            (codecs.decimal(), Decimal("1" * 1001)),
            (codecs.instant(), naive),
            (codecs.date(), naive),
            (codecs.date_time(), naive.replace(tzinfo=dt.timezone.utc)),
            (codecs.offset_date_time(), naive),
            (codecs.enumeration(State, "s"), "NEW"),
            (codecs.tuple_(codecs.int32(), codecs.int32()), (1,)),
            (codecs.tuple_(codecs.int32(), codecs.int32()), [1, 2]),
            (codecs.json("j"), None),
            (codecs.json("j"), {1: 2}),
            (codecs.json("j"), math.inf),
            (codecs.json("j"), {1, 2}),
        ]
        for codec, value in cases:
            with self.subTest(codec.id, value=repr(value)[:40]):
                with self.assertRaises(CanopyError) as caught:
                    codec.encode(value)
                self.assertIs(caught.exception.code, ErrorCode.CODEC_FAILURE)
                self.assertIn(codec.id, caught.exception.detail)

    def test_bytes(self) -> None:
        cases: list[tuple[Codec[Any], Any]] = [
            (codecs.float64(), "fff8000000000001"),
            (codecs.bool_(), "02"),
            (codecs.string(), "ff"),
            (codecs.exact_instant(), "80000000000000003b9aca00"),
            (codecs.exact_instant(), "ffffffffffffffff00000000"),
            (codecs.exact_date(), "0000000000"),
            (codecs.exact_date_time(), "80000000004e94914f0000"),
            (codecs.exact_offset_date_time(), "800000000000000000000000ffffffff"),
            (codecs.decimal(), "c080000b0100"),
            (codecs.decimal(), "c08000000b00"),
            (codecs.decimal(), "c0800001"),
            (codecs.enumeration(State, "s"), "0000"),
            (codecs.enumeration(State, "s"), "00014e4557"),
            (codecs.enumeration(State, "s"), "00004e4558"),
            (codecs.optional(codecs.int32()), "02"),
            (codecs.descending(codecs.string()), "fffe00"),
            (codecs.tuple_(codecs.string(), codecs.bool_()), "610002"),
            (codecs.json("j"), b"null".hex()),
            (codecs.json("j"), b'{"a":1,"a":2}'.hex()),
            (codecs.json("j"), b"NaN".hex()),
        ]
        for codec, data in cases:
            with self.subTest(codec.id, data=data):
                with self.assertRaises(CanopyError) as caught:
                    codec.decode(bytes.fromhex(data))
                self.assertIs(caught.exception.code, ErrorCode.CODEC_FAILURE)

    def test_codecs_that_cannot_be(self) -> None:
        for make in (
            lambda: codecs.tuple_(codecs.int32()),
            lambda: codecs.optional(codecs.optional(codecs.int32())),
            lambda: codecs.descending(codecs.json("j")),
        ):
            with self.assertRaises(CanopyError) as caught:
                make()
            self.assertIs(caught.exception.code, ErrorCode.INVALID_ARGUMENT)


class PythonTypesTest(unittest.TestCase):
    """The codecs for Python's own types."""

    def test_times(self) -> None:
        zone = dt.timezone(dt.timedelta(hours=-8))
        cases: list[tuple[Codec[Any], Any]] = [
            (codecs.instant(), dt.datetime(2026, 11, 27, 18, 0, 0, 5, dt.timezone.utc)),
            (codecs.instant(), dt.datetime.min.replace(tzinfo=dt.timezone.utc)),
            (codecs.date(), dt.date(1, 1, 1)),
            (codecs.date(), dt.date(9999, 12, 31)),
            (codecs.date_time(), dt.datetime(1969, 12, 31, 23, 59, 59, 999999)),
            (codecs.offset_date_time(), dt.datetime(2026, 11, 27, 8, tzinfo=zone)),
        ]
        for codec, value in cases:
            with self.subTest(codec.id, value=value):
                decoded = codec.decode(codec.encode(value))
                self.assertEqual(decoded, value)
                self.assertEqual(decoded.isoformat(), value.isoformat())

    def test_what_python_has_not_is_refused(self) -> None:
        nanos = codecs.exact_instant().encode(Instant(0, 1))
        with self.assertRaisesRegex(CanopyError, "use codecs.exact_instant()"):
            codecs.instant().decode(nanos)
        early = codecs.exact_date().encode(LocalDate(-1_000_000))
        with self.assertRaisesRegex(CanopyError, "use codecs.exact_date()"):
            codecs.date().decode(early)

    def test_decimals_read_back_plainly(self) -> None:
        for text, read in [("1.00", "1"), ("1E+2", "100"), ("-0.50", "-0.5")]:
            data = codecs.decimal().encode(Decimal(text))
            self.assertEqual(str(codecs.decimal().decode(data)), read)

    def test_json(self) -> None:
        codec = codecs.json("com.shop.Person")
        value = {"b": [1, True, None, "ü"], "a": Decimal("1.50"), "c": {}}
        data = codec.encode(value)
        self.assertEqual(data.decode(), '{"a":1.50,"b":[1,true,null,"ü"],"c":{}}')
        self.assertEqual(codec.decode(data), value)
        self.assertEqual(codec.encode(codec.decode(data)), data)
        self.assertEqual(codecs.json("j", float).decode(b"0.5"), 0.5)


class PrefixTest(unittest.TestCase):
    """Ranges of keys that begin alike hold exactly those."""

    def assert_held(self, codec: Codec[Any], prefix: Any, inside: list[Any]) -> None:
        """Checks which of some values are in the range of a prefix."""
        bounds = Range.prefix(prefix).encode(codec)
        for value in ["", "a", "a\x00", "aa", "ab", "b", "a\U0010ffff", "ÿ"]:
            key = codec.encode((value, 5) if isinstance(prefix, tuple) else value)
            held = bounds.from_ <= key and (bounds.to is None or key < bounds.to)
            self.assertEqual(held, value in inside, value)

    def test_text(self) -> None:
        begin_with_a = ["a", "a\x00", "aa", "ab", "a\U0010ffff"]
        self.assert_held(codecs.string(), "a", begin_with_a)
        self.assert_held(codecs.descending(codecs.string()), "a", begin_with_a)
        self.assert_held(codecs.optional(codecs.string()), "a", begin_with_a)

    def test_tuples(self) -> None:
        codec = codecs.tuple_(codecs.string(), codecs.int64())
        self.assert_held(codec, ("a",), ["a"])

    def test_bytes_of_ones_have_no_end(self) -> None:
        bounds = Range.prefix(b"\xff\xff").encode(codecs.bytes_())
        self.assertEqual((bounds.from_, bounds.to), (b"\xff\xff", None))

    def test_numbers_have_none(self) -> None:
        with self.assertRaises(CanopyError) as caught:
            Range.prefix(1).encode(codecs.int64())
        self.assertIs(caught.exception.code, ErrorCode.INVALID_ARGUMENT)


if __name__ == "__main__":
    unittest.main()
