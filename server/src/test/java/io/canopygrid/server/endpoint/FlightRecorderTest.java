package io.canopygrid.server.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.Durability;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events for Java Flight Recorder happen, and the operations page has each. */
final class FlightRecorderTest {
  private static final Path PAGE = Path.of("../docs/operate/operations.md");
  private static final List<String> EVENTS =
      List.of("Abort", "Commit", "SubtreeChange", "Eviction", "JournalForce");
  private static final TransactionOptions ONCE =
      TransactionOptions.labelled("flight").withMaxAttempts(1);

  private final List<RecordedEvent> events = new CopyOnWriteArrayList<>();

  private RecordingStream recording() {
    RecordingStream stream = new RecordingStream();
    stream.setReuse(false);
    for (String event : EVENTS) {
      stream.enable("io.canopygrid." + event).withThreshold(Duration.ZERO);
      stream.onEvent("io.canopygrid." + event, events::add);
    }
    stream.startAsync();
    return stream;
  }

  private RecordedEvent awaited(String event, Map<String, String> fields) {
    Predicate<RecordedEvent> wanted =
        one ->
            one.getEventType().getName().equals("io.canopygrid." + event)
                && fields.entrySet().stream()
                    .allMatch(field ->
                        String.valueOf(one.<Object>getValue(field.getKey()))
                            .equals(field.getValue()));
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(events).as("%s with %s", event, fields).anyMatch(wanted));
    return events.stream().filter(wanted).findFirst().orElseThrow();
  }

  @Test
  void aNodeRecordsWhatItDoes(@TempDir Path disk) {
    ClusterConfig config =
        ClusterConfig.of("flight")
            .bindAddress("127.0.0.1")
            .port(0)
            .trustNetwork(true)
            .dataDirectory(disk)
            .durability(Durability.FSYNC)
            .memoryMax(ClusterConfig.MEMORY_MAX_LEAST);
    try (EmbeddedCanopy node = EmbeddedCanopy.join(config);
        RecordingStream stream = recording()) {
      Index<Long, byte[]> index =
          node.index(
              "flights",
              Codec.int64(),
              Codec.bytes(),
              IndexOptions.DEFAULTS.withSubtreeEntriesMax(500));
      for (long part = 0; part < 24; part++) {
        long first = part * 64;
        node.run(
            TransactionOptions.labelled("fill"),
            tx -> {
              for (long key = first; key < first + 64; key++) {
                tx.on(index).put(key, new byte[16 << 10]);
              }
            });
      }
      awaited("SubtreeChange", Map.of("kind", "SPLIT", "reason", "GROWN", "ending", "DONE"));
      conflict(node, index);
      node.structure("flights").merge(Codec.int64().encode(1L));

      assertThat(awaited("Commit", Map.of("label", "fill")).getInt("attempts")).isPositive();
      assertThat(awaited("Eviction", Map.of()).getLong("bytesMax"))
          .isEqualTo(ClusterConfig.MEMORY_MAX_LEAST);
      awaited("SubtreeChange", Map.of("kind", "MERGE", "reason", "ASKED"));
      awaited("Abort", Map.of("label", "flight", "code", "CNPY-2001", "index", "flights"));
      assertThat(awaited("JournalForce", Map.of()).getLong("position")).isPositive();
      assertThat(stream).isNotNull();
    }
  }

  private static void conflict(EmbeddedCanopy node, Index<Long, byte[]> index) {
    assertThatThrownBy(() ->
            node.run(
                ONCE,
                tx -> {
                  tx.on(index).get(1L);
                  node.runAsync(other -> other.on(index).put(1L, new byte[1]))
                      .toCompletableFuture()
                      .join();
                  tx.on(index).put(1L, new byte[2]);
                }))
        .isInstanceOf(CanopyException.class);
  }

  @Test
  void aServerRecordsTransactionsOfItsClients() throws Exception {
    try (RecordingStream stream = recording();
        TestServer server = new TestServer(EndpointLimits.DEFAULTS);
        RemoteCanopy client = RemoteCanopy.connect("canopy://" + server.address())) {
      Index<Long, Long> index = client.index("served", Codec.int64(), Codec.int64());
      client.run(TransactionOptions.labelled("served"), tx -> tx.on(index).put(1L, 1L));

      awaited("Commit", Map.of("label", "served"));
      assertThat(stream).isNotNull();
    }
  }

  @Test
  void thePageHasEachEvent() throws Exception {
    String page = Files.readString(PAGE);
    assertThat(EVENTS).allSatisfy(event -> assertThat(page).contains("`io.canopygrid." + event));
  }
}
