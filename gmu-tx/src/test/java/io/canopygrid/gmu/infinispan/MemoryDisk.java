package io.canopygrid.gmu.infinispan;

import io.canopygrid.Durability;
import io.canopygrid.gmu.memory.InMemoryStorage;
import io.canopygrid.gmu.node.NodeStorage;
import io.canopygrid.gmu.recovery.DiskId;
import io.canopygrid.gmu.recovery.Losses;
import io.canopygrid.gmu.storage.Recovered;
import io.canopygrid.gmu.storage.Storage;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.StorageException.Reason;
import io.canopygrid.recovery.LostDisks;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A disk that outlives the nodes that have it, in this JVM. */
final class MemoryDisk {
  private DiskId id;
  private @Nullable UUID grid;
  private volatile String members = "";
  private volatile String waits = "";
  private volatile Losses losses = Losses.NONE;
  private volatile @Nullable LostDisks lost;
  private boolean hasLeft;
  private InMemoryStorage storage = new InMemoryStorage();

  /** The batches that it takes when it is opened next, before it fails. */
  private long batchesMax = Long.MAX_VALUE;

  MemoryDisk(long id) {
    this.id = new DiskId(id);
  }

  /** Fails, once it is opened again, after so many batches. */
  synchronized void failsAfter(long batches) {
    batchesMax = batches;
  }

  /** Whether its node has left the grid for good, and no other one has opened it since. */
  synchronized boolean hasLeft() {
    return hasLeft;
  }

  /** The words of its node on what it waits for; empty: it has said nothing. */
  String waits() {
    return waits;
  }

  /** The round of its node; null: it holds none. */
  @Nullable LostDisks lost() {
    return lost;
  }

  /** The content that a node would begin with now. */
  synchronized Recovered content() {
    return storage.reopened().recovered();
  }

  /** A disk with the content of now: what is left of this one if its node is killed now. */
  synchronized MemoryDisk asKilledNow() {
    MemoryDisk left = new MemoryDisk(id.value());
    left.grid = grid;
    left.members = members;
    left.losses = losses;
    left.storage = storage.reopened();
    return left;
  }

  /** Opens it for the next life of a node. */
  synchronized NodeDisk open() {
    if (hasLeft) {
      hasLeft = false;
      id = new DiskId(id.value() + 1);
      grid = null;
      losses = Losses.NONE;
      storage = new InMemoryStorage();
    }
    DiskId opensAs = id;
    storage = storage.reopened();
    Storage failing = new FailingStorage(storage, batchesMax);
    NodeStorage opened = new NodeStorage(failing, Durability.ASYNC);
    DiskNotes notes =
        new DiskNotes() {
          @Override
          public String members() {
            return members;
          }

          @Override
          public void keepMembers(String text) {
            members = text;
          }

          @Override
          public void waits(String why) {
            waits = why.isEmpty() ? waits : why;
          }

          @Override
          public void canBeTold(@Nullable LostDisks disks) {
            lost = disks;
          }
        };
    return new NodeDisk() {
      @Override
      public Losses losses() {
        return losses;
      }

      @Override
      public void lose(Losses words) {
        losses = words;
      }

      @Override
      public DiskNotes notes() {
        return notes;
      }

      @Override
      public DiskId id() {
        return opensAs;
      }

      @Override
      public @Nullable UUID grid() {
        synchronized (MemoryDisk.this) {
          return grid;
        }
      }

      @Override
      public void joins(UUID joined) {
        synchronized (MemoryDisk.this) {
          if (grid != null && !grid.equals(joined)) {
            throw new StorageException(Reason.FOREIGN, "of grid " + grid, null);
          }
          grid = joined;
        }
      }

      @Override
      public void hasLeft() {
        synchronized (MemoryDisk.this) {
          hasLeft = true;
        }
      }

      @Override
      public NodeStorage storage() {
        return opened;
      }

      @Override
      public Recovered recovered(int top) {
        return opened.storage().recovered(shard -> shard == top);
      }
    };
  }
}
