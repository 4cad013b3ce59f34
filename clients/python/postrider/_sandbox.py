"""The sandbox's inbox, waited for, and what a recipient may do with a message."""

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
        The newest message that matches, as soon as there is one. `to` and a part of the subject match regardless of
        case; `since` is by the clock of the server. Raises `MailNotReceivedError` when the time is over.
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
        #: As the API gives it.
        self.message = message

    @property
    def codes(self) -> List[str]:
        return self.message["codes"]

    @property
    def links(self) -> List[t.SandboxLatestDataLinksItem]:
        return self.message["links"]

    def open(self) -> None:
        """Looks at it: its pixel is loaded."""
        self._act({"action": "open"})

    def click(self, link: Optional[str] = None) -> str:
        """Follows a link, by its address or by what is written on it; the first when not given. Gives where it leads."""
        return self._act(link_named(self.message, link)) or ""

    def unsubscribe(self) -> None:
        """Presses the button of the mail program."""
        self._act({"action": "unsubscribe"})

    def bounce(self) -> None:
        """Their server took it, and finds out now that there is no such mailbox."""
        self._act({"action": "bounce"})

    def complain(self) -> None:
        """Says that it is spam."""
        self._act({"action": "complain"})

    def reply(self, text: Optional[str] = None) -> None:
        """Answers it, to its Reply-To or its sender. It is received there as real answers are: see `inbound.list`."""
        self._act({"action": "reply"} if text is None else {"action": "reply", "text": text})

    def _act(self, body: Any) -> Optional[str]:
        return self._sandbox.act(self.message["id"], body)["leads_to"]
