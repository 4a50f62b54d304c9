package io.canopygrid.server.backup;

import io.canopygrid.CanopyException;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.client.RemoteCanopy;
import io.canopygrid.names.SnapshotNames;
import java.security.SecureRandom;

/** A named snapshot that is dropped at the end, also where the process is interrupted. */
final class HeldSnapshot implements AutoCloseable {
  private static final SecureRandom RANDOM = new SecureRandom();

  private final RemoteCanopy db;
  private final NamedSnapshot taken;
  private final Thread atExit;

  private HeldSnapshot(RemoteCanopy db, NamedSnapshot taken) {
    this.db = db;
    this.taken = taken;
    this.atExit = new Thread(this::drop, "canopy-backup-exit");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /**
   * Takes a snapshot of a name that nobody has. Where the answer is lost the snapshot may have been
   * taken: it is dropped, and another one is taken.
   */
  static HeldSnapshot take(RemoteCanopy db) {
    return Patience.call(() -> {
      String name = SnapshotNames.ofBackup(RANDOM.nextLong());
      try {
        return new HeldSnapshot(db, db.snapshot(name));
      } catch (CanopyException e) {
        dropQuietly(db, name);
        throw e;
      }
    });
  }

  /** Holds a snapshot that was taken before. */
  static HeldSnapshot of(RemoteCanopy db, NamedSnapshot taken) {
    return new HeldSnapshot(db, taken);
  }

  NamedSnapshot taken() {
    return taken;
  }

  /** The snapshot is not dropped: it is needed to go on. */
  void keep() {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      // The process ends, and drops it just now.
    }
  }

  @Override
  public void close() {
    keep();
    drop();
  }

  private void drop() {
    dropQuietly(db, taken.name());
  }

  /** A failure has a cause that is told already, or leads to one. */
  private static void dropQuietly(RemoteCanopy db, String name) {
    try {
      db.dropSnapshot(name);
    } catch (CanopyException e) {
      // The list of snapshots shows what is left.
    }
  }
}
