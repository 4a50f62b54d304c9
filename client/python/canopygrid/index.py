"""An index, and its entries in one transaction."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from .codecs import Codec
from .errors import CanopyError, ErrorCode
from .options import DEFAULTS, TransactionOptions
from .ranges import EVERYTHING, Range, bounds, successor
from .session.indexes import RemoteIndex
from .session.own_writes import OwnWrites
from .session.scan import RangeScan
from .wire.messages import data
from .wire.messages.data import KeyBounds

if TYPE_CHECKING:
    from .database import Canopy
    from .transaction import ReadTransaction, Transaction

K = TypeVar("K")
V = TypeVar("V")

#: Most bytes of a key, and of a value.
KEY_BYTES_MAX = 8 * 1024
VALUE_BYTES_MAX = 8 * 1024 * 1024

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9._-]{0,127}")
_PART_OF_TABLE = re.compile(r"(.+)\.(rows|definitions|index\.[0-9]+)")


def check_name(name: str) -> None:
    """Refuses what cannot be the name of an index."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise CanopyError(ErrorCode.INVALID_INDEX_NAME, f"no index can have the name {name!r}")


def table_of(name: str) -> str | None:
    """The table that an index with a name is part of; None: of none."""
    part = _PART_OF_TABLE.fullmatch(name)
    return None if part is None else part.group(1)


def check_not_of_table(name: str) -> None:
    """Refuses to write to an index that a table is made of, past its table."""
    table = table_of(name)
    if table is not None:
        raise CanopyError(ErrorCode.PART_OF_TABLE, f"index '{name}' is part of table '{table}'")


class Entries(Generic[K, V]):
    """The codecs of an index: keys and values as bytes, and back."""

    def __init__(self, keys: Codec[K], values: Codec[V]) -> None:
        if not keys.ordered:
            raise CanopyError(
                ErrorCode.INVALID_ARGUMENT,
                f"codec {keys.id} keeps no order: it is for values only",
            )
        self.keys = keys
        self.values = values

    def key(self, key: K) -> bytes:
        """A key's bytes."""
        encoded = self.keys.encode(key)
        if len(encoded) > KEY_BYTES_MAX:
            raise CanopyError(
                ErrorCode.KEY_TOO_LARGE,
                f"the key takes {len(encoded)} bytes, at most {KEY_BYTES_MAX}",
            )
        return encoded

    def value(self, value: V) -> bytes:
        """A value's bytes."""
        encoded = self.values.encode(value)
        if len(encoded) > VALUE_BYTES_MAX:
            raise CanopyError(
                ErrorCode.VALUE_TOO_LARGE,
                f"the value takes {len(encoded)} bytes, at most {VALUE_BYTES_MAX}",
            )
        return encoded

    def entry(self, entry: data.Entry) -> tuple[K, V]:
        """An entry of its bytes."""
        return self.keys.decode(entry.key), self.values.decode(entry.value)


