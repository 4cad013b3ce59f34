"""Parses the stream of events, and decides what follows when it breaks. Pure; the clients read the stream."""

from __future__ import annotations

import json
import random
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence

from ._errors import PostriderError
from ._request import Request, request_of

#: The server sends a heartbeat every 15 seconds.
SILENCE = 45.0
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
#: The server repeats the last few seconds.
MOST_REMEMBERED = 10_000


class Following:
    """
    An endless stream of events over several connections: when a connection breaks, the next one continues after the
    last event. Events that the server repeats are left out. The client applies the filter, because every event shows
    the position in the stream.
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
        #: Data of the event that is being read.
        self._block_id: Optional[str] = None
        self._block_data: List[str] = []

    def request(self) -> Request:
        """For the next connection."""
        self._forget_block()
        asked = request_of("GET /events/stream")
        headers = {} if self._last_id is None else {"last-event-id": self._last_id}
        return Request(asked.operation, asked.method, asked.target, headers, None)

    def take(self, line: bytes) -> Optional[Any]:
        """Reads a line of the stream. Returns an event if the line ends one."""
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
        """Seconds until the next connection. Raises a refusal; an unavailable server or a broken connection is none."""
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
