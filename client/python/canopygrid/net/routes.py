"""The servers and shards of the keys of one index, as a server told them."""

from __future__ import annotations

from bisect import bisect_right

from ..wire.messages.catalog import Routes


class RouteMap:
    """The places of keys. Never changed in place."""

    def __init__(self, told: Routes) -> None:
        self._told = told
        self._lowest = [route.from_ for route in told.routes]

    @property
    def version(self) -> int:
        """Names the content; 0: nothing is known."""
        return self._told.version

    def updated(self, told: Routes) -> RouteMap:
        """This map, or the one of a newer answer."""
        same = told.version == self.version or not told.routes
        return self if same else RouteMap(told)

    def address_of(self, key: bytes) -> str:
        """The address of the server that has a key; empty where that is not known."""
        place = bisect_right(self._lowest, key) - 1
        if place < 0:
            return ""
        address = self._told.routes[place].address
        return self._told.addresses[address] if address < len(self._told.addresses) else ""

    def shard_of(self, key: bytes) -> int:
        """The shard of a key; 0 where that is not known."""
        place = bisect_right(self._lowest, key) - 1
        return 0 if place < 0 else self._told.routes[place].shard


#: The map of an index of which nothing is known.
NOWHERE = RouteMap(Routes(0, (), ()))
