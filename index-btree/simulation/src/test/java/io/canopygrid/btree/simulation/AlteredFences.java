package io.canopygrid.btree.simulation;

import io.canopygrid.btree.subtree.SubtreeFences;
import io.canopygrid.gmu.spi.Fences;
import org.jspecify.annotations.Nullable;

/** The fences of subtrees, of which a planted bug replaces some. */
class AlteredFences implements Fences {
  private final SubtreeFences real = new SubtreeFences();

  @Override
  public boolean covers(byte[] header, byte[] ku) {
    return real.covers(header, ku);
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
  public boolean accepts(byte[] header, byte[] ku) {
    return real.accepts(header, ku);
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
