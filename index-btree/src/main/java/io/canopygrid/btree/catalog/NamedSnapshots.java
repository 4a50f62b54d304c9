package io.canopygrid.btree.catalog;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.NamedSnapshot;
import io.canopygrid.btree.access.Failures;
import io.canopygrid.btree.crown.ClonePin;
import io.canopygrid.clock.VectorClock;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.node.GmuNode;
import io.canopygrid.gmu.node.GmuTransaction;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.names.SnapshotNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The named snapshots: pinned clocks in TOP (docs/protocol.md, Named snapshots). Thread-safe. */
public final class NamedSnapshots {
  private static final int PAGE_ENTRIES = 1_000;

  /** Stands for the pin of a snapshot that does not exist. */
  private static final Pin NONE = new Pin(VectorClock.ZERO, Long.MIN_VALUE);

  private final GmuNode node;
  private final Catalog catalog;
  private final LongSupplier wallMillis;

  /**
   * The named snapshots as one node sees them.
   *
   * @param wallMillis the time since 1970
   */
  public NamedSnapshots(GmuNode node, Catalog catalog, LongSupplier wallMillis) {
    this.node = node;
    this.catalog = catalog;
    this.wallMillis = wallMillis;
  }

  /**
   * Takes a snapshot.
   *
   * @throws CanopyException {@link ErrorCode#SNAPSHOT_EXISTS}, {@link ErrorCode#INVALID_ARGUMENT}
   */
  public NamedSnapshot take(String name) {
    CompositeKey key = Pin.key(SnapshotNames.checked(name));
    return catalog.in(transaction -> {
      Catalog.seeAll(transaction);
      Pin pin = new Pin(transaction.clock(), wallMillis.getAsLong());
      ReadAnswer.Got found = Catalog.get(transaction, key);
      if (found.value() != null) {
        throw new CanopyException(
            ErrorCode.SNAPSHOT_EXISTS, "there is a snapshot '" + name + "' already");
      }
      return write(transaction, key, found, pin.encode()) ? named(name, pin) : null;
    });
  }

  /** Drops a snapshot; whether there was one. */
  public boolean drop(String name) {
    CompositeKey key = Pin.key(SnapshotNames.checked(name));
    return catalog.in(transaction -> {
      ReadAnswer.Got found = Catalog.get(transaction, key);
      if (found.value() == null) {
        return false;
      }
      return write(transaction, key, found, null) ? true : null;
    });
  }

  /** All snapshots, by name. */
  public List<NamedSnapshot> list() {
    return catalog.in(NamedSnapshots::list);
  }

  /**
   * A snapshot that exists.
   *
   * @param clock the clock of what it shows
   * @param exact the name that means this snapshot and no later one
   * @param key where its pin is
   */
  public record Taken(VectorClock clock, String exact, CompositeKey key) {}

  /**
   * The snapshot that a name means, exactly or not. This node's copy of TOP is asked first: a
   * snapshot never changes.
   */
  public Taken find(String snapshot) {
    String name = SnapshotNames.name(snapshot);
    Pin pin = pinOf(name);
    String exact = SnapshotNames.exact(name, pin.createdMillis());
    if (!pin.equals(NONE) && SnapshotNames.isExact(snapshot) && !snapshot.equals(exact)) {
      // The copy may have an earlier snapshot of the same name.
      pin = catalog.in(transaction -> find(transaction, Pin.key(name)));
      exact = SnapshotNames.exact(name, pin.createdMillis());
    }
    if (pin.equals(NONE) || (SnapshotNames.isExact(snapshot) && !snapshot.equals(exact))) {
      throw SnapshotNames.unknown(snapshot);
    }
    return new Taken(pin.clock(), exact, Pin.key(name));
  }

  private Pin pinOf(String name) {
    CompositeKey key = Pin.key(name);
    VersionChain here = node.top().get(key.bytes());
    byte[] value = here == null ? null : here.value();
    return value != null ? Pin.decode(value) : catalog.in(transaction -> find(transaction, key));
  }

  private static Pin find(GmuTransaction transaction, CompositeKey key) throws TimeoutException {
    byte[] value = Catalog.get(transaction, key).value();
    return value == null ? NONE : Pin.decode(value);
  }

  private static List<NamedSnapshot> list(GmuTransaction transaction) throws TimeoutException {
    List<NamedSnapshot> all = new ArrayList<>();
    byte[] from = new byte[] {0};
    while (true) {
      ReadAnswer answer =
          transaction.read(
              new ReadQuery.Scan(ReservedKcl.PINS.kcl(), from, null, false, PAGE_ENTRIES, true));
      if (!(answer instanceof ReadAnswer.Scanned page)) {
        throw Failures.unanswered(answer, null);
      }
      for (ReadAnswer.Entry entry : page.entries()) {
        byte[] value = entry.value();
        if (value != null && !Pin.isMark(entry.ku()) && !ClonePin.is(entry.ku())) {
          all.add(named(Pin.name(entry.ku()), Pin.decode(value)));
        }
        from = KeyRange.successor(entry.ku());
      }
      if (page.complete()) {
        return all;
      }
    }
  }

  /** False: another transaction came between. */
  private static boolean write(
      GmuTransaction transaction, CompositeKey key, ReadAnswer.Got found, byte @Nullable [] value) {
    Footprint footprint =
        new Footprint(
            List.of(new KeyRead(key, found.seen())),
            List.of(),
            List.of(new Write(key, value, null)));
    return Pins.commit(transaction, footprint);
  }

  private static NamedSnapshot named(String name, Pin pin) {
    return new NamedSnapshot(name, Instant.ofEpochMilli(pin.createdMillis()));
  }
}
