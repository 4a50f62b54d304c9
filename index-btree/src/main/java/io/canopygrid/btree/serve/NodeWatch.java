package io.canopygrid.btree.serve;

/** A watch over a node, which ends when it is closed. */
public interface NodeWatch extends AutoCloseable {
  @Override
  void close();
}
