package io.canopygrid.gmu.message;

/**
 * Why the disk of a node does not take all that it is asked to (protocol.md, Disks in trouble).
 *
 * @param kind what is refused for it
 * @param words which disk it is, and what can be done
 */
public record DiskTrouble(Kind kind, String words) {
  /** The kinds of trouble. */
  public enum Kind {
    /** The disk has no room: a transaction that puts an entry is refused. */
    FULL,
    /** The disk takes nothing: a transaction that writes an entry is refused. */
    SLOW
  }
}
