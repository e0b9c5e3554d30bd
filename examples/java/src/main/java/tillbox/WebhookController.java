package tillbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Webhooks at /webhooks, with Spring. The secret is what {@code tillbox webhook secret} shows. Java 17 or later. */
@RestController
public class WebhookController {
  private final ObjectMapper mapper = new ObjectMapper();
  private final SecretKeySpec secret;

  /** In production keep the ids in your database, in the transaction that stores what the notification changes. */
  private final Set<String> handled = new HashSet<>();

  public WebhookController(@Value("${TILLBOX_WEBHOOK_SECRET}") String secret) {
    this.secret = new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256");
  }

  /** Answers 200 when the notification is handled, now or before. After any other answer it comes again. */
  @PostMapping("/webhooks")
  public ResponseEntity<Void> webhook(
      @RequestHeader HttpHeaders headers, @RequestBody(required = false) byte[] body)
      throws IOException, GeneralSecurityException {
    if (body == null || !isGenuine(headers, body)) return ResponseEntity.status(401).build();
    var id = headers.getFirst("X-Client-Request-Id"); // the same on every attempt to deliver it
    JsonNode notification;
    try {
      notification = mapper.readTree(body);
    } catch (JsonProcessingException error) {
      return ResponseEntity.badRequest().build();
    }
    if (id == null || !notification.isObject()) return ResponseEntity.badRequest().build();
    synchronized (handled) {
      if (!handled.contains(id)) handle(notification);
      handled.add(id);
    }
    return ResponseEntity.ok().build();
  }

  /** What your shop does. An exception is answered with 500. Status: S approved, F declined, C closed unpaid. */
  private void handle(JsonNode notification) {
    System.out.println(
        notification.path("transactionType").asText()
            + " " + notification.path("transactionId").asText()
            + " " + notification.path("transactionStatus").asText());
  }

  /** Checks the signature. {@code body}: the bytes as they came. */
  private boolean isGenuine(HttpHeaders headers, byte[] body) throws GeneralSecurityException {
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(secret);
    var made = HexFormat.of().formatHex(mac.doFinal(body)).getBytes(UTF_8);
    // for a while after a rotation, the second header has the signature by the secret before
    return Stream.of("X-Signature", "X-Sandbox-Previous-Signature")
        .map(name -> Optional.ofNullable(headers.getFirst(name)).orElse(""))
        .anyMatch(sent -> MessageDigest.isEqual(made, sent.getBytes(UTF_8)));
  }
}
