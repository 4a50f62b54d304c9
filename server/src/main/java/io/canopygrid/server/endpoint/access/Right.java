package io.canopygrid.server.endpoint.access;

/** The right that a request needs. */
public enum Right {
  /** The right to read an index, or to list what the cluster has. */
  READ,
  /** The right to write to an index, or to create one. */
  WRITE,
  /** The right to change users, snapshots and the structure of indexes. */
  ADMIN
}
