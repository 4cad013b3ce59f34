"""The sandbox inbox: waits for messages, and simulates their recipients."""

from __future__ import annotations

from typing import Any, List, Optional

from ._generated import types as t
from ._generated.resources import SandboxResource
from ._waiting import MENTIONED, Moment, WantedMail, link_named


class Sandbox(SandboxResource):
    def wait_for(
        self,
        *,
        to: Optional[str] = None,
        subject: Optional[str] = None,
        since: Optional[Moment] = None,
        timeout: float = 30.0,
    ) -> ReceivedMail:
        """
        Returns the newest matching message as soon as it arrives. `to` and a part of the subject match regardless of
        case. `since` is compared with the clock of the server. Raises `MailNotReceivedError` at the timeout.
        """
        wanted = WantedMail(to, subject, since, timeout)
        while True:
            message = self.latest(**wanted.next_question())
            if message is not None:
                return ReceivedMail(self, message)
            if wanted.is_over:
                query = {"to": to, "limit": MENTIONED}
                sent = [] if to is None else self._api.data("GET /emails", query=query)
                raise wanted.not_received(sent, self.list(limit=MENTIONED)["data"])


class ReceivedMail:
    """Actions go through the same endpoints as real mail, and have the same consequences."""

    def __init__(self, sandbox: SandboxResource, message: t.SandboxLatestData) -> None:
        self._sandbox = sandbox
        #: The message as the API returns it.
        self.message = message

    @property
    def codes(self) -> List[str]:
        return self.message["codes"]

    @property
    def links(self) -> List[t.SandboxLatestDataLinksItem]:
        return self.message["links"]

    def open(self) -> None:
        """Opens the message: loads its pixel."""
        self._act({"action": "open"})

    def click(self, link: Optional[str] = None) -> str:
        """Follows a link, by its URL or its text; the default is the first link. Returns the URL that it leads to."""
        return self._act(link_named(self.message, link)) or ""

    def unsubscribe(self) -> None:
        """Unsubscribes, like the button of a mail client."""
        self._act({"action": "unsubscribe"})

    def bounce(self) -> None:
        """Bounces the message later, as a server that accepted it and then finds no mailbox."""
        self._act({"action": "bounce"})

    def complain(self) -> None:
        """Reports the message as spam."""
        self._act({"action": "complain"})

    def reply(self, text: Optional[str] = None) -> None:
        """Replies to the Reply-To address or the sender. The reply is in `inbound.list`."""
        self._act({"action": "reply"} if text is None else {"action": "reply", "text": text})

    def _act(self, body: Any) -> Optional[str]:
        return self._sandbox.act(self.message["id"], body)["leads_to"]
