package io.canopygrid.it.contract;

import io.canopygrid.Canopy;
import io.canopygrid.ErrorCode;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A cluster of three nodes under test, and what the suite has called and provoked so far. */
abstract class ContractGrid implements AutoCloseable {
  /** For how long states of the past can be read. */
  static final Duration RETENTION = Duration.ofMinutes(10);

  private final CalledMethods called = new CalledMethods();
  private final Set<ErrorCode> provoked = ConcurrentHashMap.newKeySet();

  /**
   * A handle that lives as long as the grid; each with a session of its own.
   *
   * @param i 0 to 2
   */
  final Canopy handle(int i) {
    return called.watch(open(i));
  }

  /**
   * Another handle of the same kind, which the test closes. The handle may have data of its own.
   */
  final Canopy fresh() {
    return called.watch(openFresh());
  }

  /** The same handle for each number. */
  abstract Canopy open(int i);

  /** A new handle. */
  abstract Canopy openFresh();

  /** Provokes, by {@link Refusal#expect}, the errors that only this kind of access has. */
  abstract void provokeOwnErrors();

  /** The codes that no caller sees in this suite, and why. */
  abstract Map<ErrorCode, String> notProvoked();

  final void provoked(ErrorCode code) {
    provoked.add(code);
  }

  final Set<ErrorCode> provoked() {
    return provoked;
  }

  final CalledMethods called() {
    return called;
  }

  @Override
  public abstract void close();
}
