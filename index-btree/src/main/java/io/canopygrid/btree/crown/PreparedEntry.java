package io.canopygrid.btree.crown;

import io.canopygrid.BranchId;
import io.canopygrid.PreparedTransaction;
import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.KeyRead;
import io.canopygrid.gmu.Footprint.RangeRead;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.ReservedKcl;
import io.canopygrid.gmu.Seen;
import io.canopygrid.gmu.spi.OrderedCursor;
import io.canopygrid.gmu.spi.OrderedView;
import io.canopygrid.gmu.store.VersionChain;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entry of TOP that says that a transaction is prepared. Stored in kcl {@link
 * ReservedKcl#PREPARED} under the global id.
 *
 * @param id as the transaction manager knows it
 * @param state whether it is decided, and how
 * @param owner its number, under which subtrees know its locks and its redo log has its writes
 * @param log the kcl of its redo log
 * @param millis when it was prepared
 * @param label for people
 * @param indexes the indexes that it has used: their names by their numbers
 * @param writes how many entries it writes
 */
public record PreparedEntry(
    BranchId id,
    PreparedTransaction.State state,
    long owner,
    long log,
    long millis,
    String label,
    SortedMap<Integer, String> indexes,
    int writes) {
  private static final byte[] FIRST_KU = {0};

  private static final byte VERSION = 1;
  private static final int IN_DOUBT = 0;
  private static final int COMMITTED = 1;
  private static final int ROLLED_BACK = 2;

  /** A ku at or below those of all prepared transactions. */
  public static byte[] firstKu() {
    return FIRST_KU.clone();
  }

  /** The entry's key in TOP. */
  public CompositeKey key() {
    return key(id);
  }

  /** The key in TOP of the prepared transaction with an id. */
  public static CompositeKey key(BranchId id) {
    byte[] global = id.getGlobalTransactionId();
    ByteWriter out = new ByteWriter(Integer.BYTES + 1 + global.length + BranchId.MAXBQUALSIZE);
    out.writeInt(id.getFormatId()).writeByte(global.length).writeRaw(global);
    return ReservedKcl.PREPARED.key(out.writeRaw(id.getBranchQualifier()).toBytes());
  }

  /** The same transaction, decided by hand. */
  public PreparedEntry decided(boolean commits) {
    return new PreparedEntry(
        id,
        commits
            ? PreparedTransaction.State.COMMITTED_BY_HAND
            : PreparedTransaction.State.ROLLED_BACK_BY_HAND,
        owner,
        log,
        millis,
        label,
        indexes,
        writes);
  }

  /** Whether it waits for a decision. */
  public boolean isInDoubt() {
    return state == PreparedTransaction.State.IN_DOUBT;
  }

  /** Whether it holds keys of an index. */
  public boolean holds(int index) {
    return isInDoubt() && indexes.containsKey(index);
  }

  /** The transaction for people. */
  public PreparedTransaction toTransaction() {
    return new PreparedTransaction(
        id,
        state,
        Instant.ofEpochMilli(millis),
        label,
        indexes.values().stream().sorted().toList(),
        writes);
  }

  /** The entry's value in TOP. */
  public byte[] value() {
    ByteWriter out = new ByteWriter(64);
    out.writeByte(VERSION).writeByte(code(state)).writeLong(owner).writeLong(log);
    out.writeLong(millis).writeText(label).writeInt(writes).writeVarLong(indexes.size());
    indexes.forEach((number, name) -> out.writeInt(number).writeText(name));
    return out.toBytes();
  }

  private static int code(PreparedTransaction.State state) {
    return switch (state) {
      case IN_DOUBT -> IN_DOUBT;
      case COMMITTED_BY_HAND -> COMMITTED;
      case ROLLED_BACK_BY_HAND -> ROLLED_BACK;
    };
  }

  private static PreparedTransaction.State state(int code) {
    return switch (code) {
      case IN_DOUBT -> PreparedTransaction.State.IN_DOUBT;
      case COMMITTED -> PreparedTransaction.State.COMMITTED_BY_HAND;
      case ROLLED_BACK -> PreparedTransaction.State.ROLLED_BACK_BY_HAND;
      default -> throw Invariant.violation("a prepared transaction is not in state %s", code);
    };
  }

  /** The entry of a ku and its value. */
  public static PreparedEntry decode(byte[] ku, byte[] value) {
    ByteReader key = new ByteReader(ku);
    int format = key.readInt();
    byte[] global = key.readRaw(key.readByte());
    BranchId id = BranchId.of(format, global, key.readRaw(key.remaining()));
    ByteReader in = new ByteReader(value);
    int version = in.readByte();
    Invariant.holds(version == VERSION, "a prepared transaction of version %s", version);
    PreparedTransaction.State state = state(in.readByte());
    long owner = in.readLong();
    long log = in.readLong();
    long millis = in.readLong();
    String label = in.readText();
    int writes = in.readInt();
    SortedMap<Integer, String> indexes = new TreeMap<>();
    for (int left = in.readCount(in.remaining()); left > 0; left--) {
      int number = in.readInt();
      indexes.put(number, in.readText());
    }
    in.end();
    return new PreparedEntry(id, state, owner, log, millis, label, indexes, writes);
  }

  /**
   * All prepared transactions that a copy of TOP knows.
   *
   * @param read what a commit has to validate, as the copy may lag behind
   */
  public record Known(List<PreparedEntry> entries, RangeRead read) {}

  /** The prepared transactions that a copy of TOP knows. */
  public static Known all(OrderedView<VersionChain> top) {
    List<PreparedEntry> entries = new ArrayList<>();
    List<KeyRead> found = new ArrayList<>();
    OrderedCursor<VersionChain> cursor = top.ascending(ReservedKcl.PREPARED.firstKey());
    byte[] end = ReservedKcl.PREPARED.endKey();
    while (cursor.next() && Arrays.compareUnsigned(cursor.key(), end) < 0) {
      CompositeKey key = CompositeKey.ofBytes(cursor.key());
      byte[] value = cursor.value().value();
      found.add(new KeyRead(key, new Seen(cursor.value().writer(), value == null)));
      if (value != null) {
        entries.add(decode(key.ku(), value));
      }
    }
    return new Known(entries, new RangeRead(ReservedKcl.PREPARED.kcl(), firstKu(), null, found));
  }

  /** The prepared transaction of a number, as far as a copy of TOP knows; null: it knows none. */
  public static @Nullable PreparedEntry ofOwner(OrderedView<VersionChain> top, long owner) {
    for (PreparedEntry entry : all(top).entries()) {
      if (entry.owner == owner && entry.isInDoubt()) {
        return entry;
      }
    }
    return null;
  }
}
