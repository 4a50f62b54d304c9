"""The ids of grids, as people read them."""

from __future__ import annotations

#: Digits and letters without i, l, o and u, which are taken for others.
_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz"

_LENGTH = 26


def grid_text(grid: bytes) -> str:
    """The 26 letters and digits that stand for the 16 bytes of a grid's id."""
    number = int.from_bytes(grid, "big")
    places = range(5 * (_LENGTH - 1), -1, -5)
    return "".join(_DIGITS[number >> place & 31] for place in places)
