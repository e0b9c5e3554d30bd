"""A web shop: the customer pays on the hosted page, the shop ships what is paid, and refunds.

POST /orders {"amount": "12.50", "currency": "USD"}  begins an order; answers the url of the page where it is paid
POST /orders/<id>/pay                                answers that url again, or that of a new page if the last is over
GET  /return?order=<id>&...                          where the customer comes back from the page
POST /orders/<id>/refund {"amount": "4.00", "key"}   pays back; a key is new for each refund that is meant
POST /orders/<id>/cancel                             closes the page, or pays back what was paid on it
GET  /orders                                         what the shop knows
POST /webhooks                                       takes notifications of the service
POST /reconcile                                      for cron: asks what became of everything that is open
"""

import hashlib
import hmac
import http.client
import json
import os
import re
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

SERVICE = urlsplit(os.environ["TILLBOX_BASE_URL"])
API_KEY = os.environ["TILLBOX_API_KEY"]
SECRET = os.environ["TILLBOX_WEBHOOK_SECRET"].encode()
PORT = int(os.environ.get("PORT", "3000"))
DATA = os.environ.get("DATA", "orders.json")
SHOP = f"http://127.0.0.1:{PORT}"

# The sandbox's codes; those of your service go here in production.
UNKNOWN_TRANSACTION = "SBX_TXN_UNKNOWN"
USED_BEFORE = "SBX_DUP_TXN_ID"

# Digits of a currency's minor unit; all others have two.
DIGITS = {"JPY": 0, "KRW": 0, "KWD": 3, "BHD": 3}

# Statuses: I and P are open, F and C failed, S is approved.
OPEN, FAILED, APPROVED = 0, 1, 2
RANK = {"I": OPEN, "P": OPEN, "F": FAILED, "C": FAILED, "S": APPROVED}

orders = {}  # by id; each with its pages, one after the other, and its refunds
lock = threading.Lock()  # of the orders. Nobody waits for the service with it.


class Refused(Exception):
    """A request that the shop does not carry out: its HTTP status, and the reason."""


