"""Verifies webhooks according to Standard Webhooks 1.0."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import Any, Dict, Iterable, List, Literal, Optional, Protocol, Sequence, Tuple, Union

DEFAULT_TOLERANCE = 300.0
PREFIX = "whsec_"

WebhookProblem = Literal[
    "missing_header",
    "invalid_timestamp",
    "too_old",
    "too_new",
    "invalid_secret",
    "wrong_signature",
    "invalid_payload",
]


class Headers(Protocol):
    """A dictionary, or the header object of a framework."""

    def items(self) -> Iterable[Tuple[str, Any]]: ...


class WebhookVerificationError(Exception):
    """The call cannot be trusted. `reason` is a code."""

    def __init__(self, reason: WebhookProblem, message: str) -> None:
        super().__init__(message)
        self.reason: WebhookProblem = reason


def verify_webhook(
    body: Union[bytes, str],
    headers: Headers,
    secret: Union[str, Sequence[str]],
    *,
    tolerance: float = DEFAULT_TOLERANCE,
    now: Optional[float] = None,
) -> Dict[str, Any]:
    """
    Returns the event if Postrider sent the call recently and nobody changed it. Otherwise raises a
    `WebhookVerificationError`. `body` is the raw body, before it is parsed. Pass several secrets during a rotation: one
    match is enough. `tolerance` is the maximum difference between the time of the call and now in seconds.
    """
    event_id = _header(headers, "webhook-id")
    timestamp = _header(headers, "webhook-timestamp")
    signatures = _signatures_in(_header(headers, "webhook-signature"))
    _check_age(timestamp, tolerance, time.time() if now is None else now)
    raw = body.encode() if isinstance(body, str) else bytes(body)
    signed = f"{event_id}.{timestamp}.".encode() + raw
    for one in [secret] if isinstance(secret, str) else secret:
        if _fits(_key_of(one), signatures, signed):
            return _parsed(raw)
    raise WebhookVerificationError(
        "wrong_signature", "No signature fits: not from us, changed, or another secret."
    )


def _header(headers: Headers, name: str) -> str:
    """Frameworks write the names as they like; WSGI and Django call them `HTTP_WEBHOOK_ID`."""
    wsgi = "http_" + name.replace("-", "_")
    for key, value in headers.items():
        if key.lower() in (name, wsgi) and value:
            return " ".join(value) if isinstance(value, (list, tuple)) else str(value)
    raise WebhookVerificationError("missing_header", f"The header {name} is missing.")


def _signatures_in(header: str) -> List[bytes]:
    """`v1,<base64>`, or several separated by spaces. Unknown versions are ignored."""
    words = [one[3:] for one in header.split(" ") if one.startswith("v1,")]
    return [found for found in map(_from_base64, words) if found is not None]


def _check_age(timestamp: str, tolerance: float, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,15}", timestamp):
        raise WebhookVerificationError(
            "invalid_timestamp", "The time of sending is not a number of seconds."
        )
    age = now - int(timestamp)
    if age > tolerance:
        raise WebhookVerificationError("too_old", f"It was sent {round(age)} seconds ago.")
    if age < -tolerance:
        raise WebhookVerificationError("too_new", f"It was sent {round(-age)} seconds from now.")


def _key_of(secret: str) -> bytes:
    key = _from_base64(secret[len(PREFIX) :] if secret.startswith(PREFIX) else secret)
    if not key:
        raise WebhookVerificationError("invalid_secret", "The secret is not one: it starts with whsec_.")
    return key


def _fits(key: bytes, signatures: Sequence[bytes], signed: bytes) -> bool:
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    return any(hmac.compare_digest(expected, one) for one in signatures)


def _from_base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _parsed(body: bytes) -> Dict[str, Any]:
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise WebhookVerificationError("invalid_payload", "It is signed, but not an event.")
    return event
