<?php

declare(strict_types=1);

/*
 * A shop that pre-authorises an order and captures it when it ships.
 *
 * POST /orders {"amount": "12.50"}                    authorises the amount at the terminal
 * POST /orders/<id>/ship                              captures it; ships when that is approved
 * POST /orders/<id>/refund {"amount": "4.00", "key"}  pays back; a key is new for each refund that is meant
 * GET  /orders                                        what the shop knows
 * POST /webhooks                                      takes notifications of the service
 * POST /reconcile                                     for cron: asks what became of everything that is open
 *
 * Every request is a process of its own: what they share is the file, and its lock.
 */

const TRANSACTIONS = '/v1/semi-integration/transaction/';

/** The sandbox's codes; those of your service go here in production. */
const UNKNOWN_TRANSACTION = 'SBX_TXN_UNKNOWN';
const USED_BEFORE = 'SBX_DUP_TXN_ID';

/** Statuses: I and P are open, F and C failed, S is approved. */
const OPEN = 0;
const FAILED = 1;
const APPROVED = 2;
const RANK = ['I' => OPEN, 'P' => OPEN, 'F' => FAILED, 'C' => FAILED, 'S' => APPROVED];

/** A request that the shop does not carry out; the code is its HTTP status. */
final class Refused extends Exception
{
}

/** What the shop knows: orders by id, each with its payments by id. */
function orders(): array
{
    $file = getenv('DATA') ?: 'orders.json';
    return is_file($file) ? json_decode(file_get_contents($file), true, 512, JSON_THROW_ON_ERROR) : [];
}

/**
 * Changes the orders; $change gets them by reference. No other request does at the same time, and none waits for the service
 * in here. The file is replaced as a whole: a crash leaves the old one or the new one.
 */
function change(callable $change): mixed
{
    $file = getenv('DATA') ?: 'orders.json';
    $lock = fopen("$file.lock", 'c');
    flock($lock, LOCK_EX);
    $orders = orders();
    $result = $change($orders);
    $new = fopen("$file.new", 'w');
    fwrite($new, json_encode($orders, JSON_THROW_ON_ERROR));
    fsync($new);
    rename("$file.new", $file);
    return $result;
}

function begin(string $amount): string
{
    $order = ['id' => 'ORDER-' . bin2hex(random_bytes(6)), 'amount' => cents($amount), 'shipped' => false];
    pay($order['id'], function (array &$orders) use ($order): array {
        $orders[$order['id']] = $order + ['payments' => []];
        return ['operation' => 'auth', 'amount' => $order['amount']];
    });
    return $order['id'];
}

/** Captures an order. Again only if the last capture failed. */
function ship(string $id): void
{
    pay($id, function (array $orders) use ($id): ?array {
        $order = $orders[$id];
        if (last($order, 'auth')['status'] !== 'S') {
            throw new Refused("$id is not authorised", 409);
        }
        $before = last($order, 'post-auth');
        $isOver = $before === null || RANK[$before['status']] === FAILED;
        return $isOver ? ['operation' => 'post-auth', 'amount' => $order['amount']] : null;
    });
}

/** Pays back a part of an order, once for each key. Refunds under way count: they never exceed the order. */
function refund(string $id, string $amount, string $key): void
{
    $cents = cents($amount);
    pay($id, function (array $orders) use ($id, $cents, $key): ?array {
        $order = $orders[$id];
        if (in_array($key, array_column($order['payments'], 'key'), true)) {
            return null;
        }
        $left = $order['amount'] - refunded($order, [OPEN, APPROVED]);
        if ($key === '' || !isPaid($order) || $cents > $left) {
            throw new Refused("$id has less to refund, or the refund has no key", 409);
        }
        return ['operation' => 'refund', 'amount' => $cents, 'key' => $key];
    });
}

