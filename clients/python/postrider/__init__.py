"""The client of Postrider, a transactional email service that you host yourself."""

from ._async_client import AsyncPostrider, AsyncThrowAway
from ._async_sandbox import AsyncReceivedMail
from ._client import Postrider, ThrowAway
from ._errors import (
    AuthenticationError,
    ConflictError,
    ConnectionFailedError,
    FieldProblem,
    MailNotReceivedError,
    NotFoundError,
    PermissionDeniedError,
    PostriderError,
    RateLimitError,
    ServerError,
    TimedOutError,
    ValidationError,
)
from ._generated import types
from ._sandbox import ReceivedMail
from ._settings import VERSION as __version__
from ._webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "AsyncPostrider",
    "AsyncReceivedMail",
    "AsyncThrowAway",
    "AuthenticationError",
    "ConflictError",
    "ConnectionFailedError",
    "FieldProblem",
    "MailNotReceivedError",
    "NotFoundError",
    "PermissionDeniedError",
    "Postrider",
    "PostriderError",
    "RateLimitError",
    "ReceivedMail",
    "ServerError",
    "ThrowAway",
    "TimedOutError",
    "ValidationError",
    "WebhookVerificationError",
    "__version__",
    "types",
    "verify_webhook",
]
