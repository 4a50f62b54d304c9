"""The messages of the protocol; the types are those of the page on the wire protocol."""

from . import admin, catalog, clones, connection, data, feeds, prepared

__all__ = ["admin", "catalog", "clones", "connection", "data", "feeds", "prepared"]
