<?php

declare(strict_types=1);

use PHPUnit\Framework\Attributes\After;
use PHPUnit\Framework\Attributes\Before;

/**
 * A sandbox of the payment service for PHPUnit 9 or later: `use UsesTillbox;` in a TestCase. It uses that of `npx tillbox
 * exec -- vendor/bin/phpunit`, and without it starts one for this run. Before each test everything in it is deleted.
 */
trait UsesTillbox
{
    /** How to connect: url, apiKey, appId, merchantId, terminals, webhookSecret. */
    protected array $sandbox;

    /** @var ?array{resource, array<resource>, string} what receives webhooks: process, its pipes, URL */
    private ?array $receiver = null;

    /** Answers webhooks, and prints them: PHP has no threads, and a clock that advances waits for the answer. */
    private static string $receiverCode = <<<'PHP'
        $server = stream_socket_server('tcp://127.0.0.1:0');
        echo 'http://', stream_socket_get_name($server, false), "/\n";
        while (true) {
            [$ready, $none] = [[$server, STDIN], null];
            stream_select($ready, $none, $none, null);
            if (in_array(STDIN, $ready, true)) {
                exit; // the test or its process has ended
            }
            $connection = stream_socket_accept($server);
            for ($headers = []; ($line = trim(fgets($connection))) !== ''; ) {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = trim($value);
            }
            $body = stream_get_contents($connection, (int) $headers['content-length']);
            fwrite($connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            fclose($connection);
            echo json_encode([$headers, $body]), "\n";
        }
        PHP;

    /** @before */
    #[Before]
    protected function openSandbox(): void
    {
        $url = getenv('TILLBOX_BASE_URL') ?: self::startSandbox();
        $this->control('POST', 'reset', ['everything' => true]);
        $secret = $this->control('GET', 'webhook-secret')['secret'];
        $connection = $this->control('GET', 'connection');
        $this->sandbox = ['url' => $url, 'webhookSecret' => $secret] + $connection;
    }

    /** @after */
    #[After]
    protected function closeReceiver(): void
    {
        $this->receiver = null;
    }

    /** Starts a sandbox that ends with this process. */
    private static function startSandbox(): string
    {
        $own = 'node_modules/.bin/tillbox';
        $command = [is_file($own) ? $own : 'tillbox', 'sandbox', 'start', '--set', 'withParent=true'];
        $child = @proc_open([...$command, '--port', '0', '--ephemeral', '--json'], [1 => ['pipe', 'w']], $pipes);
        $line = $child === false ? false : fgets($pipes[1]);
        if ($line === false) {
            throw new RuntimeException('No sandbox: npm install tillbox, or npx tillbox exec -- vendor/bin/phpunit');
        }
        register_shutdown_function(fn () => proc_terminate($child));
        $url = json_decode($line, true)['url'];
        putenv("TILLBOX_BASE_URL=$url"); // for the next test
        return $url;
    }

    /** Waits for a transaction, by its id or its order, to be SUCCESS, FAIL, CLOSED or PROCESSING. Returns its record. */
    protected function waitForPayment(string $payment, string $status = 'SUCCESS', float $timeout = 10): array
    {
        for ($end = microtime(true) + $timeout; ; usleep(20_000)) {
            $found = $this->findPayment($payment);
            $state = $found['status'] ?? 'not there';
            if ($state === $status) {
                return $found['record'];
            }
            if (in_array($state, ['SUCCESS', 'FAIL', 'CLOSED'], true) || microtime(true) > $end) {
                self::fail("$payment is $state, not $status: " . json_encode($found['timeline'] ?? []));
            }
        }
    }

    private function findPayment(string $payment): ?array
    {
        $newest = $this->control('GET', 'transactions?limit=1&order=' . urlencode($payment))['transactions'];
        $id = $newest[0]['transactionId'] ?? $payment;
        return preg_match('/^[0-9]{16}$/', $id) ? $this->control('GET', "transactions/$id") : null;
    }

    /** Decides the next payment of the terminal: insufficient-funds, late-approval, ... (tillbox outcomes). */
    protected function queueOutcome(string $name): void
    {
        $this->control('POST', "terminals/{$this->sandbox['terminals'][0]}/queue", ['outcome' => $name]);
    }

    /** Moves the clock forward. Everything that falls due has happened afterwards. */
    protected function advanceClock(int $seconds): void
    {
        $this->control('POST', 'clock', ['action' => 'advance', 'milliseconds' => $seconds * 1000]);
    }

    /** Where webhooks are received until the test ends; a request names it as notifyUrl. */
    protected function notifyUrl(): string
    {
        if ($this->receiver === null) {
            $ends = [['pipe', 'r'], ['pipe', 'w']];
            $process = proc_open([PHP_BINARY, '-r', self::$receiverCode], $ends, $pipes);
            $this->receiver = [$process, $pipes, trim((string) fgets($pipes[1]))];
        }
        return $this->receiver[2];
    }

    /** The next webhook; fails where none comes in 10 seconds, or its signature is wrong. */
    protected function nextWebhook(): array
    {
        $output = $this->receiver[1][1];
        [$ready, $none] = [[$output], null];
        self::assertSame(1, stream_select($ready, $none, $none, 10), 'No webhook came');
        [$headers, $body] = json_decode((string) fgets($output), true, 512, JSON_THROW_ON_ERROR);
        self::assertTrue(self::isGenuine($headers, $body, $this->sandbox['webhookSecret']), "Wrong signature: $body");
        return json_decode($body, true, 512, JSON_THROW_ON_ERROR);
    }

    /** Checks the signature of a webhook. $headers: names in lower case; $body: the bytes as they came. */
    protected static function isGenuine(array $headers, string $body, string $secret): bool
    {
        $made = hash_hmac('sha256', $body, $secret);
        // for a while after a rotation, the second header has the signature by the secret before
        return hash_equals($made, $headers['x-signature'] ?? '')
            || hash_equals($made, $headers['x-sandbox-previous-signature'] ?? '');
    }

    /** Calls the control interface, which can do more: docs/control-interface.md of tillbox. */
    protected function control(string $method, string $path, ?array $body = null): array
    {
        $headers = "Content-Type: application/json\r\nX-Sandbox-Token: " . getenv('TILLBOX_TOKEN');
        $content = $body === null ? '' : json_encode((object) $body);
        $request = compact('method', 'content') + ['header' => $headers, 'ignore_errors' => true, 'timeout' => 130];
        $context = stream_context_create(['http' => $request]);
        $text = (string) file_get_contents(getenv('TILLBOX_BASE_URL') . "/_sandbox/$path", false, $context);
        $answer = json_decode($text, true);
        if (($answer['code'] ?? null) !== '0') {
            throw new RuntimeException("$method $path: $text");
        }
        return $answer['data'] ?? [];
    }
}
