package io.canopygrid.gmu.infinispan;

import io.canopygrid.gmu.node.DiskReserve;
import io.canopygrid.gmu.node.NodeStorage;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.gmu.storage.directory.DirectoryRoom;
import io.canopygrid.gmu.storage.engine.OpenDisk;
import io.canopygrid.gmu.wire.RoundCodec;
import io.canopygrid.recovery.WaitListener;
import io.canopygrid.wire.MalformedBytesException;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The disk of a node that has a data directory. */
final class DirectoryDisk implements NodeDisk {
  private final OpenDisk disk;
  private final NodeStorage storage;
  private final DiskNotes notes;

  private DirectoryDisk(
      OpenDisk disk, GridSettings settings, DiskReserve reserve, WaitListener waits) {
    this.disk = disk;
    this.notes = new DirectoryNotes(disk.directory(), waits);
    this.storage =
        new NodeStorage(disk.storage(), settings.durability())
            .withReserve(reserve)
            .withTimeout(settings.diskTimeoutMillis());
  }

  /**
   * Opens the data directory.
   *
   * @param waits hears for which disks the node waits, and who can be told that they are lost
   * @throws io.canopygrid.gmu.storage.StorageException it cannot be used
   */
  static NodeDisk open(Path directory, GridSettings settings, WaitListener waits) {
    DirectoryRoom room = DirectoryRoom.of(directory);
    Long kept = settings.diskReserve();
    DiskReserve reserve =
        new DiskReserve(directory.toString(), kept == null ? room.reserve() : kept, room::free);
    OpenDisk disk = OpenDisk.open(directory, settings.shards(), settings.durability());
    return new DirectoryDisk(disk, settings, reserve, waits);
  }

  @Override
  public DiskId id() {
    return disk.directory().label().disk();
  }

  @Override
  public @Nullable UUID grid() {
    return disk.directory().label().grid();
  }

  @Override
  public void joins(UUID grid) {
    disk.directory().joins(grid);
  }

  @Override
  public Losses losses() {
    byte[] kept = disk.directory().losses();
    try {
      return kept.length == 0 ? Losses.NONE : RoundCodec.decodeLosses(kept);
    } catch (MalformedBytesException e) {
      throw new StorageException(
          Reason.DAMAGED,
          "data directory "
              + disk.directory().path()
              + " does not tell which disks are lost: move it aside and start with an empty one;"
              + " the node then gets its data from the others",
          e);
    }
  }

  @Override
  public void lose(Losses losses) {
    disk.directory().keepLosses(RoundCodec.encode(losses));
  }

  @Override
  public void hasLeft() {
    disk.directory().hasLeft();
  }

  @Override
  public DiskNotes notes() {
    return notes;
  }

  @Override
  public NodeStorage storage() {
    return storage;
  }

  @Override
  public Recovered recovered(int top) {
    return disk.storage().recovered(shard -> shard == top);
  }
}
