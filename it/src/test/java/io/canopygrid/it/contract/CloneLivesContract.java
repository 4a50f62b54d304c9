package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexClone;
import io.canopygrid.Limits;
import io.canopygrid.Range;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The beginnings and ends of clones of indexes. */
@NullUnmarked // bodies return null, and answers are compared as they are
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class CloneLivesContract extends CloneTheme {
  /** So long after a commit there is a state with it, unless the machine is busy. */
  private static final Duration STEP = Duration.ofMillis(1_500);

  CloneLivesContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void areClonedAsAnyIndex() {
    letters();
    Index<String, String> first = cloned();
    write(
        first,
        v -> {
          v.put("a", "first");
          v.remove("b");
        });
    IndexClone made = other.cloneIndex(clone + "2", CloneSource.of(clone));
    assertThat(made.parent()).isEqualTo(clone);
    assertThat(made.depth()).isEqualTo(2);
    Index<String, String> second = opened(db, clone + "2");
    write(first, v -> v.put("c", "late"));
    write(
        second,
        v -> {
          v.put("b", "second");
          v.remove("a");
        });
    NavigableMap<String, String> wanted = alphabet();
    wanted.put("b", "second");
    wanted.remove("a");
    assertThat(entries(second)).isEqualTo(wanted);
    assertThat(get(first, "a")).isEqualTo("first");
    assertThat(get(first, "b")).isNull();
    db.dropIndex(name);
    db.dropIndex(clone);
    assertThat(entries(second)).isEqualTo(wanted);
    List<Long> progress = new ArrayList<>();
    long copied = db.flattenClone(clone + "2", progress::add);
    assertThat(copied).isPositive().isEqualTo(progress.get(progress.size() - 1));
    assertThat(entries(second)).isEqualTo(wanted);
  }

  @Test
  void areOfASnapshotThatMayBeDroppedThen() {
    letters();
    db.snapshot(name);
    write(v -> v.put("a", "late"));
    db.cloneIndex(clone, CloneSource.of(name).at(name));
    db.dropSnapshot(name);
    write(v -> v.remove("b"));
    Index<String, String> trial = opened(db, clone);
    assertThat(entries(trial)).isEqualTo(alphabet());
    db.snapshot(name);
    write(
        trial,
        v -> {
          v.put("c", "later");
          v.remove("d");
        });
    assertThat(entries(other, opened(other, clone), TransactionOptions.DEFAULTS.at(name)))
        .as("a snapshot has clones, too")
        .isEqualTo(alphabet());
    db.dropSnapshot(name);
  }

  @Test
  void areOfATime() {
    letters();
    Instant then = Instant.now().plus(STEP);
    // Returns when this state is kept.
    TransactionOptions past = TransactionOptions.DEFAULTS.asOf(then);
    assertThat(db.<Long, RuntimeException>read(past, tx -> tx.on(index).count())).isEqualTo(26);
    write(v -> v.removeRange(Range.all()));
    IndexClone made = db.cloneIndex(clone, CloneSource.of(name).asOf(then));
    assertThat(made.of()).isBeforeOrEqualTo(Instant.now().plusSeconds(60));
    assertThat(entries(opened(db, clone))).isEqualTo(alphabet());
  }

  @Test
  void outliveTheirParent() {
    letters();
    Index<String, String> trial = cloned();
    write(trial, v -> v.put("a", "clone"));
    assertThat(db.dropIndex(name)).isTrue();
    Index<String, String> again = texts(other);
    other.run(tx -> tx.on(again).put("b", "another"));
    NavigableMap<String, String> wanted = alphabet();
    wanted.put("a", "clone");
    assertThat(entries(trial)).isEqualTo(wanted);
    assertThat(db.clones())
        .anyMatch(each -> each.name().equals(clone) && each.parent().equals(name));
    write(trial, v -> v.remove("c"));
    wanted.remove("c");
    db.flattenClone(clone);
    assertThat(entries(trial)).isEqualTo(wanted);
  }

  @Test
  void leaveTheirNameWhenTheyAreDropped() {
    letters();
    Index<String, String> trial = cloned();
    write(trial, v -> v.remove("a"));
    assertThat(other.dropIndex(clone)).isTrue();
    refused(ErrorCode.UNKNOWN_INDEX, () -> get(trial, "b"));
    assertThat(db.clones()).noneMatch(each -> each.name().equals(clone));
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.flattenClone(clone));
    Index<String, String> plain = opened(db, clone);
    assertThat(entries(plain)).isEmpty();
    write(plain, v -> v.put("b", "plain"));
    assertThat(db.flattenClone(clone)).as("it is no clone").isZero();
    assertThat(entries(plain)).isEqualTo(Map.of("b", "plain"));
    assertThat(entries(index)).isEqualTo(alphabet());
    assertThat(db.dropIndex(clone)).isTrue();
  }

  @Test
  void areFlattenedBesideTheirWriters() {
    NavigableMap<String, String> wanted = new TreeMap<>();
    write(v -> {
      for (int i = 0; i < 400; i++) {
        wanted.put(key(i), "parent");
        v.put(key(i), "parent");
      }
    });
    Index<String, String> trial = cloned();
    write(v -> v.removeRange(Range.all()));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> {
          Index<String, String> there = opened(other, clone);
          Random random = new Random(1);
          while (!stop.get()) {
            String key = key(random.nextInt(500));
            boolean removes = random.nextBoolean();
            String value = "clone" + written.incrementAndGet();
            other.run(
                PATIENT,
                tx -> {
                  if (removes) {
                    tx.on(there).remove(key);
                  } else {
                    tx.on(there).put(key, value);
                  }
                });
            if (removes) {
              wanted.remove(key);
            } else {
              wanted.put(key, value);
            }
          }
        });
    try {
      Awaitility.await().until(() -> written.get() > 20 || writer.isDone());
      assertThat(db.flattenClone(clone)).isPositive();
    } finally {
      stop.set(true);
    }
    writer.join();
    assertThat(db.clones()).noneMatch(each -> each.name().equals(clone));
    TransactionOptions after = TransactionOptions.DEFAULTS.withAfter(other.token());
    assertThat(entries(db, trial, after)).isEqualTo(wanted);
    db.dropIndex(name);
    assertThat(entries(db, trial, after)).isEqualTo(wanted);
    assertThat(db.flattenClone(clone)).isZero();
    assertThat(db.dropIndex(clone)).isTrue();
  }

  @Test
  void areNotTooDeep() {
    letters();
    String parent = name;
    for (int depth = 1; depth <= Limits.CLONE_DEPTH_MAX; depth++) {
      String next = clone + depth;
      assertThat(db.cloneIndex(next, CloneSource.of(parent)).depth()).isEqualTo(depth);
      Index<String, String> trial = opened(db, next);
      String own = "own" + depth;
      write(trial, v -> v.put(own, own));
      parent = next;
    }
    String last = parent;
    assertThat(entries(opened(db, last))).hasSize(26 + Limits.CLONE_DEPTH_MAX);
    refused(ErrorCode.CLONE_TOO_DEEP, () -> db.cloneIndex(clone, CloneSource.of(last)));
    db.flattenClone(last);
    assertThat(db.cloneIndex(clone, CloneSource.of(last)).depth()).isEqualTo(1);
    assertThat(entries(opened(db, clone))).hasSize(26 + Limits.CLONE_DEPTH_MAX);
    db.dropIndex(last);
  }

  @Test
  void refuseWhatTheyCannotBe() {
    letters();
    CloneSource source = CloneSource.of(name);
    Index<String, String> trial = cloned();
    refused(ErrorCode.INDEX_EXISTS, () -> db.cloneIndex(clone, source));
    refused(ErrorCode.INDEX_EXISTS, () -> other.cloneIndex(name, source));
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.cloneIndex(clone + "2", CloneSource.of("nothing")));
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.flattenClone("nothing"));
    refused(ErrorCode.UNKNOWN_SNAPSHOT, () -> db.cloneIndex(clone + "2", source.at("nothing")));
    refused(
        ErrorCode.UNKNOWN_SNAPSHOT,
        () -> db.cloneIndex(clone + "2", source.asOf(Instant.EPOCH.plusSeconds(1))));
    refused(ErrorCode.INVALID_INDEX_NAME, () -> db.cloneIndex("a b", source));
    refused(ErrorCode.INVALID_INDEX_NAME, () -> db.cloneIndex(clone + "2", CloneSource.of("$u")));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.cloneIndex(clone + "2", source.at("a b")));
    refused(ErrorCode.INVALID_ARGUMENT, () -> source.at(""));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.cloneIndex(clone + "2", null));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> CloneSource.of(null));
    db.table(name + "-people", Codec.int64(), Codec.string());
    String rows = name + "-people.rows";
    refused(ErrorCode.PART_OF_TABLE, () -> db.cloneIndex(clone + "2", CloneSource.of(rows)));
    refused(ErrorCode.PART_OF_TABLE, () -> db.cloneIndex(rows, source));
    refused(ErrorCode.PART_OF_TABLE, () -> db.flattenClone(rows));
    refused(ErrorCode.CODEC_MISMATCH, () -> db.index(clone, Codec.int64(), Codec.int64()));
    Thread.currentThread().interrupt();
    refused(ErrorCode.INTERRUPTED, () -> db.flattenClone(clone));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(db.indexes()).doesNotContain(clone + "2");
    assertThat(entries(trial)).isEqualTo(alphabet());
  }
}
