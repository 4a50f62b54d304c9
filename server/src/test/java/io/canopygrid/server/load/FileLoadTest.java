package io.canopygrid.server.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.Range;
import io.canopygrid.btree.embedded.EmbeddedCanopy;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.server.codec.TextCodec;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Loads files into an index of a lone node. */
final class FileLoadTest {
  private static final String INDEX = "people";
  private static final Codec<String> KEYS = TextCodec.of("int64", true);
  private static final Codec<String> VALUES = TextCodec.of("string", false);

  private static final EntryCodec<String, String> CODEC = new EntryCodec<>(INDEX, KEYS, VALUES);

  @TempDir private Path directory;
  private final Canopy db = EmbeddedCanopy.start();
  private final List<String> told = new ArrayList<>();

  @AfterEach
  void stop() {
    db.close();
  }

  private FileLoad load(String text, @Nullable LoadMark mark, long wrongMax, int workers, int batch)
      throws IOException {
    return load(text, mark, wrongMax, workers, batch, () -> {});
  }

  private FileLoad load(
      String text,
      @Nullable LoadMark mark,
      long wrongMax,
      int workers,
      int batch,
      Runnable progress)
      throws IOException {
    Path file = Files.writeString(file(), text);
    Index<byte[], byte[]> index = db.index(INDEX, new Encoded(KEYS), new Encoded(VALUES));
    try (InputStream in = Files.newInputStream(file);
        Intake open =
            Intake.open(db, index, new LoadWorkers(db, index, workers, batch), false, told::add);
        RecordSource records =
            text.startsWith("{")
                ? new JsonRecords(in, "id", RecordSource.Value.of("name"))
                : new CsvRecords(in, ',', "id", RecordSource.Value.of("name"))) {
      FileLoad load =
          new FileLoad(new FileLoad.Settings(file, wrongMax), open, CODEC, mark, told::add);
      load.run(records, progress);
      return load;
    }
  }

  private FileLoad load(String text) throws IOException {
    return load(text, null, 0, 4, 500);
  }

  private Path file() {
    return directory.resolve("people");
  }

  private Path mark() {
    return directory.resolve("people.canopy-load");
  }

  private Map<Long, String> loaded() {
    Index<Long, String> index = db.index(INDEX, Codec.int64(), Codec.string());
    return db.<Map<Long, String>, RuntimeException>read(tx -> {
      Map<Long, String> found = new TreeMap<>();
      try (Cursor<Long, String> all = tx.on(index).scan(Range.all())) {
        all.forEach(entry -> found.put(entry.getKey(), entry.getValue()));
      }
      return found;
    });
  }

