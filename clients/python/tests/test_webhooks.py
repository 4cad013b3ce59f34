import base64
import hashlib
import hmac
import unittest
from typing import Any, Dict, List, Union

from postrider import WebhookVerificationError, verify_webhook

SECRET = "whsec_" + base64.b64encode(b"\1" * 32).decode()
OTHER = "whsec_" + base64.b64encode(b"\2" * 32).decode()
NOW = 1_794_715_325
BODY = b'{"type":"webhook.test","data":{"id":"evt_1","subject":"Gr\xc3\xbc\xc3\x9fe"}}'


def headers_for(body: bytes, secret: str = SECRET, at: int = NOW) -> Dict[str, Any]:
    key = base64.b64decode(secret[6:])
    signature = hmac.new(key, b"evt_1.%d." % at + body, hashlib.sha256).digest()
    return {
        "webhook-id": "evt_1",
        "webhook-timestamp": str(at),
        "webhook-signature": "v1," + base64.b64encode(signature).decode(),
    }


class VerifyWebhook(unittest.TestCase):
    def reason(self, body: bytes, headers: Dict[str, Any], secret: str = SECRET) -> str:
        with self.assertRaises(WebhookVerificationError) as caught:
            verify_webhook(body, headers, secret, now=NOW)
        return caught.exception.reason

    def test_takes_bytes_and_text_and_headers_of_every_framework(self) -> None:
        headers = headers_for(BODY)
        wsgi = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in headers.items()}
        wsgi["wsgi.version"] = (1, 0)
        lists = {name.title(): [value] for name, value in headers.items()}
        bodies: List[Union[bytes, str]] = [BODY, BODY.decode()]
        for given in (headers, wsgi, lists):
            for body in bodies:
                event = verify_webhook(body, given, SECRET, now=NOW)
                self.assertEqual(event["data"]["subject"], "Grüße")

    def test_any_of_several_secrets_and_signatures_may_fit(self) -> None:
        headers = headers_for(BODY)
        headers["webhook-signature"] = "v1a,AAAA v1,no*base64 v1,AAAA v1,ü " + headers["webhook-signature"]
        self.assertEqual(verify_webhook(BODY, headers, [OTHER, SECRET], now=NOW)["type"], "webhook.test")

    def test_every_changed_bit_is_noticed(self) -> None:
        headers = headers_for(BODY)
        for place in range(len(BODY) * 8):
            changed = bytearray(BODY)
            changed[place // 8] ^= 1 << place % 8
            self.assertEqual(self.reason(bytes(changed), headers), "wrong_signature")

    def test_says_what_is_wrong(self) -> None:
        self.assertEqual(self.reason(BODY, headers_for(BODY, OTHER)), "wrong_signature")
        self.assertEqual(self.reason(BODY, headers_for(BODY, at=NOW - 301)), "too_old")
        self.assertEqual(self.reason(BODY, headers_for(BODY, at=NOW + 301)), "too_new")
        self.assertEqual(self.reason(BODY, {**headers_for(BODY), "webhook-timestamp": "1e9"}), "invalid_timestamp")
        self.assertEqual(self.reason(BODY, {**headers_for(BODY), "webhook-id": ""}), "missing_header")
        self.assertEqual(self.reason(BODY, {}), "missing_header")
        self.assertEqual(self.reason(BODY, headers_for(BODY), "whsec_"), "invalid_secret")
        self.assertEqual(self.reason(b"[]", headers_for(b"[]")), "invalid_payload")

    def test_tolerates_clocks_that_are_off_when_told(self) -> None:
        headers = headers_for(BODY, at=NOW - 500)
        self.assertEqual(verify_webhook(BODY, headers, SECRET, tolerance=600, now=NOW)["type"], "webhook.test")
