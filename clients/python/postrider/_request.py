"""Builds a request from an operation and its input, and reads a response. Pure."""

from __future__ import annotations

import datetime
import json
import re
import uuid
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Tuple
from urllib.parse import quote, urlencode

from ._errors import error_of, unreadable
from ._retry import takes_idempotency_key


@dataclass(frozen=True)
class Request:
    operation: str
    method: str
    #: Path with the query. The connection has the part before the path.
    target: str
    headers: Mapping[str, str]
    body: Optional[bytes]


@dataclass(frozen=True)
class Response:
    status: int
    #: Headers, with names in lower case.
    headers: Mapping[str, str]
    body: bytes


def request_of(
    operation: str,
    params: Optional[Mapping[str, Any]] = None,
    query: Optional[Mapping[str, Any]] = None,
    body: Any = None,
    idempotency_key: Optional[str] = None,
) -> Request:
    method, _, path = operation.partition(" ")
    headers: Dict[str, str] = {}
    if takes_idempotency_key(operation):
        headers["idempotency-key"] = idempotency_key or f"py_{uuid.uuid4()}"
    if body is not None:
        headers["content-type"] = "text/csv; charset=utf-8" if isinstance(body, str) else "application/json"
    target = _filled(path, params or {}) + _query_text(query or {})
    return Request(operation, method, target, headers, _bytes_of(body))


def read(response: Response) -> Any:
    """The content of the response: JSON, or text if the API returns a file. Raises an error if the response is one."""
    status, headers, body = response.status, response.headers, response.body
    if not 200 <= status < 300:
        raise error_of(status, headers, body)
    if body == b"":
        return None
    if "json" in headers.get("content-type", ""):
        try:
            return json.loads(body)
        except ValueError as cause:
            raise unreadable(status, headers) from cause
    if re.match(rb"\s*<(!doctype|html)", body, re.IGNORECASE):
        raise unreadable(status, headers)
    return body.decode("utf-8", "replace")


def moment_text(moment: object) -> str:
    """The time in the format of the API. A time without a zone is refused, because it is ambiguous."""
    if isinstance(moment, str):
        return moment
    if not isinstance(moment, datetime.datetime):
        raise TypeError(f"{moment!r} cannot be sent as JSON.")
    if moment.tzinfo is None:
        raise TypeError(f"{moment!r} has no time zone: use datetime.now(timezone.utc), for example.")
    utc = moment.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    return utc.isoformat(timespec="milliseconds") + "Z"


def _bytes_of(body: Any) -> Optional[bytes]:
    if body is None:
        return None
    if isinstance(body, str):
        return body.encode()
    # NaN is no JSON, and would be refused with less help.
    return json.dumps(body, default=moment_text, allow_nan=False, ensure_ascii=False).encode("utf-8")


def _filled(path: str, params: Mapping[str, Any]) -> str:
    """An id with a slash or a dot in it must not lead to another route."""

    def value_of(match: "re.Match[str]") -> str:
        value = params.get(match.group(1))
        if value is None or str(value) in ("", ".", ".."):
            raise ValueError(f"{path} needs `{match.group(1)}`, and got {value!r}.")
        return quote(str(value), safe="")

    return re.sub(r"\{(\w+)\}", value_of, path)


def _query_text(query: Mapping[str, Any]) -> str:
    given: List[Tuple[str, str]] = []
    for name, value in query.items():
        values = value if isinstance(value, (list, tuple)) else [value]
        given += [(name, _word(one)) for one in values if one is not None]
    return f"?{urlencode(given)}" if given else ""


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return moment_text(value) if isinstance(value, datetime.datetime) else str(value)
