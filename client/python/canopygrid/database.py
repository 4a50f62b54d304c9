"""The handle of a program: connecting, indexes, transactions."""

from __future__ import annotations

import dataclasses
import secrets
import time
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeVar

from . import bodies
from .causal import CausalToken
from .codecs import Codec
from .errors import CanopyError, CommitState, ErrorCode
from .index import Entries, Index, check_name, check_not_of_table, table_of
from .net.connector import Address, ConnectSettings
from .options import DEFAULTS, ClientOptions, TransactionOptions
from .session.cluster import ClusterView
from .session.conversation import Conversation, How
from .session.indexes import open_index
from .transaction import ReadTransaction, Transaction
from .uri import parse, parse_address
from .wire.messages import catalog
from .wire.messages.connection import FEATURE_DROPS
from .wire.messages.data import Count, Mode, ReadFrom

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

#: A subtree of a new index is split when it has more entries, as with the other clients.
_SUBTREE_ENTRIES_MAX = 1024


@dataclass(frozen=True)
class IndexInfo:
    """An index as the servers describe it.

    Attributes:
        name: The name.
        key_codec: The id of the keys' codec.
        value_codec: The id of the values' codec.

    """

    name: str
    key_codec: str
    value_codec: str


class Canopy:
    """A handle of a cluster; any number of tasks use it at once.

    It has one connection to each server that it needs, on which all requests are under way
    together, and asks the server that has a key directly. Made by :func:`connect`.
    """

    def __init__(self, cluster: ClusterView) -> None:
        """For :func:`connect` only."""
        self.cluster = cluster

    # Indexes.

    async def index(
        self, name: str, keys: Codec[K], values: Codec[V], *, create: bool = True
    ) -> Index[K, V]:
        """Opens an index, and creates it where there is none.

        Args:
            name: 1 to 128 letters, digits, '.', '_' or '-', beginning with a letter.
            keys: The codec of keys, which has to keep an order.
            values: The codec of values.
            create: False: UNKNOWN_INDEX where there is none.

        Raises:
            CanopyError: CODEC_MISMATCH where it has other codecs.

        """
        self._check_usable()
        check_name(name)
        entries = Entries(keys, values)
        # An index that a table is made of comes and goes with its table only.
        create = create and table_of(name) is None
        request = catalog.OpenIndex(name, keys.id, values.id, create, _SUBTREE_ENTRIES_MAX)
        remote = await open_index(self.cluster, request)
        opened = remote.opened
        if (opened.key_codec, opened.value_codec) != (keys.id, values.id):
            raise CanopyError(
                ErrorCode.CODEC_MISMATCH,
                f"index '{name}' has keys {opened.key_codec} and values {opened.value_codec}, not "
                f"{keys.id} and {values.id}",
            )
        return Index(self, remote, entries)

    async def indexes(self) -> list[IndexInfo]:
        """All indexes, with the ids of their codecs."""
        self._check_usable()
        found = await self.cluster.questions.ask(catalog.ListIndexes(), catalog.Indexes)
        return [IndexInfo(body.name, body.key_codec, body.value_codec) for body in found.indexes]

    async def drop_index(self, name: str) -> bool:
        """Drops an index with all that is in it; whether there was one."""
        self._check_usable()
        check_name(name)
        check_not_of_table(name)
        questions = self.cluster.questions
        grid = self.cluster.servers.grid
        try:
            opened = await questions.ask(
                catalog.OpenIndex(name, "", "", False, 0), catalog.IndexOpened, grid
            )
        except CanopyError as error:
            if error.code is ErrorCode.UNKNOWN_INDEX:
                return False
            raise
        lost: list[bool] = []
        request = catalog.Drop(catalog.Dropped.INDEX, name, opened.index)
        try:
            count = await questions.ask(
                request, Count, grid, FEATURE_DROPS, lambda: lost.append(True)
            )
        except CanopyError as error:
            if lost or error.code is ErrorCode.TIMEOUT:
                raise CanopyError(error.code, error.detail, CommitState.UNKNOWN) from error
            raise
        # A request whose answer was lost may have done it.
        return count.count > 0 or bool(lost)

    # Named snapshots.

    async def take_snapshot(self, name: str) -> None:
        """Keeps the present under a name, for reads with it as ``options.snapshot``."""
        self._check_usable()
        await self.cluster.questions.ask_once(catalog.TakeSnapshot(name), catalog.Snapshots)

    async def snapshots(self) -> list[str]:
        """The names of all snapshots."""
        self._check_usable()
        found = await self.cluster.questions.ask(catalog.ListSnapshots(), catalog.Snapshots)
        return [body.name for body in found.snapshots]

    async def drop_snapshot(self, name: str) -> bool:
        """Drops a snapshot; whether there was one."""
        self._check_usable()
        count = await self.cluster.questions.ask(catalog.DropSnapshot(name), Count)
        return count.count > 0

    # Transactions.

    async def run(
        self,
        body: Callable[[Transaction], Awaitable[T]],
        options: TransactionOptions = DEFAULTS,
    ) -> T:
        """Runs a body as a transaction, and commits it.

        The body is run again when it conflicts with another transaction, so it must be safe to
        repeat; an exception that it raises ends the transaction without effect. A commit whose
        outcome nobody can tell is never repeated: it is an error with ``outcome_unknown``.

        Args:
            body: Gets the transaction.
            options: How it runs.

        Returns:
            What the body returned.

        """
        self._check_usable()
        deadline = time.monotonic() + options.timeout

        def begin() -> Transaction:
            return Transaction(self, self._begin_update(options, deadline), False)

        return await bodies.run(self, begin, body, options, deadline)

    async def read(
        self,
        body: Callable[[ReadTransaction], Awaitable[T]],
        options: TransactionOptions = DEFAULTS,
    ) -> T:
        """Runs a body that only reads; all that it reads is of one snapshot."""
        self._check_usable()
        deadline = time.monotonic() + options.timeout

        def begin() -> ReadTransaction:
            if options.serializable:
                return _SerializableRead(self, self._begin_update(options, deadline), False)
            how = self._how(Mode.READ_ONLY, options, deadline)
            return ReadTransaction(self, Conversation(self.cluster, how))

        return await bodies.run(self, begin, body, options, deadline)

    def begin(self, options: TransactionOptions = DEFAULTS) -> Transaction:
        """Begins a transaction that the caller ends, as an async context manager or by hand.

        It is never run again: its conflicts are the caller's errors.
        """
        self._check_usable()
        bodies.check_not_in_body(self)
        deadline = time.monotonic() + options.timeout
        return Transaction(self, self._begin_update(options, deadline), True)

    def begin_read(self, options: TransactionOptions = DEFAULTS) -> ReadTransaction:
        """Begins a transaction that only reads, for scans that are transactions of their own."""
        self._check_usable()
        bodies.check_not_in_body(self)
        deadline = time.monotonic() + options.timeout
        how = self._how(Mode.READ_ONLY, options, deadline)
        return ReadTransaction(self, Conversation(self.cluster, how))

    def token(self) -> CausalToken:
        """A token of all that this handle has seen, for another one to begin after."""
        return self.cluster.token()

    def _begin_update(self, options: TransactionOptions, deadline: float) -> Conversation:
        if options.snapshot:
            raise CanopyError(
                ErrorCode.INVALID_ARGUMENT,
                f"snapshot '{options.snapshot}' is for plain reads: it cannot be written to, and "
                "has nothing to validate",
            )
        mode = Mode.SERIALIZABLE if options.serializable else Mode.UPDATE
        return Conversation(self.cluster, self._how(mode, options, deadline))

    def _how(self, mode: Mode, options: TransactionOptions, deadline: float) -> How:
        grid = self.cluster.servers.grid
        options.after.check_of(grid)
        return How(
            mode=mode,
            seen=self.cluster.seen,
            token=options.after.clock,
            deadline=deadline,
            label=options.label,
            read_from=ReadFrom.NEAREST if options.nearest else ReadFrom.PRIMARY,
            snapshot=options.snapshot,
            grid=grid,
            trace_parent=options.traceparent,
        )

    # The end.

    def _check_usable(self) -> None:
        if self.cluster.servers.closed:
            raise CanopyError(ErrorCode.CANOPY_CLOSED, "the handle is closed")
        self.cluster.servers.check_told()

    async def close(self) -> None:
        """Ends all transactions and connections; the cluster goes on."""
        await self.cluster.close()

    async def __aenter__(self) -> Canopy:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()


