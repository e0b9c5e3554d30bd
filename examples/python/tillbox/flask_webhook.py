"""Webhooks at http://127.0.0.1:3000/webhooks, with Flask. Run it: python3 tillbox/flask_webhook.py"""

import hashlib
import hmac
import os
import threading

from flask import Flask, request

secret = os.environ["TILLBOX_WEBHOOK_SECRET"]  # what `tillbox webhook secret` shows
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 1024 * 1024

# In production keep the ids in your database, in the transaction that stores what the notification changes.
handled_ids = set()
one_at_a_time = threading.Lock()


@app.post("/webhooks")
def webhook():
    """Answers 200 when the notification is handled, now or before. After any other answer it comes again."""
    if not is_genuine(request.headers, request.get_data()):
        return "", 401
    notification_id = request.headers.get("X-Client-Request-Id")  # the same on every attempt to deliver it
    notification = request.get_json(silent=True)
    if notification_id is None or not isinstance(notification, dict):
        return "", 400
    with one_at_a_time:
        if notification_id not in handled_ids:
            handle(notification)
            handled_ids.add(notification_id)
    return "", 200


def handle(notification):
    """What your shop does. An error is answered with 500."""
    status = {"S": "approved", "F": "declined", "C": "closed unpaid"}.get(notification.get("transactionStatus"))
    print(f"{notification.get('transactionType')} {notification.get('transactionId')}: {status}", flush=True)


def is_genuine(headers, body):
    """Checks the signature of a webhook. `body`: the bytes as they came."""
    made = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().encode()
    # for a while after a rotation, the second header has the signature by the secret before
    names = ("X-Signature", "X-Sandbox-Previous-Signature")
    return any(hmac.compare_digest(made, headers.get(name, "").encode()) for name in names)


if __name__ == "__main__":
    app.run("127.0.0.1", int(os.environ.get("PORT", "3000")))
