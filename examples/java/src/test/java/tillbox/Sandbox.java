package tillbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A sandbox of the payment service for JUnit 5, Java 17 or later: {@code @RegisterExtension static final Sandbox sandbox =
 * new Sandbox();}
 *
 * <p>It uses the sandbox of {@code npx tillbox exec -- mvn test}, and without it starts one for this run. Before each test
 * everything in it is deleted, so tests with a sandbox must not run in parallel.
 */
public final class Sandbox implements BeforeEachCallback, AfterEachCallback {
  private static final HttpClient http = HttpClient.newHttpClient();
  private static String baseUrl = System.getenv("TILLBOX_BASE_URL");

  public String url, apiKey, appId, merchantId, terminalSn, webhookSecret;
  /** Where this sandbox receives webhooks; a request names it as notifyUrl. */
  public String notifyUrl;

  private final BlockingQueue<Webhook> webhooks = new LinkedBlockingQueue<>();
  private HttpServer receiver;

  /** A webhook as it came. */
  private record Webhook(UnaryOperator<String> header, byte[] body) {}

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    if (baseUrl == null) baseUrl = start();
    url = baseUrl;
    control("POST", "reset", "{\"everything\": true}");
    var connection = control("GET", "connection", null);
    apiKey = member(connection, "apiKey");
    appId = member(connection, "appId");
    merchantId = member(connection, "merchantId");
    terminalSn = member(connection, "terminals");
    webhookSecret = member(control("GET", "webhook-secret", null), "secret");
    webhooks.clear();
    receiver = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    receiver.createContext("/", exchange -> {
      webhooks.add(new Webhook(exchange.getRequestHeaders()::getFirst, exchange.getRequestBody().readAllBytes()));
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    receiver.start();
    notifyUrl = "http://127.0.0.1:" + receiver.getAddress().getPort() + "/";
  }

  @Override
  public void afterEach(ExtensionContext context) {
    receiver.stop(0);
  }

  /** Starts a sandbox that ends with this process. */
  private static String start() throws IOException {
    var flags = "tillbox sandbox start --port 0 --ephemeral --json --set withParent=true";
    try {
      var child = new ProcessBuilder(flags.split(" ")).redirectError(ProcessBuilder.Redirect.INHERIT).start();
      Runtime.getRuntime().addShutdownHook(new Thread(child::destroy));
      return member(child.inputReader().readLine(), "url");
    } catch (IOException error) {
      throw new IOException("No sandbox: npm install --global tillbox, or npx tillbox exec -- mvn test", error);
    }
  }

  /** Waits for a transaction, by its id or its order, to be SUCCESS, FAIL, CLOSED or PROCESSING. Returns it as JSON. */
  public String waitFor(String payment, String status) throws Exception {
    var order = "transactions?limit=1&order=" + URLEncoder.encode(payment, UTF_8);
    for (var end = System.nanoTime() + Duration.ofSeconds(10).toNanos(); ; Thread.sleep(20)) {
      var newest = member(control("GET", order, null), "transactionId");
      var id = newest == null && payment.matches("[0-9]{16}") ? payment : newest;
      var found = id == null ? "" : control("GET", "transactions/" + id, null);
      var state = String.valueOf(member(found, "status"));
      if (state.equals(status)) return found;
      if (state.matches("SUCCESS|FAIL|CLOSED") || System.nanoTime() > end)
        throw new AssertionError(payment + " is " + state + ", not " + status + ": " + found);
    }
  }

  /** Decides the next payment of the terminal: insufficient-funds, late-approval, ... ({@code tillbox outcomes}). */
  public void outcome(String name) throws Exception {
    control("POST", "terminals/" + terminalSn + "/queue", "{\"outcome\": \"" + name + "\"}");
  }

  /** Moves the clock forward. Everything that falls due has happened afterwards, its webhooks included. */
  public void advance(Duration span) throws Exception {
    control("POST", "clock", "{\"action\": \"advance\", \"milliseconds\": " + span.toMillis() + "}");
  }

  /** The next webhook as JSON; fails where none comes, or its signature is wrong. */
  public String nextWebhook() throws Exception {
    var webhook = webhooks.poll(10, TimeUnit.SECONDS);
    if (webhook == null) throw new AssertionError("No webhook came");
    if (isGenuine(webhook.header, webhook.body, webhookSecret)) return new String(webhook.body, UTF_8);
    throw new AssertionError("The signature of this webhook is wrong: " + new String(webhook.body, UTF_8));
  }

  /** Checks the signature of a webhook. {@code body}: the bytes as they came. */
  public static boolean isGenuine(UnaryOperator<String> header, byte[] body, String secret)
      throws GeneralSecurityException {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    var made = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(UTF_8);
    // for a while after a rotation, the second header has the signature by the secret before
    return Stream.of("X-Signature", "X-Sandbox-Previous-Signature")
        .map(name -> Optional.ofNullable(header.apply(name)).orElse(""))
        .anyMatch(sent -> MessageDigest.isEqual(made, sent.getBytes(UTF_8)));
  }

  /** Calls the control interface, which can do more: docs/control-interface.md of tillbox. */
  public String control(String method, String path, String body) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(baseUrl + "/_sandbox/" + path))
        .header("Content-Type", "application/json")
        .header("X-Sandbox-Token", Optional.ofNullable(System.getenv("TILLBOX_TOKEN")).orElse(""))
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    var answer = http.send(request.build(), BodyHandlers.ofString()).body();
    if ("0".equals(member(answer, "code"))) return answer;
    throw new IOException(method + " " + path + ": " + answer);
  }

  /** A text of a JSON document by its name, the first one. Your tests may use a JSON library instead. */
  public static String member(String json, String name) {
    var found = Pattern.compile('"' + name + "\"\\s*:\\s*\\[?\\s*\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(json);
    return found.find() ? found.group(1) : null;
  }
}
