"""The errors of Canopy: one exception, with a code that says what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum


class CommitState(IntEnum):
    """What became of a transaction's writes."""

    NOT_COMMITTED = 0
    COMMITTED = 1
    UNKNOWN = 2


class ErrorCode(Enum):
    """The kinds of errors, the same in all clients, servers and pages.

    Each has a number, says whether the same transaction can succeed when it is run again, and what
    to do.
    """

    WRITE_CONFLICT = 2001, True, "Run the transaction again; db.run does so itself."
    LOCK_TIMEOUT = (
        2002,
        True,
        "Run the transaction again; make transactions on these keys shorter.",
    )
    COMMIT_UNKNOWN = (
        2003,
        True,
        "Read what it would have written to see if it took effect; repeat it only if applying it "
        "twice does no harm.",
    )
    RETRIES_EXHAUSTED = (
        2004,
        False,
        "Write to fewer contended keys per transaction, or raise max_attempts and timeout.",
    )
    SNAPSHOT_TOO_OLD = (
        2005,
        True,
        "Begin a new transaction that ends within cluster.snapshotAgeMax, or read a named "
        "snapshot.",
    )
    TRANSACTION_CLOSED = (
        2006,
        False,
        "Use a transaction, its views and scans only until it ends.",
    )
    TIMEOUT = (
        2007,
        True,
        "Raise TransactionOptions.timeout, or do less in one transaction.",
    )
    INTERRUPTED = (
        2008,
        False,
        "Let the thread end, or run the transaction again on another one.",
    )
    ROLLBACK_ONLY = (
        2009,
        False,
        "Let the error of the write end the transaction, or run one without the write.",
    )
    COMMITS_LOST = (
        2010,
        False,
        "Read again what was written before, and redo what is missing; drop the token that was "
        "passed.",
    )
    CHANGES_LOST = (
        2011,
        False,
        "Copy the index anew and open a feed from now; raise cluster.retention, so that more "
        "changes are kept.",
    )
    KEY_EXISTS = (
        3001,
        False,
        "Use put to overwrite, or put_if_absent to keep what is there.",
    )
    CODEC_MISMATCH = (
        3002,
        False,
        "Open the index with the codecs it was created with, or use another name.",
    )
    KEY_TOO_LARGE = (
        3003,
        False,
        "Shorten the key, or move its long part into the value.",
    )
    VALUE_TOO_LARGE = 3004, False, "Split the value over several keys."
    NULL_NOT_ALLOWED = 3005, False, "Pass a value; use remove to take a key away."
    UNKNOWN_INDEX = (
        3006,
        False,
        "Check the name against db.indexes(), or create the index first.",
    )
    INVALID_INDEX_NAME = (
        3007,
        False,
        "Use 1 to 128 letters, digits, '.', '_' or '-' of ASCII, beginning with a letter.",
    )
    INVALID_ARGUMENT = 3008, False, "Pass what the documentation allows."
    FOREIGN_INDEX = (
        3009,
        False,
        "Use the index that db.index of the same handle returned.",
    )
    NESTED_TRANSACTION = (
        3010,
        False,
        "Pass the outer transaction on, as tx.on(index), or begin the other one after its end.",
    )
    CODEC_FAILURE = (
        3011,
        False,
        "Check that the value fits the codec, and that nobody else writes the bytes.",
    )
    INVALID_TOKEN = (
        3012,
        False,
        "Pass the token exactly as Canopy returned it, to the grid it is of.",
    )
    SNAPSHOT_EXISTS = 3013, False, "Use another name, or drop the snapshot first."
    UNKNOWN_SNAPSHOT = (
        3014,
        False,
        "Check the name against db.snapshots(); it may be dropped.",
    )
    TRANSACTION_TOO_LARGE = (
        3015,
        False,
        "Split it into several transactions, or raise the limit.",
    )
    UNKNOWN_FUNCTION = (
        3016,
        False,
        "Register the function at every node; servers load theirs from --functions.",
    )
    FUNCTION_FAILED = (
        3017,
        False,
        "Correct the function or its arguments; nothing was committed.",
    )
    DEFINITION_MISMATCH = (
        3018,
        False,
        "Open the table with the definitions of all its indexes, as they were created.",
    )
    INDEX_NOT_READY = (
        3019,
        False,
        "Wait until the index is built, or go on with what was left.",
    )
    UNIQUE_VIOLATION = (
        3020,
        False,
        "Give the row another attribute, or change or remove the other row first.",
    )
    PART_OF_TABLE = (
        3021,
        False,
        "Write to tables with the Java client; reading their indexes is fine.",
    )
    CHECK_FAILED = (
        3022,
        False,
        "Read what is there now, and decide anew; nothing was written.",
    )
    INDEX_EXISTS = 3023, False, "Use another name, or drop the index first."
    CLONE_TOO_DEEP = (
        3024,
        False,
        "Flatten the clone of which it is to be made, or one below it.",
    )
    SHARD_UNAVAILABLE = (
        4001,
        True,
        "Try again later; bring back or replace the missing nodes, or heal the network.",
    )
    NOT_CONNECTED = (
        4002,
        True,
        "Check that the cluster runs and its address can be reached.",
    )
    UNAUTHENTICATED = 4003, False, "Connect with a known user and its password."
    FORBIDDEN = (
        4004,
        False,
        "Ask an administrator for the role or grant that this needs.",
    )
    PORT_IN_USE = (
        4005,
        False,
        "Stop the process that has the port, or configure another port.",
    )
    CANOPY_CLOSED = 4006, False, "Use a handle only until it is closed."
    OVERLOADED = (
        4007,
        True,
        "Try again later, and keep fewer transactions and cursors open.",
    )
    PROTOCOL_ERROR = (
        4008,
        False,
        "Check that the address is that of a Canopy server and its release fits.",
    )
    GRID_CHANGED = (
        4010,
        False,
        "Data of the former grid is not here; open what you need, and load it anew.",
    )
    LEFT_WITH_DATA = (
        4012,
        False,
        "Look with canopy status what is left; stop the next node only when all is well.",
    )
    LEAVE_REFUSED = (
        4013,
        False,
        "See in the detail what is in the way; start another node, or wait for all copies.",
    )
    UPGRADE_REFUSED = (
        4014,
        False,
        "Start the new release at the node that the detail names; canopy upgrade check shows all.",
    )
    TRACES_NOT_SENT = (
        4015,
        False,
        "Check traces.endpoint, and that the collector runs; transactions go on without spans.",
    )
    NOT_FINALIZED = (
        4016,
        False,
        "Run canopy upgrade finalize once all nodes run the new release, and try again.",
    )
    CONFIG_INVALID = 5001, False, "Correct the configuration and start again."
    DISK_UNUSABLE = (
        5002,
        False,
        "Free room on the disk, or repair it as the detail says, and start the node again.",
    )
    DISK_FULL = (
        5003,
        True,
        "Free or add room on the disk that the detail names; reads and removals go on meanwhile.",
    )
    DISKS_LOST = (
        5004,
        False,
        "Start the nodes whose disks are missing, or give up what is lost with canopy recover.",
    )
    DISK_SLOW = (
        5005,
        True,
        "See what else uses the disk that the detail names, or whether it is failing; reads go "
        "on.",
    )
    BACKUP_DAMAGED = (
        5006,
        False,
        "Restore another backup; canopy backup verify names all that is wrong with this one.",
    )
    BACKUP_FORMAT = (
        5007,
        False,
        "Read it with the release that the detail names, or a later one.",
    )
    BACKUP_STORE_FAILED = (
        5008,
        False,
        "Check the place of the backup, and the rights that this user has there.",
    )
    INTERNAL_ERROR = (
        9001,
        False,
        "Report this with the log; restart the node that failed.",
    )

    def __init__(self, number: int, retryable: bool, advice: str) -> None:
        #: The number: 2001 for CNPY-2001.
        self.number = number
        #: Whether the same transaction, run again from its beginning, can succeed.
        self.retryable = retryable
        #: A sentence on what to do.
        self.advice = advice

    @property
    def commit_state(self) -> CommitState:
        """What became of the transaction where the error does not say it."""
        unknown = self in (ErrorCode.COMMIT_UNKNOWN, ErrorCode.INTERNAL_ERROR)
        return CommitState.UNKNOWN if unknown else CommitState.NOT_COMMITTED

    @staticmethod
    def of(number: int) -> ErrorCode | None:
        """The code with a number; None: this release does not know it."""
        return _BY_NUMBER.get(number)

    def __str__(self) -> str:
        return f"CNPY-{self.number} {self.name}"


