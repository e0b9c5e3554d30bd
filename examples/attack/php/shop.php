<?php

declare(strict_types=1);

/*
 * A shop that pre-authorises an order and captures it when it ships.
 *
 * POST /orders {"amount": "12.50", "key"}             authorises the amount at the terminal
 * POST /orders/<id>/ship {"tip": "2.00"}              captures it, with a tip; ships when that is approved
 * POST /orders/<id>/refund {"amount": "4.00", "key"}  pays back
 * GET  /orders                                        what the shop knows
 * POST /webhooks                                      takes notifications of the service
 * POST /reconcile                                     for cron: asks what became of everything that is open
 *
 * A key is new for each click that is meant: with the same one, a request is carried out once.
 * Every request is a process of its own: what they share is the file, and its lock.
 */

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

function order(string $id): array
{
    return orders()[$id] ?? throw new Refused("There is no order $id", 404);
}

/**
 * Changes the orders; $change gets them by reference. No other request does at the same time, and none waits for the
 * service in here. The file is replaced as a whole: a crash leaves the old one or the new one.
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

/** Begins an order, or finds the one that this key began. Returns its id. */
function begin(string $amount, string $key): string
{
    $id = 'ORDER-' . substr(hash('sha256', $key ?: random_bytes(16)), 0, 16);
    $cents = cents($amount);
    pay($id, function (array &$orders) use ($id, $cents): ?array {
        if (isset($orders[$id])) {
            return null;
        }
        $orders[$id] = ['id' => $id, 'amount' => $cents, 'shipped' => false, 'payments' => []];
        return ['operation' => 'auth', 'amount' => $cents];
    });
    return $id;
}

/** Captures an order, with a tip. Again only if the captures before have failed. */
function ship(string $id, string $tip): void
{
    $tip = $tip === '' ? 0 : cents($tip);
    pay($id, function (array $orders) use ($id, $tip): ?array {
        $order = $orders[$id];
        if (payments($order, 'auth', APPROVED) === []) {
            throw new Refused("$id is not authorised", 409);
        }
        $isUnderWay = payments($order, 'post-auth', OPEN, APPROVED) !== [];
        return $isUnderWay ? null : ['operation' => 'post-auth', 'amount' => $order['amount'], 'tip' => $tip];
    });
}

/** Pays back a part of an order, once for each key. Refunds under way count: they never exceed the order. */
function refund(string $id, string $amount, string $key): void
{
    $cents = cents($amount);
    if ($key === '') {
        throw new Refused('A refund needs a key: a new text for each refund', 400);
    }
    pay($id, function (array $orders) use ($id, $cents, $key): ?array {
        $order = $orders[$id];
        if (in_array($key, array_column($order['payments'], 'key'), true)) {
            return null;
        }
        $left = total($order) - sum(payments($order, 'refund', OPEN, APPROVED));
        if (!isPaid($order) || $cents > $left) {
            throw new Refused("$id has less to refund", 409);
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
        send(order($id), $payment);
    }
}

/** Sends a payment, perhaps again: its id makes the service carry it out once. */
function send(array $order, array $payment): void
{
    $operation = $payment['operation'];
    $members = match ($operation) {
        'auth' => ['referenceOrderId' => $order['id'], 'terminalSn' => getenv('TILLBOX_TERMINAL_SN')],
        'post-auth' => ['originalTransactionRequestId' => array_key_first(payments($order, 'auth', APPROVED))],
        'refund' => ['originalTransactionRequestId' => array_key_first(payments($order, 'post-auth', APPROVED))],
    };
    $answer = call('POST', "/v1/semi-integration/transaction/$operation", $members + [
        'transactionRequestId' => $payment['id'],
        'amount' => $payment['amount'],
        'tipAmount' => $payment['tip'] ?? 0,
        'priceCurrency' => 'USD',
        'notifyUrl' => 'http://127.0.0.1:' . $_SERVER['SERVER_PORT'] . '/webhooks',
    ]);
    if ($answer === null || $answer['code'] === USED_BEFORE) {
        return; // it may have arrived: reconcile asks
    }
    note($payment['id'], $answer['code'] === '0' ? $answer['data']['transactionStatus'] : 'F');
}

/** Asks about everything whose end is not known, and sends again what never arrived. Safe at any time, twice at once too. */
function reconcile(): void
{
    foreach (orders() as $order) {
        foreach ($order['payments'] as ['id' => $id, 'status' => $status]) {
            if (RANK[$status] !== OPEN) {
                continue;
            }
            $answer = call('GET', "/v1/transaction/query?transactionRequestId=$id");
            match ($answer['code'] ?? null) {
                '0' => note($id, $answer['data']['transactionStatus']),
                UNKNOWN_TRANSACTION => send($order, $order['payments'][$id]),
                default => null, // nobody knows yet
            };
        }
    }
}

/**
 * Takes up what the service says of a payment. What is said twice, or late, changes nothing, in any order. False for a
 * payment that is not there.
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
        $answer = json_decode($text, true, 512, JSON_THROW_ON_ERROR);
        return isset($answer['code']) ? $answer : null;
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

/** The payments of an order by this operation whose status has one of these ranks. */
function payments(array $order, string $operation, int ...$ranks): array
{
    $fits = fn (array $each) => $each['operation'] === $operation && in_array(RANK[$each['status']], $ranks, true);
    return array_filter($order['payments'], $fits);
}

function sum(array $payments): int
{
    return array_sum(array_column($payments, 'amount'));
}

/** The price, and the tip once it is captured. */
function total(array $order): int
{
    return $order['amount'] + array_sum(array_column(payments($order, 'post-auth', APPROVED), 'tip'));
}

function isPaid(array $order): bool
{
    return payments($order, 'post-auth', APPROVED) !== [];
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
    $refunded = sum(payments($order, 'refund', APPROVED));
    $status = match (true) {
        isPaid($order) => $refunded === total($order) ? 'refunded' : 'paid',
        payments($order, 'auth', APPROVED) !== [] => 'authorised',
        default => payments($order, 'auth', OPEN) !== [] ? 'pending' : 'failed',
    };
    $money = ['amount' => decimal(total($order)), 'currency' => 'USD', 'refunded' => decimal($refunded)];
    return ['id' => $order['id'], 'status' => $status, 'shipped' => $order['shipped']] + $money;
}

function answer(string $method, string $path, string $body): array
{
    [, $kind, $id, $act] = explode('/', $path) + ['', '', '', ''];
    ['amount' => $amount, 'tip' => $tip, 'key' => $key] = ($kind === 'orders' ? json_decode($body ?: '{}', true) : [])
        + ['amount' => '', 'tip' => '', 'key' => ''];
    if ($id !== '') {
        order($id); // refuses one that is not there
    }
    return match ("$method $kind $act") {
        'GET orders ' => array_map(view(...), array_values(orders())),
        'POST orders ' => view(order(begin($amount, $key))),
        'POST orders ship' => ship($id, $tip) ?? view(order($id)),
        'POST orders refund' => refund($id, $amount, $key) ?? view(order($id)),
        'POST webhooks ' => takeWebhook($body) ?? [],
        'POST reconcile ' => reconcile() ?? [],
        default => throw new Refused("There is no $path", 404),
    };
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