class _SerializableRead(Transaction):
    """A transaction that only reads, whose reads are validated."""


class _Connecting:
    """A handle to come: to be awaited, or entered as a context manager."""

    def __init__(self, servers: str | Sequence[str], options: ClientOptions) -> None:
        self._servers = servers
        self._options = options
        self._db: Canopy | None = None

    def __await__(self) -> Generator[Any, None, Canopy]:
        return _connect(self._servers, self._options).__await__()

    async def __aenter__(self) -> Canopy:
        self._db = await self
        return self._db

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._db is not None:
            await self._db.close()


def connect(
    servers: str | Sequence[str], options: ClientOptions | None = None, **more: Any
) -> _Connecting:
    """Connects to a cluster: ``async with connect("canopy://vm1:11444") as db``.

    Args:
        servers: ``canopy://host:port,host:port``, or ``canopys://`` for TLS, with
            ``user:password@`` in front of the hosts where that is needed; or a list of
            ``host:port``. One server that can be reached is enough, it tells of the others.
        options: How to connect; user, password and TLS of a URI win over these.
        more: Fields of :class:`ClientOptions`, in place of its own: ``ca_file="ca.pem"``.

    Raises:
        CanopyError: CONFIG_INVALID; NOT_CONNECTED, with the reason for each server;
            UNAUTHENTICATED; PROTOCOL_ERROR.

    """
    chosen = dataclasses.replace(options or ClientOptions(), **more)
    return _Connecting(servers, chosen)


async def _connect(servers: str | Sequence[str], options: ClientOptions) -> Canopy:
    seeds: tuple[Address, ...]
    if isinstance(servers, str):
        uri = parse(servers)
        seeds = uri.servers
        if uri.tls:
            options = dataclasses.replace(options, tls=True)
        if uri.user is not None:
            options = dataclasses.replace(options, user=uri.user, password=uri.password or "")
    else:
        seeds = tuple(parse_address(server) for server in servers)
    if not seeds:
        raise CanopyError(ErrorCode.CONFIG_INVALID, "no server is named")
    settings = ConnectSettings(
        client=secrets.token_bytes(16),
        user=options.user,
        password=options.password,
        tls=options.ssl_context(),
        connect_seconds=options.connect_seconds,
        ping_seconds=options.ping_seconds,
    )
    cluster = ClusterView(seeds, settings, options.outcome_seconds)
    try:
        await cluster.connect(options.connect_seconds, len(seeds))
    except BaseException:
        await cluster.close()
        raise
    return Canopy(cluster)
