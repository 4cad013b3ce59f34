"""Reads messages (one base64 line each) and answers with the From addresses that Python's readers see, as JSON."""

import base64
import email
import inspect
import json
import sys
from email import policy
from email.header import decode_header, make_header
from email.utils import getaddresses, parseaddr


# Pythons since the fix of CVE-2023-27043 show nothing where they are in doubt, unless they are told to.
LENIENT = {'strict': False} if 'strict' in inspect.signature(getaddresses).parameters else {}


def one_by_one(raw):
    message = email.message_from_string(raw)
    return [address for _name, address in getaddresses(message.get_all('From', []), **LENIENT)]


def by_policy(raw):
    message = email.message_from_string(raw, policy=policy.default)
    return [address.addr_spec for value in message.get_all('From', []) for address in value.addresses]


def decoding_first(raw):
    message = email.message_from_string(raw)
    values = message.get_all('From', [])
    return [parseaddr(str(make_header(decode_header(value))), **LENIENT)[1] for value in values]


def answer(reader, raw):
    try:
        return reader(raw)
    except Exception:  # a reader that gives up shows no sender
        return []


for line in sys.stdin:
    raw = base64.b64decode(line).decode('utf-8')
    readings = [answer(reader, raw) for reader in (one_by_one, by_policy, decoding_first)]
    print(json.dumps(readings), flush=True)
