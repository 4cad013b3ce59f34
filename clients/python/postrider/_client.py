"""The client."""

from __future__ import annotations

import ssl
from typing import Any, Dict, Mapping, Optional

from ._events import Events
from ._generated import types as t
from ._generated.operations import OperationName
from ._generated.resources import Resources
from ._sandbox import Sandbox
from ._settings import DEFAULT_RETRIES, DEFAULT_TIMEOUT, connections_for
from ._suppressions import Suppressions
from ._transport import Transport


class Postrider(Resources):
    """
    One client is enough for a program: threads can share it, and it keeps connections open.

    `timeout` is the timeout of each attempt in seconds, `max_retries` the maximum number of retries. `headers` are sent
    with every request.
    """

    events: Events
    sandbox: Sandbox
    suppressions: Suppressions

    def __init__(
        self,
        *,
        api_key: str,
        base_url: str,
        timeout: float = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_RETRIES,
        headers: Optional[Mapping[str, str]] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._connections = connections_for(api_key, base_url, headers, ssl_context)
        self._transport = Transport(self._connections, timeout, max_retries)
        super().__init__(self._transport)
        self.events = Events(self._transport)
        self.sandbox = Sandbox(self._transport)
        self.suppressions = Suppressions(self._transport)
        self._same: Dict[str, Any] = {
            "base_url": base_url,
            "timeout": timeout,
            "max_retries": max_retries,
            "headers": headers,
            "ssl_context": ssl_context,
        }

    def request(
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
        return self._transport.answer(
            operation,
            params=params,
            query=query,
            body=body,
            idempotency_key=idempotency_key,
            timeout=timeout,
            max_retries=max_retries,
        )

    def throw_away(self, body: Optional[t.SandboxCreateOrganizationBody] = None) -> ThrowAway:
        """Creates an organization for one test run, with its own inbox. Sandbox only."""
        made = self.sandbox.create_organization(body)
        return ThrowAway(made, Postrider(api_key=made["api_key"], **self._same))

    def close(self) -> None:
        """Closes the open connections."""
        self._connections.close()

    def __enter__(self) -> Postrider:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class ThrowAway:
    """An organization for one test run, with a client for it. It is deleted automatically when its time is over."""

    def __init__(self, made: t.ThrowAwayOrganization, client: Postrider) -> None:
        self.client = client
        #: API key for the application under test.
        self.api_key = made["api_key"]
        #: Sending domain of the organization.
        self.domain = made["domain"]
        self.organization = made

    def delete(self) -> None:
        self.client.sandbox.delete_organization()
        self.client.close()

    def __enter__(self) -> ThrowAway:
        return self

    def __exit__(self, *_: object) -> None:
        self.delete()
