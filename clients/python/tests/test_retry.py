import unittest

from postrider import ConnectionFailedError, PostriderError
from postrider._errors import error_of
from postrider._retry import retry_delay


def failed(status: int, code: str = "INTERNAL_ERROR", retry_after: float = 0) -> PostriderError:
    return PostriderError("x", code=code, status=status, retry_after=retry_after)


class RetryDelay(unittest.TestCase):
    def test_pauses_grow_and_half_of_them_is_chance(self) -> None:
        for attempt, least, most in [(1, 0.25, 0.5), (2, 0.5, 1), (3, 1, 2), (9, 4, 8)]:
            self.assertEqual(retry_delay(failed(503), "GET /emails", attempt, lambda: 0.0), least)
            self.assertEqual(retry_delay(failed(503), "GET /emails", attempt, lambda: 1.0), most)

    def test_the_server_may_ask_for_a_longer_pause_up_to_a_minute(self) -> None:
        self.assertEqual(retry_delay(failed(503, retry_after=7), "GET /emails", 1, lambda: 0.0), 7)
        self.assertIsNone(retry_delay(failed(503, retry_after=61), "GET /emails", 1))

    def test_sends_are_repeated_because_they_have_a_key(self) -> None:
        lost = ConnectionFailedError("x", code="CONNECTION_FAILED")
        for operation in ["POST /emails/send", "POST /emails/batch", "POST /emails/batch/mixed", "GET /emails"]:
            self.assertIsNotNone(retry_delay(lost, operation, 1))

    def test_what_would_be_done_twice_is_not_repeated(self) -> None:
        for operation in ["POST /api-keys", "POST /webhooks/{id}/rotate-secret", "POST /emails/{id}/retry"]:
            self.assertIsNone(retry_delay(failed(0), operation, 1))

    def test_what_was_turned_away_is_repeated_except_for_signing_in(self) -> None:
        limited = failed(429, "RATE_LIMITED")
        self.assertIsNotNone(retry_delay(limited, "POST /api-keys", 1))
        self.assertIsNone(retry_delay(limited, "POST /auth/sign-in", 1))
        self.assertIsNone(retry_delay(failed(429, "LIMIT_EXCEEDED"), "POST /emails/send", 1))

    def test_a_conflict_of_keys_is_waited_for_only_if_it_is_our_own(self) -> None:
        conflict = failed(409, "IDEMPOTENCY_CONFLICT")
        self.assertIsNone(retry_delay(conflict, "POST /emails/send", 1))
        self.assertIsNotNone(retry_delay(conflict, "POST /emails/send", 2))

    def test_retry_after_is_seconds_or_a_date_and_nothing_else(self) -> None:
        for header, seconds in [("3", 3), ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("soon", None), ("inf", None)]:
            self.assertEqual(error_of(503, {"retry-after": header}, b"").retry_after, seconds)
