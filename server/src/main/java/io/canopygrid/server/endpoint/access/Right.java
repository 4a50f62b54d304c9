package io.canopygrid.server.endpoint.access;

/** The right that a request needs. */
public enum Right {
  /** To read an index, or to list what the cluster has. */
  READ,
  /** To write to an index, or to create one. */
  WRITE,
  /** To change users, snapshots and the structure of indexes. */
  ADMIN
}
