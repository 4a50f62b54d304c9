"""Clocks: what a client has seen, as a number per shard. They are never changed in place."""

from __future__ import annotations

from .wire.fields import Clock

#: The clock of a client that has seen nothing.
NOTHING: Clock = {}


def join(one: Clock, other: Clock) -> Clock:
    """The clock of a client that has seen what both stand for."""
    more = beyond(other, one)
    return {**one, **more} if more else one


def beyond(clock: Clock, known: Clock) -> Clock:
    """The components of a clock that are above those of another one."""
    return {shard: number for shard, number in clock.items() if number > known.get(shard, 0)}


def above(clock: Clock, number: int) -> Clock:
    """The components of a clock with a number above this one, in whichever shard."""
    return {shard: given for shard, given in clock.items() if given > number}
