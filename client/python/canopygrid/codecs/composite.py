"""The codecs made of others, and those of enums."""

from __future__ import annotations

from enum import Enum
from typing import Any, Generic, TypeVar

from ..errors import CanopyError, ErrorCode
from .base import Codec, ended, escaped, take_ended, turned_over, type_name

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


def _invalid(why: str) -> CanopyError:
    return CanopyError(ErrorCode.INVALID_ARGUMENT, why)


class TupleCodec(Codec[tuple[Any, ...]]):
    """Tuples, compared by the first component, then by the second, and so on."""

    prefixes = True

    #: Most components of a tuple.
    SIZE_MAX = 16

    def __init__(self, components: tuple[Codec[Any], ...]) -> None:
        if not 2 <= len(components) <= self.SIZE_MAX:
            raise _invalid(f"a tuple has 2 to {self.SIZE_MAX} components: {len(components)}")
        self.components = components
        self.id = f"tuple({','.join(codec.id for codec in components)})"
        self.ordered = all(codec.ordered for codec in components)

    def encode(self, value: tuple[Any, ...]) -> bytes:
        if not isinstance(value, tuple) or len(value) != len(self.components):
            raise self._refuse_value(
                f"a tuple of {len(self.components)} components wanted, not {value!r}"
            )
        return self._joined(value)

    def prefix(self, value: tuple[Any, ...]) -> bytes:
        if not isinstance(value, tuple) or not 1 <= len(value) <= len(self.components):
            raise self._refuse_value(
                f"a tuple of 1 to {len(self.components)} components wanted, not {value!r}"
            )
        return self._joined(value)

    def _joined(self, value: tuple[Any, ...]) -> bytes:
        out = bytearray()
        for codec, component in zip(self.components, value, strict=False):
            data = codec.encode(component)
            out += ended(data) if codec.fixed_length is None else data
        return bytes(out)

    def decode(self, data: bytes) -> tuple[Any, ...]:
        values = []
        at = 0
        for codec in self.components:
            if codec.fixed_length is None:
                try:
                    part, at = take_ended(data, at)
                except ValueError as error:
                    raise self._refuse_bytes(str(error)) from error
            else:
                part, at = data[at : at + codec.fixed_length], at + codec.fixed_length
            values.append(codec.decode(part))
        if at != len(data):
            raise self._refuse_bytes(f"{len(data) - at} bytes too many")
        return tuple(values)


class OptionalCodec(Codec["T | None"], Generic[T]):
    """Values that may be absent: None comes first."""

    def __init__(self, values: Codec[T]) -> None:
        if isinstance(values, OptionalCodec):
            raise _invalid("Python's None cannot tell apart optionals of optionals")
        self.values = values
        self.id = f"optional({values.id})"
        self.ordered = values.ordered
        self.prefixes = values.prefixes

    def encode(self, value: T | None) -> bytes:
        return b"\x00" if value is None else b"\x01" + self.values.encode(value)

    def decode(self, data: bytes) -> T | None:
        if data == b"\x00":
            return None
        if data[:1] != b"\x01":
            raise self._refuse_bytes("the first byte is 0 or 1")
        return self.values.decode(data[1:])

    def prefix(self, value: T | None) -> bytes:
        return b"\x00" if value is None else b"\x01" + self.values.prefix(value)


class DescendingCodec(Codec[T]):
    """The values of another codec in the opposite order."""

    def __init__(self, ascending: Codec[T]) -> None:
        if not ascending.ordered:
            raise _invalid(f"codec {ascending.id} keeps no order that could be turned round")
        self.ascending = ascending
        self.id = f"descending({ascending.id})"
        self.fixed_length = ascending.fixed_length
        self.prefixes = ascending.prefixes

    def encode(self, value: T) -> bytes:
        data = self.ascending.encode(value)
        return turned_over(ended(data) if self.fixed_length is None else data)

    def decode(self, data: bytes) -> T:
        turned = turned_over(data)
        if self.fixed_length is not None:
            return self.ascending.decode(turned)
        try:
            inner, end = take_ended(turned, 0)
        except ValueError as error:
            raise self._refuse_bytes(str(error)) from error
        if end != len(turned):
            raise self._refuse_bytes(f"{len(turned) - end} bytes too many")
        return self.ascending.decode(inner)

    def prefix(self, value: T) -> bytes:
        data = self.ascending.prefix(value)
        return turned_over(escaped(data) if self.fixed_length is None else data)


class EnumCodec(Codec[E]):
    """The members of an enum, in the order in which its class has them."""

    def __init__(self, kind: type[E], name: str) -> None:
        self.id = f"enum({name})"
        self._kind = kind
        self._places = {member: place for place, member in enumerate(kind)}

    def encode(self, value: E) -> bytes:
        if not isinstance(value, self._kind):
            raise self._refuse_value(f"a {self._kind.__name__} wanted, not {type_name(value)}")
        return self._places[value].to_bytes(2, "big") + value.name.encode("utf-8")

    def decode(self, data: bytes) -> E:
        if len(data) <= 2:
            raise self._refuse_bytes("a place and a name wanted")
        place = int.from_bytes(data[:2], "big")
        try:
            name = data[2:].decode("utf-8")
        except UnicodeDecodeError as error:
            raise self._refuse_bytes(f"the name is not UTF-8: {error}") from error
        member = self._kind.__members__.get(name)
        if member is None or member.name != name:
            raise self._refuse_bytes(f"there is no constant '{name}' now")
        if self._places[member] != place:
            raise self._refuse_bytes(
                f"constant {name} was number {place} and is {self._places[member]} now: "
                "others may only be added behind the last one"
            )
        return member
