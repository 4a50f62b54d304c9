package io.canopygrid.soak.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ClusterConfig;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.Limits;
import io.canopygrid.MutableView;
import io.canopygrid.Range;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.config.ClusterConfigFile;
import io.canopygrid.ycsb.cluster.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Mistakes that a user can make on a real cluster are coded errors that say what to do about them.
 */
final class BadInputIT {
  private static Canopy first;
  private static Canopy second;
  private static Index<String, byte[]> index;

  @TempDir private Path directory;

  @BeforeAll
  static void start() throws IOException {
    List<Integer> ports = FreePorts.pick(2);
    String[] members = {"127.0.0.1:" + ports.get(0), "127.0.0.1:" + ports.get(1)};
    ClusterConfig config = ClusterConfig.of("bad-input-" + ports.get(0)).members(members);
    first = EmbeddedCanopy.join(config.port(ports.get(0)));
    second = EmbeddedCanopy.join(config.port(ports.get(1)));
    index = first.index("things", Codec.string(), Codec.bytes());
  }

  @AfterAll
  static void stop() {
    second.close();
    first.close();
  }

  /** Expects a code, the given words, and the code's advice at the end of the message. */
  private static void assertRefused(ErrorCode code, String words, ThrowingCallable call) {
    CanopyException refused = catchThrowableOfType(CanopyException.class, call);

    assertThat(refused).isNotNull();
    assertThat(refused.code()).as(refused.getMessage()).isEqualTo(code);
    assertThat(refused.getMessage()).startsWith(code.id()).contains(words).endsWith(code.advice());
    assertThat(refused.retryable()).isFalse();
  }

  @Test
  void anUnknownConfigurationKeyIsNamedWithItsPlaceAndTheNearestOne() throws IOException {
    Path file = directory.resolve("shop.json");
    Files.writeString(file, "{\"cluster\": {\"name\": \"shop\",\n \"prot\": 7800}}");

    assertRefused(ErrorCode.CONFIG_INVALID, "port", () -> ClusterConfigFile.load(file));
    assertRefused(ErrorCode.CONFIG_INVALID, "shop.json:2:", () -> ClusterConfigFile.load(file));
  }

  @Test
  void aPortInUseIsNamed() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ClusterConfig config = ClusterConfig.of("taken").port(taken.getLocalPort());

