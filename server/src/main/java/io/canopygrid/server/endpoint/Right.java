package io.canopygrid.server.endpoint;

/** What a request needs to be allowed. */
public enum Right {
  /** To read an index, or to see what there is. */
  READ,
  /** To write to an index, or to create one. */
  WRITE,
  /** To change what concerns all: users, snapshots. */
  ADMIN
}
