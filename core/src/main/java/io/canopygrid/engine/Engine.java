package io.canopygrid.engine;

import io.canopygrid.CanopyException;
import io.canopygrid.IndexOptions;
import io.canopygrid.IndexStructure;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.runtime.EngineCanopy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link EngineCanopy} runs callers' transactions on: encoded keys and values, in this JVM or
 * over the network. Everything that goes wrong is a {@link CanopyException}. Thread-safe.
 */
public interface Engine extends AutoCloseable {
  /** Time and chance, in which deadlines are given. */
  Pace pace();

  /**
   * The index of a name, created where there is none, with the codecs that it was created with;
   * whether they are those asked for is the caller's to check.
   */
  OpenIndex open(EntryCodec<?, ?> entries, IndexOptions options);

  /** The names of all indexes, sorted. */
  List<String> indexes();

  /** How the index of a name is cut and placed. */
  IndexStructure structure(String name);

  /** Begins a transaction. */
  EngineTransaction begin(Begin how);

  /**
   * Runs a registered function where its place is.
   *
   * @return null: that is here, and the caller is to run it
   */
  default @Nullable FunctionResult execute(FunctionRequest request) {
    return null;
  }

  /**
   * Checks whether functions can be registered with a handle of this engine.
   *
   * @throws CanopyException where they cannot, with what to do instead
   */
  default void checkRegisters() {}

  /** Takes a named snapshot. */
  NamedSnapshot snapshot(String name);

  /** All named snapshots, by name. */
  List<NamedSnapshot> snapshots();

  /** Drops a named snapshot; whether there was one. */
  boolean dropSnapshot(String name);

  /** Frees everything; what waits ends in {@link io.canopygrid.ErrorCode#CANOPY_CLOSED}. */
  @Override
  void close();
}
