package io.canopygrid.recovery;

import java.util.List;

/**
 * The disks that a grid waits for. Immutable.
 *
 * @param outcome of the question
 * @param grid the grid's name
 * @param waits why the node waits, in words
 * @param shards how many the grid has
 * @param missing the disks that are not there and do not count as lost
 * @param outOfDate disks that are there and from which nothing is founded, although they count:
 *     where nothing is missing and the grid waits all the same, these can be said to be lost
 * @param lost the shards of which no copy is left by the words of operators, and those of the
 *     question
 * @param mayHaveGoneOn whether the disks that are not there could have gone on without the others:
 *     what they did then is not known here
 * @param countAsLost the disks that count as lost already, in words
 * @param there the nodes that are there, in words
 * @param unknown the disks of the question that are not missing
 */
public record MissingReport(
    Outcome outcome,
    String grid,
    String waits,
    int shards,
    List<Disk> missing,
    List<Disk> outOfDate,
    List<Integer> lost,
    boolean mayHaveGoneOn,
    List<String> countAsLost,
    List<String> there,
    List<String> unknown) {
  public MissingReport {
    missing = List.copyOf(missing);
    outOfDate = List.copyOf(outOfDate);
    lost = List.copyOf(lost);
    countAsLost = List.copyOf(countAsLost);
    there = List.copyOf(there);
    unknown = List.copyOf(unknown);
  }

  /** The outcome of a question. */
  public enum Outcome {
    /** Nothing was to be changed. */
    ASKED,
    /** The disks count as lost. */
    LOST,
    /** Nothing has changed, as shards would be lost, and the word does not say so. */
    LOSES_SHARDS,
    /** Nothing has changed, as some disks are not missing. */
    NOT_MISSING,
    /** Not all nodes that are there have said what they have, or the grid is being founded. */
    NOT_NOW
  }

  /**
   * A disk that is missing.
   *
   * @param id of its node in the last topology
   * @param name of that node; empty: not known
   * @param address of that node; empty: not known
   * @param shards those of which it has a copy, and no disk that is there has
   */
  public record Disk(String id, String name, String address, List<Integer> shards) {
    public Disk {
      shards = List.copyOf(shards);
    }
  }
}
