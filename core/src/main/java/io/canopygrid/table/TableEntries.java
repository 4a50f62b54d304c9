package io.canopygrid.table;

import io.canopygrid.CanopyException;
import io.canopygrid.Codec;
import io.canopygrid.ErrorCode;
import io.canopygrid.IndexDefinition;
import io.canopygrid.IndexEntry;
import io.canopygrid.Range;
import io.canopygrid.Tuple;
import io.canopygrid.codec.Escapes;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EntryCodec;
import io.canopygrid.engine.KeyText;
import io.canopygrid.engine.OpenIndex;
import io.canopygrid.typed.IndexOpener;
import io.canopygrid.typed.TypedIndex;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.ByteWriter;
import io.canopygrid.wire.MalformedBytesException;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of one index of a table, by bytes. In a unique index the entry's key is the
 * attribute, and its value is the row's key and the covered part. In any other index the key is the
 * attribute and the row's key, and the value is the covered part.
 */
final class TableEntries<A, K, R> {
  private final IndexDefinition<R, A> definition;
  private final Codec<K> keys;
  private final TypedIndex<?, byte[]> storage;
  private final @Nullable EntryCodec<A, byte[]> unique;
  private final @Nullable EntryCodec<Tuple, byte[]> many;
  private final @Nullable Codec<Tuple> pairs;

  private TableEntries(
      IndexDefinition<R, A> definition,
      Codec<K> keys,
      TypedIndex<?, byte[]> storage,
      @Nullable EntryCodec<A, byte[]> unique,
      @Nullable EntryCodec<Tuple, byte[]> many,
      @Nullable Codec<Tuple> pairs) {
    this.definition = definition;
    this.keys = keys;
    this.storage = storage;
    this.unique = unique;
    this.many = many;
    this.pairs = pairs;
  }

  /** Opens what has the entries of an index, in the grid's index of this name. */
  static <A, K, R> TableEntries<A, K, R> open(
      IndexOpener opener, String name, IndexDefinition<R, A> definition, Codec<K> keys) {
    if (definition.isUnique()) {
      TypedIndex<A, byte[]> index = opener.open(name, definition.attribute(), Codec.bytes());
      return new TableEntries<>(definition, keys, index, index.entries(), null, null);
    }
    Codec<Tuple> pairs = Codec.tuple(definition.attribute(), keys);
    TypedIndex<Tuple, byte[]> index = opener.open(name, pairs, Codec.bytes());
    return new TableEntries<>(definition, keys, index, null, index.entries(), pairs);
  }

  IndexDefinition<R, A> definition() {
    return definition;
  }

  OpenIndex storage() {
    return storage.opened();
  }

  boolean isUnique() {
    return unique != null;
  }

  /** The entries of a row, by their key; none where there is no row. */
  Map<byte[], byte[]> of(byte[] key, K primary, @Nullable R row) {
    Map<byte[], byte[]> entries = new TreeMap<>(Arrays::compareUnsigned);
    if (row == null) {
      return entries;
    }
    for (A attribute : definition.attributesOf(row)) {
      byte[] covered = definition.coveredOf(row);
      if (unique != null) {
        byte[] value = new ByteWriter(64).writeBytes(key).writeBytes(covered).toBytes();
        entries.put(unique.encodeKey(attribute), unique.encodeValue(value));
      } else if (many != null) {
        entries.put(many.encodeKey(Tuple.of(attribute, primary)), many.encodeValue(covered));
      }
    }
    return entries;
  }

  /** The key of an entry's row for people, by the entry's value in a unique index. */
  String ownerText(byte[] value) {
    return KeyText.of(keys, ownerOf(value));
  }

  /** The row's key in the value of an entry of a unique index. */
  static byte[] ownerOf(byte[] value) {
    try {
      return new ByteReader(value).readBytes();
    } catch (MalformedBytesException e) {
      throw unreadable(e);
    }
  }

  /** The entries with attributes of a range. */
  KeyRange rangeOf(@Nullable Range<A> range) {
    if (range == null) {
      throw new CanopyException(ErrorCode.NULL_NOT_ALLOWED, "the range is null");
    }
    Codec<Tuple> codec = pairs;
    if (unique != null || codec == null) {
      return range.encode(definition.attribute()::encode, definition.attribute()::prefix);
    }
    return range.encodeGroups(
        attribute -> KeyRange.startingWith(codec.prefix(Tuple.of(attribute))), this::beginning);
  }

  /** The entries of an index that is not unique whose attributes begin with a prefix. */
  private KeyRange beginning(A prefix) {
    byte[] bytes = definition.attribute().prefix(prefix);
    if (definition.attribute().fixedLength() != Codec.VARIABLE_LENGTH) {
      return KeyRange.startingWith(bytes);
    }
    ByteWriter out = new ByteWriter(bytes.length + 8);
    Escapes.writeBeginning(out, bytes);
    return KeyRange.startingWith(out.toBytes());
  }

  @SuppressWarnings("unchecked") // the codec of pairs has made them of these types
  IndexEntry<A, K> entry(byte[] key, byte[] value) {
    if (unique != null) {
      try {
        ByteReader in = new ByteReader(value);
        K primary = keys.decode(in.readBytes());
        return definition.entry(unique.decodeKey(key), primary, in.readBytes());
      } catch (MalformedBytesException e) {
        throw unreadable(e);
      }
    }
    Tuple pair = Objects.requireNonNull(many).decodeKey(key);
    return definition.entry((A) pair.get(0), (K) pair.get(1), value);
  }

  private static CanopyException unreadable(MalformedBytesException e) {
    return new CanopyException(
        ErrorCode.CODEC_FAILURE, "an entry of a unique index is not readable", e);
  }
}
