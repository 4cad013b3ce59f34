"""The client for asyncio."""

from __future__ import annotations

import ssl
from typing import Any, Dict, Mapping, Optional

from ._async_events import AsyncEvents
from ._async_sandbox import AsyncSandbox
from ._async_suppressions import AsyncSuppressions
from ._async_transport import AsyncTransport
from ._generated import types as t
from ._generated.async_resources import AsyncResources
from ._generated.operations import OperationName
from ._settings import DEFAULT_CONNECTIONS, DEFAULT_RETRIES, DEFAULT_TIMEOUT, connections_for


class AsyncPostrider(AsyncResources):
    """
    One for a whole program. Up to `max_connections` requests are under way at a time; the others wait for their turn.

    `timeout` is the timeout of each attempt in seconds, `max_retries` the maximum number of retries. `headers` are sent
    with every request.
    """

    events: AsyncEvents
    sandbox: AsyncSandbox
    suppressions: AsyncSuppressions

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_RETRIES,
        max_connections: int = DEFAULT_CONNECTIONS,
        headers: Optional[Mapping[str, str]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        connections = connections_for(api_key, base_url, headers, ssl_context)
        self._transport = AsyncTransport(connections, timeout, max_retries, max_connections)
        super().__init__(self._transport)
        self.events = AsyncEvents(self._transport)
        self.sandbox = AsyncSandbox(self._transport)
        self.suppressions = AsyncSuppressions(self._transport)
        self._same: Dict[str, Any] = {
            "base_url": base_url,
            "timeout": timeout,
            "max_retries": max_retries,
            "max_connections": max_connections,
            "headers": headers,
            "ssl_context": ssl_context,
        }

    async def request(
        self,
        operation: OperationName,
        *,
        params: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        max_retries: Optional[int] = None,
    ) -> Any:
        """Calls any operation of the API by its name: `request("GET /emails/{id}", params={"id": id})`. Returns the whole response."""
        return await self._transport.answer(
            operation,
            params=params,
            query=query,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )

    async def throw_away(self, body: Optional[t.SandboxCreateOrganizationBody] = None) -> AsyncThrowAway:
        """Creates an organization for one test run, with its own inbox. Sandbox only."""
        made = await self.sandbox.create_organization(body)
        return AsyncThrowAway(made, AsyncPostrider(api_key=made["api_key"], **self._same))

    async def close(self) -> None:
        """Closes the open connections."""
        self._transport.close()

    async def __aenter__(self) -> AsyncPostrider:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


class AsyncThrowAway:
    """An organization for one test run, with a client for it. It is deleted automatically when its time is over."""

    def __init__(self, made: t.ThrowAwayOrganization, client: AsyncPostrider) -> None:
        self.client = client
        #: API key for the application under test.
        self.api_key = made["api_key"]
        #: Sending domain of the organization.
        self.domain = made["domain"]
        self.organization = made

    async def delete(self) -> None:
        await self.client.sandbox.delete_organization()
        await self.client.close()

    async def __aenter__(self) -> AsyncThrowAway:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.delete()
