"""The time to wait before the next attempt."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass


@dataclass(frozen=True)
class Backoff:
    """A random time up to a bound that doubles with each attempt, so that rivals part."""

    first_seconds: float
    most_seconds: float

    def seconds(self, attempt: int) -> float:
        """The time to wait after attempt number ``attempt``, 1 for the first one."""
        bound = self.first_seconds * 2 ** min(attempt - 1, 40)
        return random.uniform(0, min(bound, self.most_seconds))

    async def pause(self, attempt: int, deadline: float) -> None:
        """Waits after an attempt, at most until a deadline."""
        left = deadline - time.monotonic()
        await asyncio.sleep(max(0.0, min(self.seconds(attempt), left)))
