package io.canopygrid.it.contract;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.ErrorCode;
import io.canopygrid.Index;
import io.canopygrid.IndexOptions;
import io.canopygrid.MutableView;
import io.canopygrid.ReadView;
import io.canopygrid.TransactionOptions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.NullUnmarked;

/**
 * The common parts of the contract's themes: each theme has an index of its own, in subtrees of
 * four entries.
 */
@NullUnmarked // bodies return null, and answers are compared as they are
abstract class Theme {
  private static final AtomicInteger INDEXES = new AtomicInteger();
  private static final IndexOptions SMALL = IndexOptions.DEFAULTS.withSubtreeEntriesMax(4);

  final ContractGrid grid;
  final Canopy db;

  /** Through another node. */
  final Canopy other;

  /** New for each test; its keys are seen by no other one. */
  final String name = "contract" + INDEXES.incrementAndGet();

  final Index<String, String> index;

  Theme(ContractGrid grid) {
    this.grid = grid;
    this.db = grid.handle(0);
    this.other = grid.handle(1);
    this.index = texts(db);
  }

  /** This test's index at a handle. */
  final Index<String, String> texts(Canopy handle) {
    return handle.index(name, Codec.string(), Codec.string(), SMALL);
  }

  /** Work on a view. */
  interface Action<V> {
    void on(V view) throws RuntimeException;
  }

  final CanopyException refused(ErrorCode code, ThrowingCallable action) {
    return Refusal.expect(grid, code, action);
  }

  final void write(Action<MutableView<String, String>> action) {
    db.run(tx -> action.on(tx.on(index)));
  }

  final void read(Action<ReadView<String, String>> action) {
    db.read(tx -> {
      action.on(tx.on(index));
      return null;
    });
  }

  /** A transaction on another thread, so that it can be run within a body. */
  final void overwrite(String key, String value) {
    db.runAsync(tx -> tx.on(index).put(key, value)).toCompletableFuture().join();
  }

  final String get(String key) {
    return db.<String, RuntimeException>read(tx -> tx.on(index).get(key));
  }

  /** The value that the other handle finds, when it must see all that this one has. */
  final String getThere(String key) {
    Index<String, String> there = texts(other);
    return other.<String, RuntimeException>read(
        TransactionOptions.DEFAULTS.withAfter(db.token()), tx -> tx.on(there).get(key));
  }

  final List<Map.Entry<String, String>> all() {
    return db.<List<Map.Entry<String, String>>, RuntimeException>read(tx -> {
      try (Cursor<String, String> c = tx.on(index).scan()) {
        return c.stream().toList();
      }
    });
  }

  /** The alphabet, each with its capital. */
  final void letters() {
    write(v -> {
      for (char c = 'a'; c <= 'z'; c++) {
        v.put(String.valueOf(c), String.valueOf(Character.toUpperCase(c)));
      }
    });
  }

  static List<String> keys(Cursor<String, String> cursor) {
    try (cursor) {
      return cursor.keys().toList();
    }
  }
}
