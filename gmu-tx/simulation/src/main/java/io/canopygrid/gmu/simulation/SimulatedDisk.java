package io.canopygrid.gmu.simulation;

import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.memory.DiskImage;
import io.canopygrid.gmu.protocol.Effect;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.recovery.Standing;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageChange;
import io.canopygrid.gmu.storage.VersionId;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The disk of one node, and of those that begin with it later. It has what was written; what a node
 * has asked for and is not written yet is lost when the node dies, from some position on. Where the
 * power fails, so is what was written and not forced.
 */
final class SimulatedDisk {
  final DiskId id;

  private final ArrayDeque<Effect.Store> unwritten = new ArrayDeque<>();
  private DiskImage image = new DiskImage();

  /** The content that no power cut takes, and the steps that were written since. */
  private DiskImage forced = new DiskImage();

  private final ArrayDeque<Effect.Store> unforced = new ArrayDeque<>();

  /** The content whose values it tells, which follows what is written, and the steps behind it. */
  private DiskImage told = new DiskImage();

  private final ArrayDeque<Effect.Store> untold = new ArrayDeque<>();

  /** Whether anything of the present node cannot be taken any more. */
  private boolean isForced;

  /** The position up to which the present node's steps are written. */
  private long written;

  /** The versions that the power has taken since the present node has the disk. */
  private final Set<StorageChange.PutVersion> cutOff = new HashSet<>();

  /** The content of the disk when all is written that was asked for. */
  private DiskImage asked = new DiskImage();

  private Losses losses = Losses.NONE;

  /** The node that has it, and whether anything of that node was written. */
  private @Nullable NodeId user;

  private boolean isUsed;

  /** The versions that each node of before wanted to be written, and lost. */
  private final Map<NodeId, Set<StorageChange.PutVersion>> lost = new HashMap<>();

  private long lastDone;

  SimulatedDisk(int number) {
    this.id = new DiskId(number + 1L);
  }

  /**
   * The time that it takes to store something: mostly none to speak of.
   *
   * @param slow how often it takes long
   */
  long delay(SeededRandom random, double slow, long now) {
    int delay = random.chance(slow) ? random.between(5, 120) : random.oneOf(0, 0, 1, 3);
    lastDone = Math.max(lastDone, now + delay);
    return lastDone - now;
  }

  /** The time after which a step is stored at the latest that nothing waits for. */
  int rest(SeededRandom random) {
    return random.between(0, 150);
  }

  Standing standing() {
    return Standing.of(id, null, recovered()).with(losses);
  }

  /** The nodes of this disk hear that disks are lost. */
  void hear(Losses words) {
    losses = losses.with(words);
  }

  /** Another node has it from now on; what the one before had asked for is written or lost. */
  void use(NodeId node) {
    if (user != null) {
      lost.put(user, unwrittenVersions());
    }
    user = node;
    isUsed = false;
    unwritten.clear();
    image.open();
    image.apply(new StorageChange.PutUser(node)); // this is forced
    asked = image.copy();
    forced = image.copy();
    unforced.clear();
    told = image.copy();
    untold.clear();
    written = 0;
    isForced = false;
    cutOff.clear();
  }

  /** A node wants this written, after all that it has wanted before. */
  void ask(Effect.Store store) {
    unwritten.add(store);
    store.changes().forEach(asked::apply);
  }

  /** Writes what was asked for, up to a position. */
  void write(long upTo) {
    while (!unwritten.isEmpty() && unwritten.peek().position() <= upTo) {
      writeNext();
    }
  }

  /** The node dies: so many of the steps that it has asked for are written still. */
  void die(int steps) {
    for (int i = 0; i < steps && !unwritten.isEmpty(); i++) {
      writeNext();
    }
  }

  private void writeNext() {
    Effect.Store store = unwritten.remove();
    store.changes().forEach(image::apply);
    isUsed = true;
    written = store.position();
    unforced.add(store);
    untold.add(store);
    if (store.changes().stream().anyMatch(SimulatedDisk::isForced)) {
      force();
    }
  }

  /** As hosts do it: a power cut must not take a topology, nor a promise, back. */
  private static boolean isForced(StorageChange change) {
    return change instanceof StorageChange.PutTopology
        || change instanceof StorageChange.PutPromise;
  }

  /** Forces all that is written; the position of its last step. */
  long force() {
    isForced = isForced || !unforced.isEmpty();
    unforced.forEach(store -> store.changes().forEach(forced::apply));
    unforced.clear();
    return written;
  }

  /** The power fails: what is not forced is lost, from some position on. */
  void losePower(SeededRandom random) {
    for (int kept = random.below(unforced.size() + 1); kept > 0; kept--) {
      unforced.remove().changes().forEach(forced::apply);
      isForced = true;
    }
    unforced.forEach(store -> addVersions(store, cutOff));
    isUsed = isForced;
    unforced.clear();
    image = forced.copy();
    image.losePower();
    forced = image.copy();
    told = image.copy();
    untold.clear();
  }

  /** Whether something was written of the node that had it last. */
  boolean isUsed() {
    return isUsed;
  }

  int unwritten() {
    return unwritten.size();
  }

  /** The versions that a node wanted to be written, and that are lost since it died. */
  Set<StorageChange.PutVersion> lost(NodeId node) {
    return node.equals(user) ? unwrittenVersions() : lost.getOrDefault(node, Set.of());
  }

  private Set<StorageChange.PutVersion> unwrittenVersions() {
    Set<StorageChange.PutVersion> lost = new HashSet<>(cutOff);
    unwritten.forEach(store -> addVersions(store, lost));
    lost.removeIf(this::isThere); // a closed copy may put again what is on the disk
    return lost;
  }

  private boolean isThere(StorageChange.PutVersion put) {
    DiskImage.Copy copy = image.copies().get(put.shard());
    return copy != null
        && copy.versions(put.key()).stream()
            .anyMatch(version ->
                version.sequenceNumber() == put.sequenceNumber()
                    && version.tid().equals(put.tid()));
  }

  private static void addVersions(Effect.Store store, Set<StorageChange.PutVersion> into) {
    for (StorageChange change : store.changes()) {
      if (change instanceof StorageChange.PutVersion put) {
        into.add(put);
      }
    }
  }

  Recovered recovered() {
    return image.recovered();
  }

  /** The same, with the versions of some copies only. */
  Recovered recovered(IntPredicate withVersions) {
    return image.recovered(withVersions);
  }

  /** The same, with so many bytes of values at most. */
  Recovered recovered(long valueBytesMax) {
    long[] left = {valueBytesMax};
    return image
        .recovered(shard -> false)
        .opened(shard -> {
          Recovered.Copy copy = Invariant.present(image.open(shard, left[0]), "a copy is there");
          left[0] -= copy.valueBytes();
          return copy;
        });
  }

  /** A copy that was left closed, as it is told now. */
  Recovered.Copy open(int shard, long valueBytesMax) {
    Recovered.Copy copy = told.open(shard, valueBytesMax);
    return copy == null ? Recovered.Copy.NOTHING : copy;
  }

  /** Makes all values that are written readable; the position of the last of them. */
  long tellAll() {
    untold.forEach(store -> store.changes().forEach(told::apply));
    untold.clear();
    return written;
  }

  /** The value of a version; null: it is not there. */
  byte @Nullable [] read(VersionId id) {
    return told.read(id);
  }

  /** The content of the disk when all is written that was asked for. */
  DiskImage asked() {
    return asked;
  }
}
