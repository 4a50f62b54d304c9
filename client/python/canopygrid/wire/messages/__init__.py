"""The messages of the protocol; the types are those of the page on the wire protocol."""

from . import admin, catalog, connection, data, feeds

__all__ = ["admin", "catalog", "connection", "data", "feeds"]
