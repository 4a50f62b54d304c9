package io.canopygrid.commands;

import io.canopygrid.btree.simulation.TreeBug;
import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.gmu.NodeId;
import io.canopygrid.gmu.protocol.ProtocolConfig;
import io.canopygrid.gmu.protocol.ProtocolNode;
import io.canopygrid.gmu.spi.Fences;
import io.canopygrid.gmu.spi.OrderedStore;
import org.jspecify.annotations.Nullable;

/** A bug of the tree: no code checks whether a key is still within its subtree's fences. */
public final class FenceNotValidated extends TreeBug {
  /** For the command, which makes one for each run. */
  public FenceNotValidated() {}

  @Override
  protected ProtocolNode node(
      NodeId id, int shards, ProtocolConfig config, OrderedStore.Factory stores, Fences fences) {
    return super.node(id, shards, config, stores, new OpenFences(new SubtreeFences()));
  }

  /** Every subtree has every key. */
  private record OpenFences(Fences real) implements Fences {
    @Override
    public boolean covers(byte[] header, byte[] ku) {
      return true;
    }

    @Override
    public boolean accepts(byte[] header, byte[] ku) {
      return true;
    }

    @Override
    public boolean coversRange(byte[] header, byte[] from, byte @Nullable [] to) {
      return real.coversRange(header, from, to);
    }

    @Override
    public boolean coversBelow(byte[] header, byte @Nullable [] to) {
      return real.coversBelow(header, to);
    }

    @Override
    public byte @Nullable [] end(byte[] header) {
      return real.end(header);
    }

    @Override
    public boolean needsHeader(long kcl) {
      return real.needsHeader(kcl);
    }
  }
}
