import asyncio
import json
import unittest
from typing import Any, List

from postrider import AsyncPostrider, NotFoundError, Postrider, PostriderError
from postrider._following import Following
from tests.scripted_server import HANG_UP, ScriptedServer

BEGIN = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n: hello\n\n"


def json_answer(value: Any) -> bytes:
    body = json.dumps(value).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    return head.encode() + body


def event(number: int, kind: str = "delivered") -> Any:
    return {"id": f"evt_{number}", "type": kind, "recipient": f"Reader{number}@example.org"}


def told(*numbers: int) -> bytes:
    return b"".join(f"id: evt_{one}\ndata: {json.dumps(event(one))}\n\n".encode() for one in numbers)


def page(*numbers: int) -> bytes:
    return json_answer({"data": [event(one) for one in numbers], "pagination": {"next_cursor": None}})


def first(count: int, events: Any) -> List[str]:
    return [next(events)["id"] for _ in range(count)]


class AcrossConnections(unittest.TestCase):
    def test_goes_on_after_the_last_event_and_gives_each_once(self) -> None:
        answers = (page(2, 1), BEGIN + told(1, 2, 3), HANG_UP, BEGIN + told(2, 3, 4))
        with ScriptedServer(*answers) as server, Postrider(api_key="x", base_url=server.url) as client:
            events = client.events.follow()
            self.assertEqual(first(2, events), ["evt_3", "evt_4"])
            del events
        last = [headers.get("last-event-id") for _, headers in server.requests]
        self.assertEqual(last, [None, "evt_2", "evt_3", "evt_3"])

    def test_asyncio_does_the_same(self) -> None:
        async def read() -> List[str]:
            async with AsyncPostrider(api_key="x", base_url=server.url) as client:
                found: List[str] = []
                events: Any = client.events.follow(recipient="reader3@example.org")
                async for one in events:
                    found.append(one["id"])
                    break
                await events.aclose()
                return found

        with ScriptedServer(page(1), BEGIN + told(1, 2, 3)) as server:
            self.assertEqual(asyncio.run(read()), ["evt_3"])

    def test_a_refusal_ends_it(self) -> None:
        gone = b"HTTP/1.1 404 No\r\ncontent-length: 0\r\n\r\n"
        with ScriptedServer(page(), gone) as server, Postrider(api_key="x", base_url=server.url) as client:
            with self.assertRaises(NotFoundError):
                next(client.events.follow())


class Filters(unittest.TestCase):
    def test_what_is_left_out_still_says_how_far_we_are(self) -> None:
        following = Following([], "bounced", None)
        lines = told(1).splitlines(keepends=True)
        self.assertEqual([following.take(line) for line in lines], [None, None, None])
        self.assertEqual(following.request().headers, {"last-event-id": "evt_1"})

    def test_an_event_that_was_cut_off_is_forgotten(self) -> None:
        following = Following([], None, None)
        following.take(b"id: evt_1\n")
        following.take(b'data: {"broken')
        following.request()
        given = [following.take(line) for line in told(2).splitlines(keepends=True)]
        self.assertEqual(given[-1], event(2))


class Pauses(unittest.TestCase):
    def test_they_grow_while_nobody_answers_and_are_short_again_afterwards(self) -> None:
        following = Following([], None, None, chance=lambda: 1.0)
        down = PostriderError("down", code="UNAVAILABLE", status=503)
        pauses = [following.pause_after(down) for _ in range(6)]
        self.assertEqual(pauses, [2.0, 4.0, 8.0, 16.0, 30.0, 30.0])
        following.take(b": still here\n")
        self.assertEqual(following.pause_after(None), 1.0)
