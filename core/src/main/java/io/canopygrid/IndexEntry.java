package io.canopygrid;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An entry of a secondary index. Immutable; two entries are equal if attribute, key and what they
 * cover are.
 *
 * @param <A> the attribute by which rows are found
 * @param <K> the rows' primary keys
 */
public final class IndexEntry<A, K> {
  private final A attribute;
  private final K key;
  private final String index;
  private final String coveredCodec;
  private final byte[] covered;

  /** Of an index by its name, and the id of its codec of what it covers; empty: it has none. */
  IndexEntry(String index, String coveredCodec, A attribute, K key, byte[] covered) {
    this.index = index;
    this.coveredCodec = coveredCodec;
    this.attribute = attribute;
    this.key = key;
    this.covered = covered.clone();
  }

  /** The attribute of the row. */
  public A attribute() {
    return attribute;
  }

  /** The row's primary key. */
  public K key() {
    return key;
  }

  /**
   * The part of the row that the index covers, decoded anew by each call.
   *
   * @param part the one that {@link IndexDefinition#covering} was given, or another of its codec
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} if the index covers nothing, or a
   *     part of another codec; {@link ErrorCode#CODEC_FAILURE}
   */
  public <C> C covered(Covering<?, C> part) {
    Arguments.notNull("what is covered", part);
    if (!part.codecId().equals(coveredCodec)) {
      throw Arguments.invalid(
          String.format(
              Locale.ROOT,
              "index '%s' covers %s: asked for codec %s",
              index,
              coveredCodec.isEmpty() ? "nothing" : coveredCodec,
              part.codecId()));
    }
    return part.decode(covered);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexEntry<?, ?> entry
        && attribute.equals(entry.attribute)
        && key.equals(entry.key)
        && Arrays.equals(covered, entry.covered);
  }

  @Override
  public int hashCode() {
    return Objects.hash(attribute, key, Arrays.hashCode(covered));
  }

  /** For people; what is covered in hexadecimal. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "IndexEntry[attribute=%s, key=%s, covered=%s]",
        attribute,
        key,
        HexFormat.of().formatHex(covered));
  }
}
