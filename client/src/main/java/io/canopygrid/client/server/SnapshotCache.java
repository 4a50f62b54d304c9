package io.canopygrid.client.server;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.names.SnapshotNames;
import io.canopygrid.wire.client.Reply;
import io.canopygrid.wire.client.Request;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The snapshots that names meant when this handle looked them up. The servers are asked for a name
 * once, and again when they do not know the snapshot any more. Thread-safe.
 */
public final class SnapshotCache {
  /** More names than this are looked up each time. */
  private static final int KNOWN_MAX = 1_000;

  private final Questions questions;
  private final Map<String, String> exact = new ConcurrentHashMap<>();

  SnapshotCache(Questions questions) {
    this.questions = questions;
  }

  /** The grid has changed: its snapshots are others. */
  void clear() {
    exact.clear();
  }

  /**
   * The exact name of the snapshot that has a name now.
   *
   * @param anew whether the one that is known is not right any more
   * @throws CanopyException {@link ErrorCode#UNKNOWN_SNAPSHOT}
   */
  public String exact(String name, boolean anew) {
    String known = anew ? null : exact.get(name);
    if (known != null) {
      return known;
    }
    exact.remove(name);
    for (NamedSnapshot snapshot :
        questions.ask(new Request.ListSnapshots(), Reply.Snapshots.class).snapshots()) {
      if (!snapshot.name().equals(name)) {
        continue;
      }
      String found = SnapshotNames.exact(name, snapshot.taken().toEpochMilli());
      if (exact.size() < KNOWN_MAX) {
        exact.put(name, found);
      }
      return found;
    }
    throw SnapshotNames.unknown(name);
  }
}
