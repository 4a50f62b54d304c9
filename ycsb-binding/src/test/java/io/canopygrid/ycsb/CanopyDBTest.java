package io.canopygrid.ycsb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.Canopy;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.htrace.core.Tracer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.DBWrapper;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/** Every operation of the binding, on one embedded node. */
final class CanopyDBTest {
  private static Canopy canopy;

  private CanopyDB db;
  private String table;

  @BeforeAll
  static void start() {
    canopy = EmbeddedCanopy.start();
  }

  @AfterAll
  static void stop() {
    canopy.close();
  }

  @BeforeEach
  void open(TestInfo test) throws DBException {
    db = new CanopyDB(canopy);
    db.init();
    table = test.getTestMethod().orElseThrow().getName(); // an index of its own
  }

  @AfterEach
  void close() {
    db.cleanup();
  }

  @Test
  void whatIsInsertedCanBeRead() {
    assertThat(db.insert(table, "k", fields("a", "1", "b", "2"))).isEqualTo(Status.OK);

    assertThat(read("k", null)).isEqualTo(Map.of("a", "1", "b", "2"));
    assertThat(read("k", Set.of("b"))).isEqualTo(Map.of("b", "2"));
  }

  @Test
  void whatIsNotThereIsNotFound() {
    Map<String, ByteIterator> result = new HashMap<>();

    assertThat(db.read(table, "none", null, result)).isEqualTo(Status.NOT_FOUND);
    assertThat(db.update(table, "none", fields("a", "1"))).isEqualTo(Status.NOT_FOUND);
    assertThat(db.read(table, "none", null, result)).isEqualTo(Status.NOT_FOUND);
    assertThat(result).isEmpty();
  }

  @Test
  void anUpdateReplacesSomeFieldsOnly() {
    db.insert(table, "k", fields("a", "1", "b", "2"));

    assertThat(db.update(table, "k", fields("b", "longer than before"))).isEqualTo(Status.OK);

    assertThat(read("k", null)).isEqualTo(Map.of("a", "1", "b", "longer than before"));
  }

  @Test
  void aReadModifyWriteReturnsWhatWasThere() {
    db.insert(table, "k", fields("a", "1", "b", "2"));
    Map<String, ByteIterator> before = new HashMap<>();

    Status status = db.readModifyWrite(table, "k", Set.of("a"), before, fields("a", "7"));

    assertThat(status).isEqualTo(Status.OK);
    assertThat(texts(before)).isEqualTo(Map.of("a", "1"));
    assertThat(read("k", null)).isEqualTo(Map.of("a", "7", "b", "2"));
  }

  @Test
  void whatIsDeletedIsGone() {
    db.insert(table, "k", fields("a", "1"));

    assertThat(db.delete(table, "k")).isEqualTo(Status.OK);

    assertThat(db.read(table, "k", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    assertThat(scan("", 10)).isEmpty();
    assertThat(db.delete(table, "k")).isEqualTo(Status.OK);
  }

  @Test
  void aScanReturnsRecordsInKeyOrderFromTheStartOn() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String key = "user" + (i * 7919 % 300 + 1_000);
      keys.add(key);
      db.insert(table, key, fields("a", key));
    }
    keys.sort(null);

    assertThat(scan("user1000", 300)).isEqualTo(keys);
    assertThat(scan("user1100", 7)).isEqualTo(keys.subList(100, 107));
    assertThat(scan("user10995", 2)).as("between two keys").isEqualTo(keys.subList(100, 102));
    assertThat(scan("user1298", 10)).isEqualTo(keys.subList(298, 300));
    assertThat(scan("v", 10)).isEmpty();
  }

