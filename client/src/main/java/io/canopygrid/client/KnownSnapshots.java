package io.canopygrid.client;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.names.SnapshotNames;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which snapshot a name meant when this handle looked it up: that is asked of the servers once, and
 * again when they do not know it any more. Thread-safe.
 */
final class KnownSnapshots {
  /** More names than this are looked up each time. */
  private static final int KNOWN_MAX = 1_000;

  private final RemoteEngine engine;
  private final Map<String, String> exact = new ConcurrentHashMap<>();

  KnownSnapshots(RemoteEngine engine) {
    this.engine = engine;
  }

  /**
   * What means the snapshot that has a name now.
   *
   * @param anew whether what is known is not right any more
   * @throws CanopyException {@link ErrorCode#UNKNOWN_SNAPSHOT}
   */
  String exact(String name, boolean anew) {
    String known = anew ? null : exact.get(name);
    if (known != null) {
      return known;
    }
    exact.remove(name);
    for (NamedSnapshot snapshot : engine.snapshots()) {
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
