package io.canopygrid.gmu.protocol.read;

import io.canopygrid.gmu.CompositeKey;
import io.canopygrid.gmu.Footprint.Write;
import io.canopygrid.gmu.Outcome.AbortReason;
import io.canopygrid.gmu.ReadAnswer;
import io.canopygrid.gmu.ReadQuery;
import io.canopygrid.gmu.message.Message.Refusal;
import io.canopygrid.gmu.message.Message.TxRecord;
import io.canopygrid.gmu.spi.Traffic;

/** Where a node's traffic is told, to nobody at first. Thread-safe. */
public final class TrafficTap {
  private volatile Traffic traffic = Traffic.NONE;

  public void tellTo(Traffic listener) {
    traffic = listener;
  }

  /** A primary has answered. */
  void answered(ReadQuery query, ReadAnswer answer) {
    if (answer instanceof ReadAnswer.Got) {
      ReadQuery.Get get = (ReadQuery.Get) query;
      if (!get.key().isHeader()) {
        traffic.read(get.key());
      }
    } else if (answer instanceof ReadAnswer.Scanned page) {
      traffic.scanned((ReadQuery.Scan) query, page.entries().size());
    } else if (answer instanceof ReadAnswer.Counted counted) {
      traffic.counted((ReadQuery.Count) query, counted.entries());
    }
  }

  /** A primary has applied a commit. */
  public void applied(TxRecord rec) {
    Traffic listener = traffic;
    for (Write write : rec.footprint().writes()) {
      if (write.origin() == null && !write.key().isHeader()) {
        listener.wrote(write.key());
      }
    }
  }

  /** A primary has refused a commit. */
  public void refused(Refusal refusal) {
    CompositeKey key = refusal.key();
    boolean conflicts =
        refusal.reason() == AbortReason.STALE_READ || refusal.reason() == AbortReason.LOCK_TIMEOUT;
    if (conflicts && key != null && !key.isHeader()) {
      traffic.conflicted(key);
    }
  }
}
