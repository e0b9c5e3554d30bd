"""Payments against a sandbox. Run it: npx tillbox exec -- pytest tillbox"""

import json
import time
import urllib.request
import uuid

from tillbox_sandbox import is_genuine, running_sandbox, sandbox, webhooks  # noqa: F401


def sell(sandbox, order, **members):
    """Stands for your shop: it calls the payment service as your code does."""
    headers = {
        "Authorization": f"Bearer {sandbox.api_key}",
        "Content-Type": "application/json",
        "X-Client-Request-Id": str(uuid.uuid4()),
        "X-Timestamp": str(int(time.time() * 1000)),
    }
    sale = {"amount": 1000, "priceCurrency": "USD", "referenceOrderId": order, "transactionRequestId": uuid.uuid4().hex}
    url = f"{sandbox.url}/v1/semi-integration/transaction/sale"
    urllib.request.urlopen(urllib.request.Request(url, json.dumps({**sale, **members}).encode(), headers))


def test_a_sale_is_approved_and_its_webhook_is_genuine(sandbox, webhooks):
    sell(sandbox, "ORDER-1", notifyUrl=webhooks.url)
    paid = sandbox.wait_for("ORDER-1")
    notification = webhooks.next()
    assert (notification["transactionId"], notification["transactionStatus"]) == (paid["transactionId"], "S")


def test_a_forged_webhook_is_not_genuine(sandbox):
    assert not is_genuine({"X-Signature": "0" * 64}, b"{}", sandbox.webhook_secret)
    assert not is_genuine({}, b"{}", sandbox.webhook_secret)


def test_a_sale_that_the_host_declines(sandbox):
    sandbox.outcome("insufficient-funds")
    sell(sandbox, "100002")
    assert sandbox.wait_for("100002", "FAIL")["transactionResultCode"] == "051"


def test_a_host_that_approves_late(sandbox):
    sandbox.outcome("late-approval")
    sell(sandbox, "ORDER-3")
    pending = sandbox.wait_for("ORDER-3", "PROCESSING")
    sandbox.advance(120)
    sandbox.wait_for(pending["transactionId"])


def test_each_test_begins_with_an_empty_sandbox(sandbox):
    assert sandbox.control("GET", "transactions")["transactions"] == []
