package io.canopygrid.btree.access.commit;

import io.canopygrid.btree.access.IndexRef;
import io.canopygrid.codec.KeyRange;
import io.canopygrid.engine.EngineView;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One index in one transaction, at a node of this JVM. Keys and values handed in are kept and must
 * not change; those returned are not to be changed. Confined to the transaction's thread.
 */
public sealed interface TransactionView extends EngineView permits PlainView, CloneView {
  /** The index. */
  IndexRef index();

  /**
   * A key's value where this node has it at hand. Does not block.
   *
   * @return null: {@link #get} finds it
   */
  @Nullable AtHand getAtHand(byte[] key);

  /**
   * A key's value that was found without waiting.
   *
   * @param value null where there is none
   */
  record AtHand(byte @Nullable [] value) {}

  /**
   * Removes every entry of a range at commit.
   *
   * @param each hears of each key before it is removed; an exception that it throws ends the
   *     removal
   * @return the number of them
   */
  long removeRange(KeyRange range, Consumer<byte[]> each);
}
