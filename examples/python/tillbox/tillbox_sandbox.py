"""A tillbox sandbox for pytest. Where your tests are: `from tillbox_sandbox import running_sandbox, sandbox, webhooks`.

The fixtures use the sandbox of `npx tillbox exec -- pytest`, and without it start one for this run. Before each test
everything in it is deleted.
"""

import atexit
import hashlib
import hmac
import json
import os
import queue
import re
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

FINAL = ("SUCCESS", "FAIL", "CLOSED")
direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy does not reach this machine


class Sandbox:
    def __init__(self, url):
        self.url = url
        connection = self.control("GET", "connection")
        self.api_key = connection["apiKey"]
        self.app_id = connection["appId"]
        self.merchant_id = connection["merchantId"]
        self.terminal_sn = connection["terminals"][0]
        self.webhook_secret = self.control("GET", "webhook-secret")["secret"]

    def wait_for(self, payment, status="SUCCESS", timeout=10):
        """Waits for a transaction, by its id or its order. Returns its record."""
        deadline = time.monotonic() + timeout
        while True:
            found = self._find(payment)
            if found["status"] == status:
                return found["record"]
            if found["status"] in FINAL or time.monotonic() > deadline:
                pytest.fail(f"{payment} is {found['status']}, not {status}: {json.dumps(found['timeline'], indent=1)}")
            time.sleep(0.02)

    def _find(self, payment):
        query = urllib.parse.urlencode({"limit": 1, "order": payment})
        for newest in self.control("GET", f"transactions?{query}")["transactions"]:
            payment = newest["transactionId"]
        if re.fullmatch("[0-9]{16}", payment):
            return self.control("GET", f"transactions/{payment}")
        return {"status": "not there", "timeline": []}

    def outcome(self, name, times=1, terminal=None):
        """Decides the next payments of a terminal: "insufficient-funds", "late-approval", ... (`tillbox outcomes`)."""
        path = f"terminals/{terminal or self.terminal_sn}/queue"
        self.control("POST", path, {"outcome": name, "times": times})

    def advance(self, seconds):
        """Moves the clock forward. Everything that falls due has happened afterwards, its webhooks included."""
        self.control("POST", "clock", {"action": "advance", "milliseconds": round(seconds * 1000)})

    def control(self, method, path, body=None):
        """Calls the control interface, which can do more: docs/control-interface.md of tillbox."""
        headers = {"Content-Type": "application/json", "X-Sandbox-Token": os.environ.get("TILLBOX_TOKEN", "")}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/_sandbox/{path}", data, headers, method=method)
        try:
            answer = json.load(direct.open(request, timeout=130))
        except urllib.error.HTTPError as error:
            answer = json.load(error)
        if answer["code"] != "0":
            raise RuntimeError(f"{method} {path}: {json.dumps(answer, indent=1)}")
        return answer.get("data")


def is_genuine(headers, body, secret):
    """Checks the signature of a webhook. `body`: the bytes as they came."""
    made = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().encode()
    # for a while after a rotation, the second header has the signature by the secret before
    names = ("X-Signature", "X-Sandbox-Previous-Signature")
    return any(hmac.compare_digest(made, headers.get(name, "").encode()) for name in names)


class Webhooks(HTTPServer):
    """Receives webhooks at `url`. `next()` takes the oldest one, and fails where its signature is wrong."""

    def __init__(self, secret):
        received = self.received = queue.Queue()
        self.secret = secret

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                received.put((self.headers, self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}/"
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def next(self, timeout=10):
        headers, body = self.received.get(timeout=timeout)
        assert is_genuine(headers, body, self.secret), "the signature of the webhook is wrong"
        return json.loads(body)


@pytest.fixture(scope="session")
def running_sandbox():
    if "TILLBOX_BASE_URL" in os.environ:
        return Sandbox(os.environ["TILLBOX_BASE_URL"])
    own = "node_modules/.bin/tillbox"
    command = [own if os.path.exists(own) else "tillbox", "sandbox", "start", "--set", "withParent=true"]
    try:
        child = subprocess.Popen(command + ["--port", "0", "--ephemeral", "--json"], stdout=subprocess.PIPE)
    except FileNotFoundError:
        pytest.exit("No sandbox: npm install --save-dev tillbox, or run the tests with npx tillbox exec -- pytest")
    atexit.register(child.terminate)
    return Sandbox(json.loads(child.stdout.readline())["url"])


@pytest.fixture
def sandbox(running_sandbox):
    running_sandbox.control("POST", "reset", {"everything": True})
    return running_sandbox


@pytest.fixture
def webhooks(sandbox):
    with Webhooks(sandbox.webhook_secret) as receiver:
        yield receiver
        receiver.shutdown()