      assertRefused(
          ErrorCode.PORT_IN_USE,
          Integer.toString(taken.getLocalPort()),
          () -> EmbeddedCanopy.join(config).close());
    }
  }

  @Test
  void portsOfOneMachineThatOverlapAreNamed() throws IOException {
    int port = FreePorts.pick(1).get(0);
    ClusterConfig config =
        ClusterConfig.of("overlap").port(port).members("127.0.0.1:" + (port + 100));

    assertRefused(
        ErrorCode.CONFIG_INVALID,
        "ports %d and %d at 127.0.0.1 overlap".formatted(port, port + 100),
        () -> EmbeddedCanopy.join(config).close());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 3, 65_537})
  void aLimitOfSubtreesOutOfRangeIsRefused(int entries) {
    assertRefused(
        ErrorCode.INVALID_ARGUMENT,
        "subtreeEntriesMax",
        () -> first.index("odd", Codec.string(), Codec.bytes(), new IndexOptions(entries)));
    assertThat(first.indexes()).doesNotContain("odd");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1st", "a b", "naïve", "a/b", "a\nb", "\u0000", ".hidden", "a:b"})
  void anOddIndexNameIsRefused(String name) {
    assertRefused(
        ErrorCode.INVALID_INDEX_NAME, "", () -> first.index(name, Codec.string(), Codec.bytes()));
  }

  @Test
  void theLongestIndexNameIsAllowedAndOneLongerIsNot() {
    String longest = "x".repeat(Limits.INDEX_NAME_MAX);

    first.index(longest, Codec.string(), Codec.bytes());

    assertThat(first.indexes()).contains(longest);
    assertRefused(
        ErrorCode.INVALID_INDEX_NAME,
        "",
        () -> first.index(longest + "x", Codec.string(), Codec.bytes()));
  }

  @Test
  void otherCodecsAreRefusedOnEveryNode() {
    for (Canopy node : List.of(first, second)) {
      assertRefused(
          ErrorCode.CODEC_MISMATCH,
          "things",
          () -> node.index("things", Codec.int64(), Codec.bytes()));
      assertRefused(
          ErrorCode.CODEC_MISMATCH,
          "things",
          () -> node.index("things", Codec.string(), Codec.string()));
    }
    assertThat(second.index("things", Codec.string(), Codec.bytes()).name()).isEqualTo("things");
  }

  @Test
  void aKeyCodecWithoutOrderIsRefused() {
    assertRefused(
        ErrorCode.INVALID_ARGUMENT,
        "order",
        () -> first.index("unordered", LongsCodec.INSTANCE, Codec.bytes()));
  }

  @Test
  @SuppressWarnings("NullAway") // that is what is tested
  void nullIsRefusedEverywhere() {
    ErrorCode code = ErrorCode.NULL_NOT_ALLOWED;
    first.run(tx -> {
      MutableView<String, byte[]> view = tx.on(index);
      assertRefused(code, "", () -> view.get(null));
      assertRefused(code, "", () -> view.put(null, new byte[0]));
      assertRefused(code, "", () -> view.put("k", null));
      assertRefused(code, "", () -> view.remove(null));
      assertRefused(code, "", () -> view.scan(null));
      assertRefused(code, "", () -> Range.atLeast(null));
    });
    assertRefused(code, "", () -> first.index(null, Codec.string(), Codec.bytes()));
    assertRefused(code, "", () -> first.begin(null));
  }

  @Test
  void theLongestKeyIsAllowedAndOneLongerIsNot() {
    String longest = "k".repeat(Limits.KEY_BYTES_MAX);

    first.run(tx -> tx.on(index).put(longest, new byte[] {1}));

    assertThat(second.<byte[], RuntimeException>read(tx -> value(tx.on(sameOnSecond()), longest)))
        .containsExactly(1);
    assertRefused(
        ErrorCode.KEY_TOO_LARGE,
        Integer.toString(Limits.KEY_BYTES_MAX),
        () -> first.run(tx -> tx.on(index).put(longest + "k", new byte[0])));
    assertRefused(
        ErrorCode.KEY_TOO_LARGE,
        Integer.toString(Limits.KEY_BYTES_MAX),
        () -> first.read(tx -> tx.on(index).containsKey(longest + "k")));
  }

  @Test
  void theLongestValueIsAllowedAndOneLongerIsNot() {
    byte[] longest = new byte[Limits.VALUE_BYTES_MAX];
    longest[longest.length - 1] = 7;

    first.run(tx -> tx.on(index).put("long", longest));

    assertThat(second.<byte[], RuntimeException>read(tx -> value(tx.on(sameOnSecond()), "long")))
        .isEqualTo(longest);
    assertRefused(
        ErrorCode.VALUE_TOO_LARGE,
        Integer.toString(Limits.VALUE_BYTES_MAX),
        () -> first.run(tx -> tx.on(index).put("long", new byte[longest.length + 1])));
  }

  private static Index<String, byte[]> sameOnSecond() {
    return second.index("things", Codec.string(), Codec.bytes());
  }

  private static byte[] value(io.canopygrid.ReadView<String, byte[]> view, String key) {
    byte[] value = view.get(key);
    return value == null ? new byte[0] : value;
  }

  @Test
  void anInsertOfAKeyThatIsThereIsRefusedAndChangesNothing() {
    first.run(tx -> tx.on(index).put("there", new byte[] {1}));

    assertRefused(
        ErrorCode.KEY_EXISTS,
        "things",
        () ->
            second.run(tx -> {
              tx.on(sameOnSecond()).put("other", new byte[] {1});
              tx.on(sameOnSecond()).insert("there", new byte[] {2});
            }));

    assertThat(first.<Boolean, RuntimeException>read(tx -> tx.on(index).containsKey("other")))
        .isFalse();
  }

  @Test
  void anIndexOfAnotherHandleIsRefused() {
    assertRefused(
        ErrorCode.FOREIGN_INDEX, "things", () -> second.run(tx -> tx.on(index).remove("x")));
  }

  @Test
  void aTransactionInsideOfAnotherOneIsRefused() {
    assertRefused(
        ErrorCode.NESTED_TRANSACTION,
        "",
        () -> first.run(tx -> first.run(inner -> inner.on(index).remove("x"))));
  }

  @Test
  void aTransactionThatHasEndedIsRefused() {
    Transaction ended = first.begin(TransactionOptions.labelled("ended"));
    ended.rollback();

    assertRefused(ErrorCode.TRANSACTION_CLOSED, "", () -> ended.on(index).put("x", new byte[] {1}));
  }

  @Test
  void aClosedHandleIsRefused() throws IOException {
    int port = FreePorts.pick(1).get(0);
    Canopy closed = EmbeddedCanopy.join(ClusterConfig.of("closed-" + port).port(port));
    closed.close();

    assertRefused(
        ErrorCode.CANOPY_CLOSED, "", () -> closed.index("x", Codec.string(), Codec.bytes()));
  }
}
