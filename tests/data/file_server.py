"""One file on loopback with Range requests and faults to order."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FileServer:
    """content: the file's bytes. faults: what befalls the next requests, in order; ranges: the Range of each request.

    Faults: "" none, "error500", "hang" never answers, "late" answers once `resumed` is set, "cut" closes after half of
    the announced body, "stall" sends half and falls silent, "short" announces the half that it sends, "long" announces
    ten bytes more than there are.
    """

    def __init__(self, content, faults=(), takes_ranges=True):
        self.content, self.faults, self.takes_ranges = content, list(faults), takes_ranges
        self.ranges = []
        self.stopping, self.resumed = threading.Event(), threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"world": self}))
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/papers/data.tar.gz"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.resumed.set()
        self.server.shutdown()
        self.server.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        world = self.world
        world.ranges.append(self.headers.get("Range"))
        fault = world.faults.pop(0) if world.faults else ""
        if fault == "hang":
            world.stopping.wait()
            return
        if fault == "late":
            world.resumed.wait()
        if fault == "error500":
            self.send_error(500)
            return
        start = 0
        if self.headers.get("Range") and world.takes_ranges:
            start = int(self.headers["Range"].removeprefix("bytes=").rstrip("-"))
        if start and start >= len(world.content):
            self.send_error(416)
            return
        body = world.content[start:]
        half = body[: len(body) // 2]
        length = {"short": len(half), "long": len(body) + 10}.get(fault, len(body))
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(half if fault in ("cut", "stall", "short") else body)
        if fault == "stall":
            self.wfile.flush()
            world.stopping.wait()

    def log_message(self, *_):
        pass
