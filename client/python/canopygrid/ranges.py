"""Ranges of keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .codecs import Codec
from .wire.messages.data import KeyBounds

K = TypeVar("K")

#: Every key.
EVERYTHING = KeyBounds(b"", None)

#: No key.
NO_KEY = KeyBounds(b"", b"")


@dataclass(frozen=True)
class _Bound(Generic[K]):
    key: K
    inclusive: bool


@dataclass(frozen=True)
class Range(Generic[K]):
    """Some keys of an index that follow each other; made by the functions of this class."""

    _start: _Bound[K] | None = None
    _end: _Bound[K] | None = None
    _prefix: _Bound[K] | None = None

    @staticmethod
    def all() -> Range[Any]:
        """Every key."""
        return Range()

    @staticmethod
    def of(start: K, end: K) -> Range[K]:
        """From one key, inclusive, to another, exclusive."""
        return Range(_Bound(start, True), _Bound(end, False))

    @staticmethod
    def closed(start: K, end: K) -> Range[K]:
        """From one key to another, both inclusive."""
        return Range(_Bound(start, True), _Bound(end, True))

    @staticmethod
    def at_least(start: K) -> Range[K]:
        """A key and all above it."""
        return Range(_Bound(start, True))

    @staticmethod
    def more_than(start: K) -> Range[K]:
        """All keys above a key."""
        return Range(_Bound(start, False))

    @staticmethod
    def at_most(end: K) -> Range[K]:
        """A key and all below it."""
        return Range(None, _Bound(end, True))

    @staticmethod
    def less_than(end: K) -> Range[K]:
        """All keys below a key."""
        return Range(None, _Bound(end, False))

    @staticmethod
    def prefix(beginning: K) -> Range[K]:
        """Every key that begins with this one: text, bytes, or the first parts of a tuple."""
        return Range(None, None, _Bound(beginning, True))

    def encode(self, codec: Codec[K]) -> KeyBounds:
        """The bounds as bytes of the keys' codec."""
        if self._prefix is not None:
            return starting_with(codec.prefix(self._prefix.key))
        start = b""
        if self._start is not None:
            key = codec.encode(self._start.key)
            start = key if self._start.inclusive else successor(key)
        if self._end is None:
            return KeyBounds(start, None)
        key = codec.encode(self._end.key)
        return bounds(start, successor(key) if self._end.inclusive else key)


def successor(key: bytes) -> bytes:
    """The least key above a key."""
    return key + b"\x00"


def bounds(start: bytes, end: bytes | None) -> KeyBounds:
    """The range from a key, inclusive, to another, exclusive; NO_KEY where that is empty."""
    return NO_KEY if end is not None and end <= start else KeyBounds(start, end)


def starting_with(prefix: bytes) -> KeyBounds:
    """All keys that begin with some bytes."""
    stem = prefix.rstrip(b"\xff")
    if not stem:
        return KeyBounds(prefix, None)
    return KeyBounds(prefix, stem[:-1] + bytes([stem[-1] + 1]))


def above(range_: KeyBounds, key: bytes) -> KeyBounds:
    """The part of a range that is above a key."""
    return bounds(max(range_.from_, successor(key)), range_.to)


def below(range_: KeyBounds, key: bytes) -> KeyBounds:
    """The part of a range that is below a key."""
    return bounds(range_.from_, key if range_.to is None else min(range_.to, key))
