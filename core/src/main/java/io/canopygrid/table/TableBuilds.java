package io.canopygrid.table;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineScan;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.typed.OpenTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds and drops the indexes of a table, in bounded transactions.
 *
 * <p>Every transaction that writes rows reads the table's definitions, so it conflicts with a
 * change of them and runs again: all writers maintain an index from the commit that begins it. The
 * older rows are then added batch by batch. A batch reads its rows, and so conflicts with writers
 * of these rows; it notes how far it got, so that any handle can go on. Dropping has steps too:
 * writers stop maintaining the index with the first commit, then its entries are dropped as any
 * index of the grid is, and at last the table forgets it.
 */
final class TableBuilds<K, R> {

  private static final TransactionOptions PATIENT =
      TransactionOptions.labelled("canopy.table")
          .withTimeout(Duration.ofMinutes(5))
          .withMaxAttempts(TransactionOptions.MAX_ATTEMPTS_MOST);

  private final Canopy canopy;
  private final TableSchema<K, R> schema;
  private final TableBatches batches;

  TableBuilds(Canopy canopy, TableSchema<K, R> schema, TableBatches batches) {
    this.canopy = canopy;
    this.schema = schema;
    this.batches = batches;
  }

  TableState state() {
    return canopy.<TableState, RuntimeException>read(tx -> schema.stateIn(open(tx)));
  }

  void create(IndexDefinition<R, ?> definition) {
    boolean unknown = state().find(definition.name()) == null;
    if (unknown) {
      schema.forget(definition.name());
    }
    schema.declare(definition);
    TableState.Kept index = begin(definition);
    if (index.state() == IndexState.READY) {
      return;
    }
    try {
      build(index);
    } catch (RuntimeException e) {
      if (isOfARow(e) && isReadyInsteadOfDropped(e, index)) {
        return;
      }
      throw e;
    }
    canopy.run(
        PATIENT,
        tx -> {
          TypedTableView<K, R> view = view(tx);
          TableState.Kept now = present(view, index);
          if (now.state() == IndexState.BUILDING) {
            write(view, view.state().with(now, IndexState.READY));
            kept(view).remove(progressKey(index));
          }
        });
  }

