package io.canopygrid.btree.embedded;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.gmu.storage.DiskReport;
import io.canopygrid.gmu.storage.StorageException;
import io.canopygrid.gmu.storage.engine.OpenDisk;
import java.nio.file.Path;
import java.util.List;

/**
 * The content of a data directory that no node uses, in numbers, and what is wrong with it.
 * Immutable.
 *
 * @param position of the last step that is stored
 * @param copies of shards, in their order
 * @param versions of all copies
 * @param decisions to commit, that are not known to be done
 * @param problemCount of all problems
 * @param problems the first of them, in words
 */
public record VerifiedDisk(
    long position,
    List<Copy> copies,
    long versions,
    long decisions,
    long problemCount,
    List<String> problems) {
  public VerifiedDisk {
    copies = List.copyOf(copies);
    problems = List.copyOf(problems);
  }

  /**
   * A shard's copy.
   *
   * @param complete whether it has all that the shard had; else the next start drops it
   * @param keys that have a version
   * @param logged entries of the log
   * @param prepared transactions
   */
  public record Copy(
      int shard, boolean complete, long keys, long versions, long logged, long prepared) {}

  /**
   * Reads a data directory, and changes nothing in it. It is locked meanwhile.
   *
   * @throws CanopyException {@link ErrorCode#CONFIG_INVALID} where it is in use, is none, or cannot
   *     be looked at; {@link ErrorCode#DISK_UNUSABLE} where reading fails
   */
  public static VerifiedDisk of(Path directory) {
    try {
      DiskReport report = OpenDisk.verify(directory);
      return new VerifiedDisk(
          report.position(),
          report.copies().stream().map(VerifiedDisk::copy).toList(),
          report.versions(),
          report.decisions(),
          report.problemCount(),
          report.problems());
    } catch (StorageException e) {
      throw ClusterJoin.coded(e);
    }
  }

  private static Copy copy(DiskReport.Copy of) {
    return new Copy(
        of.shard(), of.complete(), of.keys(), of.versions(), of.logged(), of.prepared());
  }
}
