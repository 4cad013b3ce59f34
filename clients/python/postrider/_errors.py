"""Every way a call can fail. All are a `PostriderError`; `code` says which, and `status` is 0 without an answer."""

from __future__ import annotations

import email.utils
import json
import time
from typing import Any, Dict, List, Mapping, Optional, Type, TypedDict


class FieldProblem(TypedDict):
    field: str
    """A path such as `to[0].email`."""
    message: str


class PostriderError(Exception):
    """What all errors of this client have."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        details: Optional[List[FieldProblem]] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        #: One of the API, or `CONNECTION_FAILED`, `TIMED_OUT`, `UNEXPECTED_RESPONSE`.
        self.code = code
        #: Of the HTTP answer; 0 when there was none.
        self.status = status
        #: Every problem found in the request.
        self.details: List[FieldProblem] = details or []
        #: Finds the request in the server's log.
        self.request_id = request_id
        #: Seconds.
        self.retry_after = retry_after
        #: How often it was tried.
        self.attempts = 1


class ValidationError(PostriderError):
    """400: the request is wrong, or not possible as it stands. `details` says where."""


class AuthenticationError(PostriderError):
    """401: no key, or one that is not valid any more."""


class PermissionDeniedError(PostriderError):
    """403: this key may not do that."""


class NotFoundError(PostriderError):
    """404: no such thing, or not yours."""


class ConflictError(PostriderError):
    """409: the current state does not allow it."""


class RateLimitError(PostriderError):
    """429: too many requests (`RATE_LIMITED`), or the sending limit is reached (`LIMIT_EXCEEDED`)."""


class ServerError(PostriderError):
    """5xx: not your fault."""


class ConnectionFailedError(PostriderError):
    """No answer. Whether the request was carried out is not known."""


class TimedOutError(ConnectionFailedError):
    """No answer in time."""


class MailNotReceivedError(PostriderError):
    """Nothing arrived in time. The message says what arrived instead, and what became of mail to that recipient."""


_BY_STATUS: Dict[int, Type[PostriderError]] = {
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> PostriderError:
    """What an answer that is no success means. The names of headers are in lower case."""
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else PostriderError)
    told = _envelope_in(body)
    unexpected = f"The answer was {status}, and not one of Postrider's. Is base_url its address?"
    return kind(
        told.get("message", unexpected),
        code=told.get("code", "UNEXPECTED_RESPONSE"),
        status=status,
        details=told.get("details"),
        request_id=headers.get("x-request-id"),
        retry_after=_seconds_in(headers.get("retry-after")),
    )


def unreadable(status: int, headers: Mapping[str, str]) -> PostriderError:
    """A success that cannot be read: something between us and the API answered."""
    return PostriderError(
        "The answer is not JSON. Is base_url the address of Postrider's API?",
        code="UNEXPECTED_RESPONSE",
        status=status,
        request_id=headers.get("x-request-id"),
    )


def _envelope_in(body: bytes) -> Dict[str, Any]:
    try:
        error: Dict[str, Any] = json.loads(body)["error"]
        known = isinstance(error["code"], str) and isinstance(error["message"], str)
    except (ValueError, KeyError, TypeError):
        return {}
    return error if known else {}


def _seconds_in(header: Optional[str]) -> Optional[float]:
    """Seconds, or a date."""
    if header is None:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            seconds = email.utils.parsedate_to_datetime(header).timestamp() - time.time()
        except (TypeError, ValueError):
            return None
    # Neither infinity nor what is no number.
    return max(0.0, seconds) if abs(seconds) < float("inf") else None
