"""Frames and messages: the vectors of the protocol, and bytes that are no frames."""

from __future__ import annotations

import dataclasses
import datetime as dt
import re
import unittest
import uuid
from enum import IntEnum
from typing import Any

from canopygrid.errors import ErrorCode
from canopygrid.grids import grid_text
from canopygrid.wire import frames
from canopygrid.wire.buffers import MalformedBytesError, Reader, Writer
from canopygrid.wire.messages import admin, feeds, prepared
from canopygrid.wire.messages import connection as says
from tests import vectors

_PLACES = {0: None, 1: "ASYNC", 2: "FSYNC"}


def _camel(name: str) -> str:
    return re.sub(r"_([a-z0-9])", lambda found: found.group(1).upper(), name.rstrip("_"))


def _aborts(counts: tuple[admin.Aborts, ...]) -> dict[str, int]:
    return {str(ErrorCode.of(each.code)): each.aborts for each in counts}


def in_words(value: Any) -> Any:
    """A message as the vectors write it."""
    if isinstance(value, says.Grid):
        founded = dt.datetime.fromtimestamp(value.founded / 1000, dt.timezone.utc)
        return {
            "id": grid_text(value.id),
            "founded": founded.strftime("%Y-%m-%dT%H:%M:%SZ"),
        }
    if isinstance(value, prepared.Branch):
        number = value.format - (1 << 32) if value.format >= 1 << 31 else value.format
        return f"{number}:{value.global_id.hex()}:{value.branch.hex()}"
    if isinstance(value, IntEnum):
        return value.name
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(shard): number for shard, number in value.items()}
    if isinstance(value, tuple):
        return [in_words(each) for each in value]
    if dataclasses.is_dataclass(value):
        return _record_in_words(value)
    return value


def _record_in_words(value: Any) -> dict[str, Any]:
    words = {
        _camel(declared.name): in_words(getattr(value, declared.name))
        for declared in dataclasses.fields(value)
    }
    if "client" in words:
        words["client"] = str(uuid.UUID(words["client"]))
    if isinstance(words.get("aborts"), list):
        words["aborts"] = _aborts(value.aborts)
    if words.get("transaction", 0) >= 1 << 31:
        words["transaction"] -= 1 << 32
    if isinstance(value, says.Hello):
        del words["magic"]
        words["grid"] = None if value.grid is None else grid_text(value.grid)
    if isinstance(value, feeds.Told):
        words["grid"] = None if value.grid is None else grid_text(value.grid)
    if isinstance(value, admin.LabelCounts):
        words = {"name": value.name, **words["counts"]}
    if isinstance(value, admin.Subtree):
        words["bytes"] = words.pop("size")
        for name in ("reads", "writes"):
            words[f"{name}PerSecond"] = words.pop(name) / 1000
    if isinstance(value, admin.HotEntry):
        for name in ("reads", "copyReads"):
            words[f"{name}PerSecond"] = words.pop(name) / 1000
    if isinstance(value, prepared.PreparedBody):
        since = dt.datetime.fromtimestamp(value.since / 1000, dt.timezone.utc)
        words["since"] = since.strftime("%Y-%m-%dT%H:%M:%SZ")
    if isinstance(value, admin.NodeDisk):
        words["durability"] = _PLACES[value.durability]
    if isinstance(value, admin.CutOffIs):
        words = {"cutOff": words}
    if isinstance(value, admin.Stats):
        for name in ("byLabel", "byIndex"):
            words[name] = {each.pop("name"): each for each in words[name]}
        words = {"stats": words}
    return words


class VectorsTest(unittest.TestCase):
    """Each frame makes its message, and each message its frame."""

    def test_frames(self) -> None:
        known = vectors.load(vectors.WIRE)
        self.assertGreater(len(known), 70)
        for vector in known:
            with self.subTest(vector["name"]):
                frame = bytes.fromhex(vector["frame"])
                length = frames.checked_length(frame[:4])
                self.assertEqual(length, len(frame) - 4)
                stream, message = frames.decode(frame[4:])
                self.assertEqual(stream, vector["stream"])
                self.assertEqual(type(message).__name__, vector["type"])
                self.assertEqual(in_words(message), vector["message"])
                self.assertEqual(frames.encode(stream, message).hex(), vector["frame"])

    def test_every_cut_is_refused(self) -> None:
        for vector in vectors.load(vectors.WIRE):
            frame = bytes.fromhex(vector["frame"])[4:]
            for end in range(len(frame)):
                with self.subTest(vector["name"], end=end):
                    self.assertRaises(MalformedBytesError, frames.decode, frame[:end])

    def test_every_byte_too_many_is_refused(self) -> None:
        for vector in vectors.load(vectors.WIRE):
            frame = bytes.fromhex(vector["frame"])[4:]
            with self.subTest(vector["name"]):
                with self.assertRaisesRegex(MalformedBytesError, "1 bytes too many"):
                    frames.decode(frame + b"\x00")


class MalformedTest(unittest.TestCase):
    """Bytes that are no frames, and what is said of them."""

    def refused(self, why: str, frame: str) -> None:
        """Checks that a frame, in hexadecimal, is refused with a reason."""
        with self.assertRaisesRegex(MalformedBytesError, why):
            frames.decode(bytes.fromhex(frame))

    def test_lengths(self) -> None:
        for length in (0, 4, frames.FRAME_BYTES_MAX + 1, 0xFFFFFFFF, 0x48545450):
            with self.subTest(length):
                with self.assertRaisesRegex(MalformedBytesError, "a frame has from 5 to"):
                    frames.checked_length(length.to_bytes(4, "big"))
        self.assertEqual(frames.checked_length(b"\x00\x00\x00\x05"), 5)

    def test_unknown_type(self) -> None:
        self.refused("no message has type 77", "7700000001")

    def test_flag(self) -> None:
        self.refused("a flag is 0 or 1: 2", "a00000000102000000")

    def test_number_in_a_longer_form(self) -> None:
        self.refused("shortest form", "a40000000100008000")

    def test_number_of_eleven_bytes(self) -> None:
        self.refused("more than ten bytes", "a4000000010000" + "ff" * 11)

    def test_negative_number(self) -> None:
        self.refused("negative", "a4000000010000" + "ff" * 9 + "01")

    def test_text_that_is_no_utf8(self) -> None:
        self.refused("not UTF-8", "03000000010101ff")

    def test_list_longer_than_the_frame(self) -> None:
        self.refused("must be from 0 to", "9100000001ffffffff07")

    def test_clock_with_a_zero(self) -> None:
        self.refused("1 or more", "a60000000100010500")

    def test_clock_of_no_shard(self) -> None:
        self.refused("no shard", "a6000000010001ffff7f01")

    def test_unknown_state(self) -> None:
        self.refused("no CommitState has number 3", "98000000010300" + "00")

    def test_hello_of_something_else(self) -> None:
        self.refused("434e5059 wanted", "080000000147455420")

    def test_numbers_have_one_form(self) -> None:
        for number in (0, 1, 127, 128, 300, (1 << 63) - 1):
            out = Writer()
            out.var(number)
            self.assertEqual(Reader(out.to_bytes()).var(), number)
        for number in (-1, 1 << 63):
            self.assertRaises(ValueError, Writer().var, number)


if __name__ == "__main__":
    unittest.main()
