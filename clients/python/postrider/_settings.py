"""The settings of both clients, with their checks."""

from __future__ import annotations

import re
import ssl
from typing import Dict, Mapping, Optional

from ._connections import Connections

VERSION = "0.1.0"
DEFAULT_TIMEOUT = 30.0
DEFAULT_RETRIES = 2
#: Number of connections of the asyncio client. Each has a thread.
DEFAULT_CONNECTIONS = 32


def connections_for(
    api_key: str,
    base_url: str,
    headers: Optional[Mapping[str, str]],
    ssl_context: Optional[ssl.SSLContext],
) -> Connections:
    own: Dict[str, str] = {
        "accept": "*/*",
        "user-agent": f"postrider-python/{VERSION}",
        **{name.lower(): value for name, value in (headers or {}).items()},
        "authorization": f"Bearer {_checked_key(api_key)}",
    }
    return Connections(_api_url(base_url), own, ssl_context)


def _checked_key(api_key: str) -> str:
    """Removes the line end that a key from a file often has, because a header cannot contain it."""
    key = api_key.strip()
    if not re.fullmatch(r"[\x21-\x7e]+", key):
        raise ValueError("api_key is empty, or is no API key.")
    return key


def _api_url(base_url: str) -> str:
    address = base_url.strip().rstrip("/")
    if not re.match(r"https?://[^/]", address):
        raise ValueError(f"base_url must begin with http:// or https://, and is {base_url!r}.")
    return address if address.endswith("/v1") else f"{address}/api/v1"
