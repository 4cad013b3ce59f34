"""Parses messages with Python's email package, which shares no code with us.

Reads messages from stdin, each after a line with its length in octets; answers each with a line of JSON: headers as
readers see them, and every part that is no multipart with its octets.
"""

import base64
import email
import email.policy
import json
import sys


def addresses(message, name):
    header = message[name]
    if header is None:
        return []
    return [[decoded(one.display_name), decoded(one.addr_spec)] for one in header.addresses]


def decoded(text):
    """Octets of UTF-8 in a header (SMTPUTF8) are kept aside by the parser as surrogates."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8")


def octets(part):
    if part.get_content_type() == "message/rfc822":
        return part.get_payload(0).as_bytes(policy=email.policy.compat32)
    return part.get_payload(decode=True)


def leaves(part):
    if part.get_content_type() == "message/rfc822" or not part.is_multipart():
        yield part
        return
    for child in part.iter_parts():
        yield from leaves(child)


def describe(part):
    content_id = part["Content-ID"]
    return {
        "type": part.get_content_type(),
        "charset": part.get_content_charset(),
        "disposition": part.get_content_disposition(),
        "filename": part.get_filename(),
        "content_id": None if content_id is None else str(content_id).strip("<> "),
        "content": base64.b64encode(octets(part)).decode("ascii"),
    }


def parse(octets_of_message):
    message = email.message_from_bytes(octets_of_message, policy=email.policy.default)
    headers = {}
    for name, value in message.items():
        headers.setdefault(name.lower(), []).append(str(value))
    return {
        "headers": headers,
        "from": addresses(message, "From"),
        "to": addresses(message, "To"),
        "cc": addresses(message, "Cc"),
        "reply_to": addresses(message, "Reply-To"),
        "date": message["Date"].datetime.isoformat(),
        "is_multipart": message.is_multipart(),
        "parts": [describe(part) for part in leaves(message)],
        "defects": [str(defect) for part in message.walk() for defect in part.defects],
    }


while True:
    length = sys.stdin.buffer.readline()
    if not length:
        break
    print(json.dumps(parse(sys.stdin.buffer.read(int(length)))), flush=True)
