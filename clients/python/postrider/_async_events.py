"""The same for asyncio. The stream is read in a thread of its own, so that it does not take one from requests."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import AsyncIterator, Optional

from ._connections import LineStream
from ._errors import PostriderError
from ._following import SILENCE, Following
from ._generated import types as t
from ._generated.async_resources import AsyncEventsResource
from ._pages import MAX_PER_PAGE


class AsyncEvents(AsyncEventsResource):
    async def follow(
        self, *, type: Optional[str] = None, recipient: Optional[str] = None
    ) -> AsyncIterator[t.StreamEvent]:
        """
        Yields events as they happen, for as long as you read. Reconnects when the connection breaks, and misses no
        event.
        """
        before = (await self.list(limit=MAX_PER_PAGE))["data"]
        following = Following(before, type, recipient)
        while True:
            failure: Optional[PostriderError] = None
            try:
                async for line in self._lines(following):
                    event = following.take(line)
                    if event is not None:
                        yield event
            except PostriderError as error:
                failure = error
            await asyncio.sleep(following.pause_after(failure))

    async def _lines(self, following: Following) -> AsyncIterator[bytes]:
        loop = asyncio.get_running_loop()
        thread = ThreadPoolExecutor(1, thread_name_prefix="postrider-events")
        stream: Optional[LineStream] = None
        try:
            stream = await loop.run_in_executor(thread, self._api.lines, following.request(), SILENCE)
            while True:
                line = await loop.run_in_executor(thread, stream.next_line)
                if line == b"":
                    return
                yield line
        finally:
            # Whoever still waits in the thread is woken by the end of the connection.
            if stream is not None:
                stream.close()
            thread.shutdown(wait=False)
