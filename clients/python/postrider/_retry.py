"""Whether a failed attempt is tried again, and when. Pure; the transports do the waiting."""

from __future__ import annotations

import random
from typing import Callable, Optional

from ._errors import PostriderError
from ._generated.operations import KEYED

FIRST_DELAY = 0.5
LONGEST_DELAY = 8.0
#: If the server asks for a longer pause, the request is not retried: the caller decides.
LONGEST_ASKED = 60.0

#: POST requests that have the same result if they are repeated.
REPEATABLE = frozenset(
    [
        "POST /emails/validate",
        "POST /emails/validate/batch",
        "POST /suppressions",
        "POST /templates/validate",
        "POST /templates/{id}/preview",
    ]
)


def takes_idempotency_key(operation: str) -> bool:
    return operation in KEYED


def is_repeatable(operation: str) -> bool:
    """In this API, all requests except POST are idempotent."""
    return not operation.startswith("POST ") or operation in REPEATABLE or takes_idempotency_key(operation)


def retry_delay(
    error: PostriderError,
    operation: str,
    attempt: int,
    chance: Callable[[], float] = random.random,
) -> Optional[float]:
    """Seconds until the next attempt, or None for no further attempt. `attempt` is the number of the failed attempt, from 1."""
    if not _is_worth_it(error, operation, attempt):
        return None
    asked = error.retry_after or 0.0
    if asked > LONGEST_ASKED:
        return None
    limit = min(LONGEST_DELAY, FIRST_DELAY * 2.0 ** (attempt - 1))
    # Half of the pause is random, so that clients that failed together do not retry together.
    jittered = limit * (0.5 + chance() / 2)
    return asked + jittered - limit / 2 if asked > 0 else jittered


def _is_worth_it(error: PostriderError, operation: str, attempt: int) -> bool:
    # Turned away before anything was done, whatever it was. Somebody who signs in is waiting, and is told.
    if error.code == "RATE_LIMITED":
        return not operation.startswith("POST /auth/")
    if not is_repeatable(operation):
        return False
    # Our own earlier attempt is still at work; with a key of somebody else's it would not be ours to wait for.
    if error.code == "IDEMPOTENCY_CONFLICT":
        return attempt > 1
    return error.status in (0, 500, 502, 503, 504)
