package io.canopygrid;

import java.util.HexFormat;

/**
 * An entry of a secondary index.
 *
 * @param attribute of the row
 * @param key the row's primary key
 * @param covered what {@link IndexDefinition#covering} put into it, by its codec; else empty
 */
public record IndexEntry<A, K>(A attribute, K key, byte[] covered) {
  /** For people; what is covered in hexadecimal. */
  @Override
  public String toString() {
    return "IndexEntry[attribute=%s, key=%s, covered=%s]"
        .formatted(attribute, key, HexFormat.of().formatHex(covered));
  }
}
