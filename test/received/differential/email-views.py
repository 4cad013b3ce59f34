"""Reads messages with Python's email package, which shares no code with us.

Reads messages from stdin, each after a line with its length in octets. Answers each with a line of JSON: the addresses of
From, and the first marker in the text and in the html that a reader is shown; null where the package raises an error.
"""

import email
import email.policy
import json
import re
import sys

MARKER = re.compile(r"MARK-[A-Z0-9]+")


def marker(part):
    if part is None:
        return None
    found = MARKER.search(part.get_content())
    return found.group() if found else None


def addresses(message):
    header = message["From"]
    return [] if header is None else [decoded(one.addr_spec) for one in header.addresses]


def decoded(text):
    """Octets of UTF-8 in a header (SMTPUTF8) are kept aside by the parser as surrogates."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8")


def view(octets):
    message = email.message_from_bytes(octets, policy=email.policy.default)
    return {
        "from": addresses(message),
        "text": marker(message.get_body(("plain",))),
        "html": marker(message.get_body(("html",))),
    }


def answer(octets):
    try:
        return view(octets)
    except Exception:
        return None


while True:
    length = sys.stdin.buffer.readline()
    if not length:
        break
    print(json.dumps(answer(sys.stdin.buffer.read(int(length)))), flush=False)
sys.stdout.flush()
