package io.canopygrid.gmu.storage;

import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The data of one node on one disk. A node writes the changes of each of its protocol's steps, in
 * the steps' order, and reads them back when it starts again.
 *
 * <p><b>Order.</b> Batches have positions that rise. After any crash the disk has a prefix of the
 * batches: all up to some position, each of them whole, and nothing of those above.
 *
 * <p><b>Durability.</b> A batch for which {@link #write} has returned outlives the death of this
 * process. One for which {@link #force} has returned outlives the death of the machine, also a
 * power cut.
 *
 * <p><b>Errors.</b> After a {@link StorageException} from {@code write} or {@code force} nobody
 * knows what the disk has. The storage refuses everything from then on, and nothing is tried again:
 * an operating system reports a failed force once, and may drop the pages that it could not write.
 * The same holds when work in the background fails: the next {@code force} says so, or a {@code
 * write} before.
 *
 * <p>One thread at a time may write, and another one may force meanwhile. {@link #close} may be
 * called by any thread, and by several; it waits for them.
 */
public interface Storage extends AutoCloseable {
  /**
   * The content of the disk when it was opened, without copies that were not complete. Call it
   * once, before anything is written.
   *
   * @throws StorageException the disk is damaged
   */
  default Recovered recovered() {
    return recovered(shard -> true);
  }

  /**
   * The same, with the versions of some copies only: to read them takes as long as they are large.
   * The other copies are closed, and {@link #open} reads them.
   */
  Recovered recovered(IntPredicate withVersions);

  /**
   * Reads a copy that {@link #recovered(IntPredicate)} has left closed, as it is at one moment: all
   * that was there when the disk was opened and has not been dropped since, and perhaps some of
   * what was written since. Any thread, also beside writes.
   *
   * @param valueBytesMax so many bytes of values at most; others are left on the disk, of versions
   *     that are the only ones of their keys and have no log entry
   * @throws StorageException the disk fails, or is damaged
   * @throws IllegalStateException the storage is closed
   */
  Recovered.Copy open(int shard, long valueBytesMax);

  /**
   * The values of versions up to this position can be read. It follows what is written at some
   * distance. Any thread.
   */
  long readableUpTo();

  /**
   * Values are to leave memory: what is written is to become readable soon, at some cost. Returns
   * at once; to be called again as long as that is so. Any thread.
   */
  void hurry();

  /**
   * Reads the value of a version. Any thread, also several at a time.
   *
   * @return null: it is not there, or has no value
   * @throws StorageException the disk fails
   * @throws IllegalStateException the storage is closed
   */
  byte @Nullable [] read(VersionId id);

  /** The position of the last batch that the disk had when it was opened; 0: it had none. */
  long openedAt();

  /**
   * Writes batches as one, which is on the disk whole or not at all.
   *
   * @param batches not empty, with rising positions above all that were written
   * @throws StorageException they may be on the disk or not; this storage takes nothing any more
   * @throws IllegalArgumentException the positions do not rise; nothing was written
   * @throws IllegalStateException the storage is closed
   */
  void write(List<Batch> batches);

  /**
   * Forces all that was written before the call to the disk.
   *
   * @throws StorageException it may be there or not; this storage takes nothing any more
   * @throws IllegalStateException the storage is closed
   */
  void force();

  /** Writes and forces what is under way, and gives the disk up. Does nothing a second time. */
  @Override
  void close();

  /**
   * The changes of one step.
   *
   * @param position above that of the batch before
   * @param changes in their order
   */
  record Batch(long position, List<StorageChange> changes) {
    /**
     * The position of the last of some batches.
     *
     * @param written that of the last one that was written before them
     * @throws IllegalArgumentException there are none, or their positions do not rise above that
     */
    public static long checkOrder(long written, List<Batch> batches) {
      if (batches.isEmpty()) {
        throw new IllegalArgumentException("no batches to write");
      }
      long last = written;
      for (Batch batch : batches) {
        if (batch.position() <= last) {
          throw new IllegalArgumentException(
              "positions must rise: position=" + batch.position() + " after " + last);
        }
        last = batch.position();
      }
      return last;
    }
  }
}
