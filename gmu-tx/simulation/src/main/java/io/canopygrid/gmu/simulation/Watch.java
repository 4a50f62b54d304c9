package io.canopygrid.gmu.simulation;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The things that are wanted of a run besides its result.
 *
 * @param traced whether the result has every event
 * @param historyReader is given what the clients saw, at the end; null: nobody wants it
 */
public record Watch(boolean traced, @Nullable Consumer<List<HistoryEntry>> historyReader) {
  /** The result alone. */
  public static final Watch RESULT = new Watch(false, null);

  /** Every event. */
  public static final Watch TRACE = new Watch(true, null);

  /** Asks for what the clients saw. */
  public static Watch history(Consumer<List<HistoryEntry>> reader) {
    return new Watch(false, reader);
  }
}