class ReadView(Generic[K, V]):
    """The entries of an index as one transaction sees them."""

    def __init__(self, transaction: ReadTransaction, index: Index[K, V]) -> None:
        self._transaction = transaction
        self._index: RemoteIndex = index.remote
        self._entries: Entries[K, V] = index.entries
        self._own: OwnWrites = transaction.own_writes(index.remote)

    async def get(self, key: K, default: V | None = None) -> V | None:
        """The value of a key, or the default where there is none."""
        found = await self._get(self._entries.key(key))
        return default if found is None else self._entries.values.decode(found)

    async def contains(self, key: K) -> bool:
        """Whether there is an entry with this key."""
        return await self._get(self._entries.key(key)) is not None

    async def get_all(self, keys: Iterable[K]) -> dict[K, V]:
        """The values of those of the keys that have one; they are asked for together."""
        encoded = {self._entries.key(key): key for key in keys}
        unknown = [key for key in encoded if key not in self._own]
        index = self._index
        answers = await self._transaction.open_conversation().ask_all(
            index,
            unknown,
            lambda step, key: data.Get(step, index.number, key),
            data.Value,
        )
        found = {key: answer.value for key, answer in zip(unknown, answers, strict=True)}
        values = {
            encoded[key]: self._own[key] if key in self._own else found[key] for key in encoded
        }
        decode = self._entries.values.decode
        return {key: decode(value) for key, value in values.items() if value is not None}

    async def scan(
        self,
        range_: Range[K] | None = None,
        *,
        reverse: bool = False,
        limit: int | None = None,
    ) -> AsyncIterator[tuple[K, V]]:
        """The entries of a range, in the order of keys.

        Args:
            range_: None: all.
            reverse: Whether it begins with the greatest key.
            limit: The most entries; None: no limit. With it the servers send no more than that.

        """
        keys = EVERYTHING if range_ is None else range_.encode(self._entries.keys)
        scan = self._scan(keys, reverse, limit)
        try:
            while True:
                self._transaction.check_open()
                entry = await scan.next()
                if entry is None:
                    return
                yield self._entries.entry(entry)
        finally:
            scan.close()

    async def count(self, range_: Range[K] | None = None) -> int:
        """The number of entries of a range; they are counted where they are."""
        keys = EVERYTHING if range_ is None else range_.encode(self._entries.keys)
        index = self._index
        answer = await self._transaction.open_conversation().ask(
            index,
            keys.from_,
            lambda step: data.CountRange(step, index.number, keys),
            data.Count,
        )
        return answer.count

    async def first(self) -> tuple[K, V] | None:
        """The entry with the least key; None: there is none."""
        return await self._nearest(EVERYTHING, False)

    async def last(self) -> tuple[K, V] | None:
        """The entry with the greatest key; None: there is none."""
        return await self._nearest(EVERYTHING, True)

    async def floor(self, key: K) -> tuple[K, V] | None:
        """The entry with the greatest key up to this one."""
        return await self._nearest(bounds(b"", successor(self._entries.key(key))), True)

    async def lower(self, key: K) -> tuple[K, V] | None:
        """The entry with the greatest key below this one."""
        return await self._nearest(bounds(b"", self._entries.key(key)), True)

    async def ceiling(self, key: K) -> tuple[K, V] | None:
        """The entry with the least key from this one on."""
        return await self._nearest(bounds(self._entries.key(key), None), False)

    async def higher(self, key: K) -> tuple[K, V] | None:
        """The entry with the least key above this one."""
        least = successor(self._entries.key(key))
        return await self._nearest(bounds(least, None), False)

    async def _nearest(self, keys: KeyBounds, reverse: bool) -> tuple[K, V] | None:
        entry = await self._scan(keys, reverse, 1).next()
        return None if entry is None else self._entries.entry(entry)

    def _scan(self, keys: KeyBounds, reverse: bool, limit: int | None) -> RangeScan:
        if limit is not None and (not isinstance(limit, int) or limit < 0):
            raise CanopyError(ErrorCode.INVALID_ARGUMENT, f"a limit is 0 or more: {limit!r}")
        conversation = self._transaction.open_conversation()
        return RangeScan(conversation, self._index, self._own, keys, reverse, limit)

    async def _get(self, key: bytes) -> bytes | None:
        conversation = self._transaction.open_conversation()
        if key in self._own:
            return self._own[key]
        index = self._index
        answer = await conversation.ask(
            index, key, lambda step: data.Get(step, index.number, key), data.Value
        )
        return answer.value


class View(ReadView[K, V]):
    """The entries of an index in a transaction that writes."""

    def __init__(self, transaction: Transaction, index: Index[K, V]) -> None:
        super().__init__(transaction, index)
        self._updated = transaction

    async def put(self, key: K, value: V) -> None:
        """Sets the value of a key."""
        await self._write(self._entries.key(key), self._entries.value(value))

    async def remove(self, key: K) -> None:
        """Removes a key, if it is there."""
        await self._write(self._entries.key(key), None)

    async def put_if_absent(self, key: K, value: V) -> V | None:
        """Sets the value of a key that has none; otherwise returns the one that it has."""
        encoded, new = self._entries.key(key), self._entries.value(value)
        old = await self._get(encoded)
        if old is not None:
            return self._entries.values.decode(old)
        await self._write(encoded, new)
        return None

    async def insert(self, key: K, value: V) -> None:
        """Sets the value of a key that has none; KEY_EXISTS where it has one."""
        encoded, new = self._entries.key(key), self._entries.value(value)
        if await self._get(encoded) is not None:
            raise self._updated.open_conversation().error(
                ErrorCode.KEY_EXISTS, f"index '{self._index.name}' has key {key!r}"
            )
        await self._write(encoded, new)

    async def replace(self, key: K, value: V) -> V | None:
        """Sets the value of a key that has one, and returns that; None: it has none."""
        encoded, new = self._entries.key(key), self._entries.value(value)
        old = await self._get(encoded)
        if old is None:
            return None
        before = self._entries.values.decode(old)
        await self._write(encoded, new)
        return before

    async def remove_range(self, range_: Range[K]) -> int:
        """Removes the entries of a range where they are; how many there were."""
        keys = range_.encode(self._entries.keys)
        check_not_of_table(self._index.name)
        index = self._index
        answer = await self._updated.open_conversation().ask(
            index,
            keys.from_,
            lambda step: data.RemoveRange(step, index.number, keys),
            data.Count,
        )
        self._updated.wrote()
        self._own.remove_range(keys)
        return answer.count

    async def _write(self, key: bytes, value: bytes | None) -> None:
        conversation = self._updated.open_conversation()
        check_not_of_table(self._index.name)
        await conversation.write(self._index, key, value)
        self._updated.wrote()
        self._own[key] = value


