"""
The same for asyncio. Each attempt runs in a thread, with the connections of the other client: there is one
implementation of HTTP, and it is Python's. The pauses between attempts take no thread.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any, AsyncIterator, Mapping, Optional, Union

from ._connections import Connections, LineStream
from ._errors import PostriderError
from ._pages import CursorPages, NumberedPages
from ._request import Request, read, request_of
from ._retry import retry_delay

Input = Optional[Mapping[str, Any]]


class AsyncTransport:
    def __init__(
        self, connections: Connections, timeout: float, max_retries: int, max_connections: int
    ) -> None:
        self._connections = connections
        self._timeout = timeout
        self._max_retries = max_retries
        self._threads = ThreadPoolExecutor(max_connections, thread_name_prefix="postrider")

    async def answer(
        self,
        operation: str,
        *,
        params: Input = None,
        query: Input = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Any:
        """The whole response: JSON, or text if the API returns a file."""
        # Made once: the same idempotency key for every attempt.
        request = request_of(operation, params, query, body, idempotency_key)
        limit = self._timeout if timeout is None else timeout
        retries = self._max_retries if max_retries is None else max_retries
        return await self._until_answered(request, limit, retries)

    async def data(self, operation: str, **given: Any) -> Any:
        """The content of `data` of the response."""
        return (await self.answer(operation, **given))["data"]

    def lines(self, request: Request, silence: float) -> LineStream:
        """The lines of a stream, from one connection."""
        return self._connections.lines(request, silence)

    def pages(self, operation: str, *, query: Input = None, **given: Any) -> AsyncIterator[Any]:
        return self._items(NumberedPages(query), operation, given)

    def cursor(self, operation: str, *, query: Input = None, **given: Any) -> AsyncIterator[Any]:
        return self._items(CursorPages(query), operation, given)

    def close(self) -> None:
        # What is still under way ends by its own time-out; nobody waits for it.
        self._threads.shutdown(wait=False)
        self._connections.close()

    async def _items(
        self, pages: Union[NumberedPages, CursorPages], operation: str, given: Mapping[str, Any]
    ) -> AsyncIterator[Any]:
        while not pages.is_over:
            for item in pages.items_of(await self.answer(operation, query=pages.query(), **given)):
                yield item

    async def _until_answered(self, request: Request, timeout: float, max_retries: int) -> Any:
        loop = asyncio.get_running_loop()
        attempt = 1
        while True:
            try:
                exchange = self._connections.exchange
                return read(await loop.run_in_executor(self._threads, exchange, request, timeout))
            except PostriderError as error:
                error.attempts = attempt
                delay = None if attempt > max_retries else retry_delay(error, request.operation, attempt)
                if delay is None:
                    raise
            await asyncio.sleep(delay)
            attempt += 1
