package io.canopygrid.table;

import io.canopygrid.CanopyException;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexState;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The list of a table's indexes, which the grid keeps. Every transaction that writes rows reads the
 * list. It commits only where it knows all indexes that are being built: those of which there may
 * be entries. Immutable.
 *
 * @param numbers how many indexes the table has had; no number is given twice, and each index has a
 *     greater one than those that began before
 */
record TableState(int numbers, List<Kept> indexes) {
  /** The key of the list in the index of the table's definitions. */
  static final String KEY = "indexes";

  static final TableState EMPTY = new TableState(0, List.of());

  /** The states by the number that is kept. */
  private static final List<IndexState> STATES =
      List.of(IndexState.BUILDING, IndexState.READY, IndexState.DROPPING);

  private static final int FORMAT = 1;

  private static final String UNIQUE = "|unique|";
  private static final String MANY = "|many|";

  /** Most indexes of a table. */
  private static final int INDEXES_MAX = 64;

  TableState {
    indexes = List.copyOf(indexes);
  }

  /**
   * An index.
   *
   * @param number names its entries
   */
  record Kept(String name, int number, String signature, IndexState state) {
    /** The same index in another state. */
    Kept in(IndexState other) {
      return new Kept(name, number, signature, other);
    }

    boolean isUnique() {
      return signature.contains(UNIQUE);
    }

    /** The id of the codec of the attributes. */
    String attributeCodec() {
      return signature.substring(0, signature.indexOf(isUnique() ? UNIQUE : MANY));
    }

    /**
     * The id of the codec of the entries' keys.
     *
     * @param primary the id of the codec of the rows' keys
     */
    String entryCodec(String primary) {
      return isUnique() ? attributeCodec() : "tuple(" + attributeCodec() + "," + primary + ")";
    }
  }

  /** The index of a name. Where a rebuild replaces an index, its successor stands before it. */
  @Nullable Kept find(String name) {
    for (Kept index : indexes) {
      if (index.name().equals(name)) {
        return index;
      }
    }
    return null;
  }

  @Nullable Kept find(int number) {
    for (Kept index : indexes) {
      if (index.number() == number) {
        return index;
      }
    }
    return null;
  }

  /** The indexes, without those that rebuilds replace. */
  List<Kept> current() {
    return indexes.stream().filter(index -> index.equals(find(index.name()))).toList();
  }

  /** The indexes of a name that rebuilds replace. */
  List<Kept> replaced(String name) {
    return indexes.stream()
        .filter(index -> index.name().equals(name) && !index.equals(find(name)))
        .toList();
  }

  /** The state with one more index, which is being built. */
  TableState with(String name, String signature) {
    return with(indexes.size(), name, signature);
  }

  /**
   * The state in which an index is rebuilt: a new one stands before it. Nobody reads the old one,
   * but writers maintain it and ask it for attributes that other rows have, since the new one does
   * not know them all yet.
   */
  TableState rebuilding(Kept index) {
    TableState next = with(indexes.indexOf(index), index.name(), index.signature());
    return next.with(index, IndexState.BUILDING);
  }

  /** The state after a build: the index is ready, and what it replaces is to be dropped. */
  TableState built(Kept index) {
    return mapped(
        index.name(),
        each -> each.number() == index.number() ? IndexState.READY : IndexState.DROPPING);
  }

  /** The state after a build that has failed: what the index was to replace is as it was. */
  TableState failed(Kept index) {
    TableState next = with(index, IndexState.DROPPING);
    for (Kept old : replaced(index.name())) {
      if (old.state() == IndexState.BUILDING) {
        List<Kept> order = new ArrayList<>(next.with(old, null).indexes());
        order.add(indexes.indexOf(index), old.in(IndexState.READY));
        return new TableState(numbers, order);
      }
    }
    return next;
  }

  /** The state in which all indexes of a name are dropped. */
  TableState dropping(String name) {
    return mapped(name, index -> IndexState.DROPPING);
  }

  private TableState mapped(String name, Function<Kept, IndexState> state) {
    return new TableState(
        numbers,
        indexes.stream()
            .map(index -> index.name().equals(name) ? index.in(state.apply(index)) : index)
            .toList());
  }

  private TableState with(int place, String name, String signature) {
    if (indexes.size() >= INDEXES_MAX) {
      throw new CanopyException(
          ErrorCode.INVALID_ARGUMENT, "a table has at most " + INDEXES_MAX + " indexes");
    }
    List<Kept> next = new ArrayList<>(indexes);
    next.add(place, new Kept(name, numbers + 1, signature, IndexState.BUILDING));
    return new TableState(numbers + 1, next);
  }

  /** The state with another state of one index; null: without that index. */
  TableState with(Kept index, @Nullable IndexState state) {
    List<Kept> next = new ArrayList<>(indexes);
    int place = next.indexOf(index);
    if (state == null) {
      next.remove(place);
    } else {
      next.set(place, index.in(state));
    }
    return new TableState(numbers, next);
  }

  byte[] encode() {
    ByteWriter out = new ByteWriter(128);
    out.writeByte(FORMAT).writeVarLong(numbers).writeVarLong(indexes.size());
    for (Kept index : indexes) {
      out.writeText(index.name()).writeVarLong(index.number()).writeText(index.signature());
      out.writeByte(STATES.indexOf(index.state()));
    }
    return out.toBytes();
  }

  static TableState decode(byte @Nullable [] bytes) {
    if (bytes == null) {
      return EMPTY;
    }
    try {
      ByteReader in = new ByteReader(bytes);
      int format = in.readByte();
      if (format != FORMAT) {
        throw new MalformedBytesException("format " + format);
      }
      int numbers = in.readCount(Integer.MAX_VALUE);
      int size = in.readCount(INDEXES_MAX);
      List<Kept> indexes = new ArrayList<>(size);
      for (int i = 0; i < size; i++) {
        String name = in.readText();
        int number = in.readCount(Integer.MAX_VALUE);
        indexes.add(new Kept(name, number, in.readText(), STATES.get(in.readByte())));
      }
      in.end();
      return new TableState(numbers, indexes);
    } catch (MalformedBytesException | IndexOutOfBoundsException e) {
      throw new CanopyException(
          ErrorCode.CODEC_FAILURE, "the definitions of a table are not readable", e);
    }
  }
}
