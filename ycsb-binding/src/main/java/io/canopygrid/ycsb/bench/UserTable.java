package io.canopygrid.ycsb.bench;

import io.canopygrid.Canopy;
import io.canopygrid.Codec;
import io.canopygrid.Cursor;
import io.canopygrid.Index;
import io.canopygrid.MutableView;
import io.canopygrid.TransactionOptions;
import java.time.Duration;
import java.util.List;

/** The index that holds YCSB's records. */
final class UserTable {
  /** The name of the index, which YCSB prescribes. */
  static final String NAME = "usertable";

  private static final int REMOVED_AT_ONCE = 500;
  private static final TransactionOptions PATIENT =
      TransactionOptions.labelled("clear").withTimeout(Duration.ofMinutes(5));

  private UserTable() {}

  /**
   * Makes the index empty, in a cluster that others use as well.
   *
   * @param clear whether entries of the index may be removed
   * @throws BenchFailure if the index has entries that may not be removed
   */
  static void makeEmpty(Canopy canopy, boolean clear) throws BenchFailure {
    Index<String, byte[]> table = canopy.index(NAME, Codec.string(), Codec.bytes());
    long there = canopy.<Long, RuntimeException>read(PATIENT, tx -> tx.on(table).count());
    if (there > 0 && !clear) {
      throw new BenchFailure(
          "index " + NAME + " has " + there + " entries: give --clear to remove them");
    }
    for (boolean more = there > 0; more; ) {
      more = canopy.<Boolean, RuntimeException>call(PATIENT, tx -> removeSome(tx.on(table)));
    }
  }

  private static boolean removeSome(MutableView<String, byte[]> view) {
    List<String> keys;
    try (Cursor<String, byte[]> cursor = view.scan().limit(REMOVED_AT_ONCE)) {
      keys = cursor.keys().toList();
    }
    keys.forEach(view::remove);
    return !keys.isEmpty();
  }
}
