"""Connections to one server, kept open from request to request."""

from __future__ import annotations

import contextlib
import http.client
import os
import select
import socket
import ssl
import threading
import time
from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple
from urllib.parse import urlsplit

from ._errors import ConnectionFailedError, TimedOutError, error_of
from ._request import Request, Response

#: Shorter than servers and proxies wait: what they are about to close must not be used.
LONGEST_IDLE = 4.0
MOST_IDLE = 32


class Connections:
    """May be used by many threads; each request has a connection for itself."""

    def __init__(
        self, base_url: str, headers: Mapping[str, str], ssl_context: Optional[ssl.SSLContext] = None
    ) -> None:
        parts = urlsplit(base_url)
        self._is_tls = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port
        self._prefix = parts.path
        self._headers = dict(headers)
        self._ssl = (ssl_context or ssl.create_default_context()) if self._is_tls else None
        self._lock = threading.Lock()
        self._idle: List[Tuple[http.client.HTTPConnection, float]] = []
        self._process = os.getpid()

    def exchange(self, request: Request, timeout: float) -> Response:
        """Sends one attempt. The timeout applies to all of it."""
        until = time.monotonic() + timeout
        connection = self._take(timeout)
        with _failing_by_name(connection, timeout):
            answer, sock = self._ask(connection, request, until)
            response = Response(answer.status, _named_headers(answer), _whole_body(answer, sock, until))
        self._put_back(connection)
        return response

    def lines(self, request: Request, silence: float) -> LineStream:
        """An endless response. It fails when no data comes for this many seconds."""
        connection = self._take(silence)
        with _failing_by_name(connection, silence):
            answer, sock = self._ask(connection, request, time.monotonic() + silence)
            if answer.status != 200:
                body = _whole_body(answer, sock, time.monotonic() + silence)
                raise error_of(answer.status, _named_headers(answer), body)
            sock.settimeout(silence)
        return LineStream(connection, answer, sock, silence)

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection, _ in idle:
            connection.close()

    def _ask(
        self, connection: http.client.HTTPConnection, request: Request, until: float
    ) -> Tuple[http.client.HTTPResponse, Any]:
        if connection.sock is None:
            connection.connect()
        # Kept: the connection forgets its socket when the server wants it closed after this answer.
        sock: Any = connection.sock
        sock.settimeout(_left(until))
        headers: Dict[str, str] = {**self._headers, **request.headers}
        connection.request(request.method, self._prefix + request.target, request.body, headers)
        sock.settimeout(_left(until))
        return connection.getresponse(), sock

    def _take(self, timeout: float) -> http.client.HTTPConnection:
        while True:
            with self._lock:
                self._leave_to_parent()
                if not self._idle:
                    break
                connection, since = self._idle.pop()
            if time.monotonic() - since < LONGEST_IDLE and _is_quiet(connection):
                connection.timeout = timeout
                return connection
            connection.close()
        if self._ssl is not None:
            return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._ssl)
        return http.client.HTTPConnection(self._host, self._port, timeout=timeout)

    def _put_back(self, connection: http.client.HTTPConnection) -> None:
        if connection.sock is None:
            return
        with self._lock:
            if len(self._idle) < MOST_IDLE:
                self._idle.append((connection, time.monotonic()))
                return
        connection.close()

    def _leave_to_parent(self) -> None:
        """After a fork (gunicorn, multiprocessing) two processes would use one connection."""
        if self._process != os.getpid():
            self._process = os.getpid()
            self._idle = []


class LineStream:
    """The lines of a response, as they arrive. Another thread may close it."""

    def __init__(
        self,
        connection: http.client.HTTPConnection,
        answer: http.client.HTTPResponse,
        sock: Any,
        silence: float,
    ) -> None:
        self._connection = connection
        self._answer = answer
        self._socket = sock
        self._silence = silence

    def next_line(self) -> bytes:
        """Empty at the end."""
        with _failing_by_name(self._connection, self._silence):
            return self._answer.readline()

    def __iter__(self) -> Iterator[bytes]:
        return iter(self.next_line, b"")

    def close(self) -> None:
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # it is over already
        self._connection.close()

    def __enter__(self) -> LineStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextlib.contextmanager
def _failing_by_name(connection: http.client.HTTPConnection, timeout: float) -> Iterator[None]:
    try:
        yield
    except (socket.timeout, TimeoutError) as cause:  # not the same in Python 3.9
        connection.close()
        raise TimedOutError(f"No answer within {timeout:g} s.", code="TIMED_OUT") from cause
    except (OSError, http.client.HTTPException) as cause:
        connection.close()
        why = str(cause) or type(cause).__name__
        raise ConnectionFailedError(f"No answer: {why}", code="CONNECTION_FAILED") from cause
    except BaseException:
        # Interrupted in the middle: what is still to come would be taken for the next answer.
        connection.close()
        raise


def _named_headers(answer: http.client.HTTPResponse) -> Dict[str, str]:
    return {name.lower(): value for name, value in answer.getheaders()}


def _left(until: float) -> float:
    left = until - time.monotonic()
    if left <= 0:
        raise socket.timeout("timed out")
    return left


def _whole_body(answer: http.client.HTTPResponse, sock: socket.socket, until: float) -> bytes:
    """Piece by piece, so that an answer that trickles in does not outlast the time-out."""
    pieces: List[bytes] = []
    while answer.length != 0 and not answer.isclosed():
        sock.settimeout(_left(until))
        piece = answer.read1(65536)
        if not piece:
            break
        pieces.append(piece)
    if answer.length:
        raise http.client.IncompleteRead(b"".join(pieces), answer.length)
    # Only after this is the connection ready for the next request.
    answer.close()
    return b"".join(pieces)


def _is_quiet(connection: http.client.HTTPConnection) -> bool:
    """Whatever can be read between two answers is the end, or nothing that we asked for."""
    try:
        poll = select.poll()
        poll.register(connection.sock, select.POLLIN)
        return not poll.poll(0)
    except AttributeError:  # Windows
        return not select.select([connection.sock], [], [], 0)[0]
    except (OSError, ValueError):
        return False
