package io.canopygrid.gmu.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * The content of a disk that no node uses, in numbers, and what is wrong with it. Immutable.
 *
 * @param position of the last batch; 0: there is none
 * @param copies of shards, in their order
 * @param decisions to commit, that are not known to be done
 * @param problemCount of all problems
 * @param problems the first of them, in words; each says what is where
 */
public record DiskReport(
    long position, List<Copy> copies, long decisions, long problemCount, List<String> problems) {
  public DiskReport {
    copies = List.copyOf(copies);
    problems = List.copyOf(problems);
  }

  /** A disk of which nothing can be read. */
  public static DiskReport unreadable(String problem) {
    return new DiskReport(0, List.of(), 0, 1, List.of(problem));
  }

  /** The same with one more problem, which comes first. */
  public DiskReport with(String problem) {
    List<String> all = new ArrayList<>(List.of(problem));
    all.addAll(problems);
    return new DiskReport(position, copies, decisions, problemCount + 1, all);
  }

  /**
   * A shard's copy.
   *
   * @param complete whether it has all that the shard had; else the next start drops it
   * @param keys that have a version
   * @param versions of all keys
   * @param logged entries of the log
   * @param prepared transactions
   */
  public record Copy(
      int shard, boolean complete, long keys, long versions, long logged, long prepared) {}

  /** The versions of all copies. */
  public long versions() {
    return copies.stream().mapToLong(Copy::versions).sum();
  }
}