class Index(Generic[K, V]):
    """An index of a handle. Its methods are transactions of their own.

    Within a transaction use ``tx.on(index)``, which has the same methods.
    """

    def __init__(self, db: Canopy, remote: RemoteIndex, entries: Entries[K, V]) -> None:
        self._db = db
        self.remote = remote
        self.entries = entries

    @property
    def name(self) -> str:
        """The name."""
        return self.remote.name

    @property
    def handle(self) -> Canopy:
        """The handle that opened it."""
        return self._db

    def __repr__(self) -> str:
        return f"<index '{self.name}' of {self.entries.keys} to {self.entries.values}>"

    async def get(
        self,
        key: K,
        default: V | None = None,
        options: TransactionOptions = DEFAULTS,
    ) -> V | None:
        """The value of a key, or the default where there is none."""
        return await self._db.read(lambda tx: tx.on(self).get(key, default), options)

    async def contains(self, key: K, options: TransactionOptions = DEFAULTS) -> bool:
        """Whether there is an entry with this key."""
        return await self._db.read(lambda tx: tx.on(self).contains(key), options)

    async def get_all(
        self, keys: Iterable[K], options: TransactionOptions = DEFAULTS
    ) -> dict[K, V]:
        """The values of those of the keys that have one, all of one snapshot."""
        wanted = list(keys)
        return await self._db.read(lambda tx: tx.on(self).get_all(wanted), options)

    async def count(
        self, range_: Range[K] | None = None, options: TransactionOptions = DEFAULTS
    ) -> int:
        """The number of entries of a range."""
        return await self._db.read(lambda tx: tx.on(self).count(range_), options)

    async def scan(
        self,
        range_: Range[K] | None = None,
        *,
        reverse: bool = False,
        limit: int | None = None,
        options: TransactionOptions = DEFAULTS,
    ) -> AsyncIterator[tuple[K, V]]:
        """The entries of a range, all of one snapshot.

        It is not repeated when a server is lost after its first entry: the next snapshot may have
        other entries. The time of the options counts for all of it.
        """
        tx = self._db.begin_read(options)
        try:
            view: ReadView[Any, Any] = tx.on(self)
            async for entry in view.scan(range_, reverse=reverse, limit=limit):
                yield entry
            tx.saw()
        finally:
            tx.close()

    async def put(self, key: K, value: V, options: TransactionOptions = DEFAULTS) -> None:
        """Sets the value of a key."""
        await self._db.run(lambda tx: tx.on(self).put(key, value), options)

    async def remove(self, key: K, options: TransactionOptions = DEFAULTS) -> None:
        """Removes a key, if it is there."""
        await self._db.run(lambda tx: tx.on(self).remove(key), options)

    async def put_if_absent(
        self, key: K, value: V, options: TransactionOptions = DEFAULTS
    ) -> V | None:
        """Sets the value of a key that has none; otherwise returns the one that it has."""
        return await self._db.run(lambda tx: tx.on(self).put_if_absent(key, value), options)

    async def insert(self, key: K, value: V, options: TransactionOptions = DEFAULTS) -> None:
        """Sets the value of a key that has none; KEY_EXISTS where it has one."""
        await self._db.run(lambda tx: tx.on(self).insert(key, value), options)

    async def replace(self, key: K, value: V, options: TransactionOptions = DEFAULTS) -> V | None:
        """Sets the value of a key that has one, and returns that; None: it has none."""
        return await self._db.run(lambda tx: tx.on(self).replace(key, value), options)

    async def remove_range(self, range_: Range[K], options: TransactionOptions = DEFAULTS) -> int:
        """Removes the entries of a range; how many there were."""
        return await self._db.run(lambda tx: tx.on(self).remove_range(range_), options)