def save():
    """Replaces the file as a whole: a crash leaves the old one or the new one."""
    with open(DATA + ".new", "w") as file:
        json.dump(orders, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(DATA + ".new", DATA)


def begin(price, currency="USD"):
    order = {"id": f"ORDER-{uuid.uuid4().hex[:12]}", "price": price, "currency": currency, "status": "pending"}
    order.update(parcels=0, cancelled=False, pages=[], refunds=[])
    page = {"amount": minor(price, currency)}
    with lock:
        orders[order["id"]] = order
        add(order["pages"], page)
    open_page(order, page)
    return order


def pay(order):
    """Sees to a page where the order can be paid: a new one only when the last one can take no payment any more."""
    if order["cancelled"]:
        raise Refused(409, f"{order['id']} is cancelled")
    page = order["pages"][-1]
    if "url" not in page:  # it was lost with the answer
        call("POST", "/v1/checkout/expire-session", {"transactionRequestId": page["id"]})
    settle(order, page)
    with lock:
        if page is not order["pages"][-1] or RANK[page["status"]] != FAILED:
            return
        page = {"amount": price_of(order)}
        add(order["pages"], page)
    open_page(order, page)


def refund(order, amount, key):
    """Pays back a part of an order, once for each key. Refunds under way count: they never exceed the price."""
    new = {"amount": minor(amount, order["currency"]), "key": key, "page": order["pages"][-1]["id"]}
    with lock:
        if any(each["key"] == key for each in order["refunds"]):
            return
        if not key:
            raise Refused(400, "A refund needs a key: a new text for each refund")
        if order["status"] != "paid" or new["amount"] > left_of(order):
            raise Refused(409, f"{order['id']} is {order['status']}; {left_of(order)} can be refunded")
        add(order["refunds"], new)
    send_refund(order, new)


def cancel(order):
    """Cancels an order, for good. Its page may have been paid already, or be paid while it is closed."""
    with lock:
        order.update(cancelled=True, status="cancelled")
        save()
    page = order["pages"][-1]
    call("POST", "/v1/checkout/expire-session", {"transactionRequestId": page["id"]})
    settle(order, page)
    give_back(order)


def give_back(order):
    """Pays back what is left of a cancelled order."""
    page = order["pages"][-1]
    with lock:
        left = left_of(order)
        if not order["cancelled"] or RANK[page["status"]] != APPROVED or left == 0:
            return
        new = {"amount": left, "key": "cancelled", "page": page["id"]}
        add(order["refunds"], new)
    send_refund(order, new)


def add(payments, payment):
    """Stores what the service is going to be asked for, with the id by which it is known. With the lock."""
    payment.update(id=str(uuid.uuid4()), status="I")
    payments.append(payment)
    save()


def open_page(order, page):
    return_url = f"{SHOP}/return?order={order['id']}"
    data = send(order, page, "create-session", referenceOrderId=order["id"], merchantReturnUrl=return_url)
    with lock:
        page.update({"url": data["checkoutUrl"]} if data else {})
        save()


def send_refund(order, payment):
    data = send(order, payment, "refund", originalTransactionRequestId=payment["page"])
    if data:
        note(order, payment, data["transactionStatus"])


def send(order, payment, operation, **members):
    """Sends a payment, perhaps again: its id makes the service carry it out once. The data of the answer, or None."""
    members.update(transactionRequestId=payment["id"], amount=payment["amount"], priceCurrency=order["currency"])
    answer = call("POST", f"/v1/checkout/{operation}", {**members, "notifyUrl": f"{SHOP}/webhooks"})
    if answer and answer["code"] not in ("0", USED_BEFORE):
        note(order, payment, "F")
    return answer and answer.get("data")  # without an answer it may have arrived: reconcile asks


def settle(order, payment):
    """Asks what became of a payment, and sends it again if it never arrived."""
    answer = call("GET", f"/v1/transaction/query?transactionRequestId={payment['id']}")
    if answer and answer["code"] == "0":
        note(order, payment, answer["data"]["transactionStatus"])
    if answer and answer["code"] == UNKNOWN_TRANSACTION:
        (send_refund if "page" in payment else open_page)(order, payment)


def reconcile():
    """Asks about everything whose end is not known. Safe at any time, also twice at once."""
    for order in list(orders.values()):
        for payment in order["pages"] + order["refunds"]:
            if RANK[payment["status"]] == OPEN:
                settle(order, payment)
        give_back(order)


def note(order, payment, status):
    """Takes up what the service says of a payment. What is said twice, or late, changes nothing, in any order."""
    with lock:
        if RANK[status] <= RANK[payment["status"]]:
            return
        payment["status"] = status
        order["status"] = status_of(order)
        if order["status"] == "paid" and order["parcels"] == 0:
            order["parcels"] += 1
        save()


def status_of(order):
    last = RANK[order["pages"][-1]["status"]]
    if order["cancelled"]:
        return "cancelled"
    if last == APPROVED:
        return "refunded" if total(order["refunds"], APPROVED) == price_of(order) else "paid"
    return "failed" if last == FAILED else "pending"


def left_of(order):
    return price_of(order) - total(order["refunds"], OPEN, APPROVED)


def total(payments, *ranks):
    return sum(payment["amount"] for payment in payments if RANK[payment["status"]] in ranks)


def call(method, path, body=None):
    """Calls the service. None without an answer that can be used: then nobody knows whether it was carried out."""
    connect = http.client.HTTPSConnection if SERVICE.scheme == "https" else http.client.HTTPConnection
    connection = connect(SERVICE.netloc, timeout=3)
    headers = {
        "Authorization": f"Bearer {API_KEY}",
        "Content-Type": "application/json",
        "X-Client-Request-Id": str(uuid.uuid4()),
        "X-Timestamp": str(time.time_ns() // 1_000_000),
    }
    try:
        connection.request(method, SERVICE.path + path, body and json.dumps(body), headers)
        response = connection.getresponse()
        answer = json.loads(response.read()) if response.status == 200 else None
        return answer if isinstance(answer, dict) and "code" in answer else None
    except (OSError, http.client.HTTPException, ValueError) as error:
        print(f"{method} {path}: {error!r}", file=sys.stderr)
        return None
    finally:
        connection.close()


def take_webhook(headers, body):
    """Takes a notification. Only 200 acknowledges it, so that is answered when it is stored."""
    if not is_genuine(headers, body):
        raise Refused(401, "The signature is wrong")
    if abs(time.time() * 1000 - int(headers.get("X-Timestamp", "0"))) > 600_000:
        raise Refused(400, "X-Timestamp is not of now")
    record = json.loads(body)
    for order in list(orders.values()):
        for payment in order["pages"] + order["refunds"]:
            if payment["id"] == record["transactionRequestId"]:
                note(order, payment, record["transactionStatus"])


def is_genuine(headers, body):
    """Whether the service signed it: over the bytes as they came."""
    made = hmac.new(SECRET, body, hashlib.sha256).hexdigest().encode()
    # for a while after a rotation, the second header has the signature by the secret before
    names = ("X-Signature", "X-Sandbox-Previous-Signature")
    return any(hmac.compare_digest(made, headers.get(name, "").encode()) for name in names)


def price_of(order):
    return minor(order["price"], order["currency"])


def minor(amount, currency):
    """Money is whole minor units: "12.50" USD is 1250, and so is "1250" JPY. A number with a fraction would round."""
    digits = DIGITS.get(currency, 2)
    if not re.fullmatch(r"[0-9]{1,7}" + (rf"\.[0-9]{{{digits}}}" if digits else ""), str(amount)):
        raise Refused(400, f"An amount is a text with {digits} decimals in {currency}")
    return int(amount.replace(".", ""))


def major(amount, currency):
    digits = DIGITS.get(currency, 2)
    text = f"{amount:0{digits + 1}}"
    return f"{text[:-digits]}.{text[-digits:]}" if digits else text


def view_of(order):
    page = order["pages"][-1]
    return {
        "id": order["id"],
        "amount": order["price"],
        "currency": order["currency"],
        "status": order["status"],
        "shipped": order["parcels"] > 0,
        "parcels": order["parcels"],
        "refunded": major(total(order["refunds"], APPROVED), order["currency"]),
        "url": page.get("url") if RANK[page["status"]] == OPEN else None,
    }


def answer(route, query, headers, body):
    """What the shop answers, as JSON. `route`: method and parts of the path."""
    match route:
        case "GET", "orders":
            return [view_of(order) for order in list(orders.values())]
        case "POST", "orders":
            request = json.loads(body)
            return view_of(begin(request["amount"], request.get("currency", "USD")))
        case "POST", "orders", id, "pay" if id in orders:
            pay(orders[id])
            return view_of(orders[id])
        case "POST", "orders", id, "refund" if id in orders:
            refund(orders[id], **json.loads(body))
            return view_of(orders[id])
        case "POST", "orders", id, "cancel" if id in orders:
            cancel(orders[id])
            return view_of(orders[id])
        case "GET", "return" if query.get("order") in orders:
            order = orders[query["order"]]
            settle(order, order["pages"][-1])  # the rest of the query proves nothing: anybody can type it
            return view_of(order)
        case "POST", "webhooks":
            return take_webhook(headers, body)
        case "POST", "reconcile":
            return reconcile()
    raise Refused(404, "There is no such path")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        try:
            status, result = 200, answer((self.command, *url.path.split("/")[1:]), query, self.headers, body)
        except Refused as refusal:
            status, result = refusal.args[0], {"error": refusal.args[1]}
        except (ValueError, KeyError, TypeError) as error:
            status, result = 400, {"error": repr(error)}
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(result).encode())

    do_POST = do_GET

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if os.path.exists(DATA):
        with open(DATA) as file:
            orders.update(json.load(file))
    print(f"The shop is open at {SHOP}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Handler).serve_forever()