  private void build(TableState.Kept index) {
    Optional<byte[]> from = Optional.of(progress(index));
    int most = batches.rows();
    while (from.isPresent()) {
      try {
        from = addSome(index, from.get(), most);
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.TRANSACTION_TOO_LARGE || most == 1) {
          throw e;
        }
        most /= 2;
      }
    }
  }

  /**
   * Whether a build has failed by a row that cannot be in the index, or by the definition's own
   * functions. Another call would fail as well, and the row's writers do until then. After any
   * other error the grid may have the rest of the build to do.
   */
  private static boolean isOfARow(RuntimeException e) {
    return !(e instanceof CanopyException coded)
        || switch (coded.code()) {
          case UNIQUE_VIOLATION,
              KEY_TOO_LARGE,
              VALUE_TOO_LARGE,
              NULL_NOT_ALLOWED,
              INVALID_ARGUMENT,
              TRANSACTION_TOO_LARGE,
              CODEC_FAILURE ->
              true;
          default -> false;
        };
  }

  /**
   * Drops the index whose build has failed, and no later one of its name. If another caller has
   * built it to its end meanwhile, it stays, and this build has not failed either.
   */
  private boolean isReadyInsteadOfDropped(RuntimeException failure, TableState.Kept index) {
    try {
      if (drop(index, false)) {
        return false;
      }
      TableState.Kept now = state().find(index.name());
      return now != null && now.number() == index.number() && now.state() == IndexState.READY;
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /** The index as it is, which is begun where there is none. */
  private TableState.Kept begin(IndexDefinition<R, ?> definition) {
    String name = definition.name();
    return canopy.<TableState.Kept, RuntimeException>call(
        PATIENT,
        tx -> {
          TypedTableView<K, R> view = view(tx);
          TableState.Kept found = view.state().find(name);
          if (found == null) {
            TableState next = view.state().with(name, definition.signature());
            write(view, next);
            return next.indexes().get(next.indexes().size() - 1);
          }
          if (found.state() == IndexState.DROPPING) {
            throw schema.mismatch(name, "is being dropped");
          }
          if (!found.signature().equals(definition.signature())) {
            throw schema.mismatch(
                name, "is " + found.signature() + ", not " + definition.signature());
          }
          return found;
        });
  }

  /** The key from which on rows are to be added. */
  private byte[] progress(TableState.Kept index) {
    return canopy.<byte[], RuntimeException>read(tx -> {
      byte[] from = schema.keptIn(open(tx)).get(progressKey(index));
      return from == null ? new byte[0] : from;
    });
  }

  /** Adds a batch of rows; from where the next one begins, if there is one. */
  private Optional<byte[]> addSome(TableState.Kept index, byte[] from, int most) {
    return canopy.<Optional<byte[]>, RuntimeException>call(
        PATIENT,
        tx -> {
          TypedTableView<K, R> view = view(tx);
          if (present(view, index).state() != IndexState.BUILDING) {
            return Optional.empty(); // somebody else was faster
          }
          TableEntries<?, K, R> entries = schema.entriesOf(index);
          List<byte[][]> rows = some(view, schema.rows().opened(), from, most);
          rows.forEach(row -> view.add(entries, row[0], row[1]));
          if (rows.size() < most) {
            return Optional.empty();
          }
          byte[] next = KeyRange.successor(rows.get(rows.size() - 1)[0]);
          kept(view).put(progressKey(index), next);
          return Optional.of(next);
        });
  }

  boolean drop(String name) {
    TableState.Kept index = state().find(name);
    return index != null && drop(index, true);
  }

  /**
   * Drops an index, and no other one of its name.
   *
   * @param alsoReady whether it is dropped where it is ready, too
   * @return whether it was there to be dropped
   */
  private boolean drop(TableState.Kept index, boolean alsoReady) {
    schema.checkDrops(); // or the index would be left half dropped
    // Found before the table is asked: later it could be that of a table created anew.
    OpenIndex storage = schema.storageOf(index);
    boolean dropping =
        canopy.<Boolean, RuntimeException>call(
            PATIENT,
            tx -> {
              TypedTableView<K, R> view = view(tx);
              TableState.Kept found = view.state().find(index.name());
              if (found == null
                  || found.number() != index.number()
                  || (found.state() == IndexState.READY && !alsoReady)) {
                return false;
              }
              if (found.state() != IndexState.DROPPING) {
                write(view, view.state().with(found, IndexState.DROPPING));
              }
              return true;
            });
    if (!dropping) {
      return false;
    }
    if (storage != null) {
      schema.drop(storage);
    }
    canopy.run(
        PATIENT,
        tx -> {
          TypedTableView<K, R> view = view(tx);
          TableState.Kept now = view.state().find(index.name());
          if (now != null && now.number() == index.number()) {
            write(view, view.state().with(now, null));
            kept(view).remove(progressKey(index));
          }
        });
    schema.dropped(index);
    return true;
  }

  /** Keys and values from a key on. */
  private static List<byte[][]> some(
      TypedTableView<?, ?> view, OpenIndex index, byte[] from, int most) {
    List<byte[][]> some = new ArrayList<>(most);
    EngineScan scan =
        view.transaction.engine().on(index).scan(KeyRange.of(from, null), false, most);
    while (scan.advance()) {
      some.add(new byte[][] {scan.key(), scan.value()});
    }
    return some;
  }

  private TypedTableView<K, R> view(Transaction tx) {
    return new TypedTableView<>(open(tx), schema);
  }

  /** The transactions of the handle that the table is of are all {@link OpenTransaction}s. */
  private static OpenTransaction open(Object tx) {
    return (OpenTransaction) tx;
  }

  /** The index as it is now; it must be the one that was begun. */
  private TableState.Kept present(TypedTableView<K, R> view, TableState.Kept index) {
    TableState.Kept now = view.state().find(index.name());
    if (now == null || now.number() != index.number() || now.state() == IndexState.DROPPING) {
      throw schema.mismatch(index.name(), "was dropped while it was built");
    }
    return now;
  }

  private EngineView kept(TypedTableView<K, R> view) {
    return schema.keptIn(view.transaction);
  }

  private void write(TypedTableView<K, R> view, TableState state) {
    schema.write(view.transaction, state);
  }

  private byte[] progressKey(TableState.Kept index) {
    return schema.keptKey("progress." + index.number());
  }
}