/** Stores what $decide wants to ask for, with the id by which it is known, and only then asks the service. */
function pay(string $id, callable $decide): void
{
    $payment = change(function (array &$orders) use ($id, $decide): ?array {
        $payment = $decide($orders);
        if ($payment === null) {
            return null;
        }
        $payment += ['id' => bin2hex(random_bytes(16)), 'status' => 'I'];
        return $orders[$id]['payments'][$payment['id']] = $payment;
    });
    if ($payment !== null) {
        send(orders()[$id], $payment);
    }
}

/** Sends a payment, perhaps again: its id makes the service carry it out once. */
function send(array $order, array $payment): void
{
    $operation = $payment['operation'];
    $members = match ($operation) {
        'auth' => ['referenceOrderId' => $order['id'], 'terminalSn' => getenv('TILLBOX_TERMINAL_SN')],
        'post-auth' => ['originalTransactionRequestId' => last($order, 'auth')['id']],
        'refund' => ['originalTransactionRequestId' => last($order, 'post-auth')['id']],
    };
    $answer = call('POST', "/v1/semi-integration/transaction/$operation", $members + [
        'transactionRequestId' => $payment['id'],
        'amount' => $payment['amount'],
        'priceCurrency' => 'USD',
        'notifyUrl' => 'http://127.0.0.1:' . $_SERVER['SERVER_PORT'] . '/webhooks',
    ]);
    if ($answer === null || $answer['code'] === USED_BEFORE) {
        return; // it may have arrived: reconcile asks
    }
    note($payment['id'], $answer['code'] === '0' ? $answer['data']['transactionStatus'] : 'F');
}

/** Asks about everything whose end is not known, and sends again what never arrived. Safe at any time, also twice at once. */
function reconcile(): void
{
    foreach (orders() as $order) {
        foreach ($order['payments'] as ['id' => $id, 'status' => $status]) {
            if (RANK[$status] !== OPEN) {
                continue;
            }
            $answer = call('GET', "/v1/transaction/query?transactionRequestId=$id");
            if ($answer !== null && $answer['code'] === '0') {
                note($id, $answer['data']['transactionStatus']);
            } elseif ($answer !== null && $answer['code'] === UNKNOWN_TRANSACTION) {
                send($order, $order['payments'][$id]);
            }
        }
    }
}

/**
 * Takes up what the service says of a payment. What is said twice, or late, changes nothing, in any order. False for a payment
 * that is not there.
 */
function note(string $paymentId, string $status): bool
{
    return change(function (array &$orders) use ($paymentId, $status): bool {
        foreach ($orders as &$order) {
            if (!isset($order['payments'][$paymentId])) {
                continue;
            }
            $payment = &$order['payments'][$paymentId];
            $payment['status'] = RANK[$status] > RANK[$payment['status']] ? $status : $payment['status'];
            $order['shipped'] = $order['shipped'] || isPaid($order);
            return true;
        }
        return false;
    });
}

/** Calls the service. Null without an answer that can be used: then nobody knows whether it was carried out. */
function call(string $method, string $path, ?array $body = null): ?array
{
    $headers = [
        'Authorization: Bearer ' . getenv('TILLBOX_API_KEY'),
        'Content-Type: application/json',
        'X-Client-Request-Id: ' . bin2hex(random_bytes(16)),
        'X-Timestamp: ' . (int) (microtime(true) * 1000),
    ];
    $http = ['method' => $method, 'header' => $headers, 'timeout' => 3, 'follow_location' => 0];
    $http['content'] = $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR);
    try {
        $text = file_get_contents(getenv('TILLBOX_BASE_URL') . $path, false, stream_context_create(compact('http')));
        return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    } catch (ErrorException | JsonException $error) {
        error_log("$method $path: {$error->getMessage()}");
        return null;
    }
}

