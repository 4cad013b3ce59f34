"""The errors of a call. All extend `PostriderError`, with a `code`. `status` is 0 if there was no response."""

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
    """The base class of all errors of this client."""

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
        #: A code of the API, or `CONNECTION_FAILED`, `TIMED_OUT`, `UNEXPECTED_RESPONSE`.
        self.code = code
        #: HTTP status of the response; 0 if there was none.
        self.status = status
        #: The problems of the request, with their fields.
        self.details: List[FieldProblem] = details or []
        #: Id of the request in the server's log.
        self.request_id = request_id
        #: Seconds.
        self.retry_after = retry_after
        #: Number of attempts.
        self.attempts = 1


class ValidationError(PostriderError):
    """400: the request is wrong. `details` names the fields."""


class AuthenticationError(PostriderError):
    """401: the key is missing, unknown, expired or revoked."""


class PermissionDeniedError(PostriderError):
    """403: the key does not allow this."""


class NotFoundError(PostriderError):
    """404: the object does not exist, or belongs to another organization."""


class ConflictError(PostriderError):
    """409: the current state does not allow this."""


class RateLimitError(PostriderError):
    """429: too many requests (`RATE_LIMITED`), or the sending limit is reached (`LIMIT_EXCEEDED`)."""


class ServerError(PostriderError):
    """5xx: the server failed."""


class ConnectionFailedError(PostriderError):
    """There was no response. The request may or may not have been executed."""


class TimedOutError(ConnectionFailedError):
    """There was no response in time."""


class MailNotReceivedError(PostriderError):
    """No message arrived in time. The error lists the messages that arrived instead and the status of mail to that recipient."""


_BY_STATUS: Dict[int, Type[PostriderError]] = {
    400: ValidationError,
    401: AuthenticationError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    429: RateLimitError,
}


def error_of(status: int, headers: Mapping[str, str], body: bytes) -> PostriderError:
    """The error of a response. The names of headers are in lower case."""
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
    """A success that cannot be parsed: a proxy answered instead of the API."""
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
