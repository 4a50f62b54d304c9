"""The login by SCRAM-SHA-256 (RFC 5802, RFC 7677).

The password is not sent, and the server proves that it knows it too.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import stringprep
import unicodedata

MECHANISM = "SCRAM-SHA-256"

#: The header of a client that binds the login to no TLS channel, and its base 64.
_HEADER = "n,,"
_BINDING = "biws"

#: More iterations than this would only keep the client busy.
_ITERATIONS_MAX = 10_000_000

_PROHIBITED = (
    stringprep.in_table_c12,
    stringprep.in_table_c21_c22,
    stringprep.in_table_c3,
    stringprep.in_table_c4,
    stringprep.in_table_c5,
    stringprep.in_table_c6,
    stringprep.in_table_c7,
    stringprep.in_table_c8,
    stringprep.in_table_c9,
)


class LoginError(Exception):
    """The server's messages are wrong, or it refuses."""


def prepared(text: str) -> str:
    """Text as SASLprep (RFC 4013) normalizes it."""
    if text.isascii() and text.isprintable():
        return text
    spaced = "".join(
        " " if stringprep.in_table_c12(char) else char
        for char in text
        if not stringprep.in_table_b1(char)
    )
    normal = unicodedata.normalize("NFKC", spaced)
    for char in normal:
        if any(is_in(char) for is_in in _PROHIBITED):
            raise LoginError(f"a character that no name or password has: {char!r}")
    return normal


class ScramClient:
    """One login: the client's messages, in their order."""

    def __init__(self, user: str, password: str, nonce: str | None = None) -> None:
        self._password = prepared(password).encode("utf-8")
        self._nonce = nonce or base64.b64encode(secrets.token_bytes(18)).decode("ascii")
        name = prepared(user).replace("=", "=3D").replace(",", "=2C")
        self._first_bare = f"n={name},r={self._nonce}"
        self._signature: bytes | None = None

    def first(self) -> bytes:
        """The client's first message."""
        return (_HEADER + self._first_bare).encode("utf-8")

    def final(self, challenge: bytes) -> bytes:
        """The client's final message, which answers the server's first one."""
        if self._signature is not None:
            raise LoginError("the server asks once more")
        text = _text(challenge)
        parts = _parts(text)
        nonce = parts.get("r", "")
        if not nonce.startswith(self._nonce) or nonce == self._nonce:
            raise LoginError("the server's nonce does not begin with the client's")
        try:
            salt = base64.b64decode(parts["s"], validate=True)
            iterations = int(parts["i"])
        except (KeyError, ValueError) as error:
            raise LoginError("the server's message lacks salt or iterations") from error
        if not 1 <= iterations <= _ITERATIONS_MAX:
            raise LoginError(f"the server asks for {iterations} iterations")
        salted = hashlib.pbkdf2_hmac("sha256", self._password, salt, iterations)
        client_key = _hmac(salted, b"Client Key")
        without_proof = f"c={_BINDING},r={nonce}"
        signed = f"{self._first_bare},{text},{without_proof}".encode()
        client_signature = _hmac(hashlib.sha256(client_key).digest(), signed)
        self._signature = _hmac(_hmac(salted, b"Server Key"), signed)
        proof = bytes(a ^ b for a, b in zip(client_key, client_signature, strict=True))
        return f"{without_proof},p={base64.b64encode(proof).decode('ascii')}".encode()

    def check(self, final: bytes) -> None:
        """Checks the server's final message, which proves that it knows the password."""
        parts = _parts(_text(final))
        if "e" in parts:
            raise LoginError(f"the server says {parts['e']}")
        try:
            signature = base64.b64decode(parts["v"], validate=True)
        except (KeyError, ValueError) as error:
            raise LoginError("the server proves nothing") from error
        if self._signature is None or not hmac.compare_digest(signature, self._signature):
            raise LoginError("the server does not know the password")


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LoginError("the server's message is not UTF-8") from error


def _parts(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(","))
    return {name: value for name, _, value in pairs}


def _hmac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()
