package io.canopygrid.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.Tuple;
import io.canopygrid.server.codec.TextCodec;
import io.canopygrid.server.endpoint.TestServer;
import io.canopygrid.server.endpoint.limits.EndpointLimits;
import io.canopygrid.server.load.Encoded;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A load of an export makes the same bytes, of every codec and in each format. */
@NullUnmarked // the node is there while a test runs
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class ExportRoundTripTest {
  private static final String WHOLE = "json(java.util.Map)";

  private static final List<String> ODD_TEXTS =
      List.of(
          "",
          " ",
          " lead",
          "trail ",
          "\"",
          "\"\"",
          "a\"b\",c",
          ",",
          ";",
          "\t",
          "\n",
          "\r",
          "\r\n",
          "a\r\nb\nc\rd",
          "#",
          "'",
          "\\",
          "\\n",
          "\\u0041",
          "\u0000",
          "\u001b[31m",
          "\u007f",
          "\u0085",
          "\u2028",
          "\uFEFF",
          "\uFFFF",
          "\u00e9\u0301",
          "\uD83D\uDE00",
          "null",
          "none",
          "=1+1",
          "-",
          "@x",
          "key",
          "value");

  /** Of these, load and export of JSON write some in another way. */
  private static final List<String> ODD_JSON =
      List.of(
          "{}",
          "{\"a\":1}",
          "{ \"a\" : [ 1 , null ] }",
          "\n[1,\n2]\n",
          "\"text\"",
          "\"\\u00e9\\/\"",
          "\"\u00e9/\"",
          "\"\uD83D\uDE00\"",
          "\"\\uD83D\\uDE00\"",
          "\"\\u001f\\u001F\"",
          "1.10",
          "1e400",
          "-0",
          "12345678901234567890123456789",
          "true",
          "[null]",
          "[".repeat(1_000) + "]".repeat(1_000));

  private static TestServer server;

  @TempDir private Path directory;
  private int made;

  /** A row with an attribute of each type; all but the first may be absent. */
  record Row(
      int number,
      @Nullable Long big,
      @Nullable Double real,
      @Nullable Boolean flag,
      @Nullable String text,
      byte @Nullable [] bytes,
      @Nullable List<@Nullable String> tags,
      @Nullable Map<String, Integer> counts) {}

  @BeforeAll
  static void start() {
    server = new TestServer(EndpointLimits.DEFAULTS);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @BeforeEach
  void dropAll() {
    for (String name : List.of("from", "to")) {
      server.node().dropIndex(name);
      server.node().dropTable(name);
    }
  }

  private static CommandRun canopy(String... words) {
    return CommandRun.at(server.address(), words);
  }

  private static Index<byte[], byte[]> open(String name, String keys, String values) {
    return server
        .node()
        .index(
            name, new Encoded(TextCodec.of(keys, true)), new Encoded(TextCodec.of(values, false)));
  }

  private static Map<String, String> bytes(String name, String keys, String values) {
    Index<byte[], byte[]> index = open(name, keys, values);
    return server
        .node()
        .<Map<String, String>, RuntimeException>read(tx -> {
          Map<String, String> found = new TreeMap<>();
          try (Cursor<byte[], byte[]> all = tx.on(index).scan()) {
            all.forEach(entry ->
                found.put(
                    HexFormat.of().formatHex(entry.getKey()),
                    HexFormat.of().formatHex(entry.getValue())));
          }
          return found;
        });
  }

  private void exported(Path file, String... more) {
    List<String> words = new ArrayList<>(List.of("export", file.toString(), "--index", "from"));
    words.addAll(List.of(more));
    CommandRun export = canopy(words.toArray(String[]::new));
    assertThat(export.err()).isEmpty();
    assertThat(export.exitCode()).isZero();
  }

  private static void loaded(Path file, String... more) {
    List<String> words = new ArrayList<>(List.of("load", file.toString(), "--index", "to"));
    words.addAll(List.of(more));
    CommandRun load = canopy(words.toArray(String[]::new));
    assertThat(load.err()).isEmpty();
    assertThat(load.exitCode()).isZero();
  }

  /** Exports index {@code from} into a file and loads that into {@code to}. */
  private void assertSame(String end, String keys, String values) {
    Path file = directory.resolve("it" + made++ + end);
    exported(file);
    loaded(file, "--keys", keys, "--values", values);
    assertThat(bytes("to", keys, values))
        .as("%s, %s", keys, values)
        .isNotEmpty()
        .isEqualTo(bytes("from", keys, values));
  }

  private static void put(String keys, String values, List<Map.Entry<byte[], byte[]>> entries) {
    Index<byte[], byte[]> index = open("from", keys, values);
    server
        .node()
        .run(tx -> entries.forEach(entry -> tx.on(index).put(entry.getKey(), entry.getValue())));
  }

  @ParameterizedTest
  @ValueSource(strings = {".csv", ".jsonl"})
  void everyCodec(String end) throws IOException {
    for (JsonNode codec : vectors()) {
      String id = codec.get("codec").asText();
      List<byte[]> values = new ArrayList<>();
      codec
          .get("values")
          .forEach(value -> values.add(HexFormat.of().parseHex(value.get("bytes").asText())));
      List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>();
      for (int i = 0; i < values.size(); i++) {
        entries.add(Map.entry(values.get(i), values.get(values.size() - 1 - i)));
      }
      dropAll();
      put(id, id, entries);
      assertSame(end, id, id);
    }
  }

  private static JsonNode vectors() throws IOException {
    try (InputStream in = TextCodec.class.getResourceAsStream("codec-vectors.json")) {
      return new ObjectMapper().readTree(in);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".csv", ".jsonl"})
  void oddTexts(String end) {
    SplittableRandom random = new SplittableRandom(7);
    List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      StringBuilder key = new StringBuilder();
      StringBuilder value = new StringBuilder();
      for (int part = i < ODD_TEXTS.size() ? 1 : random.nextInt(1, 5); part > 0; part--) {
        key.append(ODD_TEXTS.get(part == 1 ? i % ODD_TEXTS.size() : random.nextInt(30)));
        value.append(ODD_TEXTS.get(random.nextInt(ODD_TEXTS.size())));
      }
      entries.add(Map.entry(utf8(key.toString()), utf8(value.toString())));
    }
    entries.add(Map.entry(utf8("long"), utf8("\"\n\u00e9".repeat(100_000))));
    put("string", "string", entries);
    assertSame(end, "string", "string");
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {";", "\t", " ", "|", "a"})
  void separatorsAndOtherNames(String separator) {
    List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>();
    ODD_TEXTS.forEach(text -> entries.add(Map.entry(utf8(text + "a" + text), utf8(text))));
    put("string", "string", entries);
    Path file = directory.resolve("odd.csv");
    String[] names = {"--separator", separator, "--key", "the \"key\"", "--value", "a" + separator};
    exported(file, names);
    open("to", "string", "string");
    loaded(file, names);
    assertThat(bytes("to", "string", "string")).isEqualTo(bytes("from", "string", "string"));
  }

  @ParameterizedTest
  @ValueSource(strings = {".csv", ".jsonl"})
  void jsonAsItIsStored(String end) throws IOException {
    List<Map.Entry<byte[], byte[]>> entries = new ArrayList<>();
    for (String json : ODD_JSON) {
      entries.add(Map.entry(Codec.int32().encode(entries.size()), utf8(json)));
    }
    put("int32", WHOLE, entries);
    assertSame(end, "int32", WHOLE);
    if (end.equals(".jsonl")) {
      assertThat(Files.readAllLines(directory.resolve("it0.jsonl")))
          .hasSize(ODD_JSON.size())
          .contains("{\"key\":\"1\",\"value\":{\"a\":1}}")
          .contains("{\"key\":\"2\",\"value:text\":\"{ \\\"a\\\" : [ 1 , null ] }\"}");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {".csv", ".jsonl"})
  void aTableOfJsonWithAbsentAttributes(String end) {
    Codec<Row> rows = Codec.json(Row.class);
    List<Row> all = new ArrayList<>();
    all.add(new Row(-1, null, null, null, null, null, null, null));
    all.add(new Row(0, Long.MIN_VALUE, -0.0, true, "", new byte[0], List.of(), Map.of()));
    for (String text : ODD_TEXTS) {
      List<@Nullable String> tags = new ArrayList<>(List.of(text, ""));
      tags.add(null);
      all.add(
          new Row(
              all.size(),
              Long.MAX_VALUE,
              Double.MIN_VALUE,
              false,
              text,
              utf8(text),
              tags,
              Map.of(text, 1)));
    }
    var from = server.node().table("from", Codec.int32(), rows);
    server.node().table("to", Codec.int32(), rows);
    server.node().run(tx -> all.forEach(row -> tx.on(from).put(row.number(), row)));
    Path file = directory.resolve("rows" + end);
    exported(file);
    loaded(file);
    assertThat(bytes("to.rows", "int32", rows.id()))
        .hasSize(all.size())
        .isEqualTo(bytes("from.rows", "int32", rows.id()));
  }

  @ParameterizedTest
  @ValueSource(strings = {".csv", ".jsonl"})
  void aTableOfTuplesWithAbsentComponents(String end) {
    List<Codec<?>> types =
        List.of(
            Codec.int32(),
            Codec.int64(),
            Codec.float64(),
            Codec.bool(),
            Codec.string(),
            Codec.bytes(),
            Codec.uuid(),
            Codec.instant(),
            Codec.date(),
            Codec.dateTime(),
            Codec.offsetDateTime(),
            Codec.decimal());
    Codec<Tuple> rows = Codec.tuple(types.stream().map(Codec::optional).toArray(Codec<?>[]::new));
    Object[] values = {
      7,
      Long.MIN_VALUE,
      Double.NaN,
      true,
      "%,\"\n%2C",
      new byte[] {0, -1},
      UUID.randomUUID(),
      Instant.MIN,
      LocalDate.MAX,
      LocalDateTime.MIN,
      OffsetDateTime.of(LocalDateTime.MAX, ZoneOffset.MIN),
      new BigDecimal("-9.99e32767")
    };
    var from = server.node().table("from", Codec.int64(), rows);
    server.node().table("to", Codec.int64(), rows);
    server
        .node()
        .run(tx -> {
          for (int absent = -1; absent <= values.length; absent++) {
            Object[] row = new Object[values.length];
            for (int i = 0; i < row.length; i++) {
              boolean none = i == absent || absent == values.length;
              row[i] = none ? Optional.empty() : Optional.of(values[i]);
            }
            tx.on(from).put((long) absent, Tuple.of(row));
          }
        });
    Path file = directory.resolve("rows" + end);
    exported(file);
    loaded(file);
    assertThat(bytes("to.rows", "int64", rows.id()))
        .hasSize(values.length + 2)
        .isEqualTo(bytes("from.rows", "int64", rows.id()));
  }
}
