"""The same for asyncio."""

from __future__ import annotations

import asyncio
from typing import Callable, Optional

from ._generated import types as t
from ._generated.async_resources import AsyncSuppressionsResource
from ._suppressions import ENDS


class AsyncSuppressions(AsyncSuppressionsResource):
    async def wait_for_import(
        self,
        id: str,
        *,
        on_progress: Optional[Callable[[t.SuppressionImport], None]] = None,
        interval: float = 0.5,
    ) -> t.SuppressionImport:
        """Returns when the import is done or has failed. `on_progress` receives its progress."""
        while True:
            state = await self.get_import(id)
            if on_progress is not None:
                on_progress(state)
            if state["status"] in ENDS:
                return state
            await asyncio.sleep(interval)
