package io.canopygrid.study.tree;

import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;

/**
 * The place of a page.
 *
 * @param level 0 for a leaf; {@link #ROOT_LEVEL} for the root, whose level grows
 * @param kcl its place in the grid
 * @param id unique within its tree
 */
record PageRef(int level, long kcl, long id) {
  /** Above the level of every other page. */
  static final int ROOT_LEVEL = 100;

  void write(ByteWriter out) {
    out.writeByte(level).writeLong(kcl).writeLong(id);
  }

  static PageRef read(ByteReader in) {
    return new PageRef(in.readByte(), in.readLong(), in.readLong());
  }
}