  @Test
  void tablesAreSeparate() {
    db.insert(table, "k", fields("a", "1"));

    assertThat(db.read(table + ".other", "k", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  void concurrentReadModifyWritesAllCount() throws Exception {
    int threads = 4;
    int each = 100;
    db.insert(table, "k", fields("f0", "-", "f1", "-", "f2", "-", "f3", "-"));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> writers = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      String field = "f" + t;
      writers.add(
          pool.submit(() -> {
            CanopyDB own = new CanopyDB(canopy);
            own.init();
            String last = "-";
            for (int i = 0; i < each; i++) {
              Map<String, ByteIterator> before = new HashMap<>();
              String next = Integer.toString(i);
              assertThat(own.readModifyWrite(table, "k", null, before, fields(field, next)))
                  .isEqualTo(Status.OK);
              assertThat(texts(before)).containsEntry(field, last);
              last = next;
            }
            own.cleanup();
            return null;
          }));
    }
    pool.shutdown();
    for (Future<?> writer : writers) {
      writer.get();
    }

    assertThat(read("k", null)).isEqualTo(Map.of("f0", "99", "f1", "99", "f2", "99", "f3", "99"));
  }

  @Test
  void aFailureIsAStatusWithTheErrorsCodeAndNoException() {
    Status status = db.insert(table, "k".repeat(9_000), fields("a", "1"));

    assertThat(status.getName()).isEqualTo("CNPY-3003");
    assertThat(status.isOk()).isFalse();
    assertThat(db.insert("no table name", "k", fields("a", "1")).getName()).isEqualTo("CNPY-3007");
  }

  @Test
  void theWorkloadsReadModifyWriteIsOneTransactionBehindYcsbsWrapperToo() throws Exception {
    Properties properties = Workloads.load("f");
    properties.setProperty("table", table);
    properties.setProperty("recordcount", "1");
    properties.setProperty("readproportion", "0");
    properties.setProperty("readmodifywriteproportion", "1");
    Measurements.setProperties(properties);
    TransactionalWorkload workload = new TransactionalWorkload();
    workload.init(properties);
    db.insert(table, workload.keyName(0), fields("field0", "old"));
    db.setProperties(properties);
    DBWrapper wrapper = new DBWrapper(db, new Tracer.Builder("test").build());
    wrapper.init();
    long before = canopy.stats().total().commits();

    workload.doTransactionReadModifyWrite(wrapper);

    assertThat(canopy.stats().total().commits() - before).isEqualTo(1);
    assertThat(read(workload.keyName(0), null)).isNotEqualTo(Map.of("field0", "old"));
  }

  @Test
  void aSharedNodeRefusesPropertiesItDoesNotKnow() {
    CanopyDB shared = new CanopyDB();
    Properties properties = new Properties();
    properties.setProperty("canopy.prot", "7800");
    shared.setProperties(properties);

    assertThatThrownBy(shared::init)
        .isInstanceOf(DBException.class)
        .hasMessageContaining("canopy.prot")
        .hasMessageContaining("canopy.port");
  }

  @Test
  void instancesThatYcsbMakesShareOneNodeUntilTheLastIsCleanedUp() throws Exception {
    CanopyDB first = new CanopyDB();
    CanopyDB second = new CanopyDB();
    first.setProperties(new Properties());
    second.setProperties(new Properties());
    first.init();
    second.init();
    assertThat(first.insert(table, "k", fields("a", "1"))).isEqualTo(Status.OK);
    first.cleanup();

    Map<String, ByteIterator> result = new HashMap<>();
    assertThat(second.read(table, "k", null, result)).isEqualTo(Status.OK);
    assertThat(texts(result)).isEqualTo(Map.of("a", "1"));
    second.cleanup();

    first.init();
    assertThat(first.read(table, "k", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    first.cleanup();
  }

  private Map<String, String> read(String key, @Nullable Set<String> fields) {
    Map<String, ByteIterator> result = new HashMap<>();
    assertThat(db.read(table, key, fields, result)).isEqualTo(Status.OK);
    return texts(result);
  }

  /** The field "a" of each row, which holds the key. */
  @SuppressWarnings("JdkObsolete") // YCSB's signature
  private List<String> scan(String start, int count) {
    Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
    assertThat(db.scan(table, start, count, null, rows)).isEqualTo(Status.OK);
    return rows.stream().map(row -> texts(row).getOrDefault("a", "none")).toList();
  }

  private static Map<String, ByteIterator> fields(String... namesAndValues) {
    Map<String, ByteIterator> fields = new TreeMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(
          namesAndValues[i], new ByteArrayByteIterator(namesAndValues[i + 1].getBytes(UTF_8)));
    }
    return fields;
  }

  private static Map<String, String> texts(Map<String, ByteIterator> fields) {
    Map<String, String> texts = new TreeMap<>();
    fields.forEach((name, value) -> texts.put(name, new String(value.toArray(), UTF_8)));
    return texts;
  }
}
