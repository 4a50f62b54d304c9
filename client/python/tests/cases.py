"""What all tests with a loop share."""

from __future__ import annotations

import asyncio
import time
import unittest
from collections.abc import Callable

#: Longer than anything takes, also on a busy machine.
_PATIENCE_SECONDS = 120


class AsyncTestCase(unittest.IsolatedAsyncioTestCase):
    """A test with a loop, which does not watch how long its steps take."""

    async def asyncSetUp(self) -> None:
        asyncio.get_running_loop().set_debug(False)


async def until(holds: Callable[[], bool]) -> None:
    """Waits until something holds."""
    end = time.monotonic() + _PATIENCE_SECONDS
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError
        await asyncio.sleep(0.01)
