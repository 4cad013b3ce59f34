"""Sends and retries requests, and reads the responses."""

from __future__ import annotations

import time
from typing import Any, Iterator, Mapping, Optional, Union

from ._connections import Connections, LineStream
from ._errors import PostriderError
from ._pages import CursorPages, NumberedPages
from ._request import Request, read, request_of
from ._retry import retry_delay

Input = Optional[Mapping[str, Any]]


class Transport:
    def __init__(self, connections: Connections, timeout: float, max_retries: int) -> None:
        self._connections = connections
        self._timeout = timeout
        self._max_retries = max_retries

    def answer(
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
        return self._until_answered(request, limit, retries)

    def data(self, operation: str, **given: Any) -> Any:
        """The content of `data` of the response."""
        return self.answer(operation, **given)["data"]

    def lines(self, request: Request, silence: float) -> LineStream:
        """The lines of a stream, from one connection."""
        return self._connections.lines(request, silence)

    def pages(self, operation: str, *, query: Input = None, **given: Any) -> Iterator[Any]:
        return self._items(NumberedPages(query), operation, given)

    def cursor(self, operation: str, *, query: Input = None, **given: Any) -> Iterator[Any]:
        return self._items(CursorPages(query), operation, given)

    def _items(
        self, pages: Union[NumberedPages, CursorPages], operation: str, given: Mapping[str, Any]
    ) -> Iterator[Any]:
        while not pages.is_over:
            yield from pages.items_of(self.answer(operation, query=pages.query(), **given))

    def _until_answered(self, request: Request, timeout: float, max_retries: int) -> Any:
        attempt = 1
        while True:
            try:
                return read(self._connections.exchange(request, timeout))
            except PostriderError as error:
                error.attempts = attempt
                delay = None if attempt > max_retries else retry_delay(error, request.operation, attempt)
                if delay is None:
                    raise
            time.sleep(delay)
            attempt += 1
