package io.canopygrid.table;

import io.canopygrid.Codec;
import io.canopygrid.IndexDefinition;
import io.canopygrid.codec.Escapes;
import io.canopygrid.engine.KeyText;
import io.canopygrid.wire.ByteReader;
import io.canopygrid.wire.MalformedBytesException;
import java.util.Optional;

/**
 * Takes the entries of an index of a table apart, by bytes.
 *
 * @param unique whether an entry's key is the attribute alone
 * @param attributes the codec of attributes, or one with the same lengths
 * @param keys the codec of the rows' keys, or one with the same lengths
 */
record EntryParts(boolean unique, Codec<?> attributes, Codec<?> keys) {
  /** An entry's attribute, and the key of its row. */
  record Parts(byte[] attribute, byte[] key) {}

  /** The parts of the entries of an index whose definition is known. */
  static EntryParts of(IndexDefinition<?, ?> definition, Codec<?> keys) {
    return new EntryParts(definition.isUnique(), definition.attribute(), keys);
  }

  /** The same for an index that the handle does not know; none where the ids do not say enough. */
  static Optional<EntryParts> of(TableState.Kept index, String keyCodec) {
    Optional<Codec<?>> attributes = KnownCodecs.of(index.attributeCodec());
    Optional<Codec<?>> keys = KnownCodecs.of(keyCodec);
    if (index.isUnique()) {
      // The lengths do not matter: no codec is needed to find the parts.
      return Optional.of(
          new EntryParts(
              true,
              attributes.orElse(new NamedBytes(index.attributeCodec())),
              keys.orElse(new NamedBytes(keyCodec))));
    }
    return attributes.flatMap(first -> keys.map(second -> new EntryParts(false, first, second)));
  }

  /**
   * The parts of an entry.
   *
   * @throws MalformedBytesException where it is not one
   */
  Parts of(byte[] key, byte[] value) {
    if (unique) {
      ByteReader in = new ByteReader(value);
      Parts parts = new Parts(key, in.readBytes());
      in.readBytes(); // what is covered
      in.end();
      return parts;
    }
    ByteReader in = new ByteReader(key);
    Parts parts = new Parts(component(attributes, in), component(keys, in));
    in.end();
    return parts;
  }

  private static byte[] component(Codec<?> codec, ByteReader in) {
    int length = codec.fixedLength();
    return length == Codec.VARIABLE_LENGTH ? Escapes.read(in) : in.readRaw(length);
  }

  /** The attribute in the key of an entry that the index has made itself. */
  byte[] attributeOf(byte[] key) {
    return unique ? key : component(attributes, new ByteReader(key));
  }

  /** An attribute for people. */
  String attributeText(byte[] attribute) {
    return KeyText.of(attributes, attribute);
  }
}
