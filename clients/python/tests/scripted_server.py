"""A server that answers as it is told, one answer for each request, and remembers what it was asked."""

import socket
import threading
from typing import Dict, List, Tuple

OK = b'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\n\r\n{"data":{}}'
#: Instead of an answer: the connection ends.
HANG_UP = b""
#: Instead of an answer: nothing comes, until the client goes.
SILENCE = b"silence"


class ScriptedServer:
    def __init__(self, *answers: bytes) -> None:
        self._answers = list(answers)
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self.requests: List[Tuple[str, Dict[str, str]]] = []
        self.connections = 0
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(self, *_: object) -> None:
        # Closing alone would leave it listening while somebody waits in `accept`.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rb") as stream:
            while True:
                first = stream.readline().decode().strip()
                if not first:
                    return
                headers: Dict[str, str] = {}
                for line in iter(lambda: stream.readline().decode().strip(), ""):
                    name, _, value = line.partition(":")
                    headers[name.lower()] = value.strip()
                stream.read(int(headers.get("content-length", 0)))
                with self._lock:
                    self.requests.append((first, headers))
                    answer = self._answers.pop(0)
                if answer == HANG_UP:
                    return
                if answer == SILENCE:
                    stream.read()
                    return
                connection.sendall(answer)
                if b"connection: close" in answer:
                    return
