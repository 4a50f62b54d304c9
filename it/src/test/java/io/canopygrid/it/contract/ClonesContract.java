package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CloneSource;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexClone;
import io.canopygrid.Loader;
import io.canopygrid.Range;
import io.canopygrid.ReadView;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reads and writes of clones of indexes. */
@NullUnmarked // bodies return null, and answers are compared as they are
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class ClonesContract extends CloneTheme {
  private static final int ACCOUNTS = 12;
  private static final long CENTS = 1_000;

  ClonesContract(ContractGrid grid) {
    super(grid);
  }

  @Test
  void beginWithTheEntriesOfTheirParent() {
    letters();
    IndexClone made = other.cloneIndex(clone, CloneSource.of(name));
    assertThat(made.name()).isEqualTo(clone);
    assertThat(made.parent()).isEqualTo(name);
    assertThat(made.depth()).isEqualTo(1);
    assertThat(made.of()).isBetween(Instant.now().minusSeconds(180), Instant.now().plusSeconds(60));
    for (Canopy handle : List.of(db, other, grid.handle(2))) {
      assertThat(handle.clones()).contains(made);
      assertThat(handle.indexes()).contains(name, clone);
      assertThat(entries(handle, opened(handle, clone), TransactionOptions.DEFAULTS))
          .isEqualTo(alphabet());
    }
  }

  @Test
  void areWrittenToByThemselves() {
    letters();
    Index<String, String> trial = cloned();
    write(
        trial,
        v -> {
          v.put("a", "clone");
          v.remove("b");
          v.put("new", "clone");
        });
    write(v -> {
      v.put("c", "parent");
      v.remove("d");
      v.put("old", "parent");
    });
    NavigableMap<String, String> wanted = alphabet();
    wanted.put("a", "clone");
    wanted.remove("b");
    wanted.put("new", "clone");
    assertThat(entries(trial)).isEqualTo(wanted);
    assertThat(get(trial, "b")).isNull();
    assertThat(get(trial, "c")).isEqualTo("C");
    assertThat(get(trial, "d")).isEqualTo("D");
    assertThat(get(trial, "old")).isNull();
    NavigableMap<String, String> parent = alphabet();
    parent.put("c", "parent");
    parent.remove("d");
    parent.put("old", "parent");
    assertThat(entries(index)).isEqualTo(parent);
    write(trial, v -> v.put("b", "again"));
    assertThat(get(trial, "b")).isEqualTo("again");
    assertThat(get("b")).isEqualTo("B");
  }

  @Test
  void knowTheEntriesOfTheirParentWhereTheyAreWrittenTo() {
    letters();
    Index<String, String> trial = cloned();
    refused(ErrorCode.KEY_EXISTS, () -> write(trial, v -> v.insert("a", "late")));
    write(
        trial,
        v -> {
          assertThat(v.putIfAbsent("a", "late")).isEqualTo("A");
          assertThat(v.replace("b", "B", "next")).isTrue();
          assertThat(v.merge("c", "c", String::concat)).isEqualTo("Cc");
          v.remove("d");
          v.insert("d", "again");
          v.remove("e");
          assertThat(v.putIfAbsent("e", "absent")).isNull();
        });
    assertThat(entries(trial).headMap("g"))
        .isEqualTo(Map.of("a", "A", "b", "next", "c", "Cc", "d", "again", "e", "absent", "f", "F"));
    assertThat(entries(index)).isEqualTo(alphabet());
  }

  @Test
  void areReadInOrderFromBothEnds() {
    letters();
    Index<String, String> trial = cloned();
    NavigableMap<String, String> wanted = alphabet();
    readsAs(trial, wanted);
    write(
        trial,
        v -> {
          for (String key : List.of("a", "b", "m", "n", "o", "p", "q", "z")) {
            v.remove(key);
            wanted.remove(key);
          }
          for (String key : List.of("0", "c", "d", "mm", "r", "zz")) {
            v.put(key, "new");
            wanted.put(key, "new");
          }
          readsAs(v, wanted);
        });
    readsAs(trial, wanted);
    assertThat(
            db.<Long, RuntimeException>call(tx -> tx.on(trial).removeRange(Range.closed("d", "t"))))
        .isEqualTo(wanted.subMap("d", true, "t", true).size());
    wanted.subMap("d", true, "t", true).clear();
    readsAs(trial, wanted);
    write(
        trial,
        v -> {
          assertThat(v.removeRange(Range.all())).isEqualTo(wanted.size());
          wanted.clear();
          readsAs(v, wanted);
          v.put("k", "last");
        });
    wanted.put("k", "last");
    readsAs(trial, wanted);
    assertThat(entries(index)).isEqualTo(alphabet());
  }

  private void readsAs(Index<String, String> trial, NavigableMap<String, String> wanted) {
    db.read(tx -> {
      readsAs(tx.on(trial), wanted);
      return null;
    });
  }

  private static void readsAs(ReadView<String, String> view, NavigableMap<String, String> wanted) {
    assertThat(view.firstEntry()).isEqualTo(wanted.firstEntry());
    assertThat(view.lastEntry()).isEqualTo(wanted.lastEntry());
    for (String key : List.of("", "a", "bb", "c", "m", "mm", "p", "z", "zz", "zzz")) {
      assertThat(view.get(key)).as(key).isEqualTo(wanted.get(key));
      assertThat(view.floorEntry(key)).as(key).isEqualTo(wanted.floorEntry(key));
      assertThat(view.lowerEntry(key)).as(key).isEqualTo(wanted.lowerEntry(key));
      assertThat(view.ceilingEntry(key)).as(key).isEqualTo(wanted.ceilingEntry(key));
      assertThat(view.higherEntry(key)).as(key).isEqualTo(wanted.higherEntry(key));
    }
    assertThat(view.count()).isEqualTo(wanted.size());
    scansAs(view, Range.all(), wanted);
    scansAs(view, Range.atLeast("l"), wanted.tailMap("l", true));
    NavigableMap<String, String> middle = wanted.subMap("b", true, "s", true);
    scansAs(view, Range.closed("b", "s"), middle);
    assertThat(view.count(Range.closed("b", "s"))).isEqualTo(middle.size());
  }

  private static void scansAs(
      ReadView<String, String> view, Range<String> range, NavigableMap<String, String> wanted) {
    for (long limit : new long[] {0, 1, 7, 1_000}) {
      assertThat(keys(view.scan(range).limit(limit)))
          .isEqualTo(wanted.keySet().stream().limit(limit).toList());
      assertThat(keys(view.scan(range).reverse().limit(limit)))
          .isEqualTo(wanted.descendingKeySet().stream().limit(limit).toList());
    }
  }

  private static Index<Long, Long> accounts(Canopy handle, String name) {
    return handle.index(name, Codec.int64(), Codec.int64());
  }

  private static void transfer(Canopy handle, Index<Long, Long> accounts, Random random) {
    long from = random.nextInt(ACCOUNTS);
    long to = random.nextInt(ACCOUNTS);
    long cents = random.nextInt(100);
    handle.run(
        PATIENT,
        tx -> {
          long rest = tx.on(accounts).get(from) - cents;
          tx.on(accounts).put(from, rest);
          tx.on(accounts).put(to, tx.on(accounts).get(to) + cents);
        });
  }

  private static long sum(Canopy handle, Index<Long, Long> accounts) {
    return handle.<Long, RuntimeException>read(tx -> {
      try (Cursor<Long, Long> all = tx.on(accounts).scan()) {
        return all.values().mapToLong(Long::longValue).sum();
      }
    });
  }

  @Test
  void areWholeStatesWhileOthersWrite() {
    String bank = name + "-bank";
    Index<Long, Long> accounts = accounts(db, bank);
    db.run(tx -> {
      for (long account = 0; account < ACCOUNTS; account++) {
        tx.on(accounts).put(account, CENTS);
      }
    });
    AtomicBoolean stop = new AtomicBoolean();
    AtomicInteger written = new AtomicInteger();
    CompletableFuture<Void> writer =
        CompletableFuture.runAsync(() -> {
          Index<Long, Long> there = accounts(other, bank);
          Random random = new Random(1);
          while (!stop.get()) {
            transfer(other, there, random);
            written.incrementAndGet();
          }
        });
    try {
      for (int i = 0; i < 5; i++) {
        int from = written.get();
        Awaitility.await().until(() -> written.get() > from + 5 || writer.isDone());
        db.cloneIndex(clone + i, CloneSource.of(bank));
        Index<Long, Long> trial = accounts(db, clone + i);
        assertThat(sum(db, trial)).isEqualTo(ACCOUNTS * CENTS);
        Random random = new Random(i);
        for (int j = 0; j < 10; j++) {
          transfer(db, trial, random);
        }
        assertThat(sum(db, trial)).isEqualTo(ACCOUNTS * CENTS);
      }
    } finally {
      stop.set(true);
    }
    writer.join();
    assertThat(sum(db, accounts)).isEqualTo(ACCOUNTS * CENTS);
  }

  @Test
  void haveConflictsOfTheirOwnOnly() {
    letters();
    Index<String, String> trial = cloned();
    Transaction alone = db.begin();
    assertThat(alone.on(trial).get("a")).isEqualTo("A");
    overwrite("a", "parent");
    alone.on(trial).put("b", "alone");
    alone.commit();
    Transaction second = db.begin();
    assertThat(second.on(trial).get("a")).isEqualTo("A");
    db.runAsync(tx -> tx.on(trial).put("a", "other")).toCompletableFuture().join();
    second.on(trial).put("b", "second");
    refused(ErrorCode.WRITE_CONFLICT, second::commit);
    assertThat(get(trial, "b")).isEqualTo("alone");
  }

  @Test
  void areLoadedWhereNeitherTheyNorTheirParentsHaveEntries() {
    letters();
    Index<String, String> trial = cloned();
    Loader<String, String> over = db.loader(trial);
    over.add("bb", "loaded");
    over.add("c", "loaded");
    refused(ErrorCode.KEY_EXISTS, over::flush);
    over.close();
    assertThat(entries(trial)).isEqualTo(alphabet());
    write(trial, v -> v.remove("e"));
    try (Loader<String, String> beside = db.loader(trial)) {
      beside.add("e", "loaded");
      beside.add("ee", "loaded");
      beside.flush();
    }
    try (Loader<String, String> behind = db.loader(trial)) {
      for (int i = 0; i < 300; i++) {
        behind.add("zz" + key(i), "loaded");
      }
      behind.flush();
    }
    NavigableMap<String, String> wanted = alphabet();
    wanted.put("e", "loaded");
    wanted.put("ee", "loaded");
    for (int i = 0; i < 300; i++) {
      wanted.put("zz" + key(i), "loaded");
    }
    assertThat(entries(trial)).isEqualTo(wanted);
    db.flattenClone(clone);
    assertThat(entries(trial)).isEqualTo(wanted);
    db.dropIndex(clone);
  }
}
