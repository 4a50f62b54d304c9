"""The options of a client and of its transactions."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path

from .causal import NO_TOKEN, CausalToken
from .errors import CanopyError, ErrorCode

#: Most characters of a label.
LABEL_MAX = 64

#: Most characters of a place in a trace; version 00 of the W3C has 55.
TRACE_PARENT_MAX = 512


def _check(code: ErrorCode, name: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise CanopyError(code, f"{name} must be from {least} to {most}: {name}={value}")


@dataclass(frozen=True)
class ClientOptions:
    """How a client connects.

    Attributes:
        user: Who asks; None: nobody.
        password: The user's password; printed nowhere.
        tls: Whether connections are encrypted, and the servers' certificates and names checked.
        ca_file: A PEM file with the certificates to trust; None: those of the system.
        connect_seconds: How long opening a connection may take, login included.
        ping_seconds: After how long without a word a server is asked whether it is there still.
        outcome_seconds: How long the servers are asked what became of a commit whose connection
            was lost, before that is COMMIT_UNKNOWN.

    """

    user: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    ca_file: str | Path | None = None
    connect_seconds: float = 5.0
    ping_seconds: float = 10.0
    outcome_seconds: float = 30.0

    def __post_init__(self) -> None:
        code = ErrorCode.CONFIG_INVALID
        _check(code, "connect_seconds", self.connect_seconds, 0.01, 300)
        _check(code, "ping_seconds", self.ping_seconds, 1, 3600)
        _check(code, "outcome_seconds", self.outcome_seconds, 0, 600)

    def ssl_context(self) -> ssl.SSLContext | None:
        """What TLS is spoken with; None: it is not."""
        if not self.tls:
            return None
        try:
            return ssl.create_default_context(
                cafile=None if self.ca_file is None else str(self.ca_file)
            )
        except OSError as error:
            raise CanopyError(
                ErrorCode.CONFIG_INVALID,
                f"the certificates in {self.ca_file} cannot be used: {error}",
            ) from error


@dataclass(frozen=True)
class TransactionOptions:
    """How a transaction runs.

    Attributes:
        label: Names the transaction in statistics and in the errors of those it gets in the way
            of.
        timeout: Seconds for all attempts together; past them TIMEOUT.
        max_attempts: How often a body is run at most; past them RETRIES_EXHAUSTED.
        serializable: Whether also its reads are validated, so that it is serializable with all.
        after: What it must see beside all that its handle has seen.
        nearest: Whether it reads the nearest copies, which may be a little older, in place of the
            primaries.
        snapshot: The name of the snapshot that it reads, for ``read`` only; empty: the present;
            ``@`` and a time in milliseconds since 1970: the state of that time.
        traceparent: The place in a trace to which the spans of servers belong, as the header of
            that name in the W3C's Trace Context; empty: none. One that is malformed is ignored.

    """

    label: str = ""
    timeout: float = 10.0
    max_attempts: int = 50
    serializable: bool = False
    after: CausalToken = NO_TOKEN
    nearest: bool = False
    snapshot: str = ""
    traceparent: str = ""

    def __post_init__(self) -> None:
        code = ErrorCode.INVALID_ARGUMENT
        if len(self.label) > LABEL_MAX:
            raise CanopyError(
                code,
                f"label has {len(self.label)} characters, at most {LABEL_MAX}",
            )
        if len(self.traceparent) > TRACE_PARENT_MAX:
            raise CanopyError(
                code,
                f"traceparent has {len(self.traceparent)} characters, at most {TRACE_PARENT_MAX}",
            )
        _check(code, "timeout", self.timeout, 0.001, 3600)
        _check(code, "max_attempts", self.max_attempts, 1, 10_000)


#: No label, 10 s, 50 attempts.
DEFAULTS = TransactionOptions()
