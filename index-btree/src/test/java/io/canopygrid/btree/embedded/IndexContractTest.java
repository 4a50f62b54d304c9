package io.canopygrid.btree.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opening, creating and naming indexes. */
@NullUnmarked // bodies return null, and answers are compared as they are
final class IndexContractTest {
  private final TestGrid grid = TestGrid.network(3, 2, 12, 64);
  private final Canopy db = grid.handle(0);

  @AfterEach
  void close() {
    grid.close();
  }

  @Test
  void isCreatedOnFirstUseAndFoundByEveryNode() {
    IndexOptions options = new IndexOptions(100);
    Index<Long, String> created = db.index("a", Codec.int64(), Codec.string(), options);
    assertThat(created.name()).isEqualTo("a");
    assertThat(created.options()).isEqualTo(options);
    db.run(tx -> tx.on(created).put(1L, "one"));
    Index<Long, String> found = grid.handle(2).index("a", Codec.int64(), Codec.string());
    assertThat(found.options()).as("those it was created with").isEqualTo(options);
    assertThat(found.keyCodec().id()).isEqualTo("int64");
    assertThat(grid.handle(2).<String, RuntimeException>read(tx -> tx.on(found).get(1L)))
        .isEqualTo("one");
  }

  @Test
  void openedTwiceItIsTheSame() {
    Index<Long, String> first = db.index("a", Codec.int64(), Codec.string());
    Index<Long, String> second = db.index("a", Codec.int64(), Codec.string());
    db.run(tx -> {
      tx.on(first).put(1L, "one");
      assertThat(tx.on(second).get(1L)).isEqualTo("one");
    });
    assertThat(first).isEqualTo(second);
  }

  @Test
  void namesAreListedInOrder() {
    assertThat(db.indexes()).isEmpty();
    for (String name : List.of("b", "a-1", "C_2", "a.x")) {
      db.index(name, Codec.int64(), Codec.string());
    }
    assertThat(db.indexes()).containsExactly("C_2", "a-1", "a.x", "b");
    assertThat(grid.handle(1).indexes()).containsExactly("C_2", "a-1", "a.x", "b");
  }

  @Test
  void indexesDoNotMix() {
    Index<Long, String> a = db.index("a", Codec.int64(), Codec.string());
    Index<Long, String> b = db.index("b", Codec.int64(), Codec.string());
    db.run(tx -> {
      tx.on(a).put(1L, "of a");
      tx.on(b).put(1L, "of b");
      tx.on(b).put(2L, "of b");
    });
    db.read(tx -> {
      assertThat(tx.on(a).get(1L)).isEqualTo("of a");
      assertThat(tx.on(a).count()).isEqualTo(1);
      assertThat(tx.on(b).lastEntry().getValue()).isEqualTo("of b");
      return null;
    });
  }

  @Test
  void otherCodecsAreRefusedByEveryHandle() {
    db.index("a", Codec.int64(), Codec.string());
    for (Canopy handle : List.of(db, grid.handle(1))) {
      CanopyException e =
          Errors.of(
              ErrorCode.CODEC_MISMATCH, () -> handle.index("a", Codec.int32(), Codec.string()));
      assertThat(e.detail()).contains("'a'").contains("int64").contains("int32");
      Errors.of(ErrorCode.CODEC_MISMATCH, () -> handle.index("a", Codec.int64(), Codec.bytes()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "1a", "a b", "a/b", "ü", "a\u0000", "_a", "a\n"})
  void oddNamesAreRefusedWithWhatIsAllowed(String name) {
    CanopyException e =
        Errors.of(
            ErrorCode.INVALID_INDEX_NAME, () -> db.index(name, Codec.int64(), Codec.string()));
    assertThat(e).hasMessageContaining("1 to 128 letters, digits, '.', '_' or '-'");
    assertThat(db.indexes()).isEmpty();
  }

  @Test
  void namesHaveAtMost128Characters() {
    String longest = "a".repeat(128);
    assertThat(db.index(longest, Codec.int64(), Codec.string()).name()).isEqualTo(longest);
    Errors.of(
        ErrorCode.INVALID_INDEX_NAME, () -> db.index(longest + "a", Codec.int64(), Codec.string()));
  }

  @Test
  void nullsAreRefused() {
    Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.index(null, Codec.int64(), Codec.string()));
    Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.index("a", null, Codec.string()));
    Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.index("a", Codec.int64(), null));
    Errors.of(ErrorCode.NULL_NOT_ALLOWED, () -> db.index("a", Codec.int64(), Codec.string(), null));
  }

  @Test
  void aKeyCodecWithoutOrderIsRefused() {
    CanopyException e =
        Errors.of(
            ErrorCode.INVALID_ARGUMENT,
            () -> db.index("a", Codec.json(List.class), Codec.string()));
    assertThat(e.detail()).contains("keeps no order");
  }

  @Test
  void manyNodesCreatingOneIndexAtOnceGetTheSame() throws InterruptedException {
    for (int round = 0; round < 10; round++) {
      String name = "race" + round;
      Workers workers = new Workers();
      ConcurrentHashMap<Integer, Index<Long, String>> opened = new ConcurrentHashMap<>();
      for (int i = 0; i < grid.size(); i++) {
        int at = i;
        workers.add(() -> {
          Index<Long, String> index = grid.handle(at).index(name, Codec.int64(), Codec.string());
          opened.put(at, index);
          grid.handle(at).run(tx -> tx.on(index).put((long) at, "node " + at));
        });
      }
      workers.join(name);
      grid.handle(0)
          .read(
              TransactionOptions.DEFAULTS.withAfter(
                  grid.handle(1).token().join(grid.handle(2).token())),
              tx -> {
                assertThat(tx.on(opened.get(0)).count()).isEqualTo(3);
                return null;
              });
      grid.handle(0).check(opened.get(0), Duration.ofSeconds(10));
    }
    assertThat(new ArrayList<>(db.indexes())).hasSize(10);
  }
}
