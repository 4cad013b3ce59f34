"""Events as they happen: what is read off the stream, and what follows when it breaks. Pure; the clients do the reading."""

from __future__ import annotations

import json
import random
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from ._errors import PostriderError
from ._request import Request, request_of

#: The server says something every 15 seconds.
SILENCE = 45.0
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
#: The server repeats the last few seconds.
MOST_REMEMBERED = 10_000


class Following:
    """
    A stream without an end out of connections that have one: whenever one breaks, the next goes on after the last
    event. What the server sends again then is left out. The filter is applied here: an event that is left out still
    says how far we are.
    """

    def __init__(
        self,
        known: Sequence[Mapping[str, Any]],
        type: Optional[str],
        recipient: Optional[str],
        chance: Callable[[], float] = random.random,
    ) -> None:
        # The newest comes first; it goes on after that one. In the order in which they are to be forgotten.
        self._seen: Dict[str, None] = {event["id"]: None for event in reversed(known)}
        self._last_id: Optional[str] = known[0]["id"] if known else None
        self._type = type
        self._recipient = None if recipient is None else recipient.lower()
        self._chance = chance
        self._failures = 0
        #: Of the event that is being read.
        self._block_id: Optional[str] = None
        self._block_data: List[str] = []

    def request(self) -> Request:
        """For the next connection."""
        self._forget_block()
        asked = request_of("GET /events/stream")
        headers = {} if self._last_id is None else {"last-event-id": self._last_id}
        return Request(asked.operation, asked.method, asked.target, headers, None)

    def take(self, line: bytes) -> Optional[Any]:
        """A line of the stream. Gives an event where one ends with it."""
        text = line.decode("utf-8", "replace").rstrip("\r\n")
        self._failures = 0
        if text:
            name, _, value = text.partition(":")
            self._note(name, value[1:] if value.startswith(" ") else value)
            return None
        event = self._event_of_block()
        self._forget_block()
        return event

    def pause_after(self, error: Optional[PostriderError]) -> float:
        """Seconds. A server that is away for a while is no refusal, nor is a line that breaks; a refusal is raised."""
        if error is not None:
            if error.status != 0 and error.status < 500 and error.status != 429:
                raise error
            self._failures += 1
        longest = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(self._failures, 10))
        return longest * (0.5 + self._chance() / 2)

    def _note(self, name: str, value: str) -> None:
        if name == "id":
            self._block_id = value
        elif name == "data":
            self._block_data.append(value)

    def _event_of_block(self) -> Optional[Any]:
        event_id = self._block_id
        if event_id is not None:
            self._last_id = event_id
        if not self._block_data or (event_id is not None and not self._is_new(event_id)):
            return None
        event = json.loads("\n".join(self._block_data))
        return event if self._is_wanted(event) else None

    def _is_new(self, event_id: str) -> bool:
        if event_id in self._seen:
            return False
        self._seen[event_id] = None
        if len(self._seen) > MOST_REMEMBERED:
            del self._seen[next(iter(self._seen))]
        return True

    def _is_wanted(self, event: Mapping[str, Any]) -> bool:
        if self._type is not None and event["type"] != self._type:
            return False
        return self._recipient is None or str(event["recipient"]).lower() == self._recipient

    def _forget_block(self) -> None:
        self._block_id = None
        self._block_data = []
