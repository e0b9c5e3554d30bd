"""Webhooks at http://127.0.0.1:3000/webhooks, with FastAPI. Run it: python3 tillbox/fastapi_webhook.py"""

import hashlib
import hmac
import json
import os

from fastapi import FastAPI, Request, Response

secret = os.environ["TILLBOX_WEBHOOK_SECRET"]  # what `tillbox webhook secret` shows
app = FastAPI()

# In production keep the ids in your database, in the transaction that stores what the notification changes.
handled_ids = set()


@app.post("/webhooks")
async def webhook(request: Request):
    """Answers 200 when the notification is handled, now or before. After any other answer it comes again."""
    body = await request.body()
    if not is_genuine(request.headers, body):
        return Response(status_code=401)
    notification_id = request.headers.get("X-Client-Request-Id")  # the same on every attempt to deliver it
    notification = parse(body)
    if notification_id is None or notification is None:
        return Response(status_code=400)
    if notification_id not in handled_ids:
        handle(notification)
        handled_ids.add(notification_id)
    return Response(status_code=200)


def handle(notification):
    """What your shop does. An error is answered with 500."""
    status = {"S": "approved", "F": "declined", "C": "closed unpaid"}.get(notification.get("transactionStatus"))
    print(f"{notification.get('transactionType')} {notification.get('transactionId')}: {status}", flush=True)


def parse(body):
    try:
        notification = json.loads(body)
    except ValueError:
        return None
    return notification if isinstance(notification, dict) else None


def is_genuine(headers, body):
    """Checks the signature of a webhook. `body`: the bytes as they came."""
    made = hmac.new(secret.encode(), body, hashlib.sha256).hexdigest().encode()
    # for a while after a rotation, the second header has the signature by the secret before
    names = ("X-Signature", "X-Sandbox-Previous-Signature")
    return any(hmac.compare_digest(made, headers.get(name, "").encode()) for name in names)


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "3000")))