/** Takes a notification. Only 200 acknowledges it, so that is answered when it is stored. */
function takeWebhook(string $body): void
{
    $made = hash_hmac('sha256', $body, getenv('TILLBOX_WEBHOOK_SECRET')); // over the bytes as they came
    // for a while after a rotation, the second header has the signature by the secret before
    $isGenuine = hash_equals($made, $_SERVER['HTTP_X_SIGNATURE'] ?? '')
        || hash_equals($made, $_SERVER['HTTP_X_SANDBOX_PREVIOUS_SIGNATURE'] ?? '');
    if (!$isGenuine) {
        throw new Refused('The signature is wrong', 401);
    }
    if (abs(microtime(true) * 1000 - (int) ($_SERVER['HTTP_X_TIMESTAMP'] ?? 0)) > 600_000) {
        throw new Refused('X-Timestamp is not of now', 400);
    }
    $record = json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    if (!note($record['transactionRequestId'], $record['transactionStatus'])) {
        throw new Refused('There is no such payment', 404);
    }
}

/** The last payment of an order by this operation. */
function last(array $order, string $operation): ?array
{
    $payments = array_filter($order['payments'], fn (array $payment) => $payment['operation'] === $operation);
    return array_pop($payments);
}

function isPaid(array $order): bool
{
    return (last($order, 'post-auth')['status'] ?? '') === 'S';
}

/** The sum of its refunds whose status has one of these ranks. */
function refunded(array $order, array $ranks): int
{
    $counts = fn (array $each) => $each['operation'] === 'refund' && in_array(RANK[$each['status']], $ranks, true);
    return array_sum(array_column(array_filter($order['payments'], $counts), 'amount'));
}

/** Money is whole cents: "12.50" is 1250. A number with a fraction would round. */
function cents(string $amount): int
{
    if (!preg_match('/^\d{1,7}\.\d\d$/D', $amount)) {
        throw new Refused('An amount is a text such as "12.50"', 400);
    }
    return (int) str_replace('.', '', $amount);
}

function decimal(int $cents): string
{
    return sprintf('%d.%02d', intdiv($cents, 100), $cents % 100);
}

function view(array $order): array
{
    $refunded = refunded($order, [APPROVED]);
    $auth = RANK[last($order, 'auth')['status']];
    $status = match (true) {
        isPaid($order) => $refunded === $order['amount'] ? 'refunded' : 'paid',
        $auth === APPROVED => 'authorised',
        default => $auth === FAILED ? 'failed' : 'pending',
    };
    $money = ['amount' => decimal($order['amount']), 'currency' => 'USD', 'refunded' => decimal($refunded)];
    return ['id' => $order['id'], 'status' => $status, 'shipped' => $order['shipped']] + $money;
}

function answer(string $method, string $path, string $body): array
{
    [, $kind, $id, $act] = explode('/', $path) + ['', '', '', ''];
    $members = $kind === 'orders' && $body !== '' ? json_decode($body, true, 512, JSON_THROW_ON_ERROR) : [];
    if ($id !== '' && !isset(orders()[$id])) {
        throw new Refused("There is no order $id", 404);
    }
    switch ("$method $kind $act") {
        case 'GET orders ':
            return array_map(view(...), array_values(orders()));
        case 'POST orders ':
            $id = begin($members['amount'] ?? '');
            break;
        case 'POST orders ship':
            ship($id);
            break;
        case 'POST orders refund':
            refund($id, $members['amount'] ?? '', $members['key'] ?? '');
            break;
        case 'POST webhooks ':
            takeWebhook($body);
            return [];
        case 'POST reconcile ':
            reconcile();
            return [];
        default:
            throw new Refused("There is no $path", 404);
    }
    return view(orders()[$id]);
}

set_error_handler(fn (int $level, string $message) => throw new ErrorException($message));
try {
    $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
    $answer = answer($_SERVER['REQUEST_METHOD'], $path, file_get_contents('php://input'));
} catch (Refused $refusal) {
    http_response_code($refusal->getCode());
    $answer = ['error' => $refusal->getMessage()];
} catch (JsonException | TypeError $error) {
    http_response_code(400);
    $answer = ['error' => $error->getMessage()];
}
header('Content-Type: application/json');
echo json_encode($answer);
