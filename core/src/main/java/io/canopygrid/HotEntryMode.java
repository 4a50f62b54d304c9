package io.canopygrid;

/** Whether the entries that are read most have copies on more nodes than others. */
public enum HotEntryMode {
  /**
   * Entries that get a large part of the reads at their node are copied to the nodes whose callers
   * read {@link ReadFrom#NEAREST}, and are read there without a request. A copy is behind the entry
   * by some milliseconds, at most a second or so.
   */
  AUTO,
  /** Hot entries have no more copies than other entries. The default. */
  OFF
}
