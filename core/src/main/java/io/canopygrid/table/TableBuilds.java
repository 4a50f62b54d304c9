package io.canopygrid.table;

import io.canopygrid.Canopy;
import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexState;
import io.canopygrid.Transaction;
import io.canopygrid.TransactionOptions;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineView;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.engine.TableBatches;
import io.canopygrid.job.JobReport;
import io.canopygrid.job.JobTeller;
import io.canopygrid.typed.OpenTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Builds and drops the indexes of a table, in bounded transactions.
 *
 * <p>Every transaction that writes rows reads the table's definitions, and is refused where it does
 * not know an index that has entries: it runs again, and maintains that. So the entries of an index
 * are created first, which makes all later writers know it. The older rows are then added batch by
 * batch. A batch reads its rows, and so conflicts with writers of these rows; it notes how far it
 * got, so that any handle can go on. Dropping has steps too: writers stop maintaining the index
 * with the first commit, then its entries are dropped as any index of the grid is, and at last the
 * table forgets it.
 */
final class TableBuilds<K, R> {
  /** Of the transactions that build and check. */
  static final TransactionOptions PATIENT =
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
    complete(begin(definition), definition.name());
  }

  /**
   * Makes an index anew: another one takes its place, and is built as any is. Until that is
   * complete, the old one is maintained too, and refuses attributes that other rows have; nobody
   * reads it. If the build fails by a row, the old one is as it was.
   */
  void rebuild(String name) {
    TableState.Kept index = state().find(name);
    if (index == null) {
      throw schema.unknown(name);
    }
    schema.checkDrops(); // or the old entries would be left
    TableState begun =
        canopy.<TableState, RuntimeException>call(
            PATIENT,
            tx -> {
              TypedTableView<K, R> view = view(tx);
              TableState.Kept now = view.state().find(name);
              if (now == null) {
                throw schema.unknown(name);
              }
              schema.definitionOf(now);
              if (now.state() == IndexState.DROPPING) {
                throw schema.mismatch(name, "is being dropped");
              }
              if (now.number() != index.number() || now.state() != IndexState.READY) {
                return view.state(); // somebody else has begun
              }
              TableState rebuilding = view.state().rebuilding(now);
              write(view, rebuilding);
              return rebuilding;
            });
    complete(begun, name);
  }

  /** Goes on with an index until it is ready, and nothing is left of what it replaces. */
  private void complete(TableState begun, String name) {
    TableState.Kept index = Objects.requireNonNull(begun.find(name));
    List<TableState.Kept> replaced = begun.replaced(name);
    if (index.state() == IndexState.BUILDING) {
      try {
        build(index);
      } catch (RuntimeException e) {
        if (isOfARow(e) && isReadyInsteadOfDropped(e, index)) {
          return;
        }
        throw e;
      }
      replaced = ready(index);
    }
    for (TableState.Kept old : replaced) {
      drop(old, TableBuilds::replaced);
    }
  }

  /** Ends a build; what the index has replaced. */
  private List<TableState.Kept> ready(TableState.Kept index) {
    return canopy.<List<TableState.Kept>, RuntimeException>call(
        PATIENT,
        tx -> {
          TypedTableView<K, R> view = view(tx);
          TableState.Kept now = present(view, index);
          if (now.state() == IndexState.BUILDING) {
            write(view, view.state().built(now));
            kept(view).remove(progressKey(index));
          }
          return view.state().replaced(index.name());
        });
  }

  private void build(TableState.Kept index) {
    openEntries(index);
    String rows = schema.rows().name();
    JobTeller job = new JobTeller(canopy, JobReport.Kind.BUILD, rows, index.name(), "rows");
    if (!batches.isTold()) {
      job.mute();
    }
    job.over(() -> addAll(index, job));
  }

  private void addAll(TableState.Kept index, JobTeller job) {
    Optional<byte[]> from = Optional.of(progress(index));
    long total = batches.isTold() ? rowsFrom(from.get()) : JobReport.UNKNOWN;
    int most = batches.rows();
    long added = 0;
    while (from.isPresent()) {
      try {
        Batch batch = addSome(index, from.get(), most);
        from = batch.next();
        added += batch.rows();
        if (from.isPresent()) {
          job.reached(added, total);
        }
      } catch (CanopyException e) {
        if (e.code() != ErrorCode.TRANSACTION_TOO_LARGE || most == 1) {
          throw e;
        }
        most /= 2;
      }
    }
    job.ends(added);
  }

  /** The rows to be added as the table is now; others may come, which their writers add. */
  private long rowsFrom(byte[] from) {
    try {
      return canopy.<Long, RuntimeException>read(
          PATIENT,
          tx -> open(tx).engine().on(schema.rows().opened()).count(KeyRange.of(from, null)));
    } catch (CanopyException e) {
      return JobReport.UNKNOWN; // the build itself says what is wrong
    }
  }

  /**
   * Opens the entries before a transaction looks for rows. From then on all writers of rows
   * maintain the index, so a snapshot that begins later has the rows of all others.
   */
  private void openEntries(TableState.Kept index) {
    try {
      schema.entriesOf(index);
    } catch (CanopyException e) {
      throw e.code() == ErrorCode.UNKNOWN_INDEX ? droppedMeanwhile(index) : e;
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
      if (drop(index, TableBuilds::failed).isDone()) {
        return false;
      }
      TableState.Kept now = state().find(index.name());
      return now != null && now.number() == index.number() && now.state() == IndexState.READY;
    } catch (RuntimeException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /** The table's indexes with the one as it is, which is begun where there is none. */
  private TableState begin(IndexDefinition<R, ?> definition) {
    String name = definition.name();
    return canopy.<TableState, RuntimeException>call(
        PATIENT,
        tx -> {
          TypedTableView<K, R> view = view(tx);
          TableState.Kept found = view.state().find(name);
          if (found == null) {
            TableState next = view.state().with(name, definition.signature());
            write(view, next);
            return next;
          }
          if (found.state() == IndexState.DROPPING) {
            throw schema.mismatch(name, "is being dropped");
          }
          if (!found.signature().equals(definition.signature())) {
            throw schema.mismatch(
                name, "is " + found.signature() + ", not " + definition.signature());
          }
          return view.state();
        });
  }

  /** The key from which on rows are to be added. */
  private byte[] progress(TableState.Kept index) {
    return canopy.<byte[], RuntimeException>read(tx -> {
      byte[] from = schema.keptIn(open(tx)).get(progressKey(index));
      return from == null ? new byte[0] : from;
    });
  }

  /**
   * Rows that were added.
   *
   * @param next from where the next batch begins; empty: there is none
   */
  private record Batch(int rows, Optional<byte[]> next) {}

  /** Adds a batch of rows. */
  private Batch addSome(TableState.Kept index, byte[] from, int most) {
    return canopy.<Batch, RuntimeException>call(
        PATIENT,
        tx -> {
          TypedTableView<K, R> view = view(tx);
          if (present(view, index).state() != IndexState.BUILDING) {
            return new Batch(0, Optional.empty()); // somebody else was faster
          }
          TableEntries<?, K, R> entries = schema.entriesOf(index);
          List<byte[][]> rows = view.some(schema.rows().opened(), from, most);
          rows.forEach(row -> view.add(entries, row[0], row[1]));
          if (rows.size() < most) {
            return new Batch(rows.size(), Optional.empty());
          }
          byte[] next = KeyRange.successor(rows.get(rows.size() - 1)[0]);
          kept(view).put(progressKey(index), next);
          return new Batch(rows.size(), Optional.of(next));
        });
  }

  boolean drop(String name) {
    TableState.Kept index = state().find(name);
    while (index != null) {
      Drop drop = drop(index, (state, found) -> state.dropping(name));
      if (drop.isDone()) {
        for (TableState.Kept other : drop.state().indexes()) {
          if (other.name().equals(name) && other.number() != index.number()) {
            drop(other, (state, found) -> state); // the other one of a rebuild
          }
        }
        return true;
      }
      index = drop.state().find(name); // it was rebuilt or dropped, and not by this call
    }
    return false;
  }

  /**
   * A drop of one index.
   *
   * @param isDone whether it was there to be dropped
   * @param state the table's indexes when it began
   */
  private record Drop(boolean isDone, TableState state) {}

  /** An index that another one has replaced is dropped; before that it is needed. */
  private static TableState replaced(TableState state, TableState.Kept old) {
    TableState.Kept now = state.find(old.name());
    return now != null && now.number() != old.number() && now.state() == IndexState.READY
        ? state.with(old, IndexState.DROPPING)
        : state;
  }

  /** An index whose build has failed is dropped, if nobody else has built it. */
  private static TableState failed(TableState state, TableState.Kept index) {
    return index.state() == IndexState.BUILDING ? state.failed(index) : state;
  }

  /**
   * Drops an index, and no other one of its name.
   *
   * @param begun makes of the table's indexes, and of this one, what they are when the drop has
   *     begun; where this one is not {@link IndexState#DROPPING} then, it stays
   */
  private Drop drop(
      TableState.Kept index, BiFunction<TableState, TableState.Kept, TableState> begun) {
    schema.checkDrops(); // or the index would be left half dropped
    // Found before the table is asked: later it could be that of a table created anew.
    OpenIndex storage = schema.storageOf(index);
    Drop drop = canopy.<Drop, RuntimeException>call(PATIENT, tx -> begin(view(tx), index, begun));
    if (!drop.isDone()) {
      return drop;
    }
    if (storage != null) {
      schema.drop(storage);
    }
    canopy.run(
        PATIENT,
        tx -> {
          TypedTableView<K, R> view = view(tx);
          TableState.Kept now = view.state().find(index.number());
          if (now != null) {
            write(view, view.state().with(now, null));
            kept(view).remove(progressKey(index));
          }
        });
    schema.dropped(index);
    return drop;
  }

  private Drop begin(
      TypedTableView<K, R> view,
      TableState.Kept index,
      BiFunction<TableState, TableState.Kept, TableState> begun) {
    TableState.Kept found = view.state().find(index.number());
    if (found == null) {
      return new Drop(false, view.state());
    }
    TableState next = begun.apply(view.state(), found);
    if (!next.equals(view.state())) {
      write(view, next);
    }
    TableState.Kept now = next.find(index.number());
    return new Drop(now != null && now.state() == IndexState.DROPPING, next);
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
      throw droppedMeanwhile(index);
    }
    return now;
  }

  private CanopyException droppedMeanwhile(TableState.Kept index) {
    return schema.mismatch(index.name(), "was dropped while it was built");
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
