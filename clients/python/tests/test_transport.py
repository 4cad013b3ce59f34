import asyncio
import unittest
from typing import Any

from postrider import AsyncPostrider, ConnectionFailedError, Postrider, ServerError, TimedOutError
from tests.scripted_server import HANG_UP, OK, SILENCE, ScriptedServer

BUSY = b"HTTP/1.1 503 Busy\r\nretry-after: 0\r\ncontent-length: 0\r\n\r\n"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n"
    b'5\r\n{"dat\r\n6\r\na":{}}\r\n0\r\n\r\n'
)
CUT_OFF = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\nconnection: close\r\n\r\n{"data"'
LETTER: Any = {"subject": "x"}


def client_of(server: ScriptedServer, **settings: Any) -> Postrider:
    return Postrider(api_key="pr_x", base_url=server.url, **settings)


class Sending(unittest.TestCase):
    def test_a_send_whose_answer_was_lost_is_repeated_with_the_same_key(self) -> None:
        with ScriptedServer(HANG_UP, BUSY, OK) as server, client_of(server) as client:
            client.emails.send(LETTER)
        keys = {headers["idempotency-key"] for _, headers in server.requests}
        self.assertEqual((len(server.requests), len(keys)), (3, 1))

    def test_what_has_no_key_is_sent_once(self) -> None:
        with ScriptedServer(HANG_UP, OK) as server, client_of(server) as client:
            with self.assertRaises(ConnectionFailedError) as caught:
                client.api_keys.create({"name": "x"})
        self.assertEqual((caught.exception.attempts, len(server.requests)), (1, 1))

    def test_gives_up_after_as_many_attempts_as_were_allowed(self) -> None:
        with ScriptedServer(BUSY, BUSY) as server, client_of(server, max_retries=1) as client:
            with self.assertRaises(ServerError) as caught:
                client.emails.send(LETTER)
        self.assertEqual((caught.exception.attempts, caught.exception.status), (2, 503))

    def test_the_timeout_is_for_each_attempt(self) -> None:
        with ScriptedServer(SILENCE, OK) as server, client_of(server) as client:
            client.emails.send(LETTER, timeout=0.2)
        with ScriptedServer(SILENCE) as server, client_of(server) as client:
            with self.assertRaises(TimedOutError):
                client.emails.send(LETTER, timeout=0.2, max_retries=0)

    def test_an_answer_that_breaks_off_is_no_answer(self) -> None:
        with ScriptedServer(CUT_OFF) as server, client_of(server, max_retries=0) as client:
            with self.assertRaisesRegex(ConnectionFailedError, "IncompleteRead"):
                client.domains.list()

    def test_nobody_there_is_a_connection_error(self) -> None:
        with ScriptedServer() as server:
            pass
        with self.assertRaises(ConnectionFailedError):
            client_of(server, max_retries=0).domains.list()


class Connections(unittest.TestCase):
    def test_one_connection_carries_request_after_request(self) -> None:
        with ScriptedServer(OK, CHUNKED, BUSY, OK) as server, client_of(server) as client:
            for _ in range(3):
                client.domains.list()
        self.assertEqual((len(server.requests), server.connections), (4, 1))

    def test_one_that_the_server_has_closed_is_not_used_again(self) -> None:
        closing = OK.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n")
        with ScriptedServer(closing, OK) as server, client_of(server, max_retries=0) as client:
            client.domains.list()
            client.domains.list()
        self.assertEqual(server.connections, 2)


class Async(unittest.TestCase):
    def test_requests_run_side_by_side_and_are_repeated_alike(self) -> None:
        async def send_three() -> None:
            async with AsyncPostrider(api_key="pr_x", base_url=server.url) as client:
                await asyncio.gather(*[client.emails.send(LETTER) for _ in range(3)])

        with ScriptedServer(HANG_UP, OK, OK, OK) as server:
            asyncio.run(send_three())
        keys = [headers["idempotency-key"] for _, headers in server.requests]
        self.assertEqual((len(keys), len(set(keys))), (4, 3))

    def test_a_call_can_be_given_up(self) -> None:
        async def give_up() -> None:
            async with AsyncPostrider(api_key="pr_x", base_url=server.url, timeout=1) as client:
                await asyncio.wait_for(client.domains.list(), 0.1)

        with ScriptedServer(SILENCE) as server, self.assertRaises(asyncio.TimeoutError):
            asyncio.run(give_up())
