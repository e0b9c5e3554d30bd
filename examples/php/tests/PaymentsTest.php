<?php

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

require_once __DIR__ . '/UsesTillbox.php';

final class PaymentsTest extends TestCase
{
    use UsesTillbox;

    /** Stands for your shop: it calls the payment service as your code does. */
    private function sell(string $order, array $members = []): void
    {
        $sale = ['amount' => 1000, 'priceCurrency' => 'USD', 'referenceOrderId' => $order] + $members;
        $headers = [
            "Authorization: Bearer {$this->sandbox['apiKey']}",
            'Content-Type: application/json',
            'X-Client-Request-Id: ' . bin2hex(random_bytes(16)),
            'X-Timestamp: ' . (int) (microtime(true) * 1000),
        ];
        $content = json_encode($sale + ['transactionRequestId' => bin2hex(random_bytes(16))]);
        $context = stream_context_create(['http' => ['method' => 'POST', 'header' => $headers, 'content' => $content]]);
        file_get_contents("{$this->sandbox['url']}/v1/semi-integration/transaction/sale", false, $context);
    }

    public function testASaleIsApprovedAndItsWebhookIsGenuine(): void
    {
        $this->sell('ORDER-1', ['notifyUrl' => $this->notifyUrl()]);
        $paid = $this->waitForPayment('ORDER-1');
        $webhook = $this->nextWebhook();
        self::assertSame([$paid['transactionId'], 'S'], [$webhook['transactionId'], $webhook['transactionStatus']]);
    }

    public function testAWebhookIsGenuineAfterARotationOfTheSecret(): void
    {
        $this->sell('ORDER-1', ['notifyUrl' => $this->notifyUrl()]);
        $this->control('POST', 'webhook-secret/rotate', []);
        $this->sell('ORDER-2', ['notifyUrl' => $this->notifyUrl()]);
        $orders = [$this->nextWebhook()['referenceOrderId'], $this->nextWebhook()['referenceOrderId']];
        self::assertSame(['ORDER-1', 'ORDER-2'], $orders);
    }

    public function testAForgedWebhookIsNotGenuine(): void
    {
        $secret = $this->sandbox['webhookSecret'];
        self::assertFalse(self::isGenuine(['x-signature' => str_repeat('0', 64)], '{}', $secret));
        self::assertFalse(self::isGenuine([], '{}', $secret));
    }

    public function testASaleThatTheHostDeclines(): void
    {
        $this->queueOutcome('insufficient-funds');
        $this->sell('100002');
        self::assertSame('051', $this->waitForPayment('100002', 'FAIL')['transactionResultCode']);
    }

    public function testAHostThatApprovesLate(): void
    {
        $this->queueOutcome('late-approval');
        $this->sell('ORDER-3');
        $id = $this->waitForPayment('ORDER-3', 'PROCESSING')['transactionId'];
        $this->advanceClock(120);
        self::assertSame('000', $this->waitForPayment($id)['transactionResultCode']);
    }

    public function testEachTestBeginsWithAnEmptySandbox(): void
    {
        self::assertSame([], $this->control('GET', 'transactions')['transactions']);
    }
}