  @Test
  void aLoadThatIsCancelledGoesOnFromItsMark() throws IOException {
    String text = "id,name\n1,a\n2,b\n3,c\n4,d\n";
    AtomicInteger records = new AtomicInteger();
    Runnable cancel =
        () -> {
          if (records.incrementAndGet() == 2) {
            throw new CanopyException(ErrorCode.INTERRUPTED, "cancelled");
          }
        };
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> load(text, null, 0, 4, 500, cancel))
        .withMessageContaining("cancelled");
    assertThat(loaded()).isEqualTo(Map.of(1L, "a", 2L, "b"));
    LoadMark mark = LoadMark.read(file(), INDEX);
    assertThat(mark.records()).isEqualTo(2);
    load(text, mark, 0, 4, 500);
    assertThat(loaded()).hasSize(4);
    assertThat(mark()).doesNotExist();
  }

  @Test
  void columnsAreFoundByTheirNames() throws IOException {
    FileLoad load =
        load("city,name,id\nLondon,\"Ada \"\"A\"\", Countess\",1\n\nNY,\"two\nlines\",-2\n");

    assertThat(loaded()).isEqualTo(Map.of(1L, "Ada \"A\", Countess", -2L, "two\nlines"));
    assertThat(load.records()).isEqualTo(2);
    assertThat(mark()).doesNotExist();
  }

  @Test
  void fieldsOfObjectsAreTakenAsTheyAreWritten() throws IOException {
    load(
        "{\"id\":7,\"name\":\"Ada\",\"x\":[1]}\n"
            + "{\"name\":{\"a\":[1,null]},\"id\":\"8\"} {\"id\":9,\"name\":true}");

    assertThat(loaded()).isEqualTo(Map.of(7L, "Ada", 8L, "{\"a\":[1,null]}", 9L, "true"));
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "4, 1", "4, 7", "16, 500"})
  void theLaterOneOfTwoRecordsStays(int workers, int batch) throws IOException {
    SplittableRandom random = new SplittableRandom(workers * 1_000L + batch);
    Map<Long, String> twin = new TreeMap<>();
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = 0; i < 3_000; i++) {
      long key = random.nextLong(300);
      twin.put(key, "name " + i);
      text.append(key).append(",name ").append(i).append('\n');
    }
    FileLoad load = load(text.toString(), null, 0, workers, batch);

    assertThat(loaded()).isEqualTo(twin);
    assertThat(load.records()).isEqualTo(3_000);
  }

  @Test
  void aWrongRecordEndsItAndItIsTakenUpThere() throws IOException {
    String good = "id,name\n1,a\n2,b\n";
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> load(good + "three,c\n4,d\n"))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CODEC_FAILURE))
        .withMessageContaining("line 4: 'three' is no int64");
    assertThat(loaded()).isEqualTo(Map.of(1L, "a", 2L, "b"));

    db.run(tx -> tx.on(db.index(INDEX, Codec.int64(), Codec.string())).put(1L, "later"));
    FileLoad load = load(good + "3,c\n4,d\n", LoadMark.read(file(), INDEX), 0, 4, 500);

    assertThat(load.records()).isEqualTo(4);
    assertThat(loaded())
        .as("what was loaded before is not put again")
        .isEqualTo(Map.of(1L, "later", 2L, "b", 3L, "c", 4L, "d"));
    assertThat(mark()).doesNotExist();
  }

  @Test
  void wrongRecordsAreLeftOutAndTold() throws IOException {
    String text = "id,name\n1,a\n2\nx,b\n3,c\n";
    FileLoad load = load(text, null, 2, 4, 500);

    assertThat(loaded()).isEqualTo(Map.of(1L, "a", 3L, "c"));
    assertThat(load.wrong()).isEqualTo(2);
    assertThat(told)
        .hasSize(2)
        .element(0)
        .isEqualTo(
            "left out CNPY-3008 INVALID_ARGUMENT line 3: it has 1 columns where line 1 names 2");
    assertThatExceptionOfType(CanopyException.class).isThrownBy(() -> load(text, null, 1, 4, 500));
  }

  @Test
  void anotherFileIsNotTakenUp() {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> load("id,name\n1,a\n2,b\nx,c\n"));
    for (String other : List.of("id,name\n1,a\n2,B\n3,c\n", "id,name\n1,a\n")) {
      assertThatExceptionOfType(CanopyException.class)
          .isThrownBy(() -> load(other, LoadMark.read(file(), INDEX), 0, 4, 500))
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
          .withMessageContaining("the first 2 records are not those that were loaded");
    }
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> LoadMark.read(file(), "pets"))
        .withMessageContaining("goes into index 'people', not 'pets'");
  }

  @Test
  void aBrokenFileSaysWhere() {
    JsonProcessingException broken =
        catchThrowableOfType(
            JsonProcessingException.class,
            () -> load("{\"id\":1,\"name\":\"a\"}\n{\"id\":2,\"name\":oops}\n"));
    assertThat(broken.getLocation().getLineNr()).isEqualTo(2);
    assertThat(loaded()).isEqualTo(Map.of(1L, "a"));
    assertThat(mark()).exists();
  }

  private long loadedWhole(int from, int to, boolean puts) throws IOException {
    Index<byte[], byte[]> index = db.index(INDEX, new Encoded(KEYS), new Encoded(VALUES));
    StringBuilder text = new StringBuilder("id,name\n");
    for (int i = from; i < to; i++) {
      text.append(i).append(",n").append(i).append('\n');
    }
    Path file = Files.writeString(file(), text);
    try (InputStream in = Files.newInputStream(file);
        Intake open = Intake.open(db, index, new LoadWorkers(db, index, 4, 500), puts, told::add);
        RecordSource records = new CsvRecords(in, ',', "id", RecordSource.Value.of("name"))) {
      new FileLoad(new FileLoad.Settings(file, 0), open, CODEC, null, told::add)
          .run(records, () -> {});
      return open.loaded();
    }
  }

  @Test
  void whatIsInOrderAndAboveAllElseBecomesSubtrees() throws IOException {
    assertThat(loadedWhole(0, 5_000, false)).isEqualTo(5_000);
    assertThat(loadedWhole(4_000, 6_000, false)).isEqualTo(1_000);
    assertThat(loadedWhole(6_000, 6_100, true)).isZero();
    assertThat(told).isEmpty();
    assertThat(loaded()).hasSize(6_100).containsEntry(5_999L, "n5999");
  }

  @Test
  void whatIsOutOfOrderIsPutFromThereOnAndSaid() throws IOException {
    load("id,name\n1,a\n3,b\n2,c\n9,d\n");

    assertThat(loaded()).isEqualTo(Map.of(1L, "a", 2L, "c", 3L, "b", 9L, "d"));
    assertThat(told)
        .containsExactly(
            "from here on records are put one by one, which is slower: line 4: its key is not above"
                + " the one before");
  }

  @Test
  void aColumnThatIsNotThereIsNamed() {
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> load("id,nam\n1,a\n"))
        .withMessageContaining("line 1 names no column 'name', but id, nam");
  }

  @Test
  void keysHaveABound() {
    Codec<String> strings = TextCodec.of("string", true);
    assertThatExceptionOfType(CanopyException.class)
        .isThrownBy(() -> {
          Index<byte[], byte[]> index = db.index("s", new Encoded(strings), new Encoded(strings));
          try (Intake intake =
                  Intake.open(db, index, new LoadWorkers(db, index, 1, 1), false, told::add);
              RecordSource one = new OneRecord("x".repeat(9_000))) {
            new FileLoad(
                    new FileLoad.Settings(null, 0),
                    intake,
                    new EntryCodec<>("s", strings, strings),
                    null,
                    told::add)
                .run(one, () -> {});
          }
        })
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.KEY_TOO_LARGE))
        .withMessageContaining("line 1: index 's': the key takes ");
  }

  /** A file of one record. */
  private static final class OneRecord implements RecordSource {
    private final String key;

    OneRecord(String key) {
      this.key = key;
    }

    @Override
    public Text next() {
      return new Text(key, "");
    }

    @Override
    public int line() {
      return 1;
    }

    @Override
    public void close() {}
  }
}
