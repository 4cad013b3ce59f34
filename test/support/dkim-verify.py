"""Verifies DKIM signatures with dkimpy (Debian: python3-dkim), asking the DNS server on 127.0.0.1 at the given port.

Reads messages from stdin, each after a line with its length in octets; answers each with a line: pass or fail.
"""

import sys

import dkim
import dns.resolver

resolver = dns.resolver.Resolver(configure=False)
resolver.nameservers = ["127.0.0.1"]
resolver.port = int(sys.argv[1])


def text_record(name, timeout=5):
    answer = resolver.resolve(name.decode("ascii"), "TXT", lifetime=timeout)
    return b"".join(answer[0].strings)


while True:
    length = sys.stdin.buffer.readline()
    if not length:
        break
    message = sys.stdin.buffer.read(int(length))
    print("pass" if dkim.verify(message, dnsfunc=text_record) else "fail", flush=True)
