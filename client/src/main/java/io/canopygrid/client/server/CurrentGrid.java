package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.CommitState;
import io.canopygrid.ErrorCode;
import io.canopygrid.GridId;
import io.canopygrid.GridInfo;
import io.canopygrid.client.netty.Connection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The grid whose indexes, clocks and commits this handle knows. It changes when no server of it can
 * be reached and one of another grid can. All that was under way then fails, since nothing that it
 * has seen is in the new grid; what begins later is told of the change once, unless a failure has
 * told it. Thread-safe.
 */
public final class CurrentGrid {
  private final List<Consumer<GridId>> listeners = new CopyOnWriteArrayList<>();

  private volatile @Nullable GridInfo present;

  /** The grid before this one, if no caller has been told of the change. Guarded by this object. */
  private @Nullable GridInfo untold;

  /**
   * No grid is known yet.
   *
   * @param session hears of each grid that this becomes
   */
  CurrentGrid(Consumer<GridId> session) {
    listeners.add(session);
  }

  /** Names a listener that hears of each grid that this becomes, on a thread that must not wait. */
  void onChange(Consumer<GridId> listener) {
    listeners.add(listener);
  }

  /** The grid; known from the first connection on. */
  public GridInfo present() {
    return Objects.requireNonNull(present, "no server has been reached yet");
  }

  /** The id to be said to servers; null: none is known. */
  @Nullable GridId known() {
    GridInfo grid = present;
    return grid == null ? null : grid.id();
  }

  /** Whether a server is of this grid, which the first one that is reached decides. */
  boolean accepts(Connection connection) {
    GridInfo grid = present;
    return grid == null ? begins(connection.grid()) : grid.id().equals(connection.grid().id());
  }

  private synchronized boolean begins(GridInfo first) {
    if (present == null) {
      listeners.forEach(listener -> listener.accept(first.id()));
      present = first;
    }
    return present().id().equals(first.id());
  }

  /** From now on the handle is of another grid. */
  synchronized void becomes(GridInfo next) {
    untold = present();
    // In this order: what begins between the two is of the former grid, and fails.
    present = next;
    listeners.forEach(listener -> listener.accept(next.id()));
  }

  /**
   * Tells the caller of a change, where nobody has been told.
   *
   * @throws CanopyException {@link ErrorCode#GRID_CHANGED}
   */
  public synchronized void tell() {
    GridInfo former = untold;
    if (former != null) {
      untold = null;
      throw changed(former.toString(), present());
    }
  }

  /**
   * Checks that the handle is of a grid still.
   *
   * @param wanted the grid in which the caller began; null: any
   * @throws CanopyException {@link ErrorCode#GRID_CHANGED}
   */
  public void check(@Nullable GridId wanted) {
    GridInfo grid = present();
    if (wanted != null && !wanted.equals(grid.id())) {
      throw changedFrom(wanted, grid);
    }
  }

  /**
   * Checks that a server is of the grid in which the caller began.
   *
   * @throws CanopyException {@link ErrorCode#GRID_CHANGED}
   */
  public void check(@Nullable GridId wanted, Connection connection) {
    if (wanted != null && !wanted.equals(connection.grid().id())) {
      throw changedFrom(wanted, connection.grid());
    }
  }

  private synchronized CanopyException changedFrom(GridId former, GridInfo next) {
    untold = null;
    return changed("grid " + former, next);
  }

  private static CanopyException changed(String former, GridInfo next) {
    return new CanopyException(
        ErrorCode.GRID_CHANGED,
        String.format(
            Locale.ROOT,
            "the servers are of %s now: no server of %s can be reached any more",
            next,
            former),
        CommitState.NOT_COMMITTED,
        null,
        null,
        Map.of("grid", next.id().toString()));
  }

  /** The reason why nobody can tell the outcome of a commit of a grid, in words; may be empty. */
  public String whyUnknown(@Nullable GridId of) {
    GridInfo grid = present();
    return of == null || of.equals(grid.id())
        ? ""
        : String.format(
            Locale.ROOT, "; the servers are of %s now, where nothing of this transaction is", grid);
  }
}
