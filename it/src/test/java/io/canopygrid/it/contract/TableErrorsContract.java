package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Covering;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexDefinition;
import io.canopygrid.Range;
import io.canopygrid.Table;
import io.canopygrid.TransactionBody;
import io.canopygrid.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** Rows and indexes agree after errors, and where a codec keeps less than it was given. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class TableErrorsContract extends Theme {
  /** Text of which only the part before a "#" is stored. */
  private static final Codec<String> NO_COMMENT =
      new Codec<>() {
        @Override
        public String id() {
          return "no-comment";
        }

        @Override
        public boolean ordered() {
          return false;
        }

        @Override
        public byte[] encode(String value) {
          return Codec.string().encode(value.replaceFirst("#.*", ""));
        }

        @Override
        public String decode(byte[] bytes) {
          return Codec.string().decode(bytes);
        }
      };

  private static final IndexDefinition<String, String> WHOLE =
      IndexDefinition.of("whole", Codec.string(), row -> row);
  private static final IndexDefinition<String, String> WORDS =
      IndexDefinition.<String, String>ofMany(
              "words", Codec.string(), row -> row.isEmpty() ? null : Arrays.asList(row.split(" ")))
          .unique();

  private final Table<Long, String> texts =
      db.table(name + "-texts", Codec.int64(), Codec.string(), List.of(WHOLE, WORDS));

  TableErrorsContract(ContractGrid grid) {
    super(grid);
  }

  private <A> List<Long> keys(
      Table<Long, String> table, IndexDefinition<String, A> definition, Range<A> range) {
    return db.<List<Long>, RuntimeException>read(
        tx -> tx.on(table).by(definition).scan(range).map(e -> e.key()).toList());
  }

  private CanopyException caught(ErrorCode code, TransactionBody<RuntimeException> body) {
    List<CanopyException> caught = new ArrayList<>();
    db.run(tx -> {
      try {
        body.run(tx);
      } catch (CanopyException e) {
        caught.add(e);
      }
    });
    assertThat(caught).hasSize(1);
    assertThat(caught.get(0).code()).as(caught.get(0).getMessage()).isEqualTo(code);
    return caught.get(0);
  }

  @Test
  void ofARowThatIsRefusedNothingIsKept() {
    texts.createIndex(WHOLE);
    texts.createIndex(WORDS);
    db.run(tx -> {
      tx.on(texts).put(1L, "m");
      tx.on(texts).put(2L, "b");
    });
    CanopyException e = caught(ErrorCode.UNIQUE_VIOLATION, tx -> tx.on(texts).put(3L, "a c m"));
    assertThat(e.facts()).containsEntry("key", "1").containsEntry("attribute", "m");
    caught(ErrorCode.UNIQUE_VIOLATION, tx -> tx.on(texts).put(2L, "d m"));
    caught(ErrorCode.UNIQUE_VIOLATION, tx -> tx.on(texts).insert(4L, "x m"));
    caught(ErrorCode.KEY_EXISTS, tx -> tx.on(texts).insert(1L, "y"));
    caught(ErrorCode.KEY_TOO_LARGE, tx -> tx.on(texts).put(2L, "z " + "q".repeat(9_000)));
    assertThat(keys(texts, WHOLE, Range.all())).containsExactly(2L, 1L);
    assertThat(keys(texts, WORDS, Range.all())).containsExactly(2L, 1L);
    db.run(tx -> tx.on(texts).put(5L, "a c d x y z"));
    assertThat(keys(texts, WORDS, Range.closed("a", "a"))).containsExactly(5L);
  }

  @Test
  void entriesFollowFromWhatIsStored() {
    Table<Long, String> table =
        db.table(name + "-kept", Codec.int64(), NO_COMMENT, List.of(WHOLE, WORDS));
    table.createIndex(WHOLE);
    table.createIndex(WORDS);
    db.run(tx -> tx.on(table).put(1L, "a #one"));
    assertThat(keys(table, WHOLE, Range.all())).containsExactly(1L);
    assertThat(keys(table, WORDS, Range.closed("#one", "#one"))).isEmpty();
    db.run(tx -> tx.on(table).put(1L, "b #one"));
    db.run(tx -> tx.on(table).put(2L, "c #one"));
    db.run(tx -> tx.on(table).remove(1L));
    assertThat(keys(table, WHOLE, Range.all())).containsExactly(2L);
    assertThat(keys(table, WORDS, Range.all())).containsExactly(2L);
  }

  @Test
  void aBuildThatFailsByARowLeavesNothing() {
    db.run(tx -> {
      tx.on(texts).put(1L, "a");
      tx.on(texts).put(2L, "z".repeat(9_000));
    });
    refused(ErrorCode.KEY_TOO_LARGE, () -> texts.createIndex(WHOLE));
    assertThat(texts.indexes()).isEmpty();
    db.run(tx -> assertThat(tx.on(texts).remove(2L)).isTrue());
    texts.createIndex(WHOLE);
    assertThat(keys(texts, WHOLE, Range.all())).containsExactly(1L);
  }

  @Test
  void aDefinitionThatFailsCanBeReplaced() {
    db.run(tx -> tx.on(texts).put(1L, "a"));
    IndexDefinition<String, Integer> broken =
        IndexDefinition.of("number", Codec.int32(), Integer::parseInt);
    IndexDefinition<String, Integer> right =
        IndexDefinition.of("number", Codec.int32(), String::length);
    assertThatThrownBy(() -> texts.createIndex(broken)).isInstanceOf(NumberFormatException.class);
    assertThat(texts.indexes()).isEmpty();
    texts.createIndex(right);
    db.run(tx -> tx.on(texts).put(2L, "bb"));
    assertThat(keys(texts, right, Range.all())).containsExactly(1L, 2L);
  }

  /**
   * A row that the builder has not come to is updated, and another one has its attribute. The
   * builder finds the two; until then each of them can be changed where it keeps what it has.
   */
  @Test
  void aUniqueCoveringIndexIsNotReadyWithDuplicates() throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Thread[] builder = new Thread[1];
    IndexDefinition<String, String> byMail =
        IndexDefinition.<String, String>of(
                "mail",
                Codec.string(),
                row -> {
                  if (Thread.currentThread().equals(builder[0]) && row.startsWith("m100 ")) {
                    reached.countDown();
                    await(goOn);
                  }
                  return row.substring(0, row.indexOf(' '));
                })
            .unique()
            .covering(Covering.of(Codec.string(), row -> row));
    Table<Long, String> table =
        db.table(name + "-mails", Codec.int64(), Codec.string(), List.of(byMail));
    db.run(tx -> {
      for (long key = 1; key <= 200; key++) {
        tx.on(table).put(key, "m" + key + " old");
      }
    });
    List<Throwable> failures = new ArrayList<>();
    builder[0] =
        new Thread(() -> {
          try {
            table.createIndex(byMail);
          } catch (CanopyException e) {
            failures.add(e);
          }
        });
    builder[0].start();
    await(reached);
    db.run(tx -> tx.on(table).insert(0L, "m200 thief"));
    refused(ErrorCode.UNIQUE_VIOLATION, () -> db.run(tx -> tx.on(table).put(1L, "m200 third")));
    db.run(tx -> tx.on(table).put(200L, "m200 new"));
    goOn.countDown();
    builder[0].join();
    assertThat(failures)
        .singleElement()
        .isInstanceOfSatisfying(
            CanopyException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNIQUE_VIOLATION));
    assertThat(table.indexes()).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void rowsAreFoundByTheBeginningOfAnAttribute() {
    IndexDefinition<String, Tuple> pair =
        IndexDefinition.of(
            "pair",
            Codec.tuple(Codec.string(), Codec.int32()),
            row -> Tuple.of(row.substring(0, 2), row.length()));
    texts.createIndex(WHOLE);
    texts.createIndex(WORDS);
    texts.createIndex(pair);
    db.run(tx -> {
      tx.on(texts).put(1L, "Ada");
      tx.on(texts).put(2L, "Adam");
      tx.on(texts).put(3L, "Ad\0x");
      tx.on(texts).put(4L, "Bob");
    });
    assertThat(keys(texts, WHOLE, Range.prefix("Ada"))).containsExactly(1L, 2L);
    assertThat(keys(texts, WHOLE, Range.prefix("Ad\0"))).containsExactly(3L);
    assertThat(keys(texts, WORDS, Range.prefix("Ada"))).containsExactly(1L, 2L);
    assertThat(keys(texts, pair, Range.prefix(Tuple.of("Ad")))).containsExactly(1L, 2L, 3L);
  }

  @Test
  void whatATableIsMadeOfIsReadByItsNameAndNotWritten() {
    texts.createIndex(WHOLE);
    db.run(tx -> tx.on(texts).put(1L, "a"));
    Index<Long, String> rows = db.index(texts.name() + ".rows", Codec.int64(), Codec.string());
    ErrorCode code = ErrorCode.PART_OF_TABLE;
    assertThat(db.<String, RuntimeException>read(tx -> tx.on(rows).get(1L))).isEqualTo("a");
    db.run(tx -> assertThat(tx.on(rows).get(1L)).isEqualTo("a"));
    refused(code, () -> db.run(tx -> tx.on(rows).put(1L, "b")));
    refused(code, () -> db.run(tx -> tx.on(rows).insert(2L, "b")));
    refused(code, () -> db.run(tx -> tx.on(rows).remove(1L)));
    refused(code, () -> db.run(tx -> tx.on(rows).compute(1L, (k, v) -> "b")));
    refused(code, () -> db.run(tx -> tx.on(rows).removeRange(Range.all())));
    refused(code, () -> db.loader(rows));
    Index<Tuple, byte[]> entries =
        other.index(
            texts.name() + ".index.1", Codec.tuple(Codec.string(), Codec.int64()), Codec.bytes());
    refused(code, () -> other.run(tx -> tx.on(entries).remove(Tuple.of("a", 1L))));
    for (String part : List.of(".rows", ".definitions", ".index.1")) {
      refused(code, () -> db.index(name + "-none" + part, Codec.string(), Codec.bytes()));
    }
    assertThat(db.indexes()).noneMatch(index -> index.startsWith(name + "-none"));
    assertThat(keys(texts, WHOLE, Range.all())).containsExactly(1L);
  }

  @Test
  void anIndexIsDroppedWithoutItsDefinition() {
    texts.createIndex(WHOLE);
    texts.createIndex(WORDS);
    db.run(tx -> tx.on(texts).put(1L, "a b"));
    Table<Long, String> next = other.table(texts.name(), Codec.int64(), Codec.string());
    refused(ErrorCode.DEFINITION_MISMATCH, () -> other.run(tx -> tx.on(next).put(2L, "c")));
    assertThat(next.dropIndex("whole")).isTrue();
    assertThat(next.dropIndex("words")).isTrue();
    assertThat(next.indexes()).isEmpty();
    other.run(tx -> tx.on(next).put(2L, "c"));
    assertThat(other.indexes()).noneMatch(index -> index.startsWith(texts.name() + ".index."));
    refused(
        ErrorCode.PART_OF_TABLE,
        () -> other.index(texts.name() + ".index.2", Codec.string(), Codec.bytes()));
  }

  @Test
  void aSecondConditionIsOneMore() {
    IndexDefinition<String, String> both =
        IndexDefinition.<String, String>of("both", Codec.string(), row -> row)
            .where(row -> row.startsWith("a"))
            .where(row -> row.endsWith("z"));
    texts.createIndex(both);
    db.run(tx -> {
      tx.on(texts).put(1L, "a b");
      tx.on(texts).put(2L, "az");
      tx.on(texts).put(3L, "z");
      tx.on(texts).put(4L, "");
    });
    texts.createIndex(WORDS);
    assertThat(keys(texts, both, Range.all())).containsExactly(2L);
    assertThat(keys(texts, WORDS, Range.all())).doesNotContain(4L);
  }
}
