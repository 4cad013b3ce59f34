"""Waits for a message in the sandbox inbox, and explains why none arrived. Pure; the clients send the requests."""

from __future__ import annotations

import datetime
import math
import time
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._errors import MailNotReceivedError
from ._request import moment_text

Moment = Union[str, datetime.datetime]

#: The longest time that the API waits.
LONGEST_WAIT = 30.0
#: Extra time for the transfer of the request and the response.
MARGIN = 10.0
MENTIONED = 5


class WantedMail:
    def __init__(
        self, to: Optional[str], subject: Optional[str], since: Optional[Moment], timeout: float
    ) -> None:
        self.to = to
        self._subject = subject
        self._since = None if since is None else moment_text(since)
        self._timeout = timeout
        self._until = time.monotonic() + timeout

    @property
    def is_over(self) -> bool:
        return time.monotonic() >= self._until

    def next_question(self) -> Dict[str, Any]:
        """The query for `latest`."""
        left = max(0.0, self._until - time.monotonic())
        wait = math.ceil(min(left, LONGEST_WAIT))
        wanted = {"to": self.to, "subject": self._subject, "since": self._since}
        return {**wanted, "wait": wait, "timeout": wait + MARGIN}

    def not_received(
        self, sent: Sequence[Mapping[str, Any]], captured: Sequence[Mapping[str, Any]]
    ) -> MailNotReceivedError:
        lines = [f"{self._sentence()} arrived within {self._timeout:g} s."]
        lines += [f'An email to them, "{one["subject"]}", is {one["status"]} ({one["id"]}).' for one in sent]
        if self.to is not None and not sent:
            lines.append("No email to them was accepted: was it sent at all?")
        lines.append("What arrived last:" if captured else "The inbox is empty.")
        lines += [f"  {one['received_at']} to {one['to']}: {one['subject']}" for one in captured]
        return MailNotReceivedError("\n".join(lines), code="TIMED_OUT")

    def _sentence(self) -> str:
        words: List[str] = ["No mail"]
        if self.to is not None:
            words.append(f"to {self.to}")
        if self._subject is not None:
            words.append(f'with "{self._subject}" in its subject')
        if self._since is not None:
            words.append(f"since {self._since}")
        return " ".join(words)


def link_named(message: Mapping[str, Any], link: Optional[str]) -> Dict[str, Any]:
    """The link to click, by its URL or its text; the default is the first link."""
    if link is None:
        return {"action": "click"}
    known = [one["url"] for one in message["links"] if link in (one["url"], one["text"])]
    return {"action": "click", "link": known[0] if known else link}
