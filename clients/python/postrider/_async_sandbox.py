"""The same for asyncio."""

from __future__ import annotations

from typing import Any, List, Optional

from ._generated import types as t
from ._generated.async_resources import AsyncSandboxResource
from ._waiting import MENTIONED, Moment, WantedMail, link_named


class AsyncSandbox(AsyncSandboxResource):
    async def wait_for(
        self,
        *,
        to: Optional[str] = None,
        subject: Optional[str] = None,
        since: Optional[Moment] = None,
        timeout: float = 30.0,
    ) -> AsyncReceivedMail:
        """
        The newest message that matches, as soon as there is one. `to` and a part of the subject match regardless of
        case; `since` is by the clock of the server. Raises `MailNotReceivedError` when the time is over.
        """
        wanted = WantedMail(to, subject, since, timeout)
        while True:
            message = await self.latest(**wanted.next_question())
            if message is not None:
                return AsyncReceivedMail(self, message)
            if wanted.is_over:
                query = {"to": to, "limit": MENTIONED}
                sent = [] if to is None else await self._api.data("GET /emails", query=query)
                captured = await self.list(limit=MENTIONED)
                raise wanted.not_received(sent, captured["data"])


class AsyncReceivedMail:
    """Actions go through the same endpoints as real mail, and have the same consequences."""

    def __init__(self, sandbox: AsyncSandboxResource, message: t.SandboxLatestData) -> None:
        self._sandbox = sandbox
        #: As the API gives it.
        self.message = message

    @property
    def codes(self) -> List[str]:
        return self.message["codes"]

    @property
    def links(self) -> List[t.SandboxLatestDataLinksItem]:
        return self.message["links"]

    async def open(self) -> None:
        """Looks at it: its pixel is loaded."""
        await self._act({"action": "open"})

    async def click(self, link: Optional[str] = None) -> str:
        """Follows a link, by its address or by what is written on it; the first when not given. Gives where it leads."""
        return await self._act(link_named(self.message, link)) or ""

    async def unsubscribe(self) -> None:
        """Presses the button of the mail program."""
        await self._act({"action": "unsubscribe"})

    async def bounce(self) -> None:
        """Their server took it, and finds out now that there is no such mailbox."""
        await self._act({"action": "bounce"})

    async def complain(self) -> None:
        """Says that it is spam."""
        await self._act({"action": "complain"})

    async def reply(self, text: Optional[str] = None) -> None:
        """Answers it, to its Reply-To or its sender. It is received there as real answers are: see `inbound.list`."""
        await self._act({"action": "reply"} if text is None else {"action": "reply", "text": text})

    async def _act(self, body: Any) -> Optional[str]:
        return (await self._sandbox.act(self.message["id"], body))["leads_to"]
