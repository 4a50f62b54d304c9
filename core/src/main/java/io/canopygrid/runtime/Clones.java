package io.canopygrid.runtime;

import io.canopygrid.CanopyException;
import io.canopygrid.CloneSource;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexClone;
import io.canopygrid.engine.Engine;
import io.canopygrid.engine.FlattenStep;
import io.canopygrid.engine.TablePart;
import io.canopygrid.names.IndexNames;
import io.canopygrid.names.SnapshotNames;
import java.util.function.LongConsumer;

/** Clones through a handle: checks arguments, and flattens step by step. Thread-safe. */
final class Clones {
  private final Engine engine;
  private final Runnable open;

  /**
   * The clones of an engine.
   *
   * @param open throws where the handle is closed
   */
  Clones(Engine engine, Runnable open) {
    this.engine = engine;
    this.open = open;
  }

  IndexClone make(String name, CloneSource source) {
    TablePart.check(IndexNames.checked(name));
    CallChecks.notNull("the source", source);
    TablePart.check(IndexNames.checked(source.index()));
    SnapshotNames.checkedState(source.snapshot());
    return engine.cloneIndex(name, source);
  }

  long flatten(String name, LongConsumer progress) {
    TablePart.check(IndexNames.checked(name));
    CallChecks.notNull("the progress", progress);
    long copied = 0;
    int number = 0;
    boolean isOver = false;
    while (!isOver) {
      open.run();
      if (Thread.currentThread().isInterrupted()) {
        throw new CanopyException(
            ErrorCode.INTERRUPTED, "the thread was interrupted; what is copied stays copied");
      }
      FlattenStep step = engine.flatten(name, number);
      number = step.number();
      copied += step.copied();
      progress.accept(copied);
      isOver = step.isLast();
    }
    return copied;
  }
}
