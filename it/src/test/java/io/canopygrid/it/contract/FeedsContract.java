package io.canopygrid.it.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Change;
import io.canopygrid.ChangeFeed;
import io.canopygrid.ChangeSet;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.FeedOptions;
import io.canopygrid.FeedPosition;
import io.canopygrid.Index;
import io.canopygrid.IndexStructure;
import io.canopygrid.Range;
import io.canopygrid.StructureChange;
import io.canopygrid.Subtree;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** The changes of an index, transaction by transaction. */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class FeedsContract extends Theme {
  private static final Duration LONG = Duration.ofMinutes(1);

  /** The key that ends what a test has written. */
  private static final String LAST = "~last";

  FeedsContract(ContractGrid grid) {
    super(grid);
  }

  private ChangeFeed<String, String> fromNow() {
    return db.changes(index, FeedOptions.fromNow());
  }

  private static Change<String, String> change(String key, String before, String after) {
    return new Change<>(key, before, after);
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the list copies the array
  private static ChangeSet<String, String> set(Change<String, String>... changes) {
    return new ChangeSet<>(List.of(changes));
  }

  /** All that comes until a write, made now, of the last key. */
  private List<ChangeSet<String, String>> untilNow(ChangeFeed<String, String> feed) {
    write(v -> v.put(LAST, "now"));
    List<ChangeSet<String, String>> told = new ArrayList<>();
    while (true) {
      ChangeSet<String, String> next = feed.next(LONG);
      assertThat(next).as("after %s", told).isNotNull();
      if (next.changes().get(0).key().equals(LAST)) {
        return told;
      }
      told.add(next);
    }
  }

  private Map<String, String> state(TransactionOptions options) {
    return db.<Map<String, String>, RuntimeException>read(
        options,
        tx -> {
          try (Cursor<String, String> cursor = tx.on(index).scan()) {
            Map<String, String> state = new TreeMap<>();
            cursor.forEach(e -> state.put(e.getKey(), e.getValue()));
            return state;
          }
        });
  }

  private static void apply(ChangeSet<String, String> set, Map<String, String> to) {
    for (Change<String, String> change : set.changes()) {
      String before =
          change.after() == null ? to.remove(change.key()) : to.put(change.key(), change.after());
      assertThat(before).as("before %s", change).isEqualTo(change.before());
    }
  }

  @Test
  void tellWhatWasBeforeAndWhatIsSinceThen() {
    try (ChangeFeed<String, String> feed = fromNow()) {
      write(v -> v.put("a", "1"));
      write(v -> v.put("a", "2"));
      write(v -> v.remove("a"));
      write(v -> {
        v.put("c", "1");
        v.put("b", "1");
        v.remove("never");
      });
      Index<String, String> there = texts(other);
      other.run(
          TransactionOptions.DEFAULTS.withAfter(db.token()),
          tx -> {
            tx.on(there).put("b", "2");
            tx.on(there).remove("c");
            tx.on(there).put("d", "");
          });
      db.run(TransactionOptions.DEFAULTS.withAfter(other.token()), tx -> tx.on(index).get("a"));
      assertThat(untilNow(feed))
          .containsExactly(
              set(change("a", null, "1")),
              set(change("a", "1", "2")),
              set(change("a", "2", null)),
              set(change("b", null, "1"), change("c", null, "1")),
              set(change("b", "1", "2"), change("c", "1", null), change("d", null, "")));
      assertThat(feed.next(Duration.ZERO)).isNull();
      assertThat(feed.next(Duration.ofMillis(20))).isNull();
    }
  }

  @Test
  void tellATransactionOfManyKeysWhole() {
    try (ChangeFeed<String, String> feed = fromNow()) {
      letters();
      List<ChangeSet<String, String>> told = untilNow(feed);
      assertThat(told).hasSize(1);
      assertThat(told.get(0).changes())
          .hasSize(26)
          .startsWith(change("a", null, "A"))
          .endsWith(change("z", null, "Z"));
    }
  }

  @Test
  void tellNothingElse() {
    Index<String, String> foreign = db.index(name + "-other", Codec.string(), Codec.string());
    letters();
    try (ChangeFeed<String, String> feed = fromNow()) {
      untilNow(feed); // perhaps the letters
      db.run(tx -> tx.on(foreign).put("a", "1"));
      try (Transaction tx = db.begin()) {
        tx.on(index).put("a", "2");
      }
      db.read(tx -> tx.on(index).get("a"));
      write(v -> v.remove("never"));
      assertThat(untilNow(feed)).isEmpty();
    }
  }

  @Test
  void tellNothingOfSplitsAndMoves() throws InterruptedException {
    letters();
    try (ChangeFeed<String, String> feed = fromNow()) {
      untilNow(feed); // perhaps the letters
      IndexStructure structure = db.structure(name);
      Set<String> nodes = new HashSet<>();
      db.indexes().forEach(any -> db.structure(any).subtrees().forEach(s -> nodes.add(s.node())));
      nodes.remove("");
      structure.split("hh".getBytes(StandardCharsets.UTF_8));
      int moves = 0;
      for (int i = 0; i < 100 && moves == 0; i++) { // the balance may be in the way
        TimeUnit.MILLISECONDS.sleep(10L * i);
        moves = moved(structure, nodes);
      }
      assertThat(moves).isPositive();
      write(v -> v.put("b", "moved"));
      assertThat(untilNow(feed)).containsExactly(set(change("b", "B", "moved")));
    }
  }

  /** Moves each subtree to another node, and counts those that went there. */
  private static int moved(IndexStructure structure, Set<String> nodes) {
    int moves = 0;
    for (Subtree subtree : structure.subtrees()) {
      for (String node : nodes) {
        if (!node.equals(subtree.node())) {
          StructureChange.State state = structure.move(subtree.from(), node).state();
          moves += state == StructureChange.State.DONE ? 1 : 0;
        }
      }
    }
    return moves;
  }

  @Test
  void tellTheChangesOfARange() {
    FeedOptions<String> options = FeedOptions.<String>fromNow().in(Range.atLeast("c"));
    try (ChangeFeed<String, String> feed = db.changes(index, options)) {
      write(v -> v.put("a", "1"));
      write(v -> {
        v.put("b", "1");
        v.put("c", "1");
      });
      assertThat(untilNow(feed)).containsExactly(set(change("c", null, "1")));
    }
  }

  @Test
  void goOnAfterASnapshot() {
    letters();
    db.snapshot(name);
    Map<String, String> copy = state(TransactionOptions.DEFAULTS.at(name));
    write(v -> v.remove("a"));
    write(v -> v.put("b", "2"));
    write(v -> v.put("a", "again"));
    try (ChangeFeed<String, String> feed = db.changes(index, FeedOptions.since(name))) {
      List<ChangeSet<String, String>> told = untilNow(feed);
      assertThat(told)
          .containsExactly(
              set(change("a", "A", null)),
              set(change("b", "B", "2")),
              set(change("a", null, "again")));
      db.dropSnapshot(name);
      told.forEach(change -> apply(change, copy));
      copy.put(LAST, "now");
      assertThat(copy).isEqualTo(state(TransactionOptions.DEFAULTS));
    }
    refused(ErrorCode.UNKNOWN_SNAPSHOT, () -> db.changes(index, FeedOptions.since(name)));
  }

  @Test
  void goOnSinceATime() {
    Instant then = Instant.now();
    letters();
    try (ChangeFeed<String, String> feed = db.changes(index, FeedOptions.since(then))) {
      assertThat(untilNow(feed)).hasSize(1);
    }
  }

  @Test
  void goOnAfterAPositionAtAnyHandle() {
    Index<String, String> there = texts(other);
    FeedPosition position;
    try (ChangeFeed<String, String> feed = fromNow()) {
      write(v -> v.put("a", "1"));
      assertThat(untilNow(feed)).containsExactly(set(change("a", null, "1")));
      position = FeedPosition.parse(feed.position().toString());
      assertThat(position.index()).isEqualTo(name);
    }
    write(v -> v.put("a", "2"));
    write(v -> v.put("a", "3"));
    try (ChangeFeed<String, String> feed = other.changes(there, FeedOptions.after(position))) {
      List<ChangeSet<String, String>> told = untilNow(feed);
      assertThat(told).endsWith(set(change("a", "1", "2")), set(change("a", "2", "3")));
      assertThat(other.<String, RuntimeException>read(tx -> tx.on(there).get(LAST)))
          .as("a handle sees what its feeds have told")
          .isEqualTo("now");
    }
  }

  @Test
  void tellTheChangesOfAKeyInTheirOrder() {
    Index<String, String> there = texts(other);
    try (ChangeFeed<String, String> feed = fromNow()) {
      CompletableFuture<Void> others = CompletableFuture.runAsync(() -> add(other, there, "b"));
      add(db, index, "a");
      others.join();
      db.run(TransactionOptions.DEFAULTS.withAfter(other.token()), tx -> tx.on(index).get("n"));
      Map<String, String> copy = new TreeMap<>();
      List<ChangeSet<String, String>> told = untilNow(feed);
      told.forEach(set -> apply(set, copy));
      assertThat(told).hasSize(40);
      assertThat(copy).isEqualTo(Map.of("n", "40", "a", "20", "b", "20"));
    }
  }

  private static void add(Canopy handle, Index<String, String> to, String own) {
    for (int i = 0; i < 20; i++) {
      handle.run(tx -> {
        for (String key : List.of("n", own)) {
          String n = tx.on(to).get(key);
          tx.on(to).put(key, Integer.toString(n == null ? 1 : Integer.parseInt(n) + 1));
        }
      });
    }
  }

  @Test
  void refuseWhatCannotBe() {
    ChangeFeed<String, String> feed = fromNow();
    refused(ErrorCode.INVALID_ARGUMENT, () -> feed.next(Duration.ofNanos(-1)));
    refused(ErrorCode.INVALID_ARGUMENT, () -> feed.next(Duration.ofHours(2)));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> feed.next(null));
    Thread.currentThread().interrupt();
    refused(ErrorCode.INTERRUPTED, () -> feed.next(LONG));
    assertThat(Thread.interrupted()).isTrue();
    FeedPosition position = feed.position();
    feed.close();
    feed.close();
    refused(ErrorCode.TRANSACTION_CLOSED, () -> feed.next(LONG));
    Index<String, String> another = db.index(name + "-other", Codec.string(), Codec.string());
    refused(ErrorCode.INVALID_TOKEN, () -> db.changes(another, FeedOptions.after(position)));
    refused(ErrorCode.INVALID_TOKEN, () -> FeedPosition.parse(db.token().toString()));
    Index<String, String> foreign = texts(other);
    refused(ErrorCode.FOREIGN_INDEX, () -> db.changes(foreign, FeedOptions.fromNow()));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.changes(null, FeedOptions.fromNow()));
    refused(ErrorCode.NULL_NOT_ALLOWED, () -> db.changes(index, null));
    refused(ErrorCode.INVALID_ARGUMENT, () -> FeedOptions.since(""));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.changes(index, FeedOptions.since("no name")));
    refused(ErrorCode.INVALID_ARGUMENT, () -> db.changes(index, FeedOptions.since("@")));
  }

  @Test
  void endWithTheirIndex() throws InterruptedException {
    FeedPosition position;
    try (ChangeFeed<String, String> feed = fromNow()) {
      write(v -> v.put("a", "1"));
      assertThat(untilNow(feed)).hasSize(1);
      position = feed.position();
      other.dropIndex(name);
      // Each node knows after a moment.
      for (int i = 0; i < 1_000 && isTold(feed); i++) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      refused(ErrorCode.UNKNOWN_INDEX, () -> feed.next(LONG));
      refused(ErrorCode.UNKNOWN_INDEX, () -> db.changes(index, FeedOptions.fromNow()));
    }
    Index<String, String> again = texts(db);
    refused(ErrorCode.UNKNOWN_INDEX, () -> db.changes(again, FeedOptions.after(position)));
    try (ChangeFeed<String, String> feed = db.changes(again, FeedOptions.fromNow())) {
      db.run(tx -> tx.on(again).put("a", "2"));
      assertThat(feed.next(LONG)).isEqualTo(set(change("a", null, "2")));
    }
  }

  private static boolean isTold(ChangeFeed<String, String> feed) {
    try {
      feed.next(Duration.ZERO);
      return true;
    } catch (CanopyException e) {
      return false;
    }
  }
}
