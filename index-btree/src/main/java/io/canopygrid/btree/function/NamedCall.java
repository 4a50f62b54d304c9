package io.canopygrid.btree.function;

import io.canopygrid.ReadFrom;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.engine.Mode;
import io.canopygrid.wire.CommitId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a registered function, as another node or a client asks for it: under a name, which is
 * that of its commit. A call that is sent twice under one name takes effect once.
 *
 * @param function the name under which the function is registered
 * @param place the key that decided where the call was sent; null: none
 * @param how how its transaction begins
 * @param attemptsMax how often the function is run at most
 * @param commit the name
 * @param forget names of earlier calls whose outcome will not be asked for any more
 */
public record NamedCall(
    String function,
    byte[] arguments,
    @Nullable Place place,
    How how,
    int attemptsMax,
    CommitId commit,
    List<CommitId> forget) {
  /** Copies the list. */
  public NamedCall {
    forget = List.copyOf(forget);
  }

  /** A key of the index that has a number. */
  public record Place(int index, byte[] key) {}

  /**
   * The way in which the transaction of a call begins: in the present.
   *
   * @param timeoutMillis how long it may take from the moment at which it is run
   * @param label names it in statistics and in the errors of others
   * @param after the clock of what it must see
   */
  public record How(
      Mode mode, ReadFrom readFrom, long timeoutMillis, String label, VectorClock after) {}
}
