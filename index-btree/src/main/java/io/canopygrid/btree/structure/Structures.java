package io.canopygrid.btree.structure;

import io.canopygrid.IndexStructure;
import io.canopygrid.btree.catalog.CutOffs;
import io.canopygrid.gmu.node.GmuNode;

/** The structures of indexes, as users see and change them at one node. Thread-safe. */
public final class Structures {
  private final GmuNode node;
  private final Balance balance;
  private final CutOffs cutOffs;

  /** The structures as a node sees them. */
  public Structures(GmuNode node, Balance balance, CutOffs cutOffs) {
    this.node = node;
    this.balance = balance;
    this.cutOffs = cutOffs;
  }

  /** The structure of an index that exists. */
  public IndexStructure of(String name, int number) {
    return new EmbeddedStructure(node, balance, cutOffs, name, number);
  }
}
