package io.canopygrid.engine;

import io.canopygrid.CanopyException;
import io.canopygrid.CloneSource;
import io.canopygrid.GridInfo;
import io.canopygrid.IndexClone;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.NamedSnapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The store below a handle, which runs callers' transactions on encoded keys and values, in this
 * JVM or over the network. All errors are {@link CanopyException}s. Thread-safe.
 */
public interface Engine extends AutoCloseable {
  /** Time and chance, in which deadlines are given. */
  Pace pace();

  /** Records the steps of some transactions of the handle. */
  default StepRecorder recorder() {
    return StepRecorder.NONE;
  }

  /** The grid: that of the node, or of the servers. */
  GridInfo grid();

  /**
   * The index of a name, created where there is none, with the codecs that it was created with. The
   * caller checks whether these are the codecs that it asked for.
   */
  OpenIndex open(EntryCodec<?, ?> entries, IndexOptions options);

  /**
   * The index of a name, which is not created; where there is none, the last one that had the name
   * and was dropped, as long as a snapshot in use may have it. Such a one is not {@linkplain
   * OpenIndex#isCurrent current}.
   *
   * @throws CanopyException {@link io.canopygrid.ErrorCode#UNKNOWN_INDEX}
   */
  OpenIndex find(EntryCodec<?, ?> entries);

  /**
   * Whether an index that was opened before has its name still. In contrast to {@link
   * OpenIndex#isCurrent} this may ask, where the engine is not told of what others drop.
   */
  default boolean isStill(OpenIndex index) {
    return index.isCurrent();
  }

  /**
   * Checks whether indexes can be dropped, before something is begun that cannot end without it.
   *
   * @throws CanopyException {@link io.canopygrid.ErrorCode#PROTOCOL_ERROR} where a server is of a
   *     release that cannot
   */
  default void checkDrops() {}

  /** Drops the index of a name; whether there was one. */
  boolean dropIndex(String name);

  /** Drops an index that was opened, and no other one of its name; whether it was there still. */
  boolean drop(OpenIndex index);

  /** Drops a table with all indexes of which it is made; whether there was one. */
  boolean dropTable(String name);

  /** The names of all indexes, sorted. */
  List<String> indexes();

  /** The structure of an index: how it is cut and placed. */
  IndexStructure structure(String name);

  /** Begins a transaction. */
  EngineTransaction begin(Begin how);

  /**
   * Runs a registered function where its place is.
   *
   * @return null: the place is here, and the caller is to run the function
   */
  default @Nullable FunctionResult execute(FunctionRequest request) {
    return null;
  }

  /**
   * Checks whether a handle of this engine can register functions.
   *
   * @throws CanopyException where they cannot, with what to do instead
   */
  default void checkRegisters() {}

  /** The sizes of the transactions that build and drop the indexes of tables. */
  default TableBatches tableBatches() {
    return TableBatches.OF_CLIENT;
  }

  /**
   * The changes of an index from a position on.
   *
   * @throws CanopyException {@link io.canopygrid.ErrorCode#UNKNOWN_SNAPSHOT}, {@link
   *     io.canopygrid.ErrorCode#CHANGES_LOST}
   */
  EngineFeed changes(OpenIndex index, FeedStart start);

  /**
   * Makes a clone.
   *
   * @throws CanopyException {@link io.canopygrid.ErrorCode#UNKNOWN_INDEX}, {@link
   *     io.canopygrid.ErrorCode#INDEX_EXISTS}, {@link io.canopygrid.ErrorCode#UNKNOWN_SNAPSHOT},
   *     {@link io.canopygrid.ErrorCode#CLONE_TOO_DEEP}
   */
  IndexClone cloneIndex(String name, CloneSource source);

  /** All clones, by name. */
  List<IndexClone> clones();

  /**
   * Copies some entries of its parents into a clone. The last step ends that it is a clone. An
   * index that is none needs no step.
   *
   * @param number of the index that the steps before were of; 0: this is the first one
   * @throws CanopyException {@link io.canopygrid.ErrorCode#UNKNOWN_INDEX}, also where another index
   *     has the name by now
   */
  FlattenStep flatten(String name, int number);

  /** The transactions that commit in two steps. */
  PreparedTransactions prepared();

  /** Takes a named snapshot. */
  NamedSnapshot snapshot(String name);

  /** All named snapshots, by name. */
  List<NamedSnapshot> snapshots();

  /** Drops a named snapshot; whether there was one. */
  boolean dropSnapshot(String name);

  /** Frees everything; calls that wait end in {@link io.canopygrid.ErrorCode#CANOPY_CLOSED}. */
  @Override
  void close();
}
