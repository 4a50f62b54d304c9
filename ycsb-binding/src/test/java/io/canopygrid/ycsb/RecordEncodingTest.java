package io.canopygrid.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/** The encoded record against a map of its fields. */
final class RecordEncodingTest {
  private static final int STEPS = 2_000;

  @Test
  void aRecordIsAlwaysWhatAMapWouldBe() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      Map<String, String> twin = new TreeMap<>();
      byte[] record = RecordEncoding.encode(Map.of());
      for (int step = 0; step < STEPS / 20; step++) {
        Map<String, byte[]> changes = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          String name = "fä".repeat(random.nextInt(3)) + random.nextInt(5);
          String value = Integer.toString(random.nextInt(1_000)).repeat(random.nextInt(3));
          changes.put(name, value.getBytes(UTF_8));
          twin.put(name, value);
        }
        byte[] before = record.clone();
        byte[] after = RecordEncoding.update(record, changes);
        assertThat(record).as("the old record, seed %d", seed).isEqualTo(before);
        record = after;
        assertThat(decode(record)).as("seed %d step %d", seed, step).isEqualTo(twin);
      }
    }
  }

  @Test
  void onlyWantedFieldsAreDecoded() {
    byte[] record =
        RecordEncoding.encode(Map.of("a", bytes("1"), "b", bytes("2"), "c", bytes("3")));
    Map<String, ByteIterator> result = new HashMap<>();

    RecordEncoding.decode(record, Set.of("b", "none"), result);

    assertThat(result).containsOnlyKeys("b");
    assertThat(result.get("b")).hasToString("2");
  }

  @Test
  void drainedValuesCanBeUsedAgain() {
    Map<String, ByteIterator> values = Map.of("a", new ByteArrayByteIterator(bytes("once")));

    Map<String, byte[]> drained = RecordEncoding.drain(values);

    assertThat(RecordEncoding.encode(drained)).isEqualTo(RecordEncoding.encode(drained));
    assertThat(decode(RecordEncoding.encode(drained))).isEqualTo(Map.of("a", "once"));
  }

  @Test
  void aFieldsNameMustFitItsLength() {
    String longest = "x".repeat(255);
    Map<String, ByteIterator> fits = Map.of(longest, new ByteArrayByteIterator(bytes("v")));
    assertThat(decode(RecordEncoding.encode(RecordEncoding.drain(fits))))
        .isEqualTo(Map.of(longest, "v"));

    Map<String, ByteIterator> tooLong =
        Map.of(longest + "x", new ByteArrayByteIterator(bytes("v")));
    assertThatThrownBy(() -> RecordEncoding.drain(tooLong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 255 bytes");
  }

  private static Map<String, String> decode(byte[] record) {
    Map<String, ByteIterator> fields = new HashMap<>();
    RecordEncoding.decode(record, null, fields);
    Map<String, String> texts = new TreeMap<>();
    fields.forEach((name, value) -> texts.put(name, new String(value.toArray(), UTF_8)));
    return texts;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
