import datetime
import json
import unittest

from postrider import Postrider, PostriderError
from postrider._request import Response, read, request_of


class Requests(unittest.TestCase):
    def test_an_id_cannot_lead_to_another_route(self) -> None:
        self.assertEqual(request_of("GET /emails/{id}", {"id": "a/../b?c"}).target, "/emails/a%2F..%2Fb%3Fc")
        for nothing in (None, "", ".", ".."):
            with self.assertRaises(ValueError):
                request_of("GET /emails/{id}", {"id": nothing})

    def test_a_query_leaves_out_what_is_not_given(self) -> None:
        query = {"to": "a+b@example.org", "page": None, "unread": True, "tag": ["x", "y"]}
        target = request_of("GET /emails", query=query).target
        self.assertEqual(target, "/emails?to=a%2Bb%40example.org&unread=true&tag=x&tag=y")

    def test_times_are_sent_as_the_api_writes_them_and_need_a_zone(self) -> None:
        zone = datetime.timezone(datetime.timedelta(hours=2))
        at = datetime.datetime(2026, 7, 1, 9, 30, tzinfo=zone)
        body = request_of("PATCH /emails/{id}", {"id": "x"}, body={"scheduled_at": at}).body
        self.assertEqual(json.loads(body or b""), {"scheduled_at": "2026-07-01T07:30:00.000Z"})
        with self.assertRaises(TypeError):
            request_of("PATCH /emails/{id}", {"id": "x"}, body={"scheduled_at": at.replace(tzinfo=None)})

    def test_every_send_has_a_key_of_its_own(self) -> None:
        keys = {request_of("POST /emails/send", body={}).headers["idempotency-key"] for _ in range(100)}
        self.assertEqual(len(keys), 100)
        self.assertNotIn("idempotency-key", request_of("POST /domains", body={}).headers)

    def test_an_answer_of_something_else_is_told_apart(self) -> None:
        for kind, body in [("text/html", b"<!DOCTYPE html>"), ("application/json", b"{")]:
            with self.assertRaises(PostriderError) as caught:
                read(Response(200, {"content-type": kind}, body))
            self.assertEqual(caught.exception.code, "UNEXPECTED_RESPONSE")

    def test_settings_that_cannot_work_are_refused_at_once(self) -> None:
        for key, url in [("", "http://x"), ("a\nb", "http://x"), ("pr_x", "x.example.org"), ("pr_x", "")]:
            with self.assertRaises(ValueError):
                Postrider(api_key=key, base_url=url)
