"""A small OpenML server on loopback: descriptions and ARFF files of a folder's ID.arff, with faults to order."""

import hashlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DESCRIPTION = """<?xml version="1.0" encoding="UTF-8"?>
<oml:data_set_description xmlns:oml="http://openml.org/openml">
<oml:id>{id}</oml:id><oml:name>set{id}</oml:name><oml:version>1</oml:version><oml:description>a test</oml:description>
<oml:format>ARFF</oml:format><oml:licence>CC0</oml:licence><oml:url>{root}/download/{id}</oml:url>
<oml:default_target_attribute>class</oml:default_target_attribute>
<oml:row_id_attribute>id</oml:row_id_attribute><oml:ignore_attribute>remark</oml:ignore_attribute>
<oml:status>active</oml:status><oml:md5_checksum>{md5}</oml:md5_checksum>
</oml:data_set_description>
"""
UNKNOWN = """<oml:error xmlns:oml="http://openml.org/openml">
<oml:code>111</oml:code><oml:message>Unknown dataset</oml:message></oml:error>"""


class MiniOpenML:
    """files: dict, id -> ARFF bytes. faults: dict, "data" or "arff" -> fault; requests: what was asked, in order.

    Faults: "hang" never answers, "error500", "checksum" (of "data": a wrong md5), "cut" closes after half of the
    announced body, "half" announces the half that it sends.
    """

    def __init__(self, files):
        self.files, self.faults, self.requests = files, {}, []
        self.stopping = threading.Event()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"world": self}))
        self.root = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.url = f"{self.root}/api/v1/xml"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.server.shutdown()
        self.server.server_close()

    def answer(self, path):
        """(resource, status, body) of one request."""
        resource, number = re.fullmatch(r".*/(data|download)/(\d+)", path).groups()
        resource = {"data": "data", "download": "arff"}[resource]
        content = self.files.get(int(number))
        if content is None:
            return resource, 412, UNKNOWN.encode()
        if resource == "arff":
            return resource, 200, content
        md5 = "0" * 32 if self.faults.get("data") == "checksum" else hashlib.md5(content).hexdigest()
        return resource, 200, DESCRIPTION.format(id=number, root=self.root, md5=md5).encode()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        resource, status, body = self.world.answer(self.path)
        self.world.requests.append(resource)
        fault = self.world.faults.get(resource)
        if fault == "hang":
            self.world.stopping.wait()
            return
        if fault == "error500":
            status, body = 500, b"<html>Internal Server Error"
        if fault == "half":
            body = body[: len(body) // 2]
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: len(body) // 2] if fault == "cut" else body)

    def log_message(self, *_):
        pass
