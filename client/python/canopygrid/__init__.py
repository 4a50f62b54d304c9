"""A client for Canopy, a transactional distributed B+tree index.

async with canopygrid.connect("canopy://vm1:11444,vm2:11444") as db:
    names = await db.index("names", codecs.int64(), codecs.string())
    await names.put(1, "Ada")
"""

from . import codecs
from .causal import NO_TOKEN, CausalToken
from .database import Canopy, IndexInfo, connect
from .errors import CanopyError, CommitState, ErrorCode
from .index import Index, ReadView, View
from .options import ClientOptions, TransactionOptions
from .ranges import Range
from .transaction import ReadTransaction, Transaction

__all__ = [
    "NO_TOKEN",
    "Canopy",
    "CanopyError",
    "CausalToken",
    "ClientOptions",
    "CommitState",
    "ErrorCode",
    "Index",
    "IndexInfo",
    "Range",
    "ReadTransaction",
    "ReadView",
    "Transaction",
    "TransactionOptions",
    "View",
    "codecs",
    "connect",
]
