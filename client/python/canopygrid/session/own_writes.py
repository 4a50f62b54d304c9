"""The writes of one transaction to one index, so that reading them costs no request."""

from __future__ import annotations

from bisect import bisect_left, insort

from ..wire.messages.data import KeyBounds


class OwnWrites:
    """Values by key, in the order of keys; None stands for a key that was removed."""

    def __init__(self) -> None:
        self._by_key: dict[bytes, bytes | None] = {}
        self._keys: list[bytes] = []

    def __bool__(self) -> bool:
        return bool(self._keys)

    def __contains__(self, key: bytes) -> bool:
        return key in self._by_key

    def __getitem__(self, key: bytes) -> bytes | None:
        return self._by_key[key]

    def __setitem__(self, key: bytes, value: bytes | None) -> None:
        if key not in self._by_key:
            insort(self._keys, key)
        self._by_key[key] = value

    def remove_range(self, range_: KeyBounds) -> None:
        """Makes removals of all writes of a range."""
        start, end = self._places(range_)
        for key in self._keys[start:end]:
            self._by_key[key] = None

    def next(self, range_: KeyBounds, reverse: bool) -> bytes | None:
        """The key of the first write of a range in a direction; None: there is none."""
        start, end = self._places(range_)
        if start >= end:
            return None
        return self._keys[end - 1 if reverse else start]

    def _places(self, range_: KeyBounds) -> tuple[int, int]:
        start = bisect_left(self._keys, range_.from_)
        if range_.to is None:
            return start, len(self._keys)
        return start, bisect_left(self._keys, range_.to)
