package tillbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static tillbox.Sandbox.member;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PaymentsTest {
  @RegisterExtension static final Sandbox sandbox = new Sandbox();

  /** Stands for your shop: it calls the payment service as your code does. */
  private static void sell(String order) throws Exception {
    var sale = """
        {"amount": 1000, "priceCurrency": "USD", "referenceOrderId": "%s", "transactionRequestId": "%s-1", "notifyUrl": "%s"}
        """.formatted(order, order, sandbox.notifyUrl);
    var request = HttpRequest.newBuilder(URI.create(sandbox.url + "/v1/semi-integration/transaction/sale"))
        .header("Authorization", "Bearer " + sandbox.apiKey)
        .header("Content-Type", "application/json")
        .header("X-Client-Request-Id", UUID.randomUUID().toString())
        .header("X-Timestamp", String.valueOf(System.currentTimeMillis()))
        .POST(BodyPublishers.ofString(sale));
    HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding());
  }

  @Test
  void aSaleIsApprovedAndItsWebhookIsGenuine() throws Exception {
    sell("ORDER-1");
    var paid = sandbox.waitFor("ORDER-1", "SUCCESS");
    var webhook = sandbox.nextWebhook();
    assertEquals(member(paid, "transactionId"), member(webhook, "transactionId"));
    assertEquals("S", member(webhook, "transactionStatus"));
  }

  @Test
  void aForgedWebhookIsNotGenuine() throws Exception {
    var body = "{}".getBytes();
    assertFalse(Sandbox.isGenuine(Map.of("X-Signature", "0".repeat(64))::get, body, sandbox.webhookSecret));
    assertFalse(Sandbox.isGenuine(name -> null, body, sandbox.webhookSecret));
  }

  @Test
  void aSaleThatTheHostDeclines() throws Exception {
    sandbox.outcome("insufficient-funds");
    sell("100002");
    assertEquals("051", member(sandbox.waitFor("100002", "FAIL"), "transactionResultCode"));
  }

  @Test
  void aHostThatApprovesLate() throws Exception {
    sandbox.outcome("late-approval");
    sell("ORDER-3");
    var pending = sandbox.waitFor("ORDER-3", "PROCESSING");
    sandbox.advance(Duration.ofMinutes(2));
    sandbox.waitFor(member(pending, "transactionId"), "SUCCESS");
  }

  @Test
  void eachTestBeginsWithAnEmptySandbox() throws Exception {
    assertNull(member(sandbox.control("GET", "transactions", null), "transactionId"));
  }
}
