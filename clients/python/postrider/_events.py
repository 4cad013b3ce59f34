"""Events, as a list and as they happen."""

from __future__ import annotations

import time
from typing import Iterator, Optional

from ._errors import PostriderError
from ._following import SILENCE, Following
from ._generated import types as t
from ._generated.resources import EventsResource
from ._pages import MAX_PER_PAGE


class Events(EventsResource):
    def follow(
        self, *, type: Optional[str] = None, recipient: Optional[str] = None
    ) -> Iterator[t.StreamEvent]:
        """
        Yields events as they happen, for as long as you read. Reconnects when the connection breaks, and misses no
        event.
        """
        # The server begins a few seconds earlier, so that no event is missed.
        before = self.list(limit=MAX_PER_PAGE)["data"]
        following = Following(before, type, recipient)
        return self._followed(following)

    def _followed(self, following: Following) -> Iterator[t.StreamEvent]:
        while True:
            failure: Optional[PostriderError] = None
            try:
                with self._api.lines(following.request(), SILENCE) as lines:
                    for line in lines:
                        event = following.take(line)
                        if event is not None:
                            yield event
            except PostriderError as error:
                failure = error
            time.sleep(following.pause_after(failure))
