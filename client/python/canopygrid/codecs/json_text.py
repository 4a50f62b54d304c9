"""The codec of JSON: exact numbers, sorted keys, no spaces."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from .base import Codec, type_name


class JsonCodec(Codec[Any]):
    """Values as JSON in UTF-8; for values of indexes only, since it keeps no order.

    Numbers with a fraction become what ``fractions`` makes of their text: a Decimal, which loses
    nothing, unless something else is wanted.
    """

    ordered = False

    def __init__(self, name: str, fractions: Callable[[str], Any] = Decimal) -> None:
        self.id = f"json({name})"
        self._fractions = fractions

    def encode(self, value: Any) -> bytes:
        if value is None:
            raise self._refuse_value("None is no value; use remove to take a key away")
        try:
            return _text(value).encode("utf-8")
        except (ValueError, RecursionError) as error:
            raise self._refuse_value(str(error)) from error

    def decode(self, data: bytes) -> Any:
        try:
            value = json.loads(
                data.decode("utf-8"),
                parse_float=self._fractions,
                parse_constant=_no_constant,
                object_pairs_hook=_distinct,
            )
        except (ValueError, RecursionError) as error:
            raise self._refuse_bytes(str(error)) from error
        if value is None:
            raise self._refuse_bytes("the JSON is null")
        return value


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key comes twice in an object")
    return found


def _utf16(key: str) -> bytes:
    """The order in which Java sorts text."""
    return key.encode("utf-16-be")


def _text(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"{value} is no JSON")
        return repr(float(value))
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise ValueError(f"{value} is no JSON")
        return str(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(_text, value))}]"
    if isinstance(value, dict):
        return f"{{{','.join(_member(key, value[key]) for key in _sorted(value))}}}"
    raise ValueError(f"a {type_name(value)} is no JSON")


def _sorted(value: dict[Any, Any]) -> list[str]:
    for key in value:
        if not isinstance(key, str):
            raise ValueError(f"a key of an object is a str, not {type_name(key)}")
    return sorted(value, key=_utf16)


def _member(key: str, value: Any) -> str:
    return f"{_text(key)}:{_text(value)}"
