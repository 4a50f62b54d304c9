package io.canopygrid.btree.crown;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Invariant;
import io.canopygrid.gmu.Pin;
import io.canopygrid.gmu.ReservedKcl;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The catalog's entry of one index, fixed when the index is created, but for the layers of a clone:
 * these end with its flattening. Stored in kcl {@link ReservedKcl#CATALOG} under the byte 1 and the
 * name.
 *
 * @param number the index's number, at least 1, never used again
 * @param firstSubtree the subtree that begins at the empty key
 * @param keyCodec identity of the codec of keys
 * @param valueCodec identity of the codec of values
 * @param subtreeEntriesMax entries above which a subtree is split
 * @param isClone whether it was made as a clone: its values are {@link MarkedValue}s, for ever
 * @param layers what a clone shows below its own entries, the parent first; empty: nothing
 */
public record CatalogEntry(
    int number,
    long firstSubtree,
    String keyCodec,
    String valueCodec,
    int subtreeEntriesMax,
    boolean isClone,
    List<CloneLayer> layers) {
  /**
   * Where the number given to the newest index is kept ({@link IndexNumbers}), before all names.
   */
  public static final CompositeKey NUMBERS = ReservedKcl.CATALOG.key(new byte[] {0});

  /** The first byte of the ku of every name. */
  private static final byte NAME = 1;

  private static final byte VERSION = 1;

  /** Of the entries of clones: the same, and the layers. */
  private static final byte VERSION_OF_CLONES = 2;

  private static final int FIXED_BYTES = 1 + 2 * Integer.BYTES + Long.BYTES;

  /** Copies the list. */
  public CatalogEntry {
    layers = List.copyOf(layers);
  }

  /** The entry of an index that is no clone. */
  public CatalogEntry(
      int number, long firstSubtree, String keyCodec, String valueCodec, int subtreeEntriesMax) {
    this(number, firstSubtree, keyCodec, valueCodec, subtreeEntriesMax, false, List.of());
  }

  /** The entry of the clone once it has all entries by itself. */
  public CatalogEntry flattened() {
    return new CatalogEntry(
        number, firstSubtree, keyCodec, valueCodec, subtreeEntriesMax, isClone, List.of());
  }

  /**
   * The pin of the lowest layer. Its clock is at or below those of the others: each layer is a
   * clone, and was made by a commit at or above the clock of the one below it.
   */
  public Pin lowestPin() {
    return layers.get(layers.size() - 1).pin();
  }

  /** The entry of the index of a layer. */
  public CatalogEntry of(CloneLayer layer) {
    return new CatalogEntry(
        layer.number(),
        layer.firstSubtree(),
        keyCodec,
        valueCodec,
        subtreeEntriesMax,
        layer.isClone(),
        List.of());
  }

  /** The key of an index in the catalog. */
  public static CompositeKey key(String name) {
    byte[] text = name.getBytes(StandardCharsets.US_ASCII);
    byte[] ku = new byte[1 + text.length];
    ku[0] = NAME;
    System.arraycopy(text, 0, ku, 1, text.length);
    return ReservedKcl.CATALOG.key(ku);
  }

  /** A ku at or below that of every name, and above that of {@link #NUMBERS}. */
  public static byte[] firstName() {
    return new byte[] {NAME};
  }

  /** The name of the index with this ku. */
  public static String name(byte[] ku) {
    return new String(ku, 1, ku.length - 1, StandardCharsets.US_ASCII);
  }

  /** The entry as it is stored. */
  public byte[] encode() {
    byte[] keys = keyCodec.getBytes(StandardCharsets.UTF_8);
    byte[] values = valueCodec.getBytes(StandardCharsets.UTF_8);
    List<byte[]> below = layers.stream().map(CloneLayer::encode).toList();
    int size = FIXED_BYTES + 2 * Short.BYTES + keys.length + values.length;
    for (byte[] layer : below) {
      size += Integer.BYTES + layer.length;
    }
    ByteBuffer out =
        ByteBuffer.allocate(isClone ? size + 1 : size)
            .put(isClone ? VERSION_OF_CLONES : VERSION)
            .putInt(number)
            .putLong(firstSubtree)
            .putInt(subtreeEntriesMax)
            .putShort((short) keys.length)
            .put(keys)
            .putShort((short) values.length)
            .put(values);
    if (isClone) {
      out.put((byte) below.size());
      below.forEach(layer -> out.putInt(layer.length).put(layer));
    }
    return out.array();
  }

  /** The entry with these bytes. */
  public static CatalogEntry decode(byte[] bytes) {
    boolean isClone = bytes.length > 0 && bytes[0] == VERSION_OF_CLONES;
    Invariant.holds(
        bytes.length > FIXED_BYTES && (isClone || bytes[0] == VERSION),
        "a catalog entry of version %s or %s: %s bytes",
        VERSION,
        VERSION_OF_CLONES,
        bytes.length);
    ByteBuffer in = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    int number = in.getInt();
    long firstSubtree = in.getLong();
    int subtreeEntriesMax = in.getInt();
    String keys = text(in);
    String values = text(in);
    List<CloneLayer> layers = new ArrayList<>();
    int below = isClone ? in.get() : 0;
    for (int i = 0; i < below; i++) {
      byte[] layer = new byte[in.getInt()];
      in.get(layer);
      layers.add(CloneLayer.decode(layer));
    }
    return new CatalogEntry(number, firstSubtree, keys, values, subtreeEntriesMax, isClone, layers);
  }

  /** The number in these bytes of an entry. */
  public static int numberOf(byte[] bytes) {
    return ByteBuffer.wrap(bytes).getInt(1);
  }

  /** Whether these bytes are the entry of a clone with layers. */
  public static boolean hasLayers(byte[] bytes) {
    if (bytes[0] != VERSION_OF_CLONES) {
      return false;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).position(FIXED_BYTES);
    text(in);
    text(in);
    return in.get() > 0;
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[in.getShort() & 0xFFFF];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