_BY_NUMBER = {code.number: code for code in ErrorCode}


class CanopyError(Exception):
    """Any error that Canopy reports.

    The text begins with the code, goes on with what happened and ends with what to do.

    Attributes:
        code: The kind of error.
        detail: What happened, in words, as the server or the client says it.
        commit_state: What became of the transaction's writes.
        transaction: The id of the transaction that failed; None outside of one.
        facts: Parts of the detail for programs: of a conflict ``index``, ``key`` and ``other``.

    """

    def __init__(
        self,
        code: ErrorCode,
        detail: str,
        commit_state: CommitState | None = None,
        transaction: str | None = None,
        facts: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}. {code.advice}")
        self.code = code
        self.detail = detail
        self.commit_state = code.commit_state if commit_state is None else commit_state
        self.transaction = transaction
        self.facts: dict[str, str] = dict(facts or {})

    @property
    def retryable(self) -> bool:
        """Whether the transaction, run again, can succeed and cannot take effect twice."""
        return self.code.retryable and self.commit_state is CommitState.NOT_COMMITTED

    @property
    def outcome_unknown(self) -> bool:
        """Whether nobody can say if the writes took effect."""
        return self.commit_state is CommitState.UNKNOWN

    def of_transaction(
        self, transaction: str, commit_state: CommitState | None = None
    ) -> CanopyError:
        """The same error as one of a transaction."""
        state = self.commit_state if commit_state is None else commit_state
        return CanopyError(self.code, self.detail, state, transaction, self.facts)
