"""The entries of a range, page by page, under the writes of the transaction itself."""

from __future__ import annotations

from ..net.connection import Pages
from ..ranges import NO_KEY, above, below
from ..wire.messages.data import NO_LIMIT, Entry, KeyBounds, Mode, Page, Scan, Seen, Step
from .conversation import Conversation
from .indexes import RemoteIndex
from .own_writes import OwnWrites

#: Bytes of keys and values that end a page.
_PAGE_BYTES = 256 * 1024

#: A read-only transaction remembers nothing, so that reading ahead costs it no conflicts.
_PAGE_ENTRIES_READ_ONLY = 500
_CREDITS_READ_ONLY = 2
_PAGE_ENTRIES = 64
_CREDITS = 1

#: What a server would tell of no key.
_NOTHING = Page(Seen(False, {}), True, ())


class RangeScan:
    """One scan, from the nearest key of its direction on."""

    def __init__(
        self,
        conversation: Conversation,
        index: RemoteIndex,
        own: OwnWrites,
        range_: KeyBounds,
        reverse: bool,
        limit: int | None,
    ) -> None:
        self._conversation = conversation
        self._index = index
        self._own = own
        self._reverse = reverse
        self._ahead = conversation.how.mode is Mode.READ_ONLY
        #: The part of the range that has not been handed out yet.
        self._rest = range_
        self._remaining = NO_LIMIT if limit is None else limit
        if range_ == NO_KEY:
            self._remaining = 0
        self._pages: Pages | None = None
        #: The number of entries that the open cursor may still give.
        self._allowed = 0
        self._entries: tuple[Entry, ...] = ()
        self._next = 0
        #: Whether the pages so far tell all of the range.
        self._complete = False

    async def next(self) -> Entry | None:
        """The next entry; None: there are no more."""
        while self._remaining > 0:
            read = self._entries[self._next] if self._next < len(self._entries) else None
            if read is None and not self._complete:
                await self._load()
                continue
            mine = self._own.next(self._rest, self._reverse)
            if mine is not None and (read is None or self._comes_first(mine, read)):
                if read is not None and read.key == mine:
                    self._next += 1
                value = self._own[mine]
                self._step_over(mine)
                if value is not None:
                    return self._handed_out(Entry(mine, value))
            elif read is not None:
                self._next += 1
                self._step_over(read.key)
                return self._handed_out(read)
            else:
                self._remaining = 0
        return None

    def _comes_first(self, mine: bytes, read: Entry) -> bool:
        return mine >= read.key if self._reverse else mine <= read.key

    def _step_over(self, key: bytes) -> None:
        rest = below(self._rest, key) if self._reverse else above(self._rest, key)
        self._rest = rest

    def _handed_out(self, entry: Entry) -> Entry:
        if self._remaining != NO_LIMIT:
            self._remaining -= 1
        return entry

    async def _load(self) -> None:
        if self._pages is None:
            page = await self._first()
        else:
            page = await self._conversation.next_page(self._pages)
        self._entries = page.entries
        self._next = 0
        if self._allowed != NO_LIMIT:
            self._allowed -= len(page.entries)
        if page.end:
            self._pages = None
            # The server has stopped at the limit; removals since then may leave room for more.
            self._complete = self._allowed > 0

    async def _first(self) -> Page:
        range_, limit = self._rest, self._remaining
        if range_ == NO_KEY:
            self._allowed = NO_LIMIT
            return _NOTHING
        self._allowed = limit
        near = range_.to if self._reverse and range_.to is not None else range_.from_

        def request(step: Step) -> Scan:
            return Scan(
                step,
                self._index.number,
                range_,
                self._reverse,
                False,
                limit,
                min(limit, _PAGE_ENTRIES_READ_ONLY if self._ahead else _PAGE_ENTRIES),
                _PAGE_BYTES,
                _CREDITS_READ_ONLY if self._ahead else _CREDITS,
            )

        page, self._pages = await self._conversation.open_cursor(self._index, near, request)
        return page

    def close(self) -> None:
        """Ends it before its end."""
        self._remaining = 0
        if self._pages is not None:
            self._conversation.close_cursor(self._pages)
            self._pages = None
