package io.canopygrid;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rows by a primary key, with secondary indexes that always agree with them: a transaction finds
 * the same by an index as in the rows. Tables are read and written through {@link Transaction#on}.
 * Thread-safe.
 *
 * <p>The grid keeps the list of the indexes. A handle has to be told of each ({@link Canopy#table},
 * {@link #createIndex}) before it can write rows.
 *
 * @param <K> primary keys
 * @param <R> rows
 */
public interface Table<K, R> {
  /** The table's name. */
  String name();

  /** The codec of the keys. */
  Codec<K> keyCodec();

  /** The codec of the rows. */
  Codec<R> rowCodec();

  /**
   * Creates an index, and returns when it can be read. Other transactions go on writing meanwhile,
   * and maintain the index from the first moment; the rows of before are added in small
   * transactions. If an earlier call began to create the index and did not end, this call goes on
   * from there; if the index exists, this call does nothing.
   *
   * @throws CanopyException {@link ErrorCode#DEFINITION_MISMATCH} where there is another one of
   *     this name, or it is being dropped; {@link ErrorCode#UNIQUE_VIOLATION} where two rows have
   *     one attribute, and other codes where a row cannot be in the index: then it is dropped
   *     again, as after an exception of the definition's own functions, unless another call has
   *     completed it meanwhile
   */
  void createIndex(IndexDefinition<R, ?> definition);

  /** Creates an index by one attribute, see {@link IndexDefinition#of}. */
  default <A> IndexDefinition<R, A> createIndex(
      String name, Codec<A> attribute, Function<? super R, ? extends @Nullable A> extractor) {
    IndexDefinition<R, A> definition = IndexDefinition.of(name, attribute, extractor);
    createIndex(definition);
    return definition;
  }

  /**
   * Drops an index. From then on the index cannot be read, but in a named snapshot from before. Its
   * memory is freed in the background. A second call finishes what a first one left. The handle
   * need not know the index's definition.
   *
   * @return whether there was one
   */
  boolean dropIndex(String name);

  /**
   * The progress of an index.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  IndexState index(String name);

  /** All indexes, by name. */
  Map<String, IndexState> indexes();
}
