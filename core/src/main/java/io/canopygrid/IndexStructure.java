package io.canopygrid;

import java.util.List;
import java.util.OptionalInt;

/**
 * The subtrees into which an index is cut, their places, and changes of both by hand. No change
 * aborts a transaction. The grid balances itself, and may so undo a change that makes it uneven.
 * Thread-safe. Keys are bytes, as the index's codec encodes them.
 *
 * <p><b>Errors</b> of all methods: {@link ErrorCode#UNKNOWN_INDEX} where it is not there (any
 * more), {@link ErrorCode#SHARD_UNAVAILABLE}, {@link ErrorCode#TIMEOUT}, {@link
 * ErrorCode#NOT_CONNECTED}, {@link ErrorCode#CANOPY_CLOSED}; of a client also {@link
 * ErrorCode#FORBIDDEN}.
 */
public interface IndexStructure {
  /** All subtrees in the order of their keys, with what they are used for. */
  List<Subtree> subtrees();

  /** The changes under way at all nodes, and the last ones of each, by their beginning. */
  List<StructureChange> changes();

  /** The fineness of the cut. */
  CutOff cutOff();

  /**
   * Fixes how many subtrees per node it is to have, or leaves that to the configuration again.
   *
   * @param subtreesPerNode 1 to {@value CutOff#SUBTREES_PER_NODE_MAX}; empty: as configured
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} out of the range
   */
  CutOff fixCutOff(OptionalInt subtreesPerNode);

  /**
   * Cuts a subtree in two.
   *
   * @param at where the new one begins
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where one begins there already
   */
  StructureChange split(byte[] at);

  /**
   * Merges the subtree of a key with its right neighbour, the last one with its left one.
   *
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} where it is the only one
   */
  StructureChange merge(byte[] key);

  /**
   * Moves the subtree of a key to a node.
   *
   * @param node as {@code canopy status} names it
   * @throws CanopyException {@link ErrorCode#INVALID_ARGUMENT} for a node that has no part of the
   *     data
   */
  StructureChange move(byte[] key, String node);
}
