package io.canopygrid.btree.prepared;

import io.canopygrid.btree.subtree.KeyLock;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.ShardMap;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The redo log of a prepared transaction: what it is to write, and which keys it holds. It stands
 * in a kcl of no subtree, under the transaction's number: first one entry with all locks, then one
 * for each write. The number says in which shard. So no shift moves a log, and no scan of an index
 * meets one.
 */
final class RedoLog {
  /** Kcls from here on are below those of all subtrees, and are used for nothing else. */
  private static final long FIRST_KCL = 1L << 31;

  private static final byte LOG = 1;
  private static final int KU_BYTES = 1 + Long.BYTES + Integer.BYTES;
  private static final byte REMOVES = 0;
  private static final byte PUTS = 1;

  private RedoLog() {}

  /** The shard of the log of a transaction. */
  static int shardOf(ShardMap shards, long owner) {
    return (int) Long.remainderUnsigned(owner, shards.shards());
  }

  /** The kcl of the logs in a shard. */
  static long kclIn(ShardMap shards, int shard) {
    long kcl = FIRST_KCL;
    while (shards.shardOf(kcl) != shard) {
      kcl++;
    }
    return kcl;
  }

  /** The key of the entry with the locks; those of the writes follow. */
  static CompositeKey key(long kcl, long owner, int number) {
    return CompositeKey.of(kcl, ku(owner, number));
  }

  /** The ku of an entry; of number 0 that of the locks. */
  static byte[] ku(long owner, int number) {
    return ByteBuffer.allocate(KU_BYTES).put(LOG).putLong(owner).putInt(number).array();
  }

  /**
   * A write that is to come.
   *
   * @param index the number of its index
   * @param value null: the key is removed
   */
  record Redo(int index, byte[] key, byte @Nullable [] value) {}

  /**
   * The log of a transaction.
   *
   * @param locks by the numbers of the indexes
   */
  static List<Write> writes(
      long kcl, long owner, SortedMap<Integer, List<KeyLock>> locks, List<Redo> redo) {
    List<Write> writes = new ArrayList<>(redo.size() + 1);
    writes.add(new Write(key(kcl, owner, 0), encode(locks), null));
    for (Redo each : redo) {
      writes.add(new Write(key(kcl, owner, writes.size()), encode(each), null));
    }
    return writes;
  }

  private static byte[] encode(SortedMap<Integer, List<KeyLock>> locks) {
    ByteWriter out = new ByteWriter(64);
    out.writeVarLong(locks.size());
    locks.forEach((index, held) -> {
      byte[] bytes = new byte[KeyLock.bytes(held)];
      KeyLock.put(held, ByteBuffer.wrap(bytes));
      out.writeInt(index).writeBytes(bytes);
    });
    return out.toBytes();
  }

  /** The locks in the entry of number 0. */
  static SortedMap<Integer, List<KeyLock>> locks(byte[] value) {
    ByteReader in = new ByteReader(value);
    SortedMap<Integer, List<KeyLock>> locks = new TreeMap<>();
    for (int left = in.readCount(in.remaining()); left > 0; left--) {
      int index = in.readInt();
      locks.put(index, KeyLock.read(ByteBuffer.wrap(in.readBytes())));
    }
    in.end();
    return locks;
  }

  private static byte[] encode(Redo redo) {
    byte[] value = redo.value();
    ByteWriter out = new ByteWriter(16 + redo.key().length + (value == null ? 0 : value.length));
    out.writeInt(redo.index()).writeByte(value == null ? REMOVES : PUTS).writeBytes(redo.key());
    return (value == null ? out : out.writeRaw(value)).toBytes();
  }

  /** The write in an entry of another number. */
  static Redo redo(byte[] value) {
    ByteReader in = new ByteReader(value);
    int index = in.readInt();
    boolean puts = in.readByte() == PUTS;
    byte[] key = in.readBytes();
    return new Redo(index, key, puts ? in.readRaw(in.remaining()) : null);
  }
}
