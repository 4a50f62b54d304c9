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
   * Makes an index anew from the rows, and returns when it can be read. From the first moment until
   * then reading it is {@link ErrorCode#INDEX_NOT_READY}. Other transactions go on writing
   * meanwhile, and maintain the old entries and the new ones; so a unique index refuses what it
   * refused before. If an earlier call began to build the index and did not end, this call goes on
   * from there.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}; {@link ErrorCode#DEFINITION_MISMATCH}
   *     where this handle was not told of the index, or it is being dropped; {@link
   *     ErrorCode#INVALID_ARGUMENT} where the table has as many indexes as it may, one of which has
   *     to be dropped first; {@link ErrorCode#UNIQUE_VIOLATION} where two rows have one attribute,
   *     and other codes where a row cannot be in the index: then the index is what it was, as after
   *     an exception of the definition's own functions
   */
  void rebuildIndex(String name);

  /**
   * Compares all indexes with the rows. The table is read piece by piece, each piece in one
   * snapshot and in a transaction of its own. So this method holds back nothing and takes little
   * memory, however large the table is, and what others write meanwhile is never taken for a
   * difference. A difference that is made after the check began need not be found.
   *
   * <p>An index that this handle was told of is checked in {@linkplain TableReport.Depth#FULL
   * full}. Of any other one only the {@linkplain TableReport.Depth#ENTRIES entries} can be checked.
   * An index that is not {@link IndexState#READY} is not checked.
   *
   * <p>Each row costs a read for each of its entries, and each entry a read of its row.
   *
   * @param differencesMost how many differences are described, at least 0; all are counted
   * @throws CanopyException {@link ErrorCode#DEFINITION_MISMATCH} where this handle was told of an
   *     index differently; {@link ErrorCode#INVALID_ARGUMENT}
   */
  TableReport check(int differencesMost);

  /** The same with the first 100 differences. */
  default TableReport check() {
    return check(100);
  }

  /**
   * The progress of an index.
   *
   * @throws CanopyException {@link ErrorCode#UNKNOWN_INDEX}
   */
  IndexState index(String name);

  /** All indexes, by name. */
  Map<String, IndexState> indexes();
}
