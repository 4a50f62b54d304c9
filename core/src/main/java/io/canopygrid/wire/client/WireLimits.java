package io.canopygrid.wire.client;

import io.canopygrid.Limits;

/** The fixed numbers of the protocol. */
public final class WireLimits {
  /** The version described here. */
  public static final int VERSION = 2;

  /**
   * The first version whose {@link Request.Hello} says of which grid the client knows something.
   */
  static final int VERSION_OF_GRIDS = 2;

  /** The bit of a server that can drop indexes, and of a client that may ask for it. */
  public static final long FEATURE_DROPS = 1;

  /** The bit of a server that says where nodes keep their data, and of a client that may ask. */
  public static final long FEATURE_DISKS = 2;

  /** The bit of a server that can be told to leave for good, and of a client that may ask. */
  public static final long FEATURE_LEAVE = 4;

  /** The bit of a server whose subtrees of rows know indexes, and of a client that may ask. */
  public static final long FEATURE_SCHEMAS = 8;

  /**
   * The bit of a server that looks at a caller's token by itself, and of a client that may send.
   */
  public static final long FEATURE_TOKENS = 16;

  /** The bit of a server that takes the place in a trace, and of a client that may send it. */
  public static final long FEATURE_TRACES = 32;

  /** The bit of a server that tells the changes of indexes, and of a client that may ask. */
  public static final long FEATURE_FEEDS = 64;

  /** The bit of a server that can make clones of indexes, and of a client that may ask for it. */
  public static final long FEATURE_CLONES = 128;

  /** The bit of a server that says in which zones nodes are, and of a client that may ask. */
  public static final long FEATURE_ZONES = 256;

  /** The bit of a server that says which entries are hot, and of a client that may ask. */
  public static final long FEATURE_HOT = 512;

  /** The bit of a server that says what takes long in the grid, and of a client that may ask. */
  public static final long FEATURE_WORK = 1_024;

  /** The bit of a server that tells of prepared transactions, and of a client that may ask. */
  public static final long FEATURE_PREPARED = 2_048;

  /** All features that are described here. */
  public static final long FEATURES =
      FEATURE_DROPS
          | FEATURE_DISKS
          | FEATURE_LEAVE
          | FEATURE_SCHEMAS
          | FEATURE_TOKENS
          | FEATURE_TRACES
          | FEATURE_FEEDS
          | FEATURE_CLONES
          | FEATURE_ZONES
          | FEATURE_HOT
          | FEATURE_WORK
          | FEATURE_PREPARED;

  /** The beginning of a {@link Request.Hello}: {@code CNPY}. */
  public static final int MAGIC = 0x434E5059;

  /** The port of servers for clients unless another is given. */
  public static final int DEFAULT_PORT = 11_444;

  /** The length of a frame, the four bytes of type and stream included, not those of the length. */
  public static final int FRAME_BYTES_MAX = Limits.VALUE_BYTES_MAX + Limits.KEY_BYTES_MAX + 65_536;

  /**
   * The same limit before {@link Request.Hello} is accepted and, where this is needed, the client
   * has proved who it is.
   */
  public static final int FRAME_BYTES_UNKNOWN_MAX = 16_384;

  /** The longest name, label, address or codec in bytes. */
  public static final int NAME_MAX = 4_096;

  /** The longest place in a trace; version 00 of the W3C has 55 characters. */
  public static final int TRACE_PARENT_MAX = 512;

  /** The most bytes after which a page ends. */
  public static final int PAGE_BYTES_MAX = 1 << 20;

  /** The most commits to be forgotten that one message names. */
  public static final int FORGET_MAX = 4_096;

  private WireLimits() {}
}
